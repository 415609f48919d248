import { describe, expect, test } from "bun:test";
import {
  binned,
  brushedRange,
  eventTypeColumns,
  ratesOf,
  rateUnitOf,
  type SteppedCounts,
  sumOf,
  widerRange,
} from "./series-shape.ts";

const startMs = Date.parse("2026-11-21T10:00:00Z");
const at = (minutes: number) => new Date(startMs + minutes * 60_000).toISOString();

/** Steps of a minute from ten o'clock, looked at `nowMinutes` later. */
function counts(series: Record<string, number[]>, nowMinutes: number): SteppedCounts {
  const length = Object.values(series)[0]?.length ?? 0;
  return {
    from: at(0),
    to: at(length),
    now: at(nowMinutes),
    step_seconds: 60,
    at: Array.from({ length }, (_, step) => startMs / 1000 + step * 60),
    series,
  };
}

describe("rates", () => {
  const second = { seconds: 1, name: "a second" };

  test("a step that is not over counts for what is over of it", () => {
    const values = [600, 600, 300];
    expect(ratesOf(counts({ x: values }, 2.5), values, second)).toEqual([10, 10, 10]);
  });

  test("a step that has barely begun tells nothing, nor one that has not", () => {
    const values = [600, 1, 0];
    expect(ratesOf(counts({ x: values }, 1.1), values, second)).toEqual([10, null, null]);
  });

  test.each([
    [[6000], "a second"],
    [[59], "a minute"],
    [[1], "a minute"],
    [[0], "a minute"],
  ])("%j in a minute are shown by %s", (values, name) => {
    expect(rateUnitOf(counts({ x: values }, 5), [values]).name).toBe(name);
  });

  test("what is rarer than one a minute is shown by the hour", () => {
    const hour = { ...counts({ x: [7] }, 120), step_seconds: 3600 };
    const unit = rateUnitOf(hour, [[7]]);
    expect(unit.name).toBe("an hour");
    expect(ratesOf(hour, [7], unit)).toEqual([7]);
  });
});

describe("events by type", () => {
  test("no event is lost among those not told apart, and no colour is used twice", () => {
    const types = [
      "llm_call",
      "tool_call",
      "exception",
      "egress",
      "eval_score",
      "mcp_call",
      "drift_signal",
      "unknown",
    ];
    const series = Object.fromEntries(types.map((type, index) => [`events.${type}`, [index + 1, 2 * index]]));
    const columns = eventTypeColumns(counts({ ...series, "outcomes.accepted": [1000, 1000] }, 5));
    expect(sumOf(columns.flatMap(({ values }) => values as number[]))).toBe(
      sumOf(Object.values(series).flat()),
    );
    expect(new Set(columns.map(({ color }) => color)).size).toBe(columns.length);
    expect(columns.at(-1)?.name).toBe("Other types");
  });

  test("a type keeps its colour and place when others overtake it", () => {
    const few = eventTypeColumns(counts({ "events.tool_call": [9], "events.llm_call": [1] }, 5));
    const many = eventTypeColumns(counts({ "events.tool_call": [1], "events.llm_call": [9] }, 5));
    expect(few.map(({ name, color }) => [name, color])).toEqual(many.map(({ name, color }) => [name, color]));
  });
});

test("bars add up to what they stand for", () => {
  const values = Array.from({ length: 145 }, (_, index) => index);
  for (const bars of [1, 7, 40, 144, 145, 400]) {
    const bins = binned(values, bars);
    expect(bins.length).toBeLessThanOrEqual(bars);
    expect(sumOf(bins)).toBe(sumOf(values));
  }
  expect(binned([], 40)).toEqual([]);
});

describe("ranges", () => {
  test("a brush ends on whole minutes and is never too short", () => {
    const minutes = (from: number, to: number) => {
      const range = brushedRange({ from: at(from), to: at(to) });
      return [(Date.parse(range.from) - startMs) / 60_000, (Date.parse(range.to) - startMs) / 60_000];
    };
    expect(minutes(0.4, 29.2)).toEqual([0, 30]);
    expect(minutes(10.1, 10.2)).toEqual([9, 14]);
  });

  test("wider is twice as long, and does not reach into the future", () => {
    expect(widerRange({ from: at(0), to: at(60) }, startMs + 600 * 60_000)).toEqual({
      from: at(-30),
      to: at(90),
    });
    expect(widerRange({ from: at(0), to: at(60) }, startMs + 70 * 60_000)).toEqual({
      from: at(-50),
      to: at(70),
    });
  });
});
