import { describe, expect, test } from "bun:test";
import { loadOutcome } from "./load-outcome-sample.ts";
import type { LoadOutcome } from "./messages.ts";
import type { CeilingPhase, LoadPhase } from "./results.ts";
import { checksOf, counterChecks, metricSamples, roundOf, summaryOf } from "./summary.ts";

function phase(changes: Partial<LoadOutcome> = {}, rows = 1000, eventsPerSecond = 1000): LoadPhase {
  const load = loadOutcome(changes);
  const cpu = { sender: 0.001, service: 0.004, postgres: 0.005, others: 0 };
  return {
    name: "p",
    executions: 1,
    load,
    eventsPerSecond,
    cpu,
    rows,
    rowsExpected: 1000,
    memory: undefined,
  };
}

const ceiling: CeilingPhase = {
  name: "c",
  rows: 2000,
  seconds: 1,
  eventsPerSecond: 500,
  cpu: { sender: 0.002, service: undefined, postgres: 0.018, others: 0 },
};

const failed = (found: LoadPhase, duplicates = false) =>
  checksOf([found], { duplicates })
    .filter((check) => !check.ok)
    .map((check) => check.name);

test("a round's ratios: events a second, and CPU an event without the load generator's", () => {
  const round = roundOf(ceiling, phase());
  expect(round.speedRatio).toBe(2);
  expect(round.cpuRatio).toBeCloseTo(0.9);
  expect(roundOf(undefined, phase())).toMatchObject({ speedRatio: undefined, cpuRatio: undefined });
});

test("the summary takes the median of the rounds' ratios, not the ratio of medians", () => {
  const rounds = [600, 1000, 5000].map((rate) => roundOf(ceiling, phase({}, 1000, rate)));
  expect(summaryOf(rounds)).toMatchObject({ eventsPerSecond: 1000, speedRatio: 2, serviceCpuMicros: 4 });
});

describe("checks", () => {
  test("hold on a clean phase", () => {
    expect(failed(phase())).toEqual([]);
  });

  test("name an event without an outcome, a lost row, a refusal, a duplicate nobody sent", () => {
    expect(failed(phase({ eventsAccepted: 999 }))).toEqual(["p: sent = sum of outcomes"]);
    expect(failed(phase({}, 999))).toEqual(["p: rows = stored"]);
    expect(failed(phase({ eventsAccepted: 900, eventsRefused: 100 }))).toEqual([
      "p: every request had its final success",
    ]);
    const twice = phase({ eventsAccepted: 900, eventsDuplicate: 100 });
    expect(failed(twice)).toEqual(["p: no duplicates"]);
    expect(failed(twice, true)).toEqual([]);
  });
});

test("the service's counters are compared by outcome, all reasons together", () => {
  const page = [
    "# TYPE ats_events_total counter",
    'ats_events_total{outcome="accepted",reason=""} 998',
    'ats_events_total{outcome="rejected",reason="a"} 1',
    'ats_events_total{outcome="rejected",reason="b"} 1',
    'ats_events_total{outcome="shed",reason=""} 0',
    'ats_flush_events_bucket{le="1"} 7',
    "process_cpu 3",
  ].join("\n");
  const metrics = metricSamples(page, ["event"]);
  expect(Object.keys(metrics)).toHaveLength(3);
  const right = counterChecks(metrics, [phase({ eventsAccepted: 998, eventsRejected: 2 })]);
  expect(right.map((check) => check.ok)).toEqual([true, true, true]);
  const wrong = counterChecks(metrics, [phase()]);
  expect(wrong.map((check) => check.ok)).toEqual([false, true, false]);
});
