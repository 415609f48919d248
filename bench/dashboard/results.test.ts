import { describe, expect, test } from "bun:test";
import { loadOutcome } from "../ingest/load-outcome-sample.ts";
import { checksOf, type DashboardResults, figuresOf } from "./results.ts";
import { clickRound, figures, phase, resultsWith } from "./results-sample.ts";

/** What each check that does not hold has found, by the check's name. */
function failed(changes: Partial<DashboardResults>, pacedRate = 1_000): Record<string, string> {
  const checks = checksOf(resultsWith(changes), pacedRate);
  return Object.fromEntries(checks.filter(({ ok }) => !ok).map(({ name, found }) => [name, found]));
}

test("figures are nearest ranks of unsorted samples, by name", () => {
  const samples = new Map([
    ["slow", Array.from({ length: 100 }, (_, n) => 100 - n)],
    ["once", [7]],
    ["never", []],
  ]);
  expect(figuresOf(samples)).toEqual([
    { name: "never", count: 0, p50Ms: 0, p95Ms: 0, maxMs: 0 },
    { name: "once", count: 1, p50Ms: 7, p95Ms: 7, maxMs: 7 },
    { name: "slow", count: 100, p50Ms: 50, p95Ms: 95, maxMs: 100 },
  ]);
});

describe("checks", () => {
  test("hold when all went well, whatever was left out", () => {
    const all = resultsWith({ paints: [], rounds: [clickRound(1)], ratio: 1 });
    expect(checksOf(all, 1_000).map(({ ok }) => ok)).toEqual(Array(7).fill(true));
    expect(checksOf(resultsWith(), 1_000)).toHaveLength(5);
  });

  test("the limit of routes and pages is that of the options, and what is slow is named, the slowest first", () => {
    const routes = [figures("fits", 300), figures("late", 301), figures("later", 900)];
    expect(failed({ routes })).toEqual({
      "every route answers within 300 ms (p95)": "later 900 ms, late 301 ms",
    });
    expect(failed({ pages: routes })).toEqual({
      "every page has its data within 300 ms (p95)": "later 900 ms, late 301 ms",
    });
    const options = { ...resultsWith().options, limitMs: 900 };
    expect(failed({ routes, options })).toEqual({});
  });

  test("a request without an answer fails", () => {
    expect(failed({ failures: ["groups: answered 503", "live: timed out"] })).toEqual({
      "every request is answered": "groups: answered 503; live: timed out",
    });
  });

  test("the pace is kept from 97 of 100 events on", () => {
    expect(failed({ paced: phase({ eventsPerSecond: 970 }) })).toEqual({});
    expect(failed({ paced: phase({ eventsPerSecond: 969 }) })).toEqual({
      "ingest keeps its pace while pages are asked for": "969 of 1000 events/s",
    });
  });

  test("a page is painted within a second, cold and warm", () => {
    const [fast, slow] = [
      { firstPaintMs: 1_000, dataMs: 5_000 },
      { firstPaintMs: 1_001, dataMs: 5_000 },
    ];
    const paints = [
      { page: "fits", cold: fast, warm: fast },
      { page: "cold", cold: slow, warm: fast },
      { page: "warm", cold: fast, warm: slow },
    ];
    expect(failed({ paints })).toEqual({
      "first paint within 1000 ms, cold and warm": "cold 1001 ms, warm 1001 ms",
    });
  });

  test("people may take 5 % of the rate", () => {
    expect(failed({ rounds: [clickRound(0.95)], ratio: 0.95 })).toEqual({});
    expect(failed({ rounds: [clickRound(0.94)], ratio: 0.94 })).toEqual({
      "people who click take at most 5 % of the ingest rate": "6.0 %",
    });
  });

  test("events that were refused or not answered count in every phase", () => {
    const refused = phase({ name: "r", load: loadOutcome({ eventsRefused: 1, firstRefusal: "429" }) });
    const lost = phase({ name: "l", load: loadOutcome({ eventsUnanswered: 1 }) });
    const name = "no event is refused or unanswered";
    expect(failed({ paced: refused })).toEqual({ [name]: "r: 429" });
    const rounds = [clickRound(1), { ...clickRound(1), alone: refused, clicked: lost }];
    expect(failed({ rounds })).toEqual({ [name]: "r: 429; l: unanswered" });
  });
});
