import { expect, test } from "bun:test";
import { IngestFirst, WAIT_MS_MAX } from "./ingest-first.ts";

const STEP_MS = 50;

function ingest({ cores = 2, ingestThreads = 1, detectionThreads = 1 } = {}) {
  const shown = { fill: 0, load: 0 };
  let nowMs = 1_000;
  const machine = { cores, ingestThreads, detectionThreads };
  const first = new IngestFirst(shown, machine, () => nowMs);
  /** Returns for how long of so many seconds detection waited. */
  const pass = (seconds: number, signs: { fill: number; load: number }) => {
    Object.assign(shown, signs);
    let waitedMs = 0;
    for (let at = 0; at < seconds * 1_000; at += STEP_MS) {
      if (first.isToWait()) waitedMs += STEP_MS;
      nowMs += STEP_MS;
    }
    return waitedMs;
  };
  return { first, pass };
}

const RUSH = { fill: 0.5, load: 0.9 };
const QUIET = { fill: 0, load: 0 };

test("detection waits while the ingest thread is busy and its ring fills, and for neither alone", () => {
  const { pass } = ingest();
  expect(pass(1, { fill: 1, load: 0.2 })).toBe(0);
  expect(pass(1, { fill: 0.05, load: 1 })).toBe(0);
  expect(pass(1, RUSH)).toBe(1_000);
  expect(pass(1, QUIET)).toBe(0);
  expect(pass(1, RUSH)).toBe(1_000);
});

test("a moment in which the ingest thread is less busy ends no wait, and begins none", () => {
  const { pass } = ingest();
  const moment = { fill: 0.5, load: 0.8 };
  expect(pass(1, moment)).toBe(0);
  expect(pass(1, RUSH)).toBe(1_000);
  expect(pass(1, moment)).toBe(1_000);
});

test("a dip is bridged for less than half a second, and not where the ring has emptied", () => {
  const { pass } = ingest();
  const dip = { fill: 0.5, load: 0.3 };
  expect(pass(0.5, RUSH)).toBe(500);
  expect(pass(0.3, dip)).toBe(300);
  expect(pass(0.5, RUSH)).toBe(500);
  expect(pass(2, dip)).toBe(450);
  expect(pass(1, dip)).toBe(0);
  expect(pass(0.5, RUSH)).toBe(500);
  expect(pass(0.2, { fill: 0.05, load: 0.3 })).toBe(0);
});

test("it waits once for so long, however the rush goes on and off, until it has caught up", () => {
  const { first, pass } = ingest();
  let waitedMs = 0;
  for (let n = 0; n < 20; n++) waitedMs += pass(1, RUSH) + pass(1, QUIET);
  expect(waitedMs).toBe(WAIT_MS_MAX);
  expect(first.totalMs).toBe(WAIT_MS_MAX);
  first.caughtUp();
  expect(pass(10, RUSH)).toBe(WAIT_MS_MAX);
  expect(first.totalMs).toBe(2 * WAIT_MS_MAX);
});

test("it waits only where ingest and PostgreSQL take all cores", () => {
  const waits = (cores: number, ingestThreads: number) => ingest({ cores, ingestThreads }).pass(1, RUSH) > 0;
  expect([1, 2, 3, 4, 8].map((cores) => waits(cores, 1))).toEqual([true, true, true, false, false]);
  expect(waits(8, 6)).toBe(true);
});

test("each further detection thread needs a core of its own", () => {
  const waits = (cores: number, detectionThreads: number) =>
    ingest({ cores, detectionThreads }).pass(1, RUSH) > 0;
  expect([4, 5, 6].map((cores) => waits(cores, 3))).toEqual([true, true, false]);
});
