import type { DetectorEvent } from "../../detector.ts";
import { insertOrdered } from "../ordered-window.ts";
import { specialTokensOf, tokensOf } from "../token-usage.ts";

/**
 * Short answers of one model that came quickly at first and take many times as long by now, one after
 * another. How long an answer takes hangs on its length, on the prompt's and on what the model thinks: only
 * calls are held against each other that are alike in the first two, and none of models that think before
 * they answer, whose thoughts not all clients count.
 */
export interface SlowingCalls {
  /** The first short answers; full once the usual is known. */
  readonly first: ShortCall[];
  readonly slow: SlowCall[];
  /** Sequence number of the latest quick one. */
  quickSeq: number;
}

interface ShortCall {
  readonly tookMs: number;
  readonly tokensIn: number;
}

interface SlowCall extends ShortCall {
  readonly seq: number;
  readonly eventId: string;
}

const FIRST = 3;
const SLOW = 3;
/** Twenty tokens or two hundred: no model that runs takes twenty seconds for these. */
const TOKENS_OUT_MAX = 200;
const SLOW_MS_MIN = 20_000;
const FACTOR = 10;
const PROMPT_GROWTH_MAX = 4;
const THINKS =
  /(?:^|[^a-z])(?:o[134]|r1)(?![a-z])|gpt-?5|gemini-(?:2\.5|3)|grok-(?:3-mini|4)|reason|think|qwq|magistral|deep-?research|search/i;

export const noCalls = (): SlowingCalls => ({ first: [], slow: [], quickSeq: -1 });

/** The slow calls and what was usual, once they are enough. */
export function slowed(
  calls: SlowingCalls,
  event: DetectorEvent,
): { readonly usualMs: number; readonly slow: readonly SlowCall[] } | null {
  const { latency_ms: tookMs, tokens_in: tokensIn, tokens_out: tokensOut } = event.payload;
  if (
    typeof tookMs !== "number" ||
    !(tookMs > 0) ||
    tokensOf(tokensOut) > TOKENS_OUT_MAX ||
    tokensOf(tokensOut) === 0
  )
    return null;
  const call = { tookMs, tokensIn: tokensOf(tokensIn) };
  if (calls.first.length < FIRST) {
    calls.first.push(call);
    return null;
  }
  if (tookMs < SLOW_MS_MIN) {
    if (event.sequence > calls.quickSeq) calls.quickSeq = event.sequence;
    return null;
  }
  const { first, quickSeq } = calls;
  const usualMs = [...first].sort((one, other) => one.tookMs - other.tookMs)[1]!.tookMs;
  const promptMost = PROMPT_GROWTH_MAX * Math.max(...first.map((one) => one.tokensIn));
  if (tookMs < FACTOR * usualMs || call.tokensIn > promptMost || thinks(event)) return null;
  insertOrdered(calls.slow, { ...call, seq: event.sequence, eventId: event.eventId }, SLOW);
  const slow = calls.slow.filter(({ seq }) => seq > quickSeq);
  return slow.length < SLOW ? null : { usualMs, slow };
}

function thinks(event: DetectorEvent): boolean {
  const { model, reasoning_effort: effort, thinking, reasoning } = event.payload;
  if ((effort ?? thinking ?? reasoning ?? null) !== null) return true;
  return typeof model !== "string" || THINKS.test(model) || specialTokensOf(event).reasoning > 0;
}
