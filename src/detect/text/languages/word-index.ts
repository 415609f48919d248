import { FOLD_SPACE, wordUnits } from "../scan/char-classes.ts";
import { keywordsOf, LANGUAGES } from "./all-languages.ts";
import { foldScript, scriptFolds } from "./script-folds.ts";
import { WORD_KINDS, type WordKind } from "./word-kinds.ts";

/**
 * Finds the words of all languages in one pass. An automaton as in `automaton.ts`, but its edges stand in a
 * hash table: scripts of thousands of characters would make rows of that width, and most characters of a text
 * lead nowhere from the root, which one table read tells. It runs over texts that hold letters of another
 * script, or a telling word of another language, and over nothing else.
 */
export const KIND_NUMBERS: ReadonlyMap<WordKind, number> = new Map(WORD_KINDS.map((kind, at) => [kind, at]));

interface Keyword {
  readonly length: number;
  readonly startsWord: boolean;
  readonly endsWord: boolean;
  /** Language and kind, `LANGUAGE_SHIFT` apart. */
  readonly senses: number[];
}
const LANGUAGE_SHIFT = 6;
const KIND_MASK = (1 << LANGUAGE_SHIFT) - 1;
const SKIPPED = 1;
const HITS_MAX = 1_200;
/**
 * One bit an edge, at the place its hash says: most steps that lead nowhere are told by a read of 64 KiB
 * instead of the table.
 */
const BLOOM_BITS = 19;
const bloom = new Int32Array(1 << (BLOOM_BITS - 5));
/** A product of large odd numbers spreads neighbouring states and characters over the table. */
const SPREAD_STATE = 0x9e3779b1;
const SPREAD_CLASS = 0x85ebca6b;

/**
 * Letters of alphabets whose languages divide words: no keyword begins inside such a word, so what is left of
 * one that leads nowhere is passed over.
 */
const alphabetic = new Uint8Array(65_536);

/** Unit → class: 0 is in no keyword, 1 reads as nothing. */
const classOf = new Uint16Array(65_536);
const slotFor = (state: number, cls: number): number =>
  (Math.imul(state, SPREAD_STATE) ^ Math.imul(cls, SPREAD_CLASS)) >>> 7;
const bloomPlace = (hash: number): number => hash & ((1 << BLOOM_BITS) - 1);

/** One keyword a spelling, with all that it means in whatever language. */
function collect(): Map<string, Keyword & { text: string }> {
  const byText = new Map<string, Keyword & { text: string }>();
  LANGUAGES.forEach((language, number) => {
    for (const kind of WORD_KINDS) {
      for (const { text, startsWord, endsWord } of keywordsOf(language, kind)) {
        const folded = foldScript(text);
        if (folded.trim() === "") throw new RangeError(`${language.code}: empty word in ${kind}`);
        const key = `${startsWord}|${endsWord}|${folded}`;
        const known = byText.get(key) ?? {
          text: folded,
          length: folded.length,
          startsWord,
          endsWord,
          senses: [],
        };
        byText.set(key, known);
        known.senses.push((number << LANGUAGE_SHIFT) | (KIND_NUMBERS.get(kind) as number));
      }
    }
  });
  return byText;
}

/**
 * Everything is in flat arrays: a map or an array for each of some 40,000 states would be most of the memory
 * and of the time.
 */
function build() {
  const words = [...collect().values()];
  const statesMax = words.reduce((sum, word) => sum + word.text.length, 1);
  const classes = classesOf(words.map((word) => word.text));
  let bits = 4;
  while (1 << bits < statesMax * 1.6) bits++;
  const edgeMask = (1 << bits) - 1;
  const edgeKeys = new Int32Array((edgeMask + 1) * 2).fill(-1);
  const edgeTargets = new Int32Array(edgeMask + 1);
  const rootTargets = new Int32Array(classes.count);
  /** By state: how it was reached, and how many characters lead there. */
  const parents = new Int32Array(statesMax);
  const reachedBy = new Int32Array(statesMax);
  const depths = new Int32Array(statesMax);
  /** By state: the first word that ends there, plus 1; by word: the next of the same spelling. */
  const endsHere = new Int32Array(statesMax);
  const sameSpelling = new Int32Array(words.length);
  const slotOf = (state: number, cls: number): number => {
    let slot = slotFor(state, cls) & edgeMask;
    while (edgeKeys[slot * 2] !== -1 && !(edgeKeys[slot * 2] === state && edgeKeys[slot * 2 + 1] === cls))
      slot = (slot + 1) & edgeMask;
    return slot;
  };
  const targetOf = (state: number, cls: number): number =>
    (state === 0 ? rootTargets[cls] : edgeTargets[slotOf(state, cls)]) as number;
  let states = 1;
  words.forEach(({ text }, number) => {
    let at = 0;
    for (let i = 0; i < text.length; i++) {
      const cls = classes.of[text.charCodeAt(i)] as number;
      let child = targetOf(at, cls);
      if (child === 0) {
        child = states++;
        parents[child] = at;
        reachedBy[child] = cls;
        depths[child] = i + 1;
        if (at === 0) rootTargets[cls] = child;
        else {
          const slot = slotOf(at, cls);
          edgeKeys[slot * 2] = at;
          edgeKeys[slot * 2 + 1] = cls;
          edgeTargets[slot] = child;
          const place = bloomPlace(slotFor(at, cls));
          bloom[place >> 5] = (bloom[place >> 5] as number) | (1 << (place & 31));
        }
      }
      at = child;
    }
    sameSpelling[number] = endsHere[at] as number;
    endsHere[at] = number + 1;
  });
  const failures = new Int32Array(states);
  /** By state: itself or the longest suffix of it at which a word ends; 0 if there is none. */
  const speaks = new Int32Array(states);
  for (const state of nearestFirst(depths.subarray(0, states))) {
    const cls = reachedBy[state] as number;
    let fallback = 0;
    for (let from = parents[state] as number; from !== 0; ) {
      from = failures[from] as number;
      fallback = targetOf(from, cls);
      if (fallback !== 0) break;
    }
    failures[state] = fallback;
    speaks[state] = endsHere[state] !== 0 ? state : (speaks[fallback] as number);
  }
  for (let unit = 1; unit < 65_536; unit++) {
    if (wordUnits[unit] === 1 && (unit < 0x530 || (unit >= 0x1e00 && unit < 0x1f00))) alphabetic[unit] = 1;
    const folded = scriptFolds[unit] as number;
    classOf[unit] = folded === 0 ? SKIPPED : (classes.of[folded] as number);
  }
  const spaceClass = classes.of[FOLD_SPACE] as number;
  const ends = endsHere.slice(0, states);
  return {
    words,
    edgeMask,
    edgeKeys,
    edgeTargets,
    rootTargets,
    failures,
    speaks,
    ends,
    sameSpelling,
    spaceClass,
  };
}

/** By character: a number from 2 on, 0 if it is in none of the texts. */
function classesOf(texts: readonly string[]): { of: Uint16Array; count: number } {
  const of = new Uint16Array(65_536);
  let count = 2;
  for (const text of texts) {
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (of[code] === 0) of[code] = count++;
    }
  }
  return { of, count };
}

/** Every state but the root, by how many characters lead there. */
function nearestFirst(depths: Int32Array): Uint32Array {
  const starts: number[] = [];
  for (const depth of depths) starts[depth + 1] = (starts[depth + 1] ?? 0) + 1;
  starts[1] = 0;
  for (let depth = 1; depth < starts.length; depth++)
    starts[depth] = (starts[depth] ?? 0) + (starts[depth - 1] ?? 0);
  const ordered = new Uint32Array(depths.length - 1);
  for (let state = 1; state < depths.length; state++) {
    const depth = depths[state] as number;
    ordered[starts[depth] as number] = state;
    starts[depth] = (starts[depth] as number) + 1;
  }
  return ordered;
}

type Index = ReturnType<typeof build>;
let index: Index | undefined;
/** Built for the first text of another language, or asked for before one comes. */
export function wordIndex(): Index {
  index ??= build();
  return index;
}

function follow({ edgeMask, edgeKeys, edgeTargets }: Index, state: number, cls: number): number {
  const hash = slotFor(state, cls);
  const place = bloomPlace(hash);
  if ((((bloom[place >> 5] as number) >> (place & 31)) & 1) === 0) return -1;
  let slot = hash & edgeMask;
  while (true) {
    const key = edgeKeys[slot * 2] as number;
    if (key === -1) return -1;
    if (key === state && edgeKeys[slot * 2 + 1] === cls) return edgeTargets[slot] as number;
    slot = (slot + 1) & edgeMask;
  }
}

/** The words of one language in a text, in the order of their ends. */
export interface LanguageHits {
  readonly language: number;
  readonly kinds: number[];
  readonly starts: number[];
  readonly ends: number[];
  /** One bit a kind. */
  present: number;
}

function startOf(text: string, last: number, length: number): number {
  let at = last;
  let left = length;
  let inSpace = false;
  for (; at >= 0; at--) {
    const folded = scriptFolds[text.charCodeAt(at)] as number;
    if (folded === 0) continue;
    const space = folded === FOLD_SPACE;
    if (!(space && inSpace)) left--;
    inSpace = space;
    if (left === 0) return at;
  }
  return 0;
}

/** Notes a word that ends at `last`, for each of its senses; answers how many. */
function record(text: string, keyword: Keyword, last: number, found: (LanguageHits | undefined)[]): number {
  if (keyword.endsWord && last + 1 < text.length && wordUnits[text.charCodeAt(last + 1)] === 1) return 0;
  const start = startOf(text, last, keyword.length);
  if (keyword.startsWord && start > 0 && wordUnits[text.charCodeAt(start - 1)] === 1) return 0;
  for (const sense of keyword.senses) {
    const language = sense >> LANGUAGE_SHIFT;
    const kind = sense & KIND_MASK;
    let hits = found[language];
    if (hits === undefined) {
      hits = { language, kinds: [], starts: [], ends: [], present: 0 };
      found[language] = hits;
    }
    hits.kinds.push(kind);
    hits.starts.push(start);
    hits.ends.push(last + 1);
    hits.present |= 1 << kind;
  }
  return keyword.senses.length;
}

export function findWords(text: string): readonly LanguageHits[] {
  const tables = wordIndex();
  const { words, rootTargets, failures, speaks, ends, sameSpelling, spaceClass } = tables;
  const found: (LanguageHits | undefined)[] = [];
  let state = 0;
  let count = 0;
  let inSpace = false;
  let inWord = 0;
  for (let i = 0; i < text.length && count < HITS_MAX; i++) {
    const unit = text.charCodeAt(i);
    const cls = classOf[unit] as number;
    if (cls === SKIPPED) continue;
    const wasInWord = inWord;
    inWord = alphabetic[unit] as number;
    if (cls === 0) {
      state = 0;
      inSpace = false;
      continue;
    }
    const space = cls === spaceClass;
    if (space && inSpace) continue;
    inSpace = space;
    while (state !== 0) {
      const next = follow(tables, state, cls);
      if (next >= 0) {
        state = next;
        break;
      }
      state = failures[state] as number;
      if (state === 0) break;
    }
    if (state === 0) {
      if ((wasInWord & inWord) === 1) continue;
      state = rootTargets[cls] as number;
      if (state === 0) continue;
    }
    for (let at = speaks[state] as number; at !== 0; at = speaks[failures[at] as number] as number) {
      for (let word = ends[at] as number; word !== 0; word = sameSpelling[word - 1] as number)
        count += record(text, words[word - 1] as Keyword, i, found);
    }
  }
  return found.filter((one) => one !== undefined);
}
