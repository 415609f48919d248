/**
 * Whether a text ends with one and the same passage again and again, to the letter, as a model that cannot stop writes. Tables, rulers and rows
 * of values have too few words, a list's lines are not the same, and what stands in a block of code is left out.
 */
const TIMES_MIN = 10;
const CHARS_MIN = 300;
const CHARS_READ_MAX = 8_000;
/** What is looked for further up. Shorter than most passages that are repeated, longer than what comes twice by chance. */
const END_CHARS = 60;
const PASSAGE_CHARS_MAX = 600;
const WORDS_MIN = 3;
const WORD = /\p{L}{2,40}/gu;
const FENCE = "```";

/** How often the passage stands at the end; 0 for less than ten times. */
export function timesAtEnd(text: string): number {
  if (text.length < CHARS_MIN) return 0;
  const end = text.slice(-CHARS_READ_MAX).trimEnd();
  const from = end.length - END_CHARS;
  const above = end.lastIndexOf(end.slice(from), from - 1);
  const period = from - above;
  if (above < 0 || period > PASSAGE_CHARS_MAX) return 0;
  let same = END_CHARS;
  while (same + period < end.length && isSameAbove(end, same, period)) same++;
  const times = Math.round(same / period) + 1;
  if (times < TIMES_MIN || same + period < CHARS_MIN) return 0;
  const words = new Set(end.slice(-period).match(WORD));
  return words.size >= WORDS_MIN && !isInCode(text) ? times : 0;
}

function isSameAbove(text: string, fromEnd: number, period: number): boolean {
  const at = text.length - 1 - fromEnd;
  return text.charCodeAt(at) === text.charCodeAt(at - period);
}

function isInCode(text: string): boolean {
  return text.split(FENCE).length % 2 === 0;
}
