/**
 * Whether a text ends with one and the same passage again and again, to the letter, as a model that cannot
 * stop writes. Tables, rulers and rows of values have too few words, a list's lines are not the same, and
 * what stands in a block of code is left out.
 */
const TIMES_MIN = 10;
const CHARS_MIN = 300;
const CHARS_READ_MAX = 8_000;
/**
 * What is looked for further up. Shorter than most passages that are repeated, longer than what comes twice
 * by chance.
 */
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

const TAIL_CHARS = 1_200;
const TAIL_WORDS_MIN = 8;
const TAIL_TIMES_MIN = 4;
const TAIL_PERIOD_MAX = 24;
const TAIL_WORD = /\p{L}[\p{L}\p{M}'’]{0,40}|\p{N}{1,20}/gu;

/**
 * Whether the last words of a text that its limit ended are the same few again and again: four times and
 * more, and eight words at least. It may be short, as clients send long answers shortened. For an answer that
 * may have ended of itself it says too little.
 */
export function endsInRepeats(text: string): boolean {
  const words = text.slice(-TAIL_CHARS).toLowerCase().match(TAIL_WORD) ?? [];
  // The last one may be cut.
  const last = words.length - 2;
  for (let period = 1; period <= TAIL_PERIOD_MAX; period++) {
    const least = Math.max(TAIL_WORDS_MIN, TAIL_TIMES_MIN * period);
    if (least > last + 1) return false;
    let same = period;
    while (same <= last && words[last - same] === words[last - same + period]) same++;
    if (same >= least && !isInCode(text)) return true;
  }
  return false;
}
