import { describe, expect, test } from "bun:test";
import { describeAnyDetector, event, play, playFully } from "../../../test/support/detector-harness.ts";
import { sequenceAnomaly } from "./sequence-anomaly.ts";

const numbered = (...sequences: number[]) =>
  sequences.map((sequence, at) =>
    event(
      "checkpoint",
      sequence,
      { name: "s" },
      { eventId: `e${at}`, receivedMs: Date.UTC(2026, 0, 5, 12) + at },
    ),
  );
const rules = (sequences: number[], tickAfterMs = 31_000) =>
  play(sequenceAnomaly, { events: numbered(...sequences), tickAfterMs }).map((one) => one.signatureParts[0]);

describe("sequence_anomaly", () => {
  describeAnyDetector(sequenceAnomaly, () => ({ events: numbered(1, 2, 3, 6, 7), tickAfterMs: 31_000 }));

  test("a gap fires after its grace, and names what is missing", () => {
    expect(rules([1, 2, 5], 29_000)).toEqual([]);
    const [detection] = play(sequenceAnomaly, { events: numbered(1, 2, 5, 6), tickAfterMs: 31_000 });
    expect(detection).toMatchObject({
      signatureParts: ["gap"],
      excerpt: "missing sequence: 3 to 4",
      eventId: null,
    });
    expect(rules([3, 4, 5])).toEqual(["gap-at-start"]);
  });

  test("any order of a whole sequence is whole, from 0 or from 1", () => {
    for (const whole of [[1, 2, 3, 4, 5], [5, 4, 3, 2, 1], [3, 1, 5, 2, 4], [0, 1, 2], [2, 1, 0], [1]]) {
      expect(rules(whole)).toEqual([]);
    }
  });

  test("an event that comes late within the grace closes the gap", () => {
    expect(rules([1, 2, 4, 5, 3])).toEqual([]);
  });

  test("a number used twice fires at once", () => {
    expect(rules([1, 2, 2, 3])).toEqual(["reused"]);
    const [detection] = play(sequenceAnomaly, { events: numbered(1, 2, 2) });
    expect(detection?.eventId).toBe("e2");
  });

  test("clients that do not count by one are left alone", () => {
    expect(rules([0, 0, 0, 0, 0])).toEqual([]);
    expect(rules([17, 170, 1700, 17_000])).toEqual([]);
  });

  test("a count by tens is no count by one, however long it is", () => {
    const tens = Array.from({ length: 300 }, (_, i) => (i + 1) * 10);
    expect(rules(tens)).toEqual([]);
    expect(rules([...tens, 1_005])).toEqual([]);
  });

  test("a count that several runs share leaves gaps in each of them", () => {
    const all = Array.from({ length: 400 }, (_, i) => i + 1);
    // Spread by a hash, not in step.
    const kept = (share: number) => all.filter((n) => n < 4 || ((n * n * 7_919) % 1_009) / 1_009 < share);
    expect(rules(kept(0.5))).toEqual([]);
    expect(rules(kept(0.85))).toEqual(["gap"]);
  });

  test("a number used twice before the count could be told fires once it can", () => {
    expect(rules([2, 2, 1, 3])).toEqual(["reused"]);
    expect(rules([10, 10, 20, 30])).toEqual([]);
  });

  test("the numbers of any flood are held in 64 runs", () => {
    const sparse = Array.from({ length: 5000 }, (_, i) => ((i * 7919) % 5000) * 2);
    const { state } = playFully(sequenceAnomaly, { events: numbered(...sparse, 1, 3) });
    expect(state.runs.length).toBeLessThanOrEqual(64);
    for (let i = 1; i < state.runs.length; i++) {
      expect(state.runs[i]!.first).toBeGreaterThan(state.runs[i - 1]!.last + 1);
    }
  });
});
