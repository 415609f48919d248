import type { Call } from "./kept-call.ts";
import { PURPOSE } from "./tool-purpose.ts";

/**
 * Whether the repeats of one call are looks at something that takes its time: between any two the run slept, stood idle for a minute, or was asked
 * anew by a person. An agent that is stuck asks again at once. Pure.
 */
export interface Ask {
  readonly seq: number;
  /** Hash of what a person said. */
  readonly said: number;
}

const SLEPT_MS_MIN = 5_000;
const IDLE_MS_MIN = 60_000;
/** Nobody answers within less. */
const ASKED_MS_MIN = 8_000;
/** Idle so often for the same answer and nothing else done: it does not come any more. */
const IDLE_TIMES_MAX = 12;

export function isWaitedFor(
  calls: readonly Call[],
  places: readonly number[],
  asks: readonly Ask[] = [],
): boolean {
  if (places.length < 2) return false;
  let idle = 0;
  for (let i = 1; i < places.length; i++) {
    const from = places[i - 1]!;
    const to = places[i]!;
    if (hasSlept(calls, from, to) || isAskedAnew(calls, from, to, asks)) continue;
    // Words are noted once a call has come twice, so what led to the second is not known.
    if (i === 1 && places.length > 2 && asks.length > 0 && isAskedAnew(calls, to, places[2]!, asks)) continue;
    if (!isIdle(calls[from]!, calls[to]!)) return false;
    idle++;
  }
  return idle < IDLE_TIMES_MAX - 1;
}

const between = (one: Call, next: Call): number => next.atMs - one.atMs;

function hasSlept(calls: readonly Call[], from: number, to: number): boolean {
  const one = calls[from]!;
  if (between(one, calls[to]!) < SLEPT_MS_MIN) return false;
  if (((one.purpose | calls[to]!.purpose) & PURPOSE.sleepsFirst) !== 0) return true;
  if ((one.purpose & PURPOSE.pauses) !== 0) return to - from > 1;
  for (let at = from + 1; at < to; at++) if ((calls[at]!.purpose & PURPOSE.pauses) !== 0) return true;
  return false;
}

/** Whichever end of a call its time tells, the time that it took is no wait. */
function isIdle(one: Call, next: Call): boolean {
  return !one.failed && !next.failed && between(one, next) - Math.max(one.tookMs, next.tookMs) >= IDLE_MS_MIN;
}

function isAskedAnew(calls: readonly Call[], from: number, to: number, asks: readonly Ask[]): boolean {
  if (asks.length === 0 || between(calls[from]!, calls[to]!) < ASKED_MS_MIN) return false;
  const { seq: after } = calls[from]!;
  const { seq: until } = calls[to]!;
  return asks.some(
    ({ seq, said }, at) =>
      seq > after && seq <= until && asks.findIndex((other) => other.said === said) === at,
  );
}
