import {
  isTelling,
  muddleShape,
  orderedKey,
  WORD_MAX,
  WORD_MIN,
  wordOfLetters,
  wordOfMuddle,
} from "./disguised-words.ts";
import {
  astralLetter,
  BREAK,
  FOREIGN,
  HIGH_HALF,
  JOINT,
  plainCodes,
  SILENT,
  UNSEEN,
} from "./plain-letters.ts";

/**
 * Looks through a text for words that are spelt to be read by a model and passed over by a filter: with signs
 * for letters, in letters of several scripts, with marks strewn between the letters or the letters in a
 * muddle. One walk finds where words end and which of them hold anything but plain letters; only those are
 * looked at. Most texts end it with nothing found. Pure and linear; what it remembers is bounded.
 */

/**
 * How a word is disguised, by what it proves: nobody writes one word in two alphabets by accident, a hyphen
 * or a slip is common.
 */
const ALPHABETS = 2;
export const SLIGHT = 1;

export interface OddWord {
  readonly start: number;
  readonly end: number;
  /** The word that it stands for; null if its letters can be read but are no known word. */
  readonly word: string | null;
  readonly proof: number;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

export interface DisguiseSigns {
  readonly words: readonly OddWord[];
  /** Letters standing apart, from the first to the last of a run. */
  readonly spaced: readonly Span[];
  /** Marks that stand alone between words. */
  readonly lone: number;
}

const WORDS_MAX = 400;
const RUNS_MAX = 20;
/** Letters that stand apart in a row: initials and the marks of a list are fewer. */
const SPACED_MIN = 6;
const SPACED_GAP_MAX = 3;
const TAG_MAX = 40;
const JOINTS_MAX = 4;
const LONE_MIN = 2;
/** Fewer marks than one in so many characters are how somebody writes. */
const LONE_EVERY = 120;
/** With all that may stand between its letters a word is no longer than this; addresses and paths are. */
const ODD_MAX = 240;
/** Below it stand Latin letters and signs. */
const FIRST_ALPHABET = 0x250;
const EURO = 0x20ac;
const PLUS = 43;

/** Tokens with signs in them that are no known word: read as letters if the text holds words that are. */
const doubtful = new Int32Array(2 * WORDS_MAX);

/** The end of a tag or a comment that stands within a word, or −1. */
function tagInWord(text: string, at: number): number {
  const most = Math.min(text.length - 1, at + TAG_MAX);
  for (let i = at + 1; i < most; i++) {
    const unit = text.charCodeAt(i);
    if (unit === 60 || unit === 10) return -1;
    if (unit !== 62) continue;
    const next = text.charCodeAt(i + 1);
    if (next === 60) return tagInWord(text, i + 1);
    return ((plainCodes[next] as number) & ~FOREIGN) >= 97 ? i : -1;
  }
  return -1;
}

const GLUE = /^(["'`]) ?\+ ?\1[a-z]/i;

/**
 * The last place of what takes a word apart at `at`: a tag, a hyphen at the end of a line, or the quotes and
 * the plus between the parts of a string; −1 if it is none of them.
 */
function gapInWord(text: string, at: number, unit: number): number {
  if (unit === 60) return tagInWord(text, at);
  if (unit === 10) return text.charCodeAt(at - 1) === 45 ? at : -1;
  if (unit !== 34 && unit !== 39 && unit !== 96) return -1;
  const isGlued = text.charCodeAt(at + 1) === PLUS || text.charCodeAt(at + 2) === PLUS;
  return isGlued && GLUE.test(text.slice(at, at + 8)) ? text.indexOf(text[at] as string, at + 1) : -1;
}

/** A comma, a stop or a line between two spaces: no typesetter puts it there. */
function isLone(text: string, at: number, unit: number): boolean {
  return (
    (unit === 44 || unit === 46 || unit === 59 || unit === 95) &&
    text.charCodeAt(at - 1) === 32 &&
    text.charCodeAt(at + 1) === 32
  );
}

/** A mark or a space that may stand between letters spelt one by one. */
const spellsOut = (unit: number): boolean =>
  unit <= 32 || unit === 46 || unit === 45 || unit === 95 || unit === 42 || unit === 47;

/** A letter of ASCII, or one with an accent. */
const isPlain = (code: number): boolean => code >= 97 && code < FOREIGN;

/** What a walk has found so far. One for all texts: a walk is over before the next begins. */
const seen = { words: [] as OddWord[], telling: 0, known: 0, doubts: 0, runs: null as Span[] | null };

/** A token that holds more than plain letters: which word it stands for, and how that is hidden. */
function takeOdd(text: string, start: number, end: number): void {
  let key = 0;
  let letters = 0;
  let foreign = 0;
  let alphabets = 0;
  let strewn = 0;
  let isOutlandish = false;
  for (let i = start; i < end; i++) {
    const unit = text.charCodeAt(i);
    let code = plainCodes[unit] as number;
    if (code === HIGH_HALF) {
      code = astralLetter(unit, text.charCodeAt(i + 1));
      if (code !== 0) i++;
    }
    if (code < 97) {
      if (code === UNSEEN) isOutlandish = true;
      else if (code !== SILENT) {
        strewn++;
        if (code !== JOINT || unit === 34 || unit === 96) i = Math.max(i, gapInWord(text, i, unit));
      }
      continue;
    }
    if (++letters > WORD_MAX) return;
    key = orderedKey(key, code & ~FOREIGN);
    if (code < FOREIGN) continue;
    foreign++;
    if (unit < FIRST_ALPHABET || unit === EURO) continue;
    alphabets++;
    if (unit >= 0x1000) isOutlandish = true;
  }
  const hasBoth = foreign > 0 && foreign < letters;
  const isMixed = isOutlandish || (alphabets > 0 && hasBoth);
  const isSpelt = strewn > 1 && strewn >= letters - 1;
  if (letters < WORD_MIN) {
    if (isMixed || isSpelt || hasBoth) doubt(start, end);
    return;
  }
  if ((foreign === letters && alphabets < letters) || seen.words.length >= WORDS_MAX) return;
  const word = wordOfLetters(key);
  const proof = isMixed || foreign > 1 ? ALPHABETS : SLIGHT;
  if (word !== undefined) {
    if (isTelling(word)) seen.telling++;
    else if (proof >= ALPHABETS) seen.known++;
    seen.words.push({ start, end, word, proof });
  } else if (isMixed) seen.words.push({ start, end, word: null, proof });
  else if (foreign > 0 || isSpelt) doubt(start, end);
}

function doubt(start: number, end: number): void {
  if (seen.doubts === WORDS_MAX) return;
  doubtful[seen.doubts * 2] = start;
  doubtful[seen.doubts * 2 + 1] = end;
  seen.doubts++;
}

function takeMuddle(text: string, start: number, end: number, shape: number): void {
  const word = wordOfMuddle(text, start, end, shape);
  if (word === undefined || seen.words.length >= WORDS_MAX) return;
  seen.telling++;
  seen.words.push({ start, end, word, proof: SLIGHT });
}

function takeRun(singles: number, start: number, end: number): void {
  if (singles < SPACED_MIN) return;
  seen.runs ??= [];
  if (seen.runs.length < RUNS_MAX) seen.runs.push({ start, end });
}

export function disguiseSigns(text: string): DisguiseSigns | null {
  const { length } = text;
  let start = -1;
  let end = 0;
  /** Of a word of plain letters, its first and its last. */
  let first = 97;
  let last = 97;
  let isOdd = false;
  let hasLetter = false;
  /** Marks since the last letter. */
  let joints = 0;
  let singles = 0;
  let singlesFrom = 0;
  let singlesTo = 0;
  let lone = 0;
  seen.known = 0;
  seen.telling = 0;
  seen.doubts = 0;
  seen.runs = null;
  if (seen.words.length > 0) seen.words = [];
  for (let i = 0; i <= length; i++) {
    let unit = i < length ? text.charCodeAt(i) : 32;
    let code = plainCodes[unit] as number;
    if (isPlain(code)) {
      if (start < 0) {
        start = i;
        first = code;
      } else if (joints > 0) {
        joints = 0;
        isOdd = true;
      }
      hasLetter = true;
      // Most of a text: on to where the letters end.
      do {
        last = code;
        unit = ++i < length ? text.charCodeAt(i) : 32;
        code = plainCodes[unit] as number;
      } while (isPlain(code));
      end = i;
    }
    if (start < 0 && unit <= 32) continue;
    if (code >= HIGH_HALF) {
      const at = i;
      if (code === HIGH_HALF) {
        if (astralLetter(unit, text.charCodeAt(i + 1)) === 0) code = BREAK;
        else i++;
      } else if (unit === 33 && ((plainCodes[text.charCodeAt(i + 1)] as number) & ~FOREIGN) < 97)
        code = BREAK;
      if (code !== BREAK) {
        if (start < 0) start = at;
        joints = 0;
        isOdd = true;
        if (unit >= FIRST_ALPHABET) hasLetter = true;
        end = i + 1;
        continue;
      }
    }
    if (start < 0) {
      if (code === JOINT || unit === 44 || unit === 59) {
        if (isLone(text, i, unit)) lone++;
      } else if (unit > 32 && singles > 0) {
        takeRun(singles, singlesFrom, singlesTo);
        singles = 0;
      }
      continue;
    }
    if (code === SILENT) continue;
    if (code === UNSEEN) {
      isOdd = true;
      continue;
    }
    if (unit === 34 || unit === 39 || unit === 96 || unit === 60 || unit === 10) {
      const after = gapInWord(text, i, unit);
      if (after >= 0) {
        i = after;
        joints = 1;
        continue;
      }
    }
    if (code === JOINT && ++joints <= JOINTS_MAX) continue;
    // A token is over.
    const width = end - start;
    const isSingle = width === 1 || (width === 2 && isOdd);
    if (isSingle) {
      if (singles === 0 || start - singlesTo > SPACED_GAP_MAX) {
        takeRun(singles, singlesFrom, singlesTo);
        singles = 0;
        singlesFrom = start;
      }
      // Digits may stand for letters in a run, but rows of them are numbers.
      if (text.charCodeAt(start) > 57) singles++;
      singlesTo = end;
    }
    if (singles > 0 && (!isSingle || !spellsOut(text.charCodeAt(end)))) {
      takeRun(singles, singlesFrom, singlesTo);
      singles = 0;
    }
    if (isOdd) {
      if (hasLetter && width > 1 && width < ODD_MAX) takeOdd(text, start, end);
    } else {
      const shape = muddleShape(first, last, width);
      if (shape !== 0) takeMuddle(text, start, end, shape);
    }
    start = -1;
    isOdd = false;
    hasLetter = false;
    joints = 0;
  }
  takeRun(singles, singlesFrom, singlesTo);
  const isTold = seen.telling > 0 || seen.known > 1;
  const isStrewn = lone >= LONE_MIN && lone * LONE_EVERY >= length;
  if (!isTold && seen.runs === null && !isStrewn) return null;
  return { words: isTold ? withDoubtful() : [], spaced: seen.runs ?? [], lone: isStrewn ? lone : 0 };
}

/** All odd words in order, those included that only a text with others makes one. */
function withDoubtful(): OddWord[] {
  const words = seen.words;
  for (let i = 0; i < seen.doubts; i++) {
    const [start, end] = [doubtful[i * 2] as number, doubtful[i * 2 + 1] as number];
    words.push({ start, end, word: null, proof: 0 });
  }
  seen.words = [];
  return words.sort((a, b) => a.start - b.start);
}
