import { FOLD_SPACE, wordUnits } from "../char-classes.ts";
import { keywordsOf, LANGUAGES } from "./all-languages.ts";
import { foldScript, scriptFolds } from "./script-folds.ts";
import { WORD_KINDS, type WordKind } from "./word-kinds.ts";

/**
 * Finds the words of all languages in one pass. An automaton as in `automaton.ts`, but its edges stand in a hash table: scripts of thousands
 * of characters would make rows of that width, and most characters of a text lead nowhere from the root, which one table read tells.
 * It runs over texts that hold letters of another script, or a telling word of another language, and over nothing else.
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
/** A product of large odd numbers spreads neighbouring states and characters over the table. */
const SPREAD_STATE = 0x9e3779b1;
const SPREAD_CLASS = 0x85ebca6b;

/** Unit → class: 0 is in no keyword, 1 reads as nothing. */
const classOf = new Uint16Array(65_536);
const keywords: Keyword[] = [];
/** By state: the keywords that end there, and the state of the longest suffix. */
const outputs: (readonly number[] | null)[] = [null];
const failures: number[] = [0];
let edgeKeys = new Int32Array(0);
let edgeTargets = new Int32Array(0);
let edgeMask = 0;
let rootTargets = new Int32Array(0);

const slotFor = (state: number, cls: number): number =>
  (Math.imul(state, SPREAD_STATE) ^ Math.imul(cls, SPREAD_CLASS)) >>> 7;

function build(): void {
  const byText = new Map<string, Keyword & { text: string }>();
  LANGUAGES.forEach((language, number) => {
    for (const kind of WORD_KINDS) {
      for (const { text, startsWord, endsWord } of keywordsOf(language, kind)) {
        const folded = foldScript(text);
        if (folded.trim() === "") throw new RangeError(`${language.code}: empty word in ${kind}`);
        const key = `${startsWord}|${endsWord}|${folded}`;
        const known = byText.get(key) ?? { text: folded, length: folded.length, startsWord, endsWord, senses: [] };
        byText.set(key, known);
        known.senses.push((number << LANGUAGE_SHIFT) | (KIND_NUMBERS.get(kind) as number));
      }
    }
  });
  const classes = new Map<number, number>();
  const children: Map<number, number>[] = [new Map()];
  const ends: number[][] = [[]];
  for (const one of byText.values()) {
    let at = 0;
    for (let i = 0; i < one.text.length; i++) {
      const code = one.text.charCodeAt(i);
      const cls = classes.get(code) ?? classes.size + 2;
      classes.set(code, cls);
      let child = (children[at] as Map<number, number>).get(cls);
      if (child === undefined) {
        child = children.length;
        children.push(new Map());
        ends.push([]);
        (children[at] as Map<number, number>).set(cls, child);
      }
      at = child;
    }
    (ends[at] as number[]).push(keywords.length);
    keywords.push(one);
  }
  for (let unit = 1; unit < 65_536; unit++) {
    const folded = scriptFolds[unit] as number;
    classOf[unit] = folded === 0 ? SKIPPED : (classes.get(folded) ?? 0);
  }
  rootTargets = new Int32Array(classes.size + 2);
  let bits = 4;
  while (1 << bits < children.length * 2) bits++;
  edgeMask = (1 << bits) - 1;
  edgeKeys = new Int32Array((edgeMask + 1) * 2).fill(-1);
  edgeTargets = new Int32Array(edgeMask + 1);
  const width = classes.size + 2;
  if (children.length * width > 0x7fff_ffff) throw new RangeError("the languages have too many words");
  const order: number[] = [];
  for (let head = -1; head < order.length; head++) {
    const at = head < 0 ? 0 : (order[head] as number);
    for (const [cls, child] of children[at] as Map<number, number>) {
      if (at === 0) rootTargets[cls] = child;
      else addEdge(at, cls, child);
      let fallback = at === 0 ? 0 : (failures[at] as number);
      while (at !== 0) {
        const next = (children[fallback] as Map<number, number>).get(cls);
        if (next !== undefined) {
          fallback = next;
          break;
        }
        if (fallback === 0) break;
        fallback = failures[fallback] as number;
      }
      failures[child] = fallback;
      const ended = [...(ends[child] as number[]), ...(outputs[fallback] ?? [])];
      outputs[child] = ended.length === 0 ? null : ended;
      order.push(child);
    }
  }
}

function addEdge(state: number, cls: number, target: number): void {
  let slot = slotFor(state, cls) & edgeMask;
  while (edgeKeys[slot * 2] !== -1) slot = (slot + 1) & edgeMask;
  edgeKeys[slot * 2] = state;
  edgeKeys[slot * 2 + 1] = cls;
  edgeTargets[slot] = target;
}

function follow(state: number, cls: number): number {
  let slot = slotFor(state, cls) & edgeMask;
  while (true) {
    const key = edgeKeys[slot * 2] as number;
    if (key === -1) return -1;
    if (key === state && edgeKeys[slot * 2 + 1] === cls) return edgeTargets[slot] as number;
    slot = (slot + 1) & edgeMask;
  }
}

build();

/** How many words and states there are, for the measurements. */
export const INDEX_SIZE = { keywords: keywords.length, states: failures.length, edges: edgeMask + 1 };

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

export function findWords(text: string): readonly LanguageHits[] {
  const found: (LanguageHits | undefined)[] = [];
  let state = 0;
  let count = 0;
  let inSpace = false;
  for (let i = 0; i < text.length && count < HITS_MAX; i++) {
    const unit = text.charCodeAt(i);
    const cls = classOf[unit] as number;
    if (cls === SKIPPED) continue;
    if (cls === 0) {
      state = 0;
      inSpace = false;
      continue;
    }
    const space = scriptFolds[unit] === FOLD_SPACE;
    if (space && inSpace) continue;
    inSpace = space;
    while (state !== 0) {
      const next = follow(state, cls);
      if (next >= 0) {
        state = next;
        break;
      }
      state = failures[state] as number;
      if (state === 0) {
        state = rootTargets[cls] as number;
        break;
      }
    }
    if (state === 0) state = rootTargets[cls] as number;
    const ended = outputs[state];
    if (ended === null || ended === undefined) continue;
    for (const number of ended) {
      const keyword = keywords[number] as Keyword;
      if (keyword.endsWord && i + 1 < text.length && wordUnits[text.charCodeAt(i + 1)] === 1) continue;
      const start = startOf(text, i, keyword.length);
      if (keyword.startsWord && start > 0 && wordUnits[text.charCodeAt(start - 1)] === 1) continue;
      for (const sense of keyword.senses) {
        const language = sense >> LANGUAGE_SHIFT;
        let hits = found[language];
        if (hits === undefined) {
          hits = { language, kinds: [], starts: [], ends: [], present: 0 };
          found[language] = hits;
        }
        const kind = sense & KIND_MASK;
        hits.kinds.push(kind);
        hits.starts.push(start);
        hits.ends.push(i + 1);
        hits.present |= 1 << kind;
        count++;
      }
    }
  }
  return found.filter((one) => one !== undefined);
}
