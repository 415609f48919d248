import { EXCERPT_CHARS_MAX } from "../detector.ts";
import { cutText } from "./cut-text.ts";
import { maskSensitive } from "./mask-sensitive.ts";

/** What a detection shows a person: one line, masked (src/detect/building-blocks/mask-sensitive.ts). */

/** Characters of a passage that are looked at, the match included. */
const PASSAGE_CHARS = 200;
/**
 * Of a word that is cut so much at most is left out: beyond it is a run without blanks, as of a language that
 * has none.
 */
const WORD_CHARS = 24;

/**
 * Characters before a passage that its masking takes into account: a word that announces a secret, quotes,
 * the secret's own beginning.
 */
const LEAD_CHARS = 80;
/**
 * And behind it: of a secret that the end of the passage cuts, its beginning alone would look like a word.
 */
const REST_CHARS = 80;

/** A sentence of the detector's own. */
export function excerptLine(text: string): string {
  return shortened(maskSensitive(text, "line"));
}

/** The text around a match. */
export function excerptOf(text: string, start: number, end: number): string {
  const room = Math.max(0, PASSAGE_CHARS - (end - start));
  const from = Math.max(0, start - Math.floor(room / 3));
  const to = Math.min(text.length, Math.min(end, start + PASSAGE_CHARS) + Math.floor((room * 2) / 3));
  const masked = passage(text, from, to);
  return shortened(fromWord(upToWord(masked, text, end, to), text, from, start));
}

/** Up to `charsMax` characters before a place, where what stands there must not be shown. */
export function excerptBefore(text: string, at: number, charsMax: number): string {
  const from = Math.max(0, at - charsMax);
  return shortened(fromWord(passage(text, from, at), text, from, at));
}

/** What stands there, masked as it would be in the whole text. */
function passage(text: string, start: number, end: number): string {
  const from = splitsPair(text, start) ? start + 1 : start;
  const to = splitsPair(text, end) ? end - 1 : end;
  return maskSensitive(
    text.slice(from, to),
    "passage",
    text.slice(Math.max(0, from - LEAD_CHARS), from),
    text.slice(to, to + REST_CHARS),
  );
}

/**
 * Without the rest of a word that was cut, where another begins near and before the match. Taken from what is
 * masked already: a word less before the masking could be the one that announces a secret. A mask stays, with
 * what touches it.
 */
function fromWord(masked: string, text: string, from: number, matchAt: number): string {
  if (!cutsWord(text, from) || !/\s/.test(text.slice(from, Math.min(matchAt, from + WORD_CHARS))))
    return masked;
  const first = masked.indexOf(" ");
  return first === -1 || /[[\]]/.test(masked.slice(0, first)) ? masked : masked.slice(first + 1);
}

/** The same at the end. */
function upToWord(masked: string, text: string, matchEnd: number, to: number): string {
  if (!cutsWord(text, to) || !/\s/.test(text.slice(Math.max(matchEnd, to - WORD_CHARS), to))) return masked;
  const last = masked.lastIndexOf(" ");
  return last === -1 || /[[\]]/.test(masked.slice(last)) ? masked : masked.slice(0, last);
}

function cutsWord(text: string, at: number): boolean {
  return at > 0 && at < text.length && /\S\S/.test(text.slice(at - 1, at + 1));
}

/** A name that a client chose (a tool, a validator, an agent), short enough to stand in a sentence. */
export function shortName(value: unknown, fallback = "unnamed"): string {
  if (typeof value !== "string") return fallback;
  const name = cutText(value, 80).toWellFormed().trim();
  return name === "" ? fallback : name;
}

function shortened(line: string): string {
  return line.length > EXCERPT_CHARS_MAX ? `${cutText(line, EXCERPT_CHARS_MAX - 1)}…` : line;
}

/** True inside a surrogate pair: a cut there would leave half a character. */
function splitsPair(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff;
}
