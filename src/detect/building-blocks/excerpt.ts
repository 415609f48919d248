import { cutText } from "./cut-text.ts";
import { maskSensitive } from "./mask-sensitive.ts";

/** What a detection shows a person: one line, masked (src/detect/building-blocks/mask-sensitive.ts), of at most 240 characters. */

const EXCERPT_CHARS_MAX = 240;
/** Characters of a passage that are looked at, the match included. */
const PASSAGE_CHARS = 200;

/** A sentence of the detector's own. */
export function excerptLine(text: string): string {
  return shortened(maskSensitive(text, "line"));
}

/** The text around a match. */
export function excerptOf(text: string, start: number, end: number): string {
  const room = Math.max(0, PASSAGE_CHARS - (end - start));
  const from = Math.max(0, start - Math.floor(room / 3));
  const to = Math.min(text.length, Math.min(end, start + PASSAGE_CHARS) + Math.floor((room * 2) / 3));
  return shortened(
    maskSensitive(
      text.slice(splitsPair(text, from) ? from + 1 : from, splitsPair(text, to) ? to - 1 : to),
      "passage",
    ),
  );
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
