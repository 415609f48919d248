import { foldedCodes, foldText, isEastAsian, wordUnits } from "./char-classes.ts";

/**
 * Patterns that are tried only where words stand that they cannot do without. A pattern with many branches is
 * slow on every text, and a text that it finds is rare; one walk over the text, which looks up how each word
 * begins, tells most of the patterns that they need not try. A word counts by its first four letters, a
 * shorter one as a whole, an ideograph by itself, so that a pattern is tried too often now and then and never
 * too seldom. Pure; the walk cannot fail on any string.
 */
export interface NeedyPattern {
  readonly pattern: RegExp;
  /** For each group of words one bit, of which a text must have each. */
  readonly needs: number;
}

const LETTERS = 4;
const TABLE_SIZE = 1 << 16;
const GROUPS_MAX = 31;

const hashed = (hash: number, code: number): number => (Math.imul(hash, 131) + code) & (TABLE_SIZE - 1);

function startOf(word: string): number {
  let hash = 0;
  const most = isEastAsian(word.charCodeAt(0)) ? 1 : LETTERS;
  const folded = foldText(word);
  for (let i = 0; i < Math.min(most, folded.length); i++) hash = hashed(hash, folded.charCodeAt(i));
  return hash;
}

export class WordStarts {
  readonly #table = new Int32Array(TABLE_SIZE);
  readonly #bits = new Map<string, number>();

  /**
   * `words`: groups, parted by `&`, of words parted by spaces; of a match one word of each group must begin
   * so.
   */
  pattern(words: string, source: string): NeedyPattern {
    return { pattern: new RegExp(source, "g"), needs: this.needs(words) };
  }

  /** The bits of groups of words, for a pattern that is kept elsewhere. */
  needs(words: string): number {
    let needs = 0;
    for (const group of words.split("&")) needs |= this.#bitOf(group);
    return needs;
  }

  #bitOf(group: string): number {
    const known = this.#bits.get(group);
    if (known !== undefined) return known;
    if (this.#bits.size === GROUPS_MAX) throw new RangeError("more groups of words than bits for them");
    const bit = 1 << this.#bits.size;
    this.#bits.set(group, bit);
    for (const word of group.split(" ")) {
      if (word !== "") this.#table[startOf(word)] = (this.#table[startOf(word)] as number) | bit;
    }
    return bit;
  }

  /** The bits of all groups that a word of the text is in. */
  bitsOf(text: string): number {
    const table = this.#table;
    let bits = 0;
    let hash = 0;
    let letters = 0;
    for (let i = 0; i < text.length; i++) {
      const code = foldedCodes[text.charCodeAt(i)] as number;
      if (code === 0) continue;
      const isLetter = wordUnits[code] === 1;
      const isWhole = isLetter && code > 0x33ff && isEastAsian(code);
      if (!isLetter || isWhole) {
        if (letters > 0 && letters < LETTERS) bits |= table[hash] as number;
        hash = letters = 0;
        if (isWhole) bits |= table[hashed(0, code)] as number;
      } else if (letters < LETTERS) {
        hash = hashed(hash, code);
        if (++letters === LETTERS) bits |= table[hash] as number;
      }
    }
    return letters > 0 && letters < LETTERS ? bits | (table[hash] as number) : bits;
  }
}

/** A text with what its words need; its folded form is made when a pattern asks for it. */
export class StartedText {
  readonly bits: number;
  readonly #text: string;
  #folded: string | null = null;

  constructor(text: string, starts: WordStarts) {
    this.#text = text;
    this.bits = starts.bitsOf(text);
  }

  get folded(): string {
    this.#folded ??= foldText(this.#text);
    return this.#folded;
  }

  /**
   * Where a pattern is met first, and then from each place on; null where a word is missing or there is no
   * more.
   */
  match({ pattern, needs }: NeedyPattern, from: number): RegExpExecArray | null {
    if ((this.bits & needs) !== needs) return null;
    pattern.lastIndex = from;
    return pattern.exec(this.folded);
  }
}
