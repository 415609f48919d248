import { foldedCodes } from "./char-classes.ts";
import { WORD_CLASSES, type WordClass } from "./lexicon.ts";

/** The sentence around a telling word, its folded text, and sets of word classes to ask it for. */
const BEFORE_MAX = 220;
const AFTER_MAX = 340;

export const numberOf = (name: WordClass): number => WORD_CLASSES.indexOf(name);

/** One bit a class, over two words, as in `TextScan`. */
export class ClassSet {
  readonly low: number;
  readonly high: number;

  constructor(...names: readonly WordClass[]) {
    let low = 0;
    let high = 0;
    for (const number of names.map(numberOf)) {
      if (number < 30) low |= 1 << number;
      else high |= 1 << (number - 30);
    }
    this.low = low;
    this.high = high;
  }

  has(cls: number): boolean {
    return cls < 30 ? (this.low & (1 << cls)) !== 0 : (this.high & (1 << (cls - 30))) !== 0;
  }

  in(low: number, high: number): boolean {
    return (low & this.low) !== 0 || (high & this.high) !== 0;
  }
}

/** The folded form of a stretch of a text, without its invisible characters. */
const foldBuffer = new Uint16Array(1_024);
export function foldPassage(text: string, start: number, end: number): string {
  let length = 0;
  const most = Math.min(end, start + foldBuffer.length);
  for (let i = start; i < most; i++) {
    const unit = text.charCodeAt(i);
    const code = unit === 10 || unit === 13 ? 10 : (foldedCodes[unit] as number);
    if (code !== 0) foldBuffer[length++] = code;
  }
  return String.fromCharCode.apply(null, foldBuffer.subarray(0, length) as unknown as number[]);
}

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
export function passageAround(text: string, from: number, to: number): Passage {
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
