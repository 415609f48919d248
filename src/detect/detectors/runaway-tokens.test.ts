import { describe, expect, test } from "bun:test";
import { describeAnyDetector, event, play, TestMemory } from "../../../test/support/detector-harness.ts";
import { runawayTokens } from "./runaway-tokens.ts";

const call = (sequence: number, tokens_in: unknown, tokens_out: unknown = 0) =>
  event("llm_call", sequence, { model: "m", tokens_in, tokens_out });

function usual(executions: number, tokens: number): TestMemory {
  const memory = new TestMemory();
  for (let run = 0; run < executions; run++) {
    const events = [call(1, tokens + (run % 5) * 100)];
    const scenario = {
      events,
      memory,
      running: { executionId: `r${run}` },
      finished: { status: "completed" } as const,
    };
    expect(play(runawayTokens, scenario)).toEqual([]);
  }
  return memory;
}

describe("runaway_tokens", () => {
  describeAnyDetector(runawayTokens, () => ({
    events: [call(1, 900_000, 100_000), call(2, 900_000), call(3, 200_000)],
  }));

  test("fires once, when the sum passes the limit", () => {
    const events = [1, 2, 3, 4, 5].map((at) => call(at, 30, 10));
    const detections = play(runawayTokens, { events, thresholds: { tokensMax: 100 } }, "singly");
    expect(detections.map((one) => [one.eventId, one.signatureParts])).toEqual([["event-3", ["absolute"]]]);
  });

  test("the totals stated at the end count where they are more", () => {
    const finished = { status: "completed", totalTokensIn: 3_000_000 } as const;
    expect(play(runawayTokens, { events: [], finished })).toHaveLength(1);
    expect(play(runawayTokens, { events: [call(1, 1_999_999)], finished: { status: "completed" } })).toEqual(
      [],
    );
  });

  test("many times the project's usual use fires, under the absolute limit", () => {
    const memory = usual(25, 5000);
    const [detection] = play(runawayTokens, { events: [call(1, 80_000)], memory: memory.clone() });
    expect(detection?.ruleIds).toEqual(["runaway_tokens/baseline"]);
    expect(play(runawayTokens, { events: [call(1, 30_000)], memory: memory.clone() })).toEqual([]);
    expect(play(runawayTokens, { events: [call(1, 80_000)], memory: usual(5, 5000) })).toEqual([]);
    expect(play(runawayTokens, { events: [call(1, 80_000)], memory: usual(25, 60_000) })).toEqual([]);
  });

  test("nonsense counts as nothing", () => {
    const events = [call(1, -5, "1e9"), call(2, Number.NaN, 1e300), call(3, null, undefined)];
    expect(play(runawayTokens, { events, thresholds: { tokensMax: 1 } })).toEqual([]);
  });
});
