import { ANSWER } from "./answer-state.ts";
import type { Call } from "./kept-call.ts";
import { PURPOSE } from "./tool-purpose.ts";

/**
 * Whether the repeats of one call are looks at something that takes its time: between any two the run slept,
 * stood idle for a minute, or was asked anew by a person. An agent that is stuck asks again at once. Pure.
 */
export interface Ask {
  readonly seq: number;
  /** Hash of what a person said. */
  readonly said: number;
}

/** From one look at what goes on to the next: a program that asks all the time does so sooner. */
const LOOKS_MS_MIN = 3_000;
const OBSERVES_MS_MIN = 5_000;
/** The same answer this often: it has stopped moving. */
const LOOKS_MAX = 24;
/** Known to have ended, and still asked this often. */
const SETTLED_MIN = 3;
const SLEPT_MS_MIN = 5_000;
const IDLE_MS_MIN = 60_000;
/** Nobody answers within less. */
const ASKED_MS_MIN = 8_000;
/** Idle this often for the same answer, with nothing else done: it is not coming any more. */
const IDLE_TIMES_MAX = 12;

export function isWaitedFor(
  calls: readonly Call[],
  places: readonly number[],
  asks: readonly Ask[] = [],
): boolean {
  if (places.length < 2) return false;
  const isOver = places.filter((at) => isSettled(calls[at]!)).length >= SETTLED_MIN;
  const isTooOften = calls.filter((one) => isSameAs(one, calls[places.at(-1)!]!)).length >= LOOKS_MAX;
  let idle = 0;
  for (let i = 1; i < places.length; i++) {
    const from = places[i - 1]!;
    const to = places[i]!;
    if (isAskedAnew(calls, from, to, asks)) continue;
    // Words are noted once a call has come twice, so what led to the second is not known.
    if (i === 1 && places.length > 2 && asks.length > 0 && isAskedAnew(calls, to, places[2]!, asks)) continue;
    if (isOver) return false;
    if (isLook(calls[from]!, calls[to]!, i === 1) && !isTooOften) continue;
    if (hasSlept(calls, from, to)) continue;
    if (!isIdle(calls[from]!, calls[to]!)) return false;
    idle++;
  }
  return idle < IDLE_TIMES_MAX - 1;
}

export const isSettled = ({ answer }: Call): boolean =>
  answer === ANSWER.settled || answer === ANSWER.failedForGood;

const isSameAs = (one: Call, other: Call): boolean => one.call === other.call && one.result === other.result;

/**
 * A look, after a while, at what goes on or changes by itself. Of the first look it is not noted what it
 * said.
 */
function isLook(one: Call, next: Call, isFirst: boolean): boolean {
  const took = Math.max(one.tookMs, next.tookMs);
  const pause = between(one, next) - took;
  if ((next.purpose & PURPOSE.observes) !== 0 && next.answer <= ANSWER.unsettled && pause >= OBSERVES_MS_MIN)
    return true;
  const goesOn = one.answer === ANSWER.unsettled || (isFirst && next.answer === ANSWER.unsettled);
  return goesOn && (pause >= LOOKS_MS_MIN || took >= SLEPT_MS_MIN);
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
