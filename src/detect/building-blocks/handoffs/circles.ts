import { hashText, mix } from "../hash.ts";
import type { Sequenced } from "../ordered-window.ts";

/**
 * Ways that work goes among agents without an end: the same circle again and again, or to and fro among a few
 * in whatever order. Pure.
 */
export interface Handoff extends Sequenced {
  /** "" where it is not told: whoever had the work last. */
  readonly from: string;
  readonly to: string;
  readonly eventId: string;
  readonly atMs: number;
  /** Hash of the call that it was made by, and its place in the chat; 0 for an event of its own. */
  readonly callId: number;
  readonly place: number;
}

const PERIOD_MIN = 2;
export const PERIOD_MAX = 8;
/** A supervisor with three silent workers, asked in turn, would make longer ones. */
const STAR_PERIOD_MAX = 4;
/** In shifting order the same few must have had it twice each. */
const AGENTS_SHARE_MAX = 0.5;

/** The handoffs with whoever gave the work in each; those to whom has it already left out. */
export function chainOf(handoffs: readonly Handoff[]): readonly Handoff[] {
  if (handoffs.every((one) => one.from !== "")) return handoffs;
  const chain: Handoff[] = [];
  for (const one of handoffs) {
    const holder = chain.at(-1)?.to ?? "";
    const from = one.from === "" ? holder : one.from;
    if (from !== one.to) chain.push(from === one.from ? one : { ...one, from });
  }
  return chain;
}

/**
 * Circles that end at `end`, shortest first; `roundsOf`: how often one of that many handoffs has to have gone
 * round.
 */
export function* circlesAt(
  chain: readonly Handoff[],
  end: number,
  roundsOf: (period: number) => number,
  periodMax: number,
): Generator<readonly Handoff[]> {
  for (let period = PERIOD_MIN; period <= periodMax; period++) {
    const start = end + 1 - period * roundsOf(period);
    if (start < 0 || !isCircle(chain, start, end, period)) continue;
    const circle = chain.slice(start, end + 1);
    if (period <= STAR_PERIOD_MAX || !isStar(circle)) yield circle;
  }
}

/** Each round repeats the one before, each handoff starts where the last one ended, and the round closes. */
function isCircle(chain: readonly Handoff[], start: number, end: number, period: number): boolean {
  for (let i = start; i < end; i++) if (chain[i]!.to !== chain[i + 1]!.from) return false;
  const { from } = chain[start]!;
  if (from !== "" && chain[start + period - 1]!.to !== from) return false;
  for (let i = start + period; i <= end; i++) {
    const before = chain[i - period]!;
    if (chain[i]!.to !== before.to || (before.from !== "" && chain[i]!.from !== before.from)) return false;
  }
  return true;
}

/**
 * The last handoffs up to `end`, if each goes on where the one before ended and they stay among few agents;
 * null if not.
 */
function wanderingAt(chain: readonly Handoff[], end: number, length: number): readonly Handoff[] | null {
  const start = end + 1 - length;
  if (start < 0) return null;
  for (let i = start; i < end; i++) if (chain[i]!.to !== chain[i + 1]!.from) return null;
  const path = chain.slice(start, end + 1);
  return agentsOf(path).length <= length * AGENTS_SHARE_MAX && !isStar(path) ? path : null;
}

/** The first circle from `at` on that is a loop. */
export function findCircle(
  chain: readonly Handoff[],
  at: number,
  roundsOf: (period: number) => number,
  periodMax: number,
  isLoop: (circle: readonly Handoff[]) => boolean,
): readonly Handoff[] | null {
  for (let end = at; end < Math.min(chain.length, at + periodMax * roundsOf(periodMax)); end++)
    for (const circle of circlesAt(chain, end, roundsOf, periodMax)) if (isLoop(circle)) return circle;
  return null;
}

/** The same of ways in any order. */
export function findWandering(
  chain: readonly Handoff[],
  at: number,
  length: number,
  isLoop: (path: readonly Handoff[]) => boolean,
): readonly Handoff[] | null {
  for (let end = at; end < Math.min(chain.length, at + length); end++) {
    const path = wanderingAt(chain, end, length);
    if (path !== null && isLoop(path)) return path;
  }
  return null;
}

/** One of them gives it out and gets it back each time, as a supervisor does. */
function isStar(path: readonly Handoff[]): boolean {
  const { from, to } = path[0]!;
  return [from, to].some((hub) => path.every((one) => one.from === hub || one.to === hub));
}

export const agentsOf = (path: readonly Handoff[]): string[] =>
  [...new Set(path.flatMap((one) => [one.from, one.to]))].filter((name) => name !== "").sort();

/** The same for a circle wherever it is entered. */
export const keyOf = (path: readonly Handoff[]): number =>
  Math.min(...path.filter((one) => one.from !== "").map((one) => mix(hashText(one.from), hashText(one.to))));
