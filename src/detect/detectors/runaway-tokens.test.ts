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

  test("half the usual history is enough for a run that uses very many times as much", () => {
    const memory = usual(12, 5000);
    expect(play(runawayTokens, { events: [call(1, 900_000)], memory: memory.clone() })).toHaveLength(1);
    expect(play(runawayTokens, { events: [call(1, 90_000)], memory: memory.clone() })).toEqual([]);
    expect(play(runawayTokens, { events: [call(1, 400_000)], memory: usual(8, 5000) })).toEqual([]);
    expect(play(runawayTokens, { events: [call(1, 900_000)], memory: usual(8, 5000) })).toHaveLength(1);
    expect(play(runawayTokens, { events: [call(1, 900_000)], memory: usual(4, 5000) })).toHaveLength(1);
    expect(play(runawayTokens, { events: [call(1, 900_000)], memory: usual(3, 5000) })).toEqual([]);
    expect(play(runawayTokens, { events: [call(1, 900_000)], memory: usual(4, 30_000) })).toEqual([]);
    expect(play(runawayTokens, { events: [call(1, 400_000)], memory: usual(4, 5000) })).toEqual([]);
    expect(play(runawayTokens, { events: [call(1, 900_000)], memory: usual(8, 60_000) })).toEqual([]);
  });

  test("a project that began with small tries fires once and no more", () => {
    const memory = usual(6, 300);
    const runs = Array.from({ length: 12 }, (_, at) =>
      play(runawayTokens, {
        events: [call(1, 600_000)],
        memory,
        running: { executionId: `big${at}` },
        finished: { status: "completed" },
      }),
    );
    expect(runs.flat().length).toBeLessThanOrEqual(3);
    expect(runs.at(-1)).toEqual([]);
  });

  describe("answers that only their limit stopped", () => {
    const answer = (at: number, tokens_in: number, tokens_out: number, finish_reason = "length") =>
      event("llm_call", at, { model: "m", tokens_in, tokens_out, finish_reason });
    const rules = (...events: ReturnType<typeof answer>[]) =>
      play(runawayTokens, { events }, "singly").map(({ ruleIds, eventId }) => [ruleIds[0], eventId]);

    test("to the same prompt, of many tokens", () => {
      expect(rules(answer(1, 640, 32_768), answer(2, 655, 32_768))).toEqual([
        ["runaway_tokens/cut-off-again", "event-2"],
      ]);
      const four = [1, 2, 3, 4, 5].map((at) => answer(at, 12_000, 8_192, "MAX_TOKENS"));
      expect(rules(...four)).toEqual([["runaway_tokens/cut-off-again", "event-4"]]);
    });

    test("in the same words again and again, whatever the prompt", () => {
      const says = (at: number, output: unknown, tokens_out = 32_000, finish_reason = "max_tokens") =>
        event("llm_call", at, { model: "m", tokens_in: at * 30_000, tokens_out, finish_reason, output });
      const FIRED = [["runaway_tokens/repeats-to-limit", "event-1"]];
      const again = (words: string, times = 12) => Array(times).fill(words).join(" ");
      expect(rules(says(1, `Die Kanne ist ${again("praktisch,")} …`))).toEqual(FIRED);
      expect(rules(says(1, [{ type: "text", text: again("prática,") }]))).toEqual(FIRED);
      expect(
        rules(says(1, `It was a calm day. ${again("and the river went on to the sea,", 5)} and the ri`)),
      ).toEqual(FIRED);
      const three = [1, 2, 3].map((at) => says(at, again("very good."), 12_000, "length"));
      expect(rules(...three)).toEqual([["runaway_tokens/repeats-to-limit", "event-3"]]);
      expect(rules(says(1, again("praktisch,"), 8_000))).toEqual([]);
      expect(rules(says(1, again("praktisch,"), 32_000, "stop"))).toEqual([]);
      expect(
        rules(says(1, "Chapter one. The river went on to the sea, and the sea was calm, very, very calm.")),
      ).toEqual([]);
      expect(rules(says(1, Array.from({ length: 40 }, (_, i) => `row ${i} is active`).join("\n")))).toEqual(
        [],
      );
      expect(rules(says(1, `\`\`\`\n${again("nop")}`))).toEqual([]);
      expect(rules(says(1, undefined))).toEqual([]);
    });

    test("one alone, short ones, one that is gone on with, and long answers that ended well are none", () => {
      expect(rules(answer(1, 640, 60_000))).toEqual([]);
      expect(rules(...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((at) => answer(at, 640, 2_048)))).toEqual([]);
      expect(rules(answer(1, 640, 16_000), answer(2, 16_640, 16_000), answer(3, 32_640, 16_000))).toEqual([]);
      expect(rules(answer(1, 640, 30_000, "stop"), answer(2, 640, 30_000, "stop"))).toEqual([]);
      expect(rules(answer(1, 640, 30_000), answer(2, 640, 30_000, "stop"))).toEqual([]);
    });
  });

  test("of four runs that differ much, more is asked", () => {
    const after = (...before: number[]) => {
      const memory = new TestMemory();
      before.forEach((tokens, at) => {
        const running = { executionId: `r${at}` };
        play(runawayTokens, {
          events: [call(1, tokens)],
          memory,
          running,
          finished: { status: "completed" },
        });
      });
      return play(runawayTokens, { events: [call(1, 900_000)], memory }).length;
    };
    expect(after(5_000, 6_000, 5_500, 4_000)).toBe(1);
    expect(after(2_000, 30_000, 4_000, 12_000)).toBe(0);
  });

  describe("a context that fills all that the model reads", () => {
    const growing = (
      model: string,
      prompts: readonly number[],
      out = 900,
      more: Record<string, unknown> = {},
    ) =>
      play(runawayTokens, {
        events: prompts.map((tokens_in, at) =>
          event("llm_call", at + 1, { model, tokens_in, tokens_out: out, ...more }),
        ),
      }).map(({ ruleIds }) => ruleIds[0]);
    const steep = [4_200, 18_600, 47_700, 85_000, 104_800, 121_900, 126_400, 127_300, 127_800];

    test("that grew there, call after call, with next to nothing written", () => {
      expect(growing("gpt-4o", steep)).toEqual(["runaway_tokens/context-full"]);
      expect(growing("meta-llama/Llama-3.3-70B", steep)).toEqual(["runaway_tokens/context-full"]);
      const wide = [6_000, 60_000, 120_000, 194_000, 195_500, 197_000, 199_000];
      expect(growing("claude-sonnet-4", wide)).toEqual(["runaway_tokens/context-full"]);
    });

    test("is none below the limit, from the start, cached, of an unknown model, or with much written", () => {
      expect(growing("claude-sonnet-4", steep)).toEqual([]);
      expect(growing("gpt-4.1", steep)).toEqual([]);
      expect(growing("in-house-7", steep)).toEqual([]);
      expect(growing("gpt-4o", steep, 8_000)).toEqual([]);
      expect(growing("gpt-4o", Array(9).fill(127_000))).toEqual([]);
      expect(growing("gpt-4o", steep, 900, { cached_tokens: 0 })).toHaveLength(1);
      const cached = steep.map((tokens_in, at) =>
        event("llm_call", at + 1, {
          model: "gpt-4o",
          tokens_in,
          tokens_out: 300,
          cache_read_input_tokens: tokens_in - 4_000,
        }),
      );
      expect(play(runawayTokens, { events: cached })).toEqual([]);
      // Shortened whenever it is nearly full: the harness keeps it below.
      const compacted = [5_000, 60_000, 110_000, 122_000, 30_000, 80_000, 118_000, 123_000, 40_000, 100_000];
      expect(growing("gpt-4o", compacted)).toEqual([]);
    });
  });

  test("what a cache held does not count, whether totals hold it or not", () => {
    const cached = (cache_read_input_tokens: number) =>
      event("llm_call", 1, { model: "m", tokens_in: 3_000_000, tokens_out: 10, cache_read_input_tokens });
    const of = (tokens: number, totalTokensIn: number) =>
      play(runawayTokens, { events: [cached(tokens)], finished: { status: "completed", totalTokensIn } })
        .length;
    expect(of(2_900_000, 3_000_000)).toBe(0);
    expect(of(2_900_000, 100_000)).toBe(0);
    expect(of(500_000, 3_000_000)).toBe(1);
    expect(of(9_000_000, 3_000_000)).toBe(1);
  });

  test("where every run uses so much the declared limit is none; one that the project set is", () => {
    const memory = new TestMemory();
    const run = (tokens: number, thresholds = {}) =>
      play(runawayTokens, {
        events: [call(1, tokens)],
        memory,
        thresholds,
        finished: { status: "completed" },
      }).length;
    const found = Array.from({ length: 8 }, () => run(3_000_000));
    expect(found).toEqual([1, 1, 1, 1, 1, 0, 0, 0]);
    expect(run(3_000_000, { tokensMax: 2_500_000 })).toBe(1);
    expect(run(30_000_000)).toBe(1);
  });

  test("nonsense counts as nothing", () => {
    const events = [call(1, -5, "1e9"), call(2, Number.NaN, 1e300), call(3, null, undefined)];
    expect(play(runawayTokens, { events, thresholds: { tokensMax: 1 } })).toEqual([]);
  });
});
