import { agentsOf, type Handoff } from "./circles.ts";
import { bringsNews, hasNewFact, namesIn, type ReadSaid } from "./news.ts";
import type { Work } from "./work.ts";

/** Whether what went round among agents got on: by work, or by words that bring something. Pure. */

/** Of the handoffs behind the first round, those that must bring something. */
const NEWS_SHARE_MIN = 0.25;

export function isNew(work: readonly Work[], at: number): boolean {
  const { again } = work[at]!;
  return again === 0 || work.findIndex((one) => one.again === again) === at;
}

/**
 * Whether the words that went round got on: at every fourth handoff from `from` on something was said that
 * was not said before.
 */
export function isToldAnew(said: readonly ReadSaid[], path: readonly Handoff[], from: number): boolean {
  if (said.length === 0) return false;
  const names = namesIn(agentsOf(path));
  let news = 0;
  for (let hop = from; hop < path.length; hop++)
    if (said.some((one, i) => isWithin(one.seq, path, hop) && bringsNews(said, i, names))) news++;
  return news > 0 && news >= (path.length - from) * NEWS_SHARE_MIN;
}

/** Whether each of the later rounds brought a result, a state or a fact that was not there before. */
export function isFruitful(
  work: readonly Work[],
  circle: readonly Handoff[],
  said: readonly ReadSaid[],
): boolean {
  const from = circle.length >> 1;
  let fruits = 0;
  for (let hop = from; hop < circle.length; hop++) {
    const isTold = said.some((one, i) => isWithin(one.seq, circle, hop) && hasNewFact(said, i));
    const isBrought = work.some((one, i) => isWithin(one.seq, circle, hop) && isFirstResult(work, i));
    if (isTold || isBrought) fruits++;
  }
  return fruits >= (circle.length - from) * NEWS_SHARE_MIN;
}

function isFirstResult(work: readonly Work[], at: number): boolean {
  const { brought } = work[at]!;
  return brought !== 0 && work.findIndex((one) => one.brought === brought) === at;
}

export const isWithin = (seq: number, path: readonly Handoff[], hop: number): boolean =>
  seq > path[hop - 1]!.seq && seq <= path[hop]!.seq;

/** Whether somebody could not take the work just now: such handoffs are tried again. */
export function isHeldUp(said: readonly ReadSaid[], path: readonly Handoff[]): boolean {
  const [from, to] = [path[0]!.seq, path.at(-1)!.seq];
  return said.some((one) => one.isHeldUp && one.seq >= from && one.seq <= to);
}
