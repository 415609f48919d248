import { lexiconEntries } from "../scan/lexicon.ts";
import { astralLetter, FOREIGN, HIGH_HALF, plainCodes } from "./plain-letters.ts";

/**
 * The words by which a disguise is known: a token that no scan can read is one of them spelt oddly, or it is
 * nothing. They are the words of all rules and some of the language around them, by two keys: the letters in
 * their order (`l` and `i` alike, for `1` and `|` are written for both), and the letters in any order between
 * the first and the last. Built once at import.
 */
export const WORD_MIN = 4;
export const WORD_MAX = 24;
/** Shorter words with mixed-up letters are other words. */
const SHUFFLED_MIN = 6;

const MULTIPLIER = 31;

/** Words of attacks in forms that the lexicon does not spell out. */
const TELLING =
  `ignore ignores ignored ignoring previous previously instruction instructions system prompt prompts reveal reveals bypass bypasses disregard disregarding
  forget forgetting override overrides guidelines guideline restrictions restriction restricted unrestricted password passwords safety filters filter developer hidden
  pretend refuse refusing uncensored unfiltered jailbreak secret secrets confidential original directives directive commands policies policy everything anything
  assistant language limits limitations ethical moral initial messages message conversation immediately verbatim exactly output repeat administrator security measures
  protocol protocols persona character fictional evil unethical harmful dangerous prohibited forbidden answering instead constraints content programming training internal configuration credentials execute disable disabled activate enable command`.split(
    /\s+/,
  );
/** Words that make an order of them. */
const COMMON =
  `this that with your from what have will tell show give print write translate into about without before after above below following first text words word
  answer question questions respond response reply only then than them they these those there here must should would could please help here make more most other some such
  full exact entire complete explain follow following allow model models illegal rules rule every each always never also like just know need want said told were been being
  act role play mode normal evil free freely conversation any and all the you are now not can for out get let say how who did has had was may use our its one two new`.split(
    /\s+/,
  );

/**
 * One number a letter, `l` and `i` alike: summed for a key that knows no order, and folded into one that
 * does.
 */
const letterNumbers = new Int32Array(256);
for (let letter = 97; letter < 123; letter++)
  letterNumbers[letter] =
    Math.imul(letter === 108 ? 105 : letter, 0x9e3779b1) ^
    (Math.imul(letter === 108 ? 105 : letter, 0x85eb) << 7);

export const orderedKey = (key: number, letter: number): number =>
  (Math.imul(key, MULTIPLIER) + (letterNumbers[letter] as number)) | 0;

const unorderedKey = (sum: number, first: number, last: number): number =>
  (sum ^ Math.imul((letterNumbers[first] as number) + 3 * (letterNumbers[last] as number), 0x27d4eb2f)) | 0;

function keysOf(word: string): { ordered: number; unordered: number } {
  let ordered = 0;
  let sum = 0;
  for (let i = 0; i < word.length; i++) {
    ordered = orderedKey(ordered, word.charCodeAt(i));
    sum = (sum + (letterNumbers[word.charCodeAt(i)] as number)) | 0;
  }
  return { ordered, unordered: unorderedKey(sum, word.charCodeAt(0), word.charCodeAt(word.length - 1)) };
}

/** A bit a key, asked before the maps: nearly every word is none of these. */
const FILTER_BITS = 15;
const orderedFilter = new Uint8Array(1 << FILTER_BITS);
const muddleFilter = new Uint8Array(1 << FILTER_BITS);
const filterSlot = (key: number): number => (key ^ (key >>> 15)) & ((1 << FILTER_BITS) - 1);

/** By first and last letter and length: which words of attacks could be in a muddle there, 0 if none. */
const LENGTHS = 32;
const muddleShapes = new Uint8Array(26 * 26 * LENGTHS);
/**
 * By number of a shape: a bit for each letter that stands inside one of its words. Nearly every word has
 * another within a few letters.
 */
const muddleLetters = new Int32Array(256);
let muddleShapeCount = 0;
const letterBit = (letter: number): number => 1 << (letter - 97);
const BOTH_ALIKE = letterBit(105) | letterBit(108);

/**
 * By the first and the last letter and the length of a word: the number of its shape, 0 if no word of attacks
 * has it.
 */
export const muddleShape = (first: number, last: number, length: number): number =>
  length < LENGTHS ? (muddleShapes[((first - 97) * 26 + (last - 97)) * LENGTHS + length] as number) : 0;

/** Lets a shape stand for one more word. */
function learnShape(word: string): void {
  const place = ((word.charCodeAt(0) - 97) * 26 + (word.charCodeAt(word.length - 1) - 97)) * LENGTHS;
  if (muddleShapes[place + word.length] === 0) {
    if (++muddleShapeCount === muddleLetters.length) throw new RangeError("too many shapes of words");
    muddleShapes[place + word.length] = muddleShapeCount;
  }
  const shape = muddleShapes[place + word.length] as number;
  for (let i = 1; i < word.length - 1; i++) {
    const bit = letterBit(word.charCodeAt(i));
    muddleLetters[shape] = (muddleLetters[shape] as number) | ((bit & BOTH_ALIKE) === 0 ? bit : BOTH_ALIKE);
  }
}

const byOrder = new Map<number, string>();
const byLetters = new Map<number, string>();
const vocabulary = new Set<string>();
const telling = new Set<string>(TELLING);
/** All words by their letters in any order, and by what is left without vowels or without doubled letters. */
const muddles = new Map<number, string>();
const skeletons = new Map<string, string>();

/** A word without its vowels but the first letter, and without doubled letters. */
const skeletonOf = (word: string): string =>
  `${word[0]}${word.slice(1).replace(/[aeiou*]/g, "")}`.replace(/(.)\1/g, "$1");

function learnKey(ordered: number, word: string): void {
  if (!byOrder.has(ordered)) byOrder.set(ordered, word);
  orderedFilter[filterSlot(ordered)] = 1;
}

function learn(word: string, tells: boolean): void {
  if (!/^[a-z]{2,24}$/.test(word)) return;
  vocabulary.add(word);
  if (word.length < WORD_MIN) return;
  const { ordered, unordered } = keysOf(word);
  learnKey(ordered, word);
  if (tells) {
    const bare = `${word[0]}${word.slice(1).replace(/[aeiou]/g, "")}`;
    if (bare.length >= WORD_MIN) learnKey(keysOf(bare).ordered, word);
  }
  if (!muddles.has(unordered)) muddles.set(unordered, word);
  const skeleton = skeletonOf(word);
  if (!skeletons.has(skeleton)) skeletons.set(skeleton, word);
  if (!tells || word.length < SHUFFLED_MIN) return;
  if (!byLetters.has(unordered)) byLetters.set(unordered, word);
  muddleFilter[filterSlot(unordered)] = 1;
  learnShape(word);
}

for (const word of TELLING) learn(word, true);
for (const word of COMMON) learn(word, false);
for (const { text, startsWord, endsWord } of lexiconEntries()) {
  if (!startsWord) continue;
  for (const word of text.split(" ")) {
    learn(word, false);
    if (!endsWord) learn(`${word}s`, false);
  }
}

/** The word of these letters, by the key of their order, or undefined. */
export const wordOfLetters = (key: number): string | undefined =>
  orderedFilter[filterSlot(key)] === 1 ? byOrder.get(key) : undefined;
/**
 * The word of attacks that the letters of a stretch of this shape are a muddle of, if they are no word
 * themselves.
 */
export function wordOfMuddle(text: string, start: number, end: number, shape: number): string | undefined {
  const letters = muddleLetters[shape] as number;
  const first = text.charCodeAt(start) | 32;
  const last = text.charCodeAt(end - 1) | 32;
  if (first > 122 || last > 122) return undefined;
  let sum = ((letterNumbers[first] as number) + (letterNumbers[last] as number)) | 0;
  for (let i = start + 1; i < end - 1; i++) {
    const letter = text.charCodeAt(i) | 32;
    const place = letter - 97;
    if (place >>> 0 > 25 || ((letters >> place) & 1) === 0) return undefined;
    sum = (sum + (letterNumbers[letter] as number)) | 0;
  }
  const key = unorderedKey(sum, first, last);
  if (muddleFilter[filterSlot(key)] === 0) return undefined;
  const word = byLetters.get(key);
  if (word?.length !== end - start) return undefined;
  let ordered = 0;
  for (let i = start; i < end; i++) ordered = orderedKey(ordered, text.charCodeAt(i) | 32);
  return byOrder.has(ordered) ? undefined : word;
}

/** True if only an attack has a reason to disguise the word. */
export const isTelling = (word: string): boolean => telling.has(word);

export const isKnown = (word: string): boolean => vocabulary.has(word);

/**
 * The word meant by one that nobody knows, in a text that misspells other words of attacks: its letters in a
 * muddle, doubled, left out. Short words are too like each other.
 */
export function wordMeant(written: string): string | undefined {
  const word = written.toLowerCase();
  if (word.length < 3 || vocabulary.has(word)) return undefined;
  if (word.length >= WORD_MIN) {
    const muddled = muddles.get(keysOf(word).unordered);
    if (muddled?.length === word.length) return muddled;
    for (let at = 0; at < word.length; at++) {
      const shorter = word.slice(0, at) + word.slice(at + 1);
      if (word[at] === word[at + 1] && vocabulary.has(shorter)) return shorter;
    }
  }
  return /[aeiou]/.test(word.slice(1)) ? undefined : skeletons.get(skeletonOf(word));
}

/** The letters of a stretch as far as they can be read; the rest is left out. */
export function lettersOf(text: string, start: number, end: number): string {
  let read = "";
  for (let i = start; i < end; i++) {
    let code = plainCodes[text.charCodeAt(i)] as number;
    if (code === HIGH_HALF) code = astralLetter(text.charCodeAt(i), text.charCodeAt(i + 1));
    if ((code & ~FOREIGN) >= 97) read += String.fromCharCode(code & ~FOREIGN);
  }
  return read;
}

const UNKNOWN_LETTER = 1.6;

/** Words run together, taken apart: the fewest words that cover the letters. */
export function segmented(letters: string): string {
  const cost = [0];
  const from = [0];
  for (let end = 1; end <= letters.length; end++) {
    cost[end] = (cost[end - 1] as number) + UNKNOWN_LETTER;
    from[end] = end - 1;
    for (let start = Math.max(0, end - WORD_MAX); start < end - 1; start++) {
      const asked = (cost[start] as number) + 1;
      if (asked < (cost[end] as number) && vocabulary.has(letters.slice(start, end))) {
        cost[end] = asked;
        from[end] = start;
      }
    }
  }
  const words: string[] = [];
  for (let end = letters.length; end > 0; end = from[end] as number)
    words.unshift(letters.slice(from[end], end));
  return words.join(" ").replace(/(?<=\b\w) (?=\w\b)/g, "");
}
