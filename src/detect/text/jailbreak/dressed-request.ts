import type { RuleMatch } from "../scan/chain-rules.ts";
import { classNumber, holdsAny } from "../scan/class-set.ts";
import { WORD_CLASSES } from "../scan/lexicon.ts";
import { EVEN, scoreOfOdds } from "../scan/log-odds.ts";
import type { TextScan } from "../scan/scan-text.ts";
import {
  DRESSED_BIAS,
  DRESSED_CLASSES,
  DRESSED_KINDS,
  DRESSED_LENGTHS,
  DRESSED_LOGIT_MIN,
  DRESSED_WORDS,
} from "./dressed-weights.ts";
import { limitsImposed } from "./jailbreak-features.ts";
import { promptWords } from "./prompt-words.ts";
import { VEIL_KINDS, WRONGS } from "./veiled-words.ts";

/**
 * How much a prompt as a whole is like one that dresses up what it asks for: a linear model over which
 * classes of words and kinds of veiled requests it has, how often, how long it is, and a capped share for its
 * single words. Learned on public prompts of both kinds (`bun run eval train`). It is asked twice: a short
 * prompt that is very like one is an attempt, though no limit is named; and what the weaker signs of limits
 * find is none in a text that is nothing like one, such as the pages of instructions that operators write.
 * Cannot fail.
 */
export const DRESSED_TEXT_MIN = 80;
/** A longer text holds words of every kind. */
export const DRESSED_TEXT_MAX = 2_048;
/** How much of a text is weighed. */
export const DRESSED_WINDOW = 4_096;
/** What single words can add or take, whatever they are: classes and kinds have their say in any case. */
const WORDS_WEIGH_MOST = 9;
/** From so many words of a class or kind on, a weight more. */
export const DRESSED_OFTEN = 3;
/**
 * Harmless roles are cast like jailbreaks. With the bans below, held out and the threshold moved along:
 * WildGuard's harmless 34 → 22 % and 43 → 30 %, WildJailbreak 67 → 66 %.
 */
const UNNAMED_MORE = 2;
/** A shorter text is all passage: what stands around it cannot speak for it. */
const AROUND_MIN = 1_000;
/**
 * Log-odds below which a text is nothing like an attempt. Measured with the source held out: of the
 * operators' instructions that fired a third lie below, and of the attempts that did one in a hundred.
 */
const UNLIKE = -1.5;

export const lengthBucket = (length: number): number => Math.floor(Math.log2(1 + length / 64));

const classWeights = new Float64Array(WORD_CLASSES.length * 2);
for (const [name, [present, often]] of Object.entries(DRESSED_CLASSES)) {
  classWeights[classNumber(name) * 2] = present;
  classWeights[classNumber(name) * 2 + 1] = often;
}
const kindWeights = VEIL_KINDS.map((kind) => DRESSED_KINDS[kind] ?? ([0, 0] as const));
const classCounts = new Int32Array(WORD_CLASSES.length);

export const cappedWords = (weight: number): number =>
  Math.max(-WORDS_WEIGH_MOST, Math.min(WORDS_WEIGH_MOST, weight));

/** Log-odds of the text from `start` on. */
function dressLogit({ text, hits }: TextScan, start: number): number {
  const end = Math.min(text.length, start + DRESSED_WINDOW);
  const { kinds, weight } = promptWords(text, start, end);
  let sum = DRESSED_BIAS + cappedWords(weight);
  sum += DRESSED_LENGTHS[Math.min(lengthBucket(text.length), DRESSED_LENGTHS.length - 1)] ?? 0;
  kindWeights.forEach(([present, often], kind) => {
    const count = kinds[kind] as number;
    if (count > 0) sum += present;
    if (count >= DRESSED_OFTEN) sum += often;
  });
  classCounts.fill(0);
  for (let hit = 0; hit < hits.length; hit += 3) {
    const at = hits[hit + 1] as number;
    if (at < start) continue;
    if (at >= end) break;
    const cls = hits[hit] as number;
    const count = (classCounts[cls] as number) + 1;
    classCounts[cls] = count;
    if (count === 1) sum += classWeights[cls * 2] as number;
    else if (count === DRESSED_OFTEN) sum += classWeights[cls * 2 + 1] as number;
  }
  return sum;
}

/**
 * A dress has one of these words in 19 of 20 prompts that the model finds; most of what people ask has none
 * and costs no walk.
 */
const worthALook = holdsAny("persona|unbound|jailbreakName|noRefuse|override|alibi|fiction|provider|harm");

/** True if the text is weighed at all. */
export function mayBeDressed(scan: TextScan): boolean {
  const { length } = scan.text;
  return length >= DRESSED_TEXT_MIN && length <= DRESSED_TEXT_MAX && worthALook(scan);
}

/** Without weights nothing is judged. */
const hasWeights = DRESSED_WORDS.length > 0;

/**
 * How far above the threshold a text must lie: a role or a game in which nothing wrong is named further, and
 * rules that forbid more than they leave open never suffice. Single words cannot tell who forbids whom.
 */
export function moreNeeded(scan: TextScan): number {
  const { imposed, free } = limitsImposed(scan);
  if (imposed > free) return Infinity;
  const { kinds } = promptWords(scan.text, 0, scan.text.length);
  return VEIL_KINDS.some((kind, bit) => WRONGS.has(kind) && (kinds[bit] as number) > 0) ? 0 : UNNAMED_MORE;
}

/** A short prompt that is as a whole like those that dress up what they ask for. */
export function dressedRequest(scan: TextScan): RuleMatch | null {
  if (!hasWeights || !mayBeDressed(scan)) return null;
  const over = dressLogit(scan, 0) - DRESSED_LOGIT_MIN;
  if (over < 0 || over < moreNeeded(scan)) return null;
  return {
    id: "dressed-request",
    weight: scoreOfOdds(over + EVEN),
    start: 0,
    end: scan.text.length,
  };
}

/** True if what stands around the place is nothing like an attempt. */
export function isUnlikeAttempt(scan: TextScan, at: number): boolean {
  if (!hasWeights || scan.text.length < AROUND_MIN) return false;
  const latest = Math.max(0, scan.text.length - DRESSED_WINDOW);
  return dressLogit(scan, Math.min(latest, Math.max(0, at - DRESSED_WINDOW / 2))) < UNLIKE;
}
