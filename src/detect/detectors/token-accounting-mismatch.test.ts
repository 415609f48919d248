import { describe, expect, test } from "bun:test";
import { describeAnyDetector, event, play } from "../../../test/support/detector-harness.ts";
import { plainPayload } from "../client-forms/plain-payload.ts";
import { tokenAccountingMismatch } from "./token-accounting-mismatch.ts";

const call = (sequence: number, tokens_in: unknown, tokens_out: unknown) =>
  event("llm_call", sequence, { model: "m", tokens_in, tokens_out });
const events = [call(1, 1000, 100), call(2, 2000, 200)];
const parts = (
  totalTokensIn: number | null,
  totalTokensOut: number | null,
  tickAfterMs = 6_000,
  of = events,
) =>
  play(tokenAccountingMismatch, {
    events: of,
    finished: { status: "completed", totalTokensIn, totalTokensOut },
    tickAfterMs,
  }).map((one) => one.signatureParts);

describe("token_accounting_mismatch", () => {
  describeAnyDetector(tokenAccountingMismatch, () => ({
    events,
    finished: { status: "completed", totalTokensIn: 9000, totalTokensOut: 300 },
    tickAfterMs: 6_000,
  }));

  test("more in the calls than stated fires at once, fewer after the grace", () => {
    expect(parts(500, 300, 0)).toEqual([["more", "in"]]);
    expect(parts(9000, 900, 4_000)).toEqual([]);
    expect(parts(9000, 900)).toEqual([["fewer", "in+out"]]);
  });

  test("equal, nearly equal, unstated and uncounted are no mismatch", () => {
    expect(parts(3000, 300)).toEqual([]);
    expect(parts(3140, 349)).toEqual([]);
    expect(parts(null, null)).toEqual([]);
    expect(parts(9000, 900, 6_000, [event("llm_call", 1, { model: "m" })])).toEqual([]);
    expect(
      play(tokenAccountingMismatch, { events, running: { totalTokensIn: 1 }, tickAfterMs: 60_000 }),
    ).toEqual([]);
  });

  test("a call that comes late completes the sum", () => {
    const late = {
      events,
      finished: { status: "completed", totalTokensIn: 3000, totalTokensOut: 300 },
      tickAfterMs: 6_000,
    } as const;
    expect(play(tokenAccountingMismatch, late, "after-finish")).toEqual([]);
  });

  test("fewer is not said where calls that succeeded state none, or a cache or thoughts explain it", () => {
    const uncounted = event("llm_call", 3, { model: "m", output: "streamed" });
    expect(parts(9000, 900, 6_000, [...events, uncounted])).toEqual([]);
    expect(parts(500, 300, 6_000, [...events, uncounted])).toEqual([["more", "in"]]);
    const refused = event("llm_call", 3, { model: "m", error: "429" });
    expect(parts(9000, 900, 6_000, [...events, refused])).toEqual([["fewer", "in+out"]]);
    const special = (more: Record<string, unknown>) => [
      event("llm_call", 1, { model: "m", tokens_in: 3000, tokens_out: 300, ...more }),
    ];
    expect(parts(9000, 300, 6_000, special({ cache_read_input_tokens: 6000 }))).toEqual([]);
    expect(
      parts(1000, 300, 6_000, special({ usage: { prompt_tokens_details: { cached_tokens: 2000 } } })),
    ).toEqual([]);
    expect(parts(3000, 2300, 6_000, special({ reasoning_tokens: 2000 }))).toEqual([]);
    expect(parts(9000, 300, 6_000, special({ cache_read_input_tokens: 2000 }))).toEqual([["fewer", "in"]]);
  });

  test("tokens of a cache count where a provider's usage tells of them", () => {
    const of = (...payloads: Record<string, unknown>[]) =>
      payloads.map((payload, at) =>
        event("llm_call", at + 1, plainPayload("llm_call", { model: "claude-sonnet-4", ...payload })),
      );
    const usage = { input_tokens: 10, cache_read_input_tokens: 3990, output_tokens: 200 };
    const inputDetails = { input_tokens: 10, output_tokens: 200, input_token_details: { cache_read: 3990 } };
    for (const payload of [
      { usage },
      { usage, tokens_in: 10, tokens_out: 200 },
      { response: { usage, content: [{ type: "text", text: "done" }] } },
      { usage: JSON.stringify(usage) },
      { usage_metadata: inputDetails },
      {
        usage: { prompt_tokens: 10, completion_tokens: 200, prompt_tokens_details: { cached_tokens: 3990 } },
      },
      {
        "gen_ai.usage.input_tokens": 10,
        "gen_ai.usage.cache_read.input_tokens": 3990,
        "gen_ai.usage.output_tokens": 200,
      },
    ]) {
      expect(parts(4000, 200, 6_000, of(payload))).toEqual([]);
      expect(parts(8000, 400, 6_000, of(payload, payload))).toEqual([]);
      // Of the rest nothing tells.
      expect(parts(9000, 200, 6_000, of(payload))).toEqual([["fewer", "in"]]);
    }
    const reasoning = {
      prompt_tokens: 10,
      completion_tokens: 20,
      completion_tokens_details: { reasoning_tokens: 180 },
    };
    expect(parts(10, 200, 6_000, of({ usage: reasoning }))).toEqual([]);
    const priced = { ...usage, cache_read_input_tokens: 0, cost: 3990, cache_cost: 0.01 };
    expect(parts(4000, 200, 6_000, of({ usage: priced }))).toEqual([["fewer", "in"]]);
  });

  describe("counts that cannot be", () => {
    const text = "The second site runs two feeds, and each was audited twice in the last year. ".repeat(12);
    const times = (payload: Record<string, unknown>, n = 4) =>
      Array.from({ length: n }, (_, i) => event("llm_call", i + 1, { model: "gpt-4o", ...payload }));
    const fired = (of: ReturnType<typeof times>) => parts(null, null, 6_000, of);

    test("long texts without tokens beside a side that counts", () => {
      const input = [{ role: "user", content: text }];
      expect(fired(times({ input, tokens_in: 0, tokens_out: 40 }))).toEqual([["too-few-for-text", "in"]]);
      expect(fired(times({ input, tokens_in: 4, tokens_out: 40 }))).toEqual([["too-few-for-text", "in"]]);
      expect(fired(times({ output: text, tokens_in: 900, tokens_out: 1 }))).toEqual([
        ["too-few-for-text", "out"],
      ]);
    });

    test("no long answer of a run counts any", () => {
      const uncounted = { output: text, tokens_in: 230, tokens_out: 0 };
      expect(fired(times(uncounted, 2))).toEqual([["too-few-for-text", "out"]]);
      expect(fired(times(uncounted, 1))).toEqual([]);
      expect(parts(230, 0, 6_000, times(uncounted, 1))).toEqual([["too-few-for-text", "out"]]);
      expect(parts(460, 0, 6_000, times({ ...uncounted, model: "text-embedding-3-large" }, 2))).toEqual([]);
      expect(parts(460, 0, 6_000, times({ ...uncounted, output: "Yes." }, 2))).toEqual([]);
      const counted = {
        ...event("llm_call", 3, { model: "m", ...uncounted, tokens_out: 210 }),
        eventId: "c",
      };
      expect(parts(null, null, 6_000, [...times(uncounted, 2), counted])).toEqual([]);
    });

    test("short texts, few calls, pictures, caches, failures and clients that count nothing are none", () => {
      const long = { input: text, tokens_in: 0, tokens_out: 40 };
      expect(fired(times(long, 2))).toEqual([]);
      expect(fired(times({ ...long, input: "Hello there" }))).toEqual([]);
      expect(fired(times({ ...long, tokens_out: 0 }))).toEqual([]);
      expect(fired(times({ ...long, tokens_in: 230 }))).toEqual([]);
      expect(fired(times({ ...long, cache_read_input_tokens: 900 }))).toEqual([]);
      expect(fired(times({ ...long, model: "claude-sonnet-4", tokens_in: 4 }))).toEqual([]);
      expect(fired(times({ ...long, model: "qwen2.5:7b", tokens_in: 12 }))).toEqual([]);
      expect(fired(times({ ...long, input: `data:image/png;base64,${"iVBORw0KGgo".repeat(400)}` }))).toEqual(
        [],
      );
      expect(fired(times({ input: text, tokens_in: 230, tokens_out: 0, error: "timeout" }))).toEqual([]);
      const mixed = [...times(long, 3), ...times({ ...long, tokens_in: 230 }, 5)];
      expect(fired(mixed.map((one, at) => ({ ...one, eventId: `m${at}`, sequence: at + 1 })))).toEqual([]);
    });
  });
});
