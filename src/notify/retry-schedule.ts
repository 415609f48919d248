import { HOLD_MS_MAX } from "../store/webhooks/deliveries.ts";

/**
 * When a failed delivery is tried again, and when a webhook is given up. Pure: clock and chance are
 * arguments.
 */

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The wait after the first, second, … failure. One attempt more than there are waits. */
const RETRY_WAITS_MS: readonly number[] = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  10 * HOUR_MS,
];

/** Jitter only adds: a wait is never shorter than its place in the schedule, and at most a fifth longer. */
const JITTER_SHARE = 0.2;

/** A receiver may put off the next attempt by no more than the schedule's own longest wait. */
export const RETRY_AFTER_MS_MAX = 10 * HOUR_MS;

/** For a receiver that has too much and does not say for how long. */
const HOLD_UNTOLD_MS = 5 * SECOND_MS;

const DISABLE_AFTER_FAILING_MS = 5 * DAY_MS;

/**
 * A webhook is not disabled before the delivery at hand has itself failed this often (about 35 minutes
 * apart): where alerts are rare, the failure of last week and a hiccup of now are no five days of failure.
 */
const DISABLE_AFTER_FAILURES = 4;

/** Wait before the next attempt, or null when the schedule is at its end. `random` is in [0, 1). */
export function retryWaitMs(input: {
  /** Failures so far in this run of the schedule, the one at hand included: 1 or more. */
  failureCount: number;
  retryAfterMs: number | null;
  random: number;
}): number | null {
  const wait = RETRY_WAITS_MS[input.failureCount - 1];
  if (wait === undefined) return null;
  const stretch = 1 + JITTER_SHARE * input.random;
  // The cap is of the whole wait: no receiver puts off an attempt by more, and the schedule's own waits are
  // not cut by it.
  const asked = Math.min((input.retryAfterMs ?? 0) * stretch, RETRY_AFTER_MS_MAX);
  return Math.round(Math.max(wait * stretch, asked));
}

/**
 * How long nothing at all goes to a receiver that says it has too much, or is not there, and when to come
 * again. Else each of what it is owed would use up its attempts against the same wall, and chat platforms
 * shut out who does not heed them. Null where it does not ask; 429 asks by itself.
 */
export function holdMs(answer: { statusCode: number | null; retryAfterMs: number | null }): number | null {
  const asked = answer.statusCode === 429 || answer.statusCode === 503 ? answer.retryAfterMs : null;
  if (asked !== null) return Math.min(asked, HOLD_MS_MAX);
  return answer.statusCode === 429 ? HOLD_UNTOLD_MS : null;
}

/**
 * `Retry-After` in seconds or as an HTTP date; null when absent or not understood. Never negative; without a
 * bound.
 */
export function parseRetryAfterMs(header: string | null, nowMs: number): number | null {
  const value = header?.trim() ?? "";
  if (/^\d+$/.test(value)) return Number(value) * SECOND_MS;
  if (!/^[A-Z][a-z]{2}/.test(value)) return null;
  const atMs = Date.parse(value);
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - nowMs);
}

/** Five days of nothing but failure. */
export function hasFailedForGood(input: {
  failingSinceMs: number;
  failureCount: number;
  nowMs: number;
}): boolean {
  return (
    input.failureCount >= DISABLE_AFTER_FAILURES &&
    input.nowMs - input.failingSinceMs >= DISABLE_AFTER_FAILING_MS
  );
}
