import { cutText } from "../../building-blocks/cut-text.ts";
import type { Fragment } from "../../event-views/fields.ts";
import { deedsMeantBy, NOUNS_TOO, wordsIn } from "./request-words.ts";

/**
 * Many clients send as the prompt of a model call whatever was new to the model, as a bare text: a person's
 * words first, and later what the tools returned, or a word that stands for it ("rows", "page text"). Such a
 * text asks for nothing. It is known by coming behind a result and before the next answer, and by saying
 * hardly anything that the result does not.
 */
/** Beginnings of what tools returned since the last model call, latest last. */
export type Results = readonly string[];

export const NO_RESULTS: Results = [];

const RESULTS_MAX = 3;
const TEXT_MAX = 1_000;

export const withResult = (results: Results, text: string): Results => [
  ...results.slice(1 - RESULTS_MAX),
  cutText(text, TEXT_MAX),
];

/** The same in place, of a text that is held cut elsewhere. */
export function addResult(results: string[], text: string): void {
  if (results.length >= RESULTS_MAX) results.shift();
  results.push(text);
}

/** A prompt that is no chat, nor a transcript of one. */
export const isBare = ({ comesAgain, turns }: Fragment): boolean => !comesAgain && turns.length === 0;

const WORD = /[\p{L}\p{N}]{1,60}/gu;
const WORDS_MAX = 200;
/** A longer text is told back if it begins as a result does. */
const BEGINNING = 250;
/** So few words, none of them a verb of a deed, stand for a result. */
const BRIEF_MAX = 2;
const SHARE_MIN = 0.75;
/** Behind a result nobody has been asked anything, yet whoever says these wants something done. */
const ASSENTS = wordsIn(
  "yes yep yeah ok okay sure go do ja jawohl mach weiter oui vas si sí sim da tak evet dale claro はい 是 好 好的 네 예 да так хорошо نعم हाँ",
);

const wordsOf = (text: string): string[] => text.toLowerCase().match(WORD)?.slice(0, WORDS_MAX) ?? [];

const asks = (word: string, at: number): boolean =>
  ASSENTS.has(word) || (deedsMeantBy(word) !== 0 && (at === 0 || !NOUNS_TOO.has(word)));

/** True of a bare prompt that only tells the model what came back. */
export function isToldBack(text: string, results: Results): boolean {
  if (results.length === 0) return false;
  const words = wordsOf(text);
  if (words.length === WORDS_MAX) return results.some((one) => text.startsWith(one.slice(0, BEGINNING)));
  if (text.includes("?") && !results.some((one) => one.includes("?"))) return false;
  const told = new Set(results.flatMap(wordsOf));
  const own = words.filter((word) => !told.has(word));
  if (own.some((word) => asks(word, words.indexOf(word)))) return false;
  return own.length <= BRIEF_MAX || own.length <= words.length * (1 - SHARE_MIN);
}
