import { halved, hashText } from "./hash.ts";

/**
 * Words as they are compared with those of other texts: long enough to tell something, in any form and in
 * either case.
 */
const WORD = /\p{L}{3,40}/gu;
const STEM_CHARS = 5;

export const wordsOf = (text: string): readonly string[] => text.match(WORD) ?? [];

/** A hash of what a word begins with. */
export const stemOf = (word: string): number => halved(hashText(word.slice(0, STEM_CHARS).toLowerCase()));
