/**
 * How repeats of one call tell that they are no standstill: a number in their answers moves one way from each
 * to the next, as a share done, a page or a count of what is left does; or a clock makes them, not a model.
 * Pure; what is read of an answer is bounded.
 */
const NUMBERS_MAX = 8;
const TEXT_CHARS_MAX = 1_000;
const PARTS_MAX = 40;
const DEPTH_MAX = 4;
/** Larger ones are ids and clocks. */
const NUMBER_MAX = 100_000_000;
/** No part of a word, a time of day, a date, a version, an address or a length of time. */
const NUMBER = /(?<![\w.]|\d[:/-]|\w-)\d{1,8}(?:\.\d{1,6})?(?![\w]|[.:-]\d)/g;
const STEPS_MIN = 3;

/** The first numbers in what a call gave back, in their order; at most eight. */
export function numbersOf(value: unknown): readonly number[] {
  const found: number[] = [];
  collect(value, found, 0);
  return found;
}

function collect(value: unknown, found: number[], depth: number): void {
  if (found.length >= NUMBERS_MAX) return;
  if (typeof value === "number") {
    if (value < NUMBER_MAX) found.push(value);
  } else if (typeof value === "string") {
    for (const [digits] of value.slice(0, TEXT_CHARS_MAX).matchAll(NUMBER)) {
      if (found.length >= NUMBERS_MAX) return;
      found.push(Number(digits));
    }
  } else if (typeof value === "object" && value !== null && depth < DEPTH_MAX) {
    const parts = Array.isArray(value) ? value : Object.values(value);
    for (let i = 0; i < parts.length && i < PARTS_MAX; i++) collect(parts[i], found, depth + 1);
  }
}

/** True if at some place the numbers of all answers rise, or all fall, from each to the next. */
export function countsOn(answers: readonly (readonly number[])[]): boolean {
  if (answers.length < STEPS_MIN) return false;
  const places = Math.min(...answers.map((numbers) => numbers.length));
  for (let place = 0; place < places; place++) {
    let rises = true;
    let falls = true;
    for (let i = 1; i < answers.length; i++) {
      const step = answers[i]![place]! - answers[i - 1]![place]!;
      if (step <= 0) rises = false;
      if (step >= 0) falls = false;
    }
    if (rises || falls) return true;
  }
  return false;
}

const TIMER_MS_MIN = 30_000;
const TIMER_SPREAD_MAX = 1.1;

/**
 * True if the moments lie evenly apart, and at least half a minute: a model takes another time for each of
 * its turns.
 */
export function isOnATimer(momentsMs: readonly number[]): boolean {
  if (momentsMs.length < STEPS_MIN) return false;
  let least = Number.POSITIVE_INFINITY;
  let most = 0;
  for (let i = 1; i < momentsMs.length; i++) {
    const gap = momentsMs[i]! - momentsMs[i - 1]!;
    least = Math.min(least, gap);
    most = Math.max(most, gap);
  }
  return least >= TIMER_MS_MIN && most <= least * TIMER_SPREAD_MAX;
}

const BACK_OFF_MS_MIN = 500;
const BACK_OFF_FACTOR = 1.5;

/** True if each wait is longer than the one before by half or more, as between tries that back off. */
export function backsOff(momentsMs: readonly number[]): boolean {
  if (momentsMs.length < STEPS_MIN) return false;
  for (let i = 2; i < momentsMs.length; i++) {
    const before = momentsMs[i - 1]! - momentsMs[i - 2]!;
    if (before < BACK_OFF_MS_MIN || momentsMs[i]! - momentsMs[i - 1]! < before * BACK_OFF_FACTOR)
      return false;
  }
  return true;
}
