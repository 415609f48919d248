import { isUtf8 } from "node:buffer";
import { gunzipSync, inflateSync } from "node:zlib";

/**
 * Long runs of the characters of an encoding, and what they decode to: base64, base32, hex, packed or not,
 * codes of characters as numbers in any base, and Morse. Bounded in number and length; what does not decode
 * to readable text is left alone.
 */
export interface Decoded {
  readonly kind: "base64" | "base32" | "hex" | "character-codes" | "morse";
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const RUN_MIN = 28;
const RUN_MAX = 8_192;
const RUNS_MAX = 12;
const STRIDE = 14;
const PACKED_BYTES_MAX = 65_536;
const READ_CHARS_MAX = 4_096;

const BASE64 = 1;
const NUMBERS = 2;
const MORSE = 4;

/** What kinds of run a character may stand in. */
const runKinds = new Uint8Array(65_536);
function allow(chars: string, kind: number): void {
  for (const char of chars) runKinds[char.charCodeAt(0)] = (runKinds[char.charCodeAt(0)] as number) | kind;
}
allow("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=_-", BASE64);
allow("0123456789abcdefABCDEFxXuU+\\ ,;\n", NUMBERS);
allow(".-/| \n", MORSE);

interface Run {
  readonly start: number;
  readonly end: number;
  readonly kind: number;
}

const NO_RUNS: readonly Run[] = Object.freeze([]);

const kindsAt = (text: string, at: number): number => runKinds[text.charCodeAt(at)] as number;

/** A run that is long enough goes on for STRIDE to one side at least: nearly every word ends before. */
function mayBeLong(text: string, at: number, kinds: number): boolean {
  let kind = at < STRIDE ? 0 : kinds & kindsAt(text, at - 2) & kindsAt(text, at - 6);
  if (kind !== 0) kind &= kindsAt(text, at - 11) & kindsAt(text, at - 1) & kindsAt(text, at - 7);
  if (kind !== 0) return true;
  kind = at + STRIDE >= text.length ? 0 : kinds & kindsAt(text, at + 3) & kindsAt(text, at + 6);
  if (kind !== 0) kind &= kindsAt(text, at + 9) & kindsAt(text, at + 12) & kindsAt(text, at + 1);
  return kind !== 0;
}

/** The run around a place, of the first kind that makes one: digits may stand in any. */
function longestAt(text: string, at: number, kinds: number): Run | null {
  for (let kind = BASE64; kind <= MORSE; kind <<= 1) {
    if ((kinds & kind) === 0) continue;
    let start = at;
    while (start > 0 && at - start < RUN_MAX && (kindsAt(text, start - 1) & kind) !== 0) start--;
    let end = at + 1;
    while (end < text.length && end - start < RUN_MAX && (kindsAt(text, end) & kind) !== 0) end++;
    if (end - start >= RUN_MIN) return { start, end, kind };
  }
  return null;
}

/** The long runs of a text. A run of RUN_MIN crosses two strides, so only every STRIDE-th place is asked. */
export function longRuns(text: string): readonly Run[] {
  let runs: Run[] | null = null;
  for (let at = STRIDE - 1; at < text.length; at += STRIDE) {
    let kind = kindsAt(text, at) & kindsAt(text, at - 4);
    if (kind === 0) continue;
    kind &= kindsAt(text, at - 9) & kindsAt(text, at - STRIDE + 1);
    if (kind === 0 || !mayBeLong(text, at, kind)) continue;
    const run = longestAt(text, at, kind);
    if (run === null) continue;
    runs ??= [];
    if (runs.push(run) >= RUNS_MAX) break;
    at = Math.max(at, run.end);
  }
  return runs ?? NO_RUNS;
}

/** Of random bytes two in five are none of these. */
const isOfWords = (unit: number): boolean =>
  (unit >= 32 && unit < 127) || unit === 10 || unit === 13 || unit === 9 || (unit >= 0xc0 && unit !== 0xfffd);

/** Words of any script, or a run that may hold another encoding. */
export function isReadable(text: string): boolean {
  if (text.length < 12) return false;
  let left = Math.ceil(text.length * 0.05);
  let spaces = 0;
  let broad = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === 32) spaces++;
    else if (unit >= 0x3000 && unit < 0xd7ff) broad++;
    else if (!isOfWords(unit) && --left <= 0) return false;
  }
  return spaces > 0 || broad * 3 > text.length || longRuns(text).length > 0;
}

function unpacked(bytes: Buffer): Buffer {
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  if (!isGzip && !(bytes[0] === 0x78 && ((bytes[0] << 8) | (bytes[1] ?? 0)) % 31 === 0)) return bytes;
  try {
    const options = { maxOutputLength: PACKED_BYTES_MAX };
    return isGzip ? gunzipSync(bytes, options) : inflateSync(bytes, options);
  } catch {
    return bytes;
  }
}

/** UTF-16 text (what PowerShell encodes) reads as every second character. */
export function bytesToText(packed: Buffer): string {
  const bytes = unpacked(packed);
  const text = bytes.subarray(0, 2 * READ_CHARS_MAX).toString(isUtf8(bytes) ? "utf8" : "latin1");
  return bytes.length > 3 && bytes[1] === 0 && bytes[3] === 0 ? text.replaceAll("\u0000", "") : text;
}

const BASE32_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

function fromBase32(raw: string): Buffer {
  const bytes: number[] = [];
  let held = 0;
  let bits = 0;
  for (const letter of raw) {
    held = ((held << 5) | BASE32_LETTERS.indexOf(letter)) & 0xfff;
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      bytes.push((held >> bits) & 0xff);
    }
  }
  return Buffer.from(bytes);
}

/**
 * Where the last part of a run begins: behind a name and its equals sign, in the last piece of a path, behind
 * `0x`.
 */
function lastPart(raw: string): number {
  const body = raw.replace(/={1,4}$/, "");
  const at = Math.max(body.lastIndexOf("="), body.lastIndexOf("/")) + 1;
  return at + (/^0x/i.test(body.slice(at, at + 2)) ? 2 : 0);
}

const HEX_WITHIN = /(?<![0-9a-f])(?:[0-9a-f]{2}){16,4096}(?![0-9a-f])/i;

function decodeLetters(raw: string, run: Run): Decoded | null {
  const whole = decodePart(raw, run);
  if (whole !== null) return whole;
  const hex = HEX_WITHIN.exec(raw);
  if (hex !== null && hex[0].length < raw.length) {
    const start = run.start + hex.index;
    const inside = decodePart(hex[0], { ...run, start, end: start + hex[0].length });
    if (inside !== null) return inside;
  }
  const at = lastPart(raw);
  if (at === 0 || raw.length - at < RUN_MIN) return null;
  return decodePart(raw.slice(at), { ...run, start: run.start + at });
}

function decodePart(raw: string, { start, end }: Run): Decoded | null {
  if (/^(?:[0-9a-f]{2}){12,}$/i.test(raw)) {
    const text = /^[01]{96,8192}$/.test(raw)
      ? fromCodes(raw.match(/[01]{8}/g) ?? [], 2)
      : bytesToText(Buffer.from(raw, "hex"));
    if (isReadable(text)) return { kind: "hex", text, start, end };
  }
  if (/^(?:[A-Z2-7]{24,8192}|[a-z2-7]{24,8192})={0,6}$/.test(raw)) {
    const text = bytesToText(fromBase32(raw.replaceAll("=", "").toUpperCase()));
    if (isReadable(text)) return { kind: "base32", text, start, end };
  }
  const text = bytesToText(Buffer.from(raw.replace(/^[=_-]+/, ""), "base64"));
  return isReadable(text) ? { kind: "base64", text, start, end } : null;
}

function fromCodes(codes: readonly string[], base: number): string {
  return String.fromCharCode(...codes.slice(0, READ_CHARS_MAX).map((code) => Number.parseInt(code, base)));
}

const CODES_MIN = 12;

/** Numbers that are characters: bits by eight, octal by three, pairs of hex digits, or decimal. */
function decodeNumbers(raw: string, run: Run): Decoded | null {
  const codes = raw.match(/[0-9a-f]{2,8}/gi) ?? [];
  if (codes.length < CODES_MIN) return null;
  const all = (shape: RegExp): boolean => codes.every((code) => shape.test(code));
  const base = all(/^[01]{8}$/) ? 2 : all(/^[01][0-7]{2}$/) ? 8 : all(/^(?:\d{2}|1[012]\d)$/) ? 10 : 16;
  const read = (radix: number): string => fromCodes(codes, radix);
  let text = read(base);
  // Pairs of digits alone may be meant either way.
  if (base === 10 && !isReadable(text)) text = read(16);
  return isReadable(text) ? { kind: "character-codes", text, start: run.start, end: run.end } : null;
}

const MORSE_SIGNS =
  ".- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- .-- -..- -.-- --..";
const morseLetters = new Map(
  MORSE_SIGNS.split(" ").map((signs, at) => [signs, String.fromCharCode(97 + at)]),
);

function decodeMorse(raw: string, run: Run): Decoded | null {
  const words = raw.trim().split(/[/|\n]| {2,8}/);
  let unknown = 0;
  let text = "";
  for (const word of words) {
    for (const signs of word.split(" ")) {
      if (signs === "") continue;
      const letter = morseLetters.get(signs);
      if (letter === undefined) unknown++;
      else text += letter;
    }
    text += " ";
  }
  return unknown * 10 < text.length && text.length >= CODES_MIN
    ? { kind: "morse", text, start: run.start, end: run.end }
    : null;
}

export function decodeRun(text: string, run: Run): Decoded | null {
  const raw = text.slice(run.start, run.end);
  if (run.kind === NUMBERS) return decodeNumbers(raw, run);
  return run.kind === MORSE ? decodeMorse(raw, run) : decodeLetters(raw, run);
}
