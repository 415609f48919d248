import { classNumber, holdsAny } from "../scan/class-set.ts";
import type { TextScan } from "../scan/scan-text.ts";
import { bytesToText, type Decoded, isReadable } from "./decode-runs.ts";

/**
 * Encodings that stand in parts: base64, base32 or hex broken over lines or strings, characters by their
 * numbers each in a call of its own, bytes changed by a key of one byte, letters of full width, and rows of
 * escapes. Each is entered behind a sign of the scan, and bounded in number and length; what does not come
 * out readable is left alone.
 */
export interface DecodedParts {
  readonly kind: Decoded["kind"] | "full-width" | "changed-bytes" | "escaped-letters";
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const UNWRAP = classNumber("unwrap");
const DECODE = classNumber("decode");
const hasSign = holdsAny("unwrap|decode");
const hasEscapes = holdsAny("escape");
const AROUND = 1_500;
const PLACES_MAX = 5;
const FOUND_MAX = 4;
/** Stretches of one kind that are read in vain. */
const TRIES_MAX = 4;

/**
 * Three pieces and more with nothing but quotes, joints, commas, marks of a comment or line ends between
 * them.
 */
const PIECES =
  /(?<![\w+/-])[A-Za-z0-9+/_-]{4,400}={0,6}(?:(?:\\n|\\r|["'`\s+,.&;\\>|#*)(]){1,12}[A-Za-z0-9+/_-]{4,400}={0,6}){1,120}/g;
const PIECE = /[A-Za-z0-9+/_-]{4,400}/g;
const CHANGES = /[a-z][A-Z]|[A-Z]{2}[a-z]|\d[A-Za-z]|[a-z]\d/;
const PIECES_MAX = 120;
const PARTS_CHARS_MIN = 20;

function fromPieces(all: string): string | null {
  const pieces = (all.replace(/\\[nr]/g, " ").match(PIECE) ?? []).slice(0, PIECES_MAX);
  // Words of the text itself may stand right before the first piece and behind the last.
  let low = 0;
  let high = pieces.length - 1;
  while (low < high && !CHANGES.test(pieces[low] ?? "")) low++;
  while (high > low && !CHANGES.test(pieces[high] ?? "")) high--;
  const raw = pieces.slice(low, high + 1).join("");
  if (raw.length < PARTS_CHARS_MIN || high === low) return null;
  const text = /^(?:[0-9a-f]{2}){10,8000}$/i.test(raw)
    ? bytesToText(Buffer.from(raw, "hex"))
    : bytesToText(Buffer.from(raw, "base64"));
  return isReadable(text) ? text : null;
}

const CODE_CALLS =
  /(?:\bchr[wb]?\$?\s?\(\s?|\[char\]\s?\(?|fromCharCode\(|fromCodePoint\(|\bChar\()(?:0x[0-9a-f]{2}|&H[0-9a-f]{2}|\d{2,3})/gi;
const CODE_NUMBER = /(0x|&H)?([0-9a-f]{2,3})$/i;
const CALLS_MIN = 6;

function fromCalls(text: string): { text: string; start: number; end: number } | null {
  let read = "";
  let start = -1;
  let end = 0;
  for (const { 0: call, index } of text.matchAll(CODE_CALLS)) {
    if (start >= 0 && index - end > 16) {
      if (read.length >= CALLS_MIN) break;
      read = "";
      start = -1;
    }
    const [, hex, digits = ""] = CODE_NUMBER.exec(call) ?? [];
    const code = Number.parseInt(digits, hex === undefined ? 10 : 16);
    if (!(code >= 9 && code < 127)) continue;
    if (start < 0) start = index;
    end = index + call.length;
    read += String.fromCharCode(code);
  }
  return read.length >= CALLS_MIN ? { text: read, start, end } : null;
}

const NUMBERS = /(?:(?:0x[0-9a-f]{1,2}|\d{1,3})\s{0,2},\s{0,4}){15,600}(?:0x[0-9a-f]{1,2}|\d{1,3})/gi;
const CHANGED = /\^|\bxor\b|-bxor|charCodeAt|\bord\(|[+-] ?\d{1,3}\b[^\n]{0,20}\b(?:for|chr|char)/i;
const NUMBERS_MAX = 600;
const LISTS_MAX = 2;

const WORDY = /[a-z ]/gi;

/**
 * The key is the one that makes most letters of the bytes; of random ones none makes only characters that are
 * written.
 */
function withoutKey(bytes: readonly number[]): string | null {
  const sample = bytes.slice(0, 48);
  let best: string | null = null;
  let most = 0;
  for (let key = 1; key < 256; key++) {
    if (!sample.every((byte) => isLetterLike(byte ^ key))) continue;
    const text = String.fromCharCode(...bytes.map((byte) => byte ^ key));
    const letters = text.match(WORDY)?.length ?? 0;
    if (letters > most && isReadable(text)) [best, most] = [text, letters];
  }
  return most * 4 > bytes.length * 3 ? best : null;
}

const isLetterLike = (code: number): boolean =>
  (code >= 32 && code < 127) || code === 10 || code === 13 || code === 9;

const WIDE = /[\uff01-\uff5e](?:[\uff01-\uff5e\u3000 ]){18,1000}/g;
const WIDE_WORDS_MIN = 4;

/**
 * Words of full width: in Japanese and Chinese texts a name or an abbreviation is written so, a sentence
 * never.
 */
function fromWide(text: string): DecodedParts | null {
  let tries = 0;
  for (const { 0: run, index } of text.matchAll(WIDE)) {
    if (tries++ >= TRIES_MAX) break;
    const plain = run.replace(/[\uff01-\uff5e]/g, (letter) =>
      String.fromCharCode(letter.charCodeAt(0) - 0xfee0),
    );
    const read = plain.replaceAll("\u3000", " ");
    if ((read.match(/\b[a-z]{2,20}\b/gi)?.length ?? 0) < WIDE_WORDS_MIN) continue;
    return { kind: "full-width", text: read, start: index, end: index + run.length };
  }
  return null;
}

const ESCAPES =
  /(?:(?:\\x[0-9a-f]{2}|\\u00[2-7][0-9a-f]|\\u\{0{0,4}[2-7][0-9a-f]\}|%(?:25)?[2-7][0-9a-f]|&#x0{0,5}[2-7][0-9a-f];?|&#0{0,5}\d{2,3};?|\\[01][0-7]{2}) ?){14,1000}/gi;
const ESCAPE_CODE =
  /(?:\\x|\\u00|\\u\{0{0,4}|%25|%|&#x0{0,5})([0-9a-f]{2})|&#0{0,5}(\d{2,3})|\\([01][0-7]{2})/gi;

function fromEscapes(text: string): DecodedParts | null {
  let tries = 0;
  for (const { 0: run, index } of text.matchAll(ESCAPES)) {
    if (tries++ >= TRIES_MAX) break;
    let read = "";
    for (const [, hex, decimal, octal] of run.matchAll(ESCAPE_CODE))
      read += String.fromCharCode(
        hex !== undefined
          ? Number.parseInt(hex, 16)
          : decimal !== undefined
            ? Number(decimal)
            : Number.parseInt(octal ?? "", 8),
      );
    if (isReadable(read) && read.includes(" "))
      return { kind: "escaped-letters", text: read, start: index, end: index + run.length };
  }
  return null;
}

const NONE: readonly DecodedParts[] = Object.freeze([]);

/** What stands in parts in a text. */
export function decodedParts(scan: TextScan): readonly DecodedParts[] {
  const mayBeWide = scan.isForeign && scan.marks > 0;
  if (!mayBeWide && !hasEscapes(scan) && !hasSign(scan)) return NONE;
  const found: DecodedParts[] = [];
  const { text, hits } = scan;
  if (mayBeWide) {
    const wide = fromWide(text);
    if (wide !== null) found.push(wide);
  }
  if (hasEscapes(scan)) {
    const escaped = fromEscapes(text);
    if (escaped !== null) found.push(escaped);
  }
  if (!hasSign(scan)) return found;
  let until = -1;
  let places = 0;
  for (let hit = 0; hit < hits.length && places < PLACES_MAX && found.length < FOUND_MAX; hit += 3) {
    const [cls, at] = [hits[hit] as number, hits[hit + 1] as number];
    if ((cls !== UNWRAP && cls !== DECODE) || at < until) continue;
    places++;
    const from = Math.max(0, until, at - AROUND);
    until = Math.min(text.length, at + AROUND);
    collect(text.slice(from, until), from, found);
  }
  return found;
}

function collect(stretch: string, from: number, found: DecodedParts[]): void {
  for (const { 0: all, index } of stretch.matchAll(PIECES)) {
    if (found.length >= FOUND_MAX || !CHANGES.test(all)) continue;
    const text = fromPieces(all);
    if (text !== null)
      found.push({ kind: "base64", text, start: from + index, end: from + index + all.length });
  }
  const calls = fromCalls(stretch);
  if (calls !== null)
    found.push({
      kind: "character-codes",
      text: calls.text,
      start: from + calls.start,
      end: from + calls.end,
    });
  if (!CHANGED.test(stretch)) return;
  let lists = 0;
  for (const { 0: all, index } of stretch.matchAll(NUMBERS)) {
    if (lists++ >= LISTS_MAX) break;
    const bytes = (all.match(/0x[0-9a-f]{1,2}|\d{1,3}/gi) ?? []).slice(0, NUMBERS_MAX).map(Number);
    const text = bytes.every((byte) => byte < 256) ? withoutKey(bytes) : null;
    if (text !== null)
      found.push({ kind: "changed-bytes", text, start: from + index, end: from + index + all.length });
  }
}
