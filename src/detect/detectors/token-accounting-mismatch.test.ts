import { describe, expect, test } from "bun:test";
import { describeAnyDetector, event, play } from "../../../test/support/detector-harness.ts";
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
});
