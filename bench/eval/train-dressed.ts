import { capText } from "../../src/detect/event-views/fields.ts";
import {
  cappedWords,
  DRESSED_OFTEN,
  DRESSED_TEXT_MAX,
  DRESSED_TEXT_MIN,
  DRESSED_WINDOW,
  lengthBucket,
} from "../../src/detect/text/jailbreak/dressed-request.ts";
import { promptWords, wordsOf } from "../../src/detect/text/jailbreak/prompt-words.ts";
import { VEIL_KINDS } from "../../src/detect/text/jailbreak/veiled-words.ts";
import { WORD_CLASSES } from "../../src/detect/text/scan/lexicon.ts";
import { scanText } from "../../src/detect/text/scan/scan-text.ts";
import type { PromptRow } from "./prompt-sources.ts";

/**
 * Trains the model of `dressed-request.ts`: logistic regression over classes of words, kinds of veiled
 * requests, length, and single words that stand in several families of sources. A source weighs as the root
 * of its size, attacks and benign texts alike together.
 */
export interface DressSample {
  readonly row: PromptRow;
  /** Numbers of the features, the bias among them; those from `wordsFrom` on are words. */
  readonly features: Int32Array;
}

export interface DressSet {
  readonly names: readonly string[];
  readonly wordsFrom: number;
  readonly samples: readonly DressSample[];
}

const WORD_SEEN_MIN = 80;
const WORD_FAMILIES_MIN = 6;
const ROUNDS = 120;
const LEARNING_RATE = 0.3;
const PENALTY = 3;
const PENALTY_OF_WORDS = 8;
/** Mean over the benign sources of what fires by this model alone; those in an attack's dress have no say. */
const FALSE_POSITIVES_MAX = 0.0075;
const IN_DRESS = /^benign:wildguard(?:train)?-dressed/;
const LENGTHS = 10;

function classFeatures(text: string): string[] {
  const scan = scanText(capText(text));
  const counts = new Int32Array(WORD_CLASSES.length);
  const found = ["bias", `length:${Math.min(LENGTHS - 1, lengthBucket(scan.text.length))}`];
  for (let hit = 0; hit < scan.hits.length; hit += 3) {
    if ((scan.hits[hit + 1] as number) >= DRESSED_WINDOW) break;
    const cls = scan.hits[hit] as number;
    counts[cls] = (counts[cls] as number) + 1;
    if (counts[cls] === 1) found.push(`class:${WORD_CLASSES[cls]}`);
    if (counts[cls] === DRESSED_OFTEN) found.push(`class-often:${WORD_CLASSES[cls]}`);
  }
  const { kinds } = promptWords(scan.text, 0, Math.min(scan.text.length, DRESSED_WINDOW));
  VEIL_KINDS.forEach((kind, bit) => {
    if ((kinds[bit] as number) > 0) found.push(`kind:${kind}`);
    if ((kinds[bit] as number) >= DRESSED_OFTEN) found.push(`kind-often:${kind}`);
  });
  return found;
}

export function dressSet(rows: readonly PromptRow[]): DressSet {
  const words = rows.map(({ text }) => wordsOf(text, Math.min(text.length, DRESSED_WINDOW)));
  const families = new Map<string, Set<string>>();
  const seen = new Map<string, number>();
  rows.forEach(({ family, use }, at) => {
    if (use === "probe") return;
    for (const word of words[at] as Set<string>) {
      seen.set(word, (seen.get(word) ?? 0) + 1);
      families.set(word, (families.get(word) ?? new Set()).add(family));
    }
  });
  const numbers = new Map<string, number>([["bias", 0]]);
  const numberOf = (name: string): number => {
    const number = numbers.get(name) ?? numbers.size;
    numbers.set(name, number);
    return number;
  };
  const plain = rows.map(({ text }) => classFeatures(text).map(numberOf));
  const wordsFrom = numbers.size;
  for (const [word, count] of seen)
    if (count >= WORD_SEEN_MIN && (families.get(word)?.size ?? 0) >= WORD_FAMILIES_MIN)
      numberOf(`word:${word}`);
  const samples = rows.map((row, at) => {
    const known = [...(words[at] as Set<string>)].flatMap((word) => numbers.get(`word:${word}`) ?? []);
    return { row, features: Int32Array.from([...(plain[at] as number[]), ...known]) };
  });
  return { names: [...numbers.keys()], wordsFrom, samples };
}

function trainDressed(set: DressSet, samples: readonly DressSample[]): Float64Array {
  const sizes = new Map<string, number>();
  for (const { row } of samples) sizes.set(row.source, (sizes.get(row.source) ?? 0) + 1);
  const importance = samples.map(({ row }) => 1 / Math.sqrt(sizes.get(row.source) ?? 1));
  const totals = [0, 0];
  samples.forEach(({ row }, at) => {
    totals[row.label] = (totals[row.label] as number) + (importance[at] as number);
  });
  const count = set.names.length;
  const weights = new Float64Array(count);
  const speeds = new Float64Array(count).fill(1e-8);
  const gradient = new Float64Array(count);
  for (let round = 0; round < ROUNDS; round++) {
    gradient.fill(0);
    samples.forEach(({ row, features }, at) => {
      const share = ((importance[at] as number) * samples.length) / 2 / (totals[row.label] as number);
      let sum = 0;
      for (const feature of features) sum += weights[feature] as number;
      const error = share * (1 / (1 + Math.exp(-sum)) - row.label);
      for (const feature of features) gradient[feature] = (gradient[feature] as number) + error;
    });
    for (let f = 0; f < count; f++) {
      const penalty = f === 0 ? 0 : f >= set.wordsFrom ? PENALTY_OF_WORDS : PENALTY;
      const slope = ((gradient[f] as number) + penalty * (weights[f] as number)) / samples.length;
      speeds[f] = (speeds[f] as number) + slope * slope;
      weights[f] = (weights[f] as number) - (LEARNING_RATE * slope) / Math.sqrt(speeds[f] as number);
    }
  }
  return weights;
}

function dressedLogit(set: DressSet, weights: Float64Array, features: Int32Array): number {
  let sum = 0;
  let words = 0;
  for (const feature of features) {
    if (feature >= set.wordsFrom) words += weights[feature] as number;
    else sum += weights[feature] as number;
  }
  return sum + cappedWords(words);
}

/** The log-odds of each sample by weights that saw nothing of its family. */
export function unseenLogits(set: DressSet): Float64Array {
  const logits = new Float64Array(set.samples.length);
  const learned = set.samples.filter(({ row }) => row.use !== "probe");
  const attacked = new Set(learned.filter(({ row }) => row.label === 1).map(({ row }) => row.family));
  const folds: Set<string>[] = [...attacked].map((family) => new Set([family]));
  const others = [...new Set(learned.map(({ row }) => row.family))].filter((one) => !attacked.has(one));
  others.forEach((family, at) => {
    folds[at % folds.length]?.add(family);
  });
  const weigh = (weights: Float64Array, isOne: (row: PromptRow) => boolean): void =>
    set.samples.forEach(({ row, features }, at) => {
      if (isOne(row)) logits[at] = dressedLogit(set, weights, features);
    });
  for (const fold of folds)
    weigh(
      trainDressed(
        set,
        learned.filter(({ row }) => !fold.has(row.family)),
      ),
      ({ use, family }) => use !== "probe" && fold.has(family),
    );
  weigh(trainDressed(set, learned), ({ use }) => use === "probe");
  return logits;
}

const isJudged = ({ text }: PromptRow): boolean =>
  text.length >= DRESSED_TEXT_MIN && text.length <= DRESSED_TEXT_MAX;

/** Half of each benign source sets the threshold, the other is in the tables. */
export const isForCalibration = ({ label, text, use }: PromptRow): boolean =>
  label === 0 && (use === "calibration" || (Bun.hash(text) as bigint) % 2n === 0n);

export function dressedThreshold(set: DressSet, logits: Float64Array): number {
  const bySource = new Map<string, number[]>();
  set.samples.forEach(({ row }, at) => {
    if (row.use === "probe" || IN_DRESS.test(row.source) || !isForCalibration(row)) return;
    const list = bySource.get(row.source) ?? [];
    list.push(isJudged(row) ? (logits[at] as number) : -Infinity);
    bySource.set(row.source, list);
  });
  const sources = [...bySource.values()].filter((one) => one.length >= 20);
  const shareAt = (least: number): number =>
    sources.reduce((sum, one) => sum + one.filter((value) => value >= least).length / one.length, 0) /
    sources.length;
  let low = -20;
  let high = 20;
  for (let i = 0; i < 40; i++) {
    const middle = (low + high) / 2;
    if (shareAt(middle) > FALSE_POSITIVES_MAX) low = middle;
    else high = middle;
  }
  return high;
}

const rounded = (weight: number): number => Math.round(weight * 20) / 20;

/** The source of `dressed-weights.ts`. */
export function dressedSource(set: DressSet, least: number): string {
  const weights = trainDressed(
    set,
    set.samples.filter(({ row }) => row.use !== "probe"),
  );
  const of = (name: string): number => {
    const at = set.names.indexOf(name);
    return at < 0 ? 0 : rounded(weights[at] as number);
  };
  const byWeight = new Map<number, string[]>();
  set.names.forEach((name, at) => {
    const weight = rounded(weights[at] as number);
    if (at >= set.wordsFrom && weight !== 0)
      byWeight.set(weight, [...(byWeight.get(weight) ?? []), name.slice("word:".length)]);
  });
  const table = (kind: string, names: readonly string[]): string[] =>
    names.map((name) => `  ${name}: [${of(`${kind}:${name}`)}, ${of(`${kind}-often:${name}`)}],`);
  return [
    "/** Written by `bun run eval train --data DIR --more DIR`; not edited by hand. Single words by what they weigh, each once a text. */",
    "export const DRESSED_WORDS: readonly (readonly [number, string])[] = [",
    ...[...byWeight]
      .sort(([a], [b]) => a - b)
      .map(([weight, words]) => `  [${weight}, "${words.sort().join(" ")}"],`),
    "];",
    "/** Of a class of words: where it stands, and once more where it stands three times. */",
    "export const DRESSED_CLASSES: Readonly<Record<string, readonly [number, number]>> = {",
    ...table("class", WORD_CLASSES),
    "};",
    "/** The same of the kinds of a veiled request. */",
    "export const DRESSED_KINDS: Readonly<Record<string, readonly [number, number]>> = {",
    ...table("kind", VEIL_KINDS),
    "};",
    `export const DRESSED_LENGTHS: readonly number[] = [${Array.from({ length: LENGTHS }, (_unused, at) => of(`length:${at}`)).join(", ")}];`,
    `export const DRESSED_BIAS = ${of("bias")};`,
    `export const DRESSED_LOGIT_MIN = ${least.toFixed(3)};`,
    "",
  ].join("\n");
}
