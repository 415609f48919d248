import { holdsAny } from "./class-set.ts";
import { WORD_CLASSES, type WordClass } from "./lexicon.ts";
import type { TextScan } from "./scan-text.ts";

/**
 * What the jailbreak model weighs: which classes of words a text holds, how often, and which stand before which
 * nearby. No words and no n-grams: a new wording of a known class needs a line in the lexicon and no new weights.
 */
export const FEATURE_CLASSES: readonly WordClass[] = [
  "persona",
  "unbound",
  "jailbreakName",
  "noRefuse",
  "provider",
  "dualOutput",
  "tokensGame",
  "harm",
  "override",
  "instead",
  "instructions",
  "model",
  "authority",
  "frame",
  "userWord",
  "persist",
  "mine",
  "reveal",
  "hiddenText",
  "fiction",
  "howto",
  "voided",
  "guard",
  "weaken",
];

const COUNT = FEATURE_CLASSES.length;
/** Bias, length, presence, presence of three or more, ordered pairs. */
export const FEATURES_MAX = 2 + COUNT * 2 + COUNT * COUNT;
const PAIR_GAP_MAX = 240;
const PAIR_LOOK_AHEAD = 12;

export interface Features {
  readonly present: readonly number[];
  /** What each of them counts. */
  readonly value: number;
  readonly length: number;
}

const slotOf = new Int8Array(WORD_CLASSES.length).fill(-1);
FEATURE_CLASSES.forEach((name, slot) => {
  slotOf[WORD_CLASSES.indexOf(name)] = slot;
});

/** A page of this length or more holds words of every class by chance: what it shows counts for less. */
const LONG_TEXT = 2_048;

/** Numbers of the features present, each once; feature 0 is the bias, feature 1 (length) has a value of its own. */
export function jailbreakFeatures(scan: TextScan): Features {
  const { hits } = scan;
  const seen = new Set<number>();
  const counts = new Int32Array(COUNT);
  for (let i = 0; i < hits.length; i += 3) {
    const slot = slotOf[hits[i] as number] as number;
    if (slot < 0) continue;
    counts[slot] = (counts[slot] as number) + 1;
    const end = hits[i + 2] as number;
    const last = Math.min(hits.length, i + 3 + PAIR_LOOK_AHEAD * 3);
    for (let k = i + 3; k < last; k += 3) {
      if ((hits[k + 1] as number) - end > PAIR_GAP_MAX) break;
      const other = slotOf[hits[k] as number] as number;
      if (other >= 0) seen.add(2 + COUNT * 2 + slot * COUNT + other);
    }
  }
  for (let slot = 0; slot < COUNT; slot++) {
    const count = counts[slot] as number;
    if (count > 0) seen.add(2 + slot);
    if (count >= 3) seen.add(2 + COUNT + slot);
  }
  const { length } = scan.text;
  return {
    present: [...seen],
    value: length > LONG_TEXT ? Math.sqrt(LONG_TEXT / length) : 1,
    length: Math.log2(1 + Math.min(length, 4_096) / 64),
  };
}

const limits = holdsAny("unbound|jailbreakName|noRefuse|dualOutput|tokensGame");
const role = holdsAny("persona");
const turned = holdsAny("override|voided|weaken|provider|harm");

/**
 * True if the text speaks of freedom from limits at all, or puts the model into a role and sets something aside. Without that the
 * model is not asked: an operator's own instructions name a role and rules too, and reach us unmarked when a client sends its prompt
 * as one string.
 */
export function speaksOfLimits(scan: TextScan): boolean {
  return limits(scan) || (role(scan) && turned(scan));
}
