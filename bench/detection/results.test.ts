import { expect, test } from "bun:test";
import { loadOutcome } from "../ingest/load-outcome-sample.ts";
import type { LoadPhase, PhaseCpu } from "../ingest/results.ts";
import { cpuMicros, type Pair, summaryOfPairs } from "./results.ts";

function phase(eventsPerSecond: number, cpu: Partial<PhaseCpu>): LoadPhase {
  const parts = { sender: 0.001, service: 0.004, postgres: 0.005, others: 0, ...cpu };
  const load = loadOutcome({});
  return {
    name: "p",
    executions: 1,
    load,
    eventsPerSecond,
    cpu: parts,
    rows: 1,
    rowsExpected: 1,
    memory: undefined,
  };
}

function pair(off: number, on: number, mostSeconds: number, cpu: Partial<PhaseCpu> = {}): Pair {
  const lag = { mostSeconds, caughtUpSeconds: 1, quietSeconds: [mostSeconds / 10, 0], counted: {} };
  return { off: phase(off, {}), on: phase(on, { service: 0.009, ...cpu }), lag, ratio: on / off };
}

test("the summary: the median of the pairs' ratios, the most lag of any, the median of what CPU it takes more", () => {
  const pairs = [pair(1000, 500, 1), pair(1000, 900, 4), pair(100, 80, 2)];
  expect(summaryOfPairs(pairs)).toMatchObject({
    offEventsPerSecond: 1000,
    onEventsPerSecond: 500,
    ratio: 0.8,
    mostLagSeconds: 4,
    mostQuietSeconds: 0.4,
    extraCpuMicros: expect.closeTo(5),
  });
});

test("CPU that could not be read leaves its figure out", () => {
  expect(cpuMicros(phase(1, { postgres: undefined }))).toBeUndefined();
  expect(
    summaryOfPairs([pair(1, 1, 0), pair(1, 1, 0, { postgres: undefined })]).extraCpuMicros,
  ).toBeUndefined();
});
