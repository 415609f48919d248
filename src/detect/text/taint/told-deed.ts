import type { Deed } from "../../building-blocks/calls/tool-class.ts";

/** The object stands within so many words behind the verb, in the same sentence. */
const BEHIND_MAX = 8;
const WORD = /[\p{L}\p{N}]{1,100}/gu;
const SENTENCE_END = /[.;!?]\s/;

/** One word in another number, or cut short: "repositories" and "repo" of "repository". */
function isSame(word: string, object: string): boolean {
  const stem = object.replace(/(?:es|s|y)$/, "");
  return word.startsWith(stem) && (word.startsWith(object) || word.length <= object.length + 3);
}

/**
 * How a text (in comparable form) tells its reader to do what a tool does, as its name says: from the verb to
 * the object; null if it does not.
 */
export function toldDeed(text: string, { verb, object }: Deed): string | null {
  let from = -1;
  let behind = 0;
  for (const { 0: word, index } of text.matchAll(WORD)) {
    if (word === verb) {
      from = index;
      behind = 0;
    } else if (from >= 0 && ++behind <= BEHIND_MAX && isSame(word, object)) {
      const told = text.slice(from, index + word.length);
      if (!SENTENCE_END.test(told)) return told;
    }
  }
  return null;
}
