import { describe, expect, test } from "bun:test";
import { describeAnyDetector, play, START_MS } from "../../../test/support/detector-harness.ts";
import { executionTimeout } from "./execution-timeout.ts";

const MINUTE_MS = 60_000;

describe("execution_timeout", () => {
  describeAnyDetector(executionTimeout, () => ({ events: [], tickAfterMs: 61 * MINUTE_MS }));

  test("a running execution fires by the clock, once its time is over", () => {
    expect(play(executionTimeout, { events: [], tickAfterMs: 60 * MINUTE_MS })).toEqual([]);
    const [detection] = play(executionTimeout, { events: [], tickAfterMs: 60 * MINUTE_MS + 1 });
    expect(detection).toMatchObject({ signatureParts: ["running"], eventId: null, dedupKey: "timeout" });
  });

  test("a finished one fires by its own duration, else by the service's clock", () => {
    const of = (finished: object) =>
      play(executionTimeout, { events: [], finished: { status: "completed", ...finished } });
    expect(of({ durationMs: 61 * MINUTE_MS })[0]?.signatureParts).toEqual(["finished"]);
    expect(of({ durationMs: 59 * MINUTE_MS, finishedMs: START_MS + 90 * MINUTE_MS })).toEqual([]);
    expect(of({ finishedMs: START_MS + 90 * MINUTE_MS })).toHaveLength(1);
  });

  test("the limit is the project's own", () => {
    const thresholds = { durationMinutesMax: 0.5 };
    expect(play(executionTimeout, { events: [], tickAfterMs: 31_000, thresholds })).toHaveLength(1);
    expect(play(executionTimeout, { events: [], tickAfterMs: 29_000, thresholds })).toEqual([]);
  });
});
