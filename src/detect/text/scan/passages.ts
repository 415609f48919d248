import type { RuleMatch } from "./chain-rules.ts";
import { foldStretch } from "./char-classes.ts";
import type { ClassSet } from "./class-set.ts";
import { EVEN, scoreOfOdds } from "./log-odds.ts";
import type { OrdinaryWords } from "./ordinary-words.ts";
import type { TextScan } from "./scan-text.ts";

/**
 * Passages: the sentence around a telling word with what leads into it and the one after it. Signs in it are
 * weighed to log-odds, and the strongest passage speaks for the text.
 */
const BEFORE_MAX = 220;
const AFTER_MAX = 340;

const FOLDED_MAX = 1_024;

/** The folded form of a stretch of a text, without its invisible characters. */
export const foldPassage = (text: string, start: number, end: number): string =>
  foldStretch(text, start, Math.min(end, start + FOLDED_MAX, text.length), true);

export interface Passage {
  readonly start: number;
  readonly end: number;
}

function isBreak(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  if (unit === 10 || unit === 13) return true;
  if (unit === 46 || unit === 33 || unit === 63) {
    const after = text.charCodeAt(at + 1);
    return !(after > 32) || after === 34 || after === 39 || after === 60 || after === 93;
  }
  if (unit === 34) return isFieldEdge(text, at);
  return unit === 92 && text.charCodeAt(at + 1) === 110;
}

/** A quote that ends one field of a structure or opens the next. */
function isFieldEdge(text: string, at: number): boolean {
  const after = text.charCodeAt(at + 1);
  const before = text.charCodeAt(at - 1);
  return (
    ((after === 44 || after === 125 || after === 93) && before !== 44) ||
    ((before === 58 || (before === 32 && text.charCodeAt(at - 2) === 58)) &&
      /["'\w]\s{0,1}$/.test(text.slice(at - 3, at - 1)))
  );
}

/** The sentence of a word, with what leads into it and the one after it. */
function passageAround(text: string, from: number, to: number): Passage {
  let start = from;
  const least = Math.max(0, from - BEFORE_MAX);
  while (start > least && !isBreak(text, start - 1)) start--;
  let end = to;
  const most = Math.min(text.length, to + AFTER_MAX);
  let breaks = 0;
  while (end < most) {
    if (isBreak(text, end)) {
      if (isFieldEdge(text, end)) break;
      if (end > to + 24) breaks++;
      if (breaks === 2) break;
    }
    end++;
  }
  return { start, end };
}

/** What passages are looked for, and what their weight is called. */
export interface PassageSearch {
  readonly id: string;
  /** Classes around whose words passages are weighed. */
  readonly anchors: ClassSet;
  /** Words of these classes around which there is nothing to look for, however common they are. */
  readonly passedOver?: OrdinaryWords;
  /** Passages weighed; those that `weigh` passes over do not count. */
  readonly passagesMax: number;
  /** True if a passage begins where the one before it ended, false if at the next telling word. */
  readonly disjoint: boolean;
  /** A match below it is none. */
  readonly weightMin: number;
}

/**
 * `weigh` answers a passage's log-odds, or null where there is nothing to weigh; `hit` is the place in
 * `scan.hits` of its telling word.
 */
export function strongestPassage(
  scan: TextScan,
  search: PassageSearch,
  weigh: (passage: Passage, hit: number) => number | null,
): RuleMatch | null {
  if (!search.anchors.meets(scan)) return null;
  const { hits, text } = scan;
  let best = Number.NEGATIVE_INFINITY;
  let where: Passage | null = null;
  let last: Passage | null = null;
  let weighed = 0;
  let done = 0;
  for (let hit = 0; hit < hits.length && weighed < search.passagesMax; hit += 3) {
    const from = hits[hit + 1] as number;
    if (from < done || !search.anchors.has(hits[hit] as number) || search.passedOver?.has(scan, hit))
      continue;
    const to = hits[hit + 2] as number;
    const passage = passageAround(text, from, to);
    done = search.disjoint ? passage.end : to;
    if (passage.start === last?.start && passage.end === last.end) continue;
    last = passage;
    const sum = weigh(passage, hit);
    if (sum === null) continue;
    weighed++;
    if (sum <= best) continue;
    best = sum;
    where = passage;
  }
  if (where === null) return null;
  const weight = scoreOfOdds(best + EVEN);
  return weight < search.weightMin ? null : { id: search.id, weight, start: where.start, end: where.end };
}
