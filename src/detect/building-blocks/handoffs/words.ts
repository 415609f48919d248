import { agentsOf, circlesAt, type Handoff, PERIOD_MAX } from "./circles.ts";
import { bringsNews, hasNewFact, namesIn, type ReadSaid } from "./news.ts";
import { isHeldUp, isWithin } from "./progress.ts";

/**
 * Work that goes round while somebody looks something up on the way. A run that gets on does that too, so it
 * is its words that decide: each handoff tells something, and hardly any tells anything new. Pure; `isIdle`
 * says of a way whether nothing but reading was done on it.
 */
type IsIdle = (path: readonly Handoff[]) => boolean;

/** Of two, one asks and the other looks up: that gets on in many rounds. */
const RING_AGENTS_MIN = 3;
const TOLD_SHARE_MIN = 0.75;
const NEWS_SHARE_MAX = 0.25;

/** A ring of three agents and more, also where each round is of other instances of them (`assessor#2`). */
export function ringOfWords(
  chain: readonly Handoff[],
  end: number,
  rounds: number,
  said: () => readonly ReadSaid[],
  isIdle: IsIdle,
): readonly Handoff[] | null {
  if (end + 1 < RING_AGENTS_MIN * rounds) return null;
  for (const ring of circlesAt(bareChain(chain), end, () => rounds, PERIOD_MAX)) {
    const period = ring.length / rounds;
    if (period < RING_AGENTS_MIN || agentsOf(ring).length < RING_AGENTS_MIN) continue;
    if (hardlyTells(said(), ring, period) && !isHeldUp(said(), ring) && isIdle(ring)) return ring;
  }
  return null;
}

function hardlyTells(said: readonly ReadSaid[], ring: readonly Handoff[], from: number): boolean {
  const names = namesIn(agentsOf(ring));
  let told = 0;
  let news = 0;
  for (let hop = from; hop < ring.length; hop++) {
    const heard = said.flatMap((one, i) => (isWithin(one.seq, ring, hop) ? [i] : []));
    if (heard.length > 0) told++;
    if (heard.some((i) => bringsNews(said, i, names))) news++;
  }
  const hops = ring.length - from;
  return told >= hops * TOLD_SHARE_MIN && news < hops * NEWS_SHARE_MAX;
}

/** Times that whoever gives the work out gets it back in a row. */
const REFUSALS = 4;

/**
 * Whoever gives one task out gets it back each time from another with empty hands, and gives it to somebody
 * who had it before.
 */
export function starOfRefusals(
  chain: readonly Handoff[],
  end: number,
  said: () => readonly ReadSaid[],
  isIdle: IsIdle,
): readonly Handoff[] | null {
  const start = end + 1 - 2 * REFUSALS;
  const hub = chain[end]!.to;
  if (start < 1) return null;
  const star = chain.slice(start, end + 1);
  if (star.some(({ from, to }, i) => (i % 2 === 0 ? from : to) !== hub || from === to)) return null;
  const asked = star.filter((_, i) => i % 2 === 0).map(({ to }) => to);
  const before = chain.slice(0, start).map(({ to }) => to);
  if (new Set(asked).size < 2 || asked.some((to, i) => star[2 * i + 1]!.from !== to)) return null;
  if (asked.filter((to, i) => before.includes(to) || asked.indexOf(to) < i).length < asked.length - 1)
    return null;
  return isRefused(said(), chain, start) && !isHeldUp(said(), star) && isIdle(star) ? star : null;
}

function isRefused(said: readonly ReadSaid[], chain: readonly Handoff[], start: number): boolean {
  for (let hop = start; hop < start + 2 * REFUSALS; hop++) {
    const isBack = (hop - start) % 2 === 1;
    const heard = said.flatMap((one, i) => (isWithin(one.seq, chain, hop) ? [i] : []));
    if (heard.some((i) => hasNewFact(said, i))) return false;
    if (isBack && !heard.some((i) => said[i]!.isEmptyHanded)) return false;
    if (!isBack && !heard.some((i) => isSaidAgain(said, i))) return false;
  }
  return true;
}

/** Word for word as before, by the words that are looked at. */
const isSaidAgain = (said: readonly ReadSaid[], at: number): boolean =>
  said.some((one, i) => i < at && one.words.length > 0 && one.words.join() === said[at]!.words.join());

const INSTANCE = /[#:@/ _.-]{0,2}\d{1,6}$/;
const bareName = (name: string): string => (isInstance(name) ? name.replace(INSTANCE, "") || name : name);

function isInstance(name: string): boolean {
  const last = name.charCodeAt(name.length - 1);
  return last >= 0x30 && last <= 0x39;
}

function bareChain(chain: readonly Handoff[]): readonly Handoff[] {
  if (!chain.some(({ from, to }) => isInstance(from) || isInstance(to))) return chain;
  return chain.map((one) => ({ ...one, from: bareName(one.from), to: bareName(one.to) }));
}
