import { holdsAny } from "./class-set.ts";
import type { TextScan } from "./scan-text.ts";

/**
 * Makes hidden text readable: base64 and hex runs, escapes, letters spaced apart or replaced by digits, and the
 * invisible copy of ASCII in the Unicode tag block. Every step is bounded and linear; what does not decode to
 * readable text is left alone.
 */
export interface HiddenText {
  readonly kind: "base64" | "hex" | "escapes" | "spaced-letters" | "digits-for-letters" | "tag-characters";
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const RUN_MIN = 28;
const RUN_MAX = 8_192;
const RUNS_MAX = 6;
const STRIDE = 14;

/** 1 for the characters of base64, base64url and hex runs. */
const runUnits = new Uint8Array(128);
for (const char of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=_-")
  runUnits[char.charCodeAt(0)] = 1;

interface Run {
  readonly start: number;
  readonly end: number;
}

const NO_RUNS: readonly Run[] = Object.freeze([]);

function inRun(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit < 128 && runUnits[unit] === 1;
}

/** Long runs of encoding characters. A run of RUN_MIN crosses two strides, so only every STRIDE-th place is asked. */
export function longRuns(text: string): readonly Run[] {
  let runs: Run[] | null = null;
  for (let at = STRIDE - 1; at < text.length; at += STRIDE) {
    if (!inRun(text, at) || !inRun(text, at - 4) || !inRun(text, at - 9) || !inRun(text, at - STRIDE + 1))
      continue;
    let start = at;
    while (start > 0 && at - start < RUN_MAX && inRun(text, start - 1)) start--;
    let end = at + 1;
    while (end < text.length && end - start < RUN_MAX && inRun(text, end)) end++;
    if (end - start >= RUN_MIN) {
      runs ??= [];
      if (runs.push({ start, end }) >= RUNS_MAX) break;
    }
    at = Math.max(at, end);
  }
  return runs ?? NO_RUNS;
}

function readable(text: string): boolean {
  if (text.length < 12) return false;
  let good = 0;
  let spaces = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if ((unit >= 32 && unit < 127) || unit === 10 || unit === 13 || unit === 9) good++;
    if (unit === 32) spaces++;
  }
  return good / text.length > 0.95 && spaces > 0;
}

/** UTF-16 text (what PowerShell encodes) reads as every second character. */
function bytesToText(bytes: Buffer): string {
  const text = bytes.toString("latin1");
  return bytes.length > 3 && bytes[1] === 0 && bytes[3] === 0 ? text.replaceAll("\u0000", "") : text;
}

function decodeRun(text: string, run: Run): HiddenText | null {
  const raw = text.slice(run.start, run.end);
  if (/^(?:[0-9a-f]{2}){12,}$/i.test(raw)) {
    const decoded = Buffer.from(raw, "hex").toString("latin1");
    if (readable(decoded)) return { kind: "hex", text: decoded, ...run };
  }
  const decoded = bytesToText(Buffer.from(raw.replace(/^[=_-]+/, ""), "base64"));
  return readable(decoded) ? { kind: "base64", text: decoded, ...run } : null;
}

const ESCAPES = /(?:\\x[0-9a-f]{2}|\\u00[0-9a-f]{2}|%[0-9a-f]{2}|&#x?[0-9a-f]{2,3};){8,400}/gi;

function decodeEscapes(text: string): HiddenText | null {
  if (!/\\x[0-9a-f]{2}\\x|\\u00[0-9a-f]{2}\\u00|%[0-9a-f]{2}%|&#x?[0-9a-f]{2,3};&#/i.test(text)) return null;
  ESCAPES.lastIndex = 0;
  const match = ESCAPES.exec(text);
  if (match === null) return null;
  const decoded = match[0].replace(
    /\\x([0-9a-f]{2})|\\u00([0-9a-f]{2})|%([0-9a-f]{2})|&#x([0-9a-f]{2,3});|&#(\d{2,3});/gi,
    (_all, a, b, c, d, e) =>
      String.fromCharCode(e === undefined ? Number.parseInt(a ?? b ?? c ?? d, 16) : Number(e)),
  );
  return { kind: "escapes", text: decoded, start: match.index, end: match.index + match[0].length };
}

const SPACED = /(?<![A-Za-z])(?:[A-Za-z][ ._*|-]{1,3}){12,400}[A-Za-z](?![A-Za-z])/;

function joinSpaced(text: string): HiddenText | null {
  const match = SPACED.exec(text);
  if (match === null) return null;
  const joined = match[0]
    .replace(/([A-Za-z])[ ._*|-](?=[A-Za-z](?:[ ._*|-]|$))/g, "$1")
    .replace(/[._*|-]/g, " ");
  return { kind: "spaced-letters", text: joined, start: match.index, end: match.index + match[0].length };
}

const LEET: Readonly<Record<string, string>> = {
  "0": "o",
  "1": "i",
  "3": "e",
  "4": "a",
  "5": "s",
  "7": "t",
  "@": "a",
  $: "s",
  "!": "i",
};
const LEET_WORDS = /[a-z]{0,12}[013457@$!][a-z@$!0-7]{2,12}/i;

function readLeet(text: string): HiddenText | null {
  if (text.length > 4_000) return null;
  const match = LEET_WORDS.exec(text);
  if (match === null) return null;
  const read = text.replace(
    /[013457@$!](?=[a-z@$!0-7])|(?<=[a-z@$!0-7])[013457@$!]/gi,
    (char) => LEET[char] ?? char,
  );
  return { kind: "digits-for-letters", text: read, start: match.index, end: match.index + match[0].length };
}

function readTags(text: string): HiddenText | null {
  let read = "";
  let start = -1;
  let end = 0;
  for (let i = 0; i + 1 < text.length && read.length < 2_000; i++) {
    if (text.charCodeAt(i) !== 0xdb40) continue;
    const low = text.charCodeAt(i + 1) - 0xdc00;
    if (low >= 0x20 && low < 0x7f) {
      read += String.fromCharCode(low);
      if (start < 0) start = i;
      end = i + 2;
    }
  }
  return read.length >= 10 ? { kind: "tag-characters", text: read, start, end } : null;
}

const INVISIBLE = /[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]{1,64}/g;
const ASCII_WORD = /[A-Za-z0-9]/;
const SOFT_HYPHEN = "\u00ad";
/** A long address gets places where its line may break. */
const IN_ADDRESS = /(?:www|:\/\/|\.)[^\s]{0,80}$/i;

/**
 * Invisible characters that take a word apart. At a word's edge they are marks of direction and anchors of headings. Soft hyphens
 * between syllables are what they are for: they count only where most of them stand around a single letter.
 */
export function hiddenInWords(text: string): number {
  let count = 0;
  let hyphens = 0;
  let aroundLetters = 0;
  for (const match of text.matchAll(INVISIBLE)) {
    const start = match.index;
    const end = start + match[0].length;
    if (!ASCII_WORD.test(text[start - 1] ?? "") || !ASCII_WORD.test(text[end] ?? "")) continue;
    if (match[0] === SOFT_HYPHEN) {
      hyphens++;
      if (text[start - 2] === SOFT_HYPHEN || text[end + 1] === SOFT_HYPHEN) aroundLetters++;
    } else if (!IN_ADDRESS.test(text.slice(Math.max(0, start - 80), start))) count += match[0].length;
  }
  return aroundLetters * 2 > hyphens ? count + aroundLetters : count;
}

const NONE: readonly HiddenText[] = [];
const hasEscapes = holdsAny("escape");
const hasSpaced = holdsAny("spaced");
const hasLeet = holdsAny("leet");

/** Whatever in a text can be read only after decoding. */
export function hiddenTexts(scan: TextScan): readonly HiddenText[] {
  const { text, tags } = scan;
  const runs = longRuns(text);
  const marked = tags > 0 || hasEscapes(scan) || hasSpaced(scan) || hasLeet(scan);
  if (runs.length === 0 && !marked) return NONE;
  const found: HiddenText[] = [];
  const keep = (one: HiddenText | null): void => {
    if (one !== null) found.push(one);
  };
  for (const run of runs) keep(decodeRun(text, run));
  if (hasEscapes(scan)) keep(decodeEscapes(text));
  if (hasSpaced(scan)) keep(joinSpaced(text));
  if (hasLeet(scan)) keep(readLeet(text));
  if (tags > 0) keep(readTags(text));
  return found;
}
