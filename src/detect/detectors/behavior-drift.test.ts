import { describe, expect, test } from "bun:test";
import {
  describeAnyDetector,
  event,
  play,
  playFully,
  TestMemory,
} from "../../../test/support/detector-harness.ts";
import { plainPayload } from "../client-forms/plain-payload.ts";
import { behaviorDrift } from "./behavior-drift.ts";

const signal = (sequence: number, payload: Record<string, unknown>) =>
  event("drift_signal", sequence, payload);
const calls = (tools: readonly string[]) =>
  tools.map((tool_name, at) => event("tool_call", at + 1, { tool_name, arguments: { at }, result: 1 }));
const completed = { status: "completed" } as const;

function usual(executions: number, tools: readonly string[]): TestMemory {
  const memory = new TestMemory();
  for (let run = 0; run < executions; run++) {
    const scenario = {
      events: calls(tools),
      memory,
      running: { executionId: `r${run}` },
      finished: completed,
    };
    expect(play(behaviorDrift, scenario)).toEqual([]);
  }
  return memory;
}

describe("behavior_drift", () => {
  describeAnyDetector(behaviorDrift, () => ({
    events: [signal(1, { signal: "topic", score: 0.9, threshold: 0.5, drifted: true })],
  }));

  test("the client's verdict decides; without one, the score against its threshold does", () => {
    const fires = (payload: Record<string, unknown>) =>
      play(behaviorDrift, { events: [signal(1, payload)] }).length;
    expect(fires({ signal: "s", drifted: true })).toBe(1);
    expect(fires({ signal: "s", score: 0.9, threshold: 0.5 })).toBe(1);
    expect(fires({ signal: "s", score: 0.9, threshold: 0.5, drifted: false })).toBe(0);
    expect(fires({ signal: "s", score: 0.3, threshold: 0.5 })).toBe(0);
    expect(fires({ signal: "s", score: 0.9 })).toBe(0);
    expect(fires({})).toBe(0);
    expect(
      play(behaviorDrift, { events: [signal(1, { signal: "s", drifted: true })], allow: ["s"] }),
    ).toEqual([]);
  });

  test("verdicts as numbers, words and in other fields; measures of likeness fall", () => {
    const fires = (payload: Record<string, unknown>) =>
      play(behaviorDrift, { events: [signal(1, plainPayload("drift_signal", payload))] }).length;
    const drifts: Record<string, unknown>[] = [
      { signal: "s", drifted: 1 },
      { signal: "s", drifted: "yes" },
      { signal: "s", drifted: "DRIFTED" },
      { signal: "s", status: "DRIFT_DETECTED" },
      { signal: "s", category: "drift" },
      { signal: "s", drifted: "unknown", score: 0.9, threshold: 0.4 },
      { signal: "ks_p_value", score: 0.001, threshold: 0.05 },
      { signal: "cosine_similarity", score: 0.4, threshold: 0.8 },
      { signal: "answer_shape", score: 0.4, threshold: 0.8, direction: "lower_is_worse" },
      { signal: "steps_zscore", score: -5, threshold: 3 },
      { signal: "s", score: "0.9", threshold: "0.4" },
      { signal: "psi", score: 0.31, threshold: { warn: 0.1, alert: 0.25 } },
      { signal: "tokens", score: 812, lower_bound: 900, upper_bound: 2400 },
      { signal: "s", state: "DRIFTING" },
      { signal: "s", alert: true },
    ];
    const calm: Record<string, unknown>[] = [
      { signal: "s", drifted: 0, score: 0.9, threshold: 0.4 },
      { signal: "s", drifted: "no drift", score: 0.9, threshold: 0.4 },
      { signal: "s", drifted: "stable" },
      { signal: "s", status: "NO_DRIFT" },
      { signal: "s", status: "failed" },
      { signal: "ks_p_value", score: 0.4, threshold: 0.05 },
      { signal: "cosine_similarity", score: 0.95, threshold: 0.8 },
      { signal: "cosine_distance", score: 0.1, threshold: 0.3 },
      { signal: "steps_zscore", score: -1, threshold: 3 },
      { signal: "psi", score: 0.2, threshold: { warn: 0.1, alert: 0.25 } },
      { signal: "tokens", score: 1812, lower_bound: 900, upper_bound: 2400 },
      { signal: "s", alert: false },
    ];
    expect(drifts.filter((one) => fires(one) !== 1)).toEqual([]);
    expect(calm.filter((one) => fires(one) !== 0)).toEqual([]);
  });

  test("a tool that a settled project never used fires once in the project", () => {
    const memory = usual(60, ["search", "book"]);
    const scenario = { events: calls(["search", "delete_all"]), memory, finished: completed };
    expect(play(behaviorDrift, scenario).map((one) => one.signatureParts)).toEqual([
      ["new-tool", "delete_all"],
    ]);
    expect(play(behaviorDrift, scenario)).toEqual([]);
  });

  test("a young project, and one with ever new tools, has no usual tools", () => {
    const events = calls(["search", "delete_all"]);
    expect(play(behaviorDrift, { events, memory: usual(10, ["search"]), finished: completed })).toEqual([]);
    const memory = new TestMemory();
    for (let run = 0; run < 100; run++) {
      const scenario = {
        events: calls([`tool-${run}`]),
        memory,
        running: { executionId: `r${run}` },
        finished: completed,
      };
      expect(play(behaviorDrift, scenario)).toEqual([]);
    }
  });

  test("a run many times longer than usual fires", () => {
    const memory = usual(60, ["search", "book", "search", "book"]);
    const long = { events: calls(Array(60).fill("search")), memory, finished: completed };
    expect(play(behaviorDrift, long).map((one) => one.signatureParts)).toEqual([["length", ""]]);
    const longish = { events: calls(Array(15).fill("search")), memory, finished: completed };
    expect(play(behaviorDrift, longish)).toEqual([]);
  });

  describe("where only model calls are sent", () => {
    const answer = (sequence: number, name: string) =>
      event("llm_call", sequence, {
        output: [{ type: "tool_use", id: `call-${sequence}`, name, input: { sequence } }],
      });

    test("the calls that answers ask for are the run's", () => {
      const events = [answer(1, "search"), answer(2, "delete_all"), answer(3, "search")];
      const scenario = { events, memory: usual(60, ["search", "book"]), finished: completed };
      expect(play(behaviorDrift, scenario).map((one) => one.signatureParts)).toEqual([
        ["new-tool", "delete_all"],
      ]);
      const many = Array.from({ length: 60 }, (_, i) => answer(i + 1, "search"));
      const long = { events: many, memory: usual(60, ["search", "book"]), finished: completed };
      expect(play(behaviorDrift, long).map((one) => one.signatureParts)).toEqual([["length", ""]]);
    });

    test("events of tools count alone, whichever come first", () => {
      const events = [...calls(["search", "book"]), answer(8, "delete_all"), answer(9, "search")];
      for (const arrival of ["together", "singly", "reversed"] as const) {
        const scenario = { events, memory: usual(60, ["search", "book"]), finished: completed };
        const { detections, state } = playFully(behaviorDrift, scenario, arrival);
        expect(detections).toEqual([]);
        expect(state.calls).toBe(2);
      }
    });
  });
});
