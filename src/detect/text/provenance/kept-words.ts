/**
 * How much of what a text says stands in another: by its words, cut to their beginnings, its numbers and
 * names, and in scripts that do not divide words by each two letters. Small words count for nothing.
 */
const TOKEN = /[\p{L}\p{N}][\p{L}\p{M}\p{N}@._/'’-]{0,80}/gu;
const UNDIVIDED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const ENDING = /[._/'’-]{1,80}$/u;
const STEM = 5;
const WORD_MIN = 4;
const TOKENS_MAX = 400;

export function tellingWords(text: string): ReadonlySet<string> {
  const words = new Set<string>();
  for (const [token] of text.toLowerCase().matchAll(TOKEN)) {
    if (words.size >= TOKENS_MAX) break;
    const word = token.replace(ENDING, "");
    if (UNDIVIDED.test(word)) {
      for (let at = 0; at + 1 < word.length; at++) words.add(word.slice(at, at + 2));
    } else if (/\d/.test(word)) {
      if (word.length > 1) words.add(word);
    } else if (word.length >= WORD_MIN) words.add(word.slice(0, STEM));
  }
  return words;
}

/** The share of the words that stand in any of the sets, 0 to 1. */
export function shareIn(words: ReadonlySet<string>, sets: readonly ReadonlySet<string>[]): number {
  if (words.size === 0) return 0;
  let held = 0;
  for (const word of words) if (sets.some((one) => one.has(word))) held++;
  return held / words.size;
}

/**
 * So much of two texts is the same, letter for letter, where one comes out of the other: two or three words,
 * or six letters of a script without spaces.
 */
const PIECE = 12;
const UNDIVIDED_PIECE = 6;
const PIECES_MAX = 160;

/** True if a piece of the text stands in one of the others: a cheap look before all are taken apart. */
export function sharesPiece(text: string, others: readonly string[]): boolean {
  const own = text.toLowerCase();
  const length = UNDIVIDED.test(own) ? UNDIVIDED_PIECE : PIECE;
  const told = others.map((one) => one.toLowerCase());
  let tried = 0;
  for (let at = 0; at + length <= own.length && tried < PIECES_MAX; tried++) {
    const piece = own.slice(at, at + length);
    if (told.some((one) => one.includes(piece))) return true;
    const space = own.indexOf(" ", at);
    at = length === PIECE && space >= 0 ? space + 1 : at + length / 2;
  }
  return false;
}
