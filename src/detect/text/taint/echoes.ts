import { type Stretch, without } from "../../event-views/stretches.ts";
import { VALUE_MIN } from "./argument-values.ts";

/** A text as it stood, and where in its comparable form the words stand by which it is known again. */
export interface Told {
  readonly stood: string;
  readonly mark: Stretch;
}

/** Kept once the form is asked for, and no longer than what it is the form of. */
const comparables = new WeakMap<Told, string>();

/** What it says, in comparable form. */
export function wordsOf(told: Told): string {
  let words = comparables.get(told);
  if (words === undefined) {
    words = told.stood.toLowerCase();
    comparables.set(told, words);
  }
  return words;
}

const MARK_MAX = 200;
const ECHOES_MAX = 64;

/**
 * A text as it stood with the mark `words`, in comparable form, which are cut; with its own beginning where
 * they do not stand in it.
 */
export function toldBy(stood: string, words: string): Told {
  const text = stood.toLowerCase();
  const mark = words.slice(0, MARK_MAX);
  const start = Math.max(0, text.indexOf(mark));
  return { stood, mark: { start, end: Math.min(text.length, start + (mark.length || MARK_MAX)) } };
}

/** As far as the text and the words told go on alike on both sides of the mark. */
function echoAt(text: string, at: number, words: string, mark: Stretch): Stretch {
  let before = 0;
  while (before < Math.min(at, mark.start)) {
    if (text.charCodeAt(at - before - 1) !== words.charCodeAt(mark.start - before - 1)) break;
    before++;
  }
  const most = Math.min(text.length - at, words.length - mark.start);
  let length = mark.end - mark.start;
  while (length < most && text.charCodeAt(at + length) === words.charCodeAt(mark.start + length)) length++;
  return { start: at - before, end: at + length };
}

/**
 * What a text (in comparable form) says beyond what has been told: what repeats a passage says it no more by
 * that, be it whole, with another surrounding, or several times in one result.
 */
export function withoutEchoes(text: string, told: readonly Told[]): readonly string[] {
  const echoes: Stretch[] = [];
  for (const one of told) {
    const words = wordsOf(one);
    const mark = words.slice(one.mark.start, one.mark.end);
    if (mark === "") continue;
    for (let at = text.indexOf(mark); at >= 0 && echoes.length < ECHOES_MAX; ) {
      const echo = echoAt(text, at, words, one.mark);
      echoes.push(echo);
      at = text.indexOf(mark, echo.end);
    }
  }
  return without({ start: 0, end: text.length }, echoes)
    .filter(({ start, end }) => end - start >= VALUE_MIN)
    .map(({ start, end }) => text.slice(start, end));
}
