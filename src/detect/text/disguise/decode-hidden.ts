import { foldText } from "../scan/char-classes.ts";
import { classNumber, holdsAny } from "../scan/class-set.ts";
import type { TextScan } from "../scan/scan-text.ts";
import { type DecodedParts, decodedParts } from "./decode-parts.ts";
import { bytesToText, type Decoded, decodeRun, isReadable, longRuns } from "./decode-runs.ts";
import { disguisedForms } from "./disguised-forms.ts";

/**
 * Makes encoded text readable: runs of base64 and the like, escapes of any kind, pieces of base64, and the
 * invisible copies of ASCII in the Unicode tag block and its variation selectors. Every step is bounded and
 * linear; what does not decode to readable text is left alone.
 */
export interface HiddenText {
  readonly kind: Decoded["kind"] | DecodedParts["kind"] | "escapes" | "tag-characters";
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const ESCAPED =
  /\\x([0-9a-f]{2})|\\u00([0-9a-f]{2})|\\u\{0{0,4}([0-9a-f]{2})\}|%(?:25)?([0-9a-f]{2})|&#x0{0,5}([0-9a-f]{2});?|=([0-9A-F]{2})|U\+00([0-9a-f]{2}) ?|&#0{0,5}(\d{2,3});?|\\([01]?[0-7]{2})/gi;
const LETTERS_MIN = 4;

/**
 * Bytes of quoted-printable text follow each other or stand in a word; those of `n=60: OK, len=62` are
 * numbers.
 */
const isWithinWord = (text: string, start: number, end: number): boolean =>
  /^[=a-z]/i.test(text.slice(end, end + 1)) ||
  /=[0-9A-F]{2}$/.test(text.slice(Math.max(0, start - 3), start));

/** The text with its escapes read, if enough of them are letters: nobody escapes those but to hide them. */
function decodeEscapes(text: string): HiddenText | null {
  let letters = 0;
  let start = -1;
  let end = 0;
  const decoded = text.replace(
    ESCAPED,
    (all, x, u, braced, percent, entity, printable, point, decimal, octal, at) => {
      const hex = x ?? u ?? braced ?? percent ?? entity ?? printable ?? point;
      const code =
        hex !== undefined
          ? Number.parseInt(hex, 16)
          : decimal !== undefined
            ? Number(decimal)
            : Number.parseInt(octal, 8);
      if (code < 32 || code > 126) return all;
      if (printable !== undefined && !isWithinWord(text, at, at + all.length)) return all;
      if ((code | 32) >= 97 && (code | 32) <= 122) letters++;
      if (start < 0) start = at;
      end = at + all.length;
      return String.fromCharCode(code);
    },
  );
  if (letters < LETTERS_MIN) return null;
  const length = decoded.length - (text.length - end);
  return { kind: "escapes", text: decoded.slice(Math.max(0, start - 200), length + 200), start, end };
}

const HIGH_TAG = 0xdb40;

/** Tag characters, and bytes as variation selectors: both are there and cannot be seen. */
function readTags(text: string): HiddenText | null {
  let read = "";
  let start = -1;
  let end = 0;
  for (let i = 0; i + 1 < text.length && read.length < 2_000; i++) {
    if (text.charCodeAt(i) !== HIGH_TAG) continue;
    const low = text.charCodeAt(i + 1) - 0xdc00;
    const code = low >= 0x100 && low < 0x1f0 ? low - 0x100 + 16 : low;
    if (code >= 0x20 && code < 0x7f) {
      read += String.fromCharCode(code);
      if (start < 0) start = i;
      end = i + 2;
    }
  }
  return read.length >= 10 ? { kind: "tag-characters", text: read, start, end } : null;
}

/** Characters before and after a known piece in which its neighbours are looked for. */
const PIECES_AROUND = 1_000;
const PIECE = /[A-Za-z0-9+/_-]{4,400}={0,2}/g;
/** A piece of base64 changes between capitals, small letters and digits where words do not. */
const LOOKS_ENCODED = /[a-z][A-Z]|[A-Z]{2}[a-z]|\d[A-Za-z]|[a-z]\d|=$/;
/** Quotes, commas, a plus, white space. */
const PIECE_GAP_MAX = 8;

interface Piece {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

function piecesOf(text: string): readonly Piece[] {
  return Array.from(text.matchAll(PIECE), ({ 0: piece, index }) => ({
    text: piece,
    start: index,
    end: index + piece.length,
  }));
}

/** The pieces that belong together with the one at `known`. */
function joinedAround(all: readonly Piece[], known: number): readonly Piece[] {
  const from = (all[known]?.start ?? 0) - PIECES_AROUND;
  const to = (all[known]?.end ?? 0) + PIECES_AROUND;
  const isNear = (before: Piece | undefined, after: Piece | undefined): boolean =>
    before !== undefined &&
    after !== undefined &&
    before.start >= from &&
    after.end <= to &&
    after.start - before.end <= PIECE_GAP_MAX;
  let low = known;
  let high = known;
  while (isNear(all[low - 1], all[low]) && LOOKS_ENCODED.test(all[low - 1]?.text ?? "")) low--;
  while (isNear(all[high], all[high + 1]) && LOOKS_ENCODED.test(all[high + 1]?.text ?? "")) high++;
  return all.slice(low, high + 1);
}

/**
 * Base64 too short for a run or cut into pieces, found by a word of attacks in one of them. The pieces of a
 * text are told once, and what was read in vain is not read again around the next such word in it: a text of
 * nothing else took 100 ms.
 */
function joinPieces(scan: TextScan): HiddenText | null {
  const { hits, text } = scan;
  let all: readonly Piece[] | null = null;
  let at = 0;
  let until = 0;
  for (let hit = 0; hit < hits.length; hit += 3) {
    if (hits[hit] !== DISGUISED) continue;
    const [from, to] = [hits[hit + 1] as number, hits[hit + 2] as number];
    if (to <= until || disguisedForms.get(foldText(text.slice(from, to)))?.kind !== "base64") continue;
    all ??= piecesOf(text);
    while (at < all.length && (all[at] as Piece).end < to) at++;
    if (at === all.length) break;
    const pieces = joinedAround(all, at);
    const decode = (raw: string): string => bytesToText(Buffer.from(raw, "base64"));
    const readable = [
      pieces.map((piece) => decode(piece.text)).join(" "),
      decode(pieces.map((piece) => piece.text).join("")),
    ].filter((one) => isReadable(`${one} ${one}`));
    const [first, last] = [pieces[0] as Piece, pieces.at(-1) as Piece];
    if (readable.length > 0)
      return { kind: "base64", text: readable.join("\n"), start: first.start, end: last.end };
    until = last.end;
  }
  return null;
}

const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]{1,64}/g;
const ASCII_WORD = /[A-Za-z0-9]/;
const SOFT_HYPHEN = "\u00ad";
/** A long address gets places where its line may break. */
const IN_ADDRESS = /(?:www|:\/\/|\.)[^\s]{0,80}$/i;

/**
 * Invisible characters that take a word apart. At a word's edge they are marks of direction and anchors of
 * headings. Soft hyphens between syllables are what they are for: they count only where most of them stand
 * around a single letter.
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

const HIDDEN_RUN = /[\u180e\u200b-\u200d\u2060-\u2064\ufeff]{32,4096}/g;
const PERIOD_MAX = 8;
const PADDING_SHARE = 0.95;

/** Spacers are strewn in a pattern: the same few over and over. */
function isPadding(run: string): boolean {
  for (let period = 1; period <= PERIOD_MAX; period++) {
    let same = 0;
    for (let i = period; i < run.length; i++) if (run[i] === run[i - period]) same++;
    if (same >= (run.length - period) * PADDING_SHARE) return true;
  }
  return false;
}

/** Invisible characters in rows without a pattern, as bits of a hidden text are written. */
export function hiddenInRuns(text: string): number {
  let count = 0;
  for (const [run] of text.matchAll(HIDDEN_RUN)) if (!isPadding(run)) count += run.length;
  return count;
}

/** Not in a class of such characters, by which a program looks for them: `/[\u202a-\u202e]/`. */
const TURNED = /(?<!\[[\u200b-\u206f-]{0,12})[\u202d\u202e]|[\u202d\u202e](?![\u200b-\u206f-]{0,12}\])/;
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/**
 * Where direction is turned by force in a text without a letter that runs from right to left; -1 where it is
 * not.
 */
export function turnedAround(text: string): number {
  const at = text.search(TURNED);
  return at >= 0 && !RIGHT_TO_LEFT.test(text) ? at : -1;
}

/**
 * Names, paths and hashes are runs too, and may stand before the one that decodes; of those that do, more
 * than these are a list of values.
 */
const DECODED_MAX = 6;

const NONE: readonly HiddenText[] = [];
const DISGUISED = classNumber("disguised");
const hasEscapes = holdsAny("escape");
const hasDisguised = holdsAny("disguised");

/** Whatever in a text can be read only after decoding. */
export function hiddenTexts(scan: TextScan): readonly HiddenText[] {
  const { text, tags } = scan;
  const runs = longRuns(text);
  const isMarked = tags > 0 || hasEscapes(scan) || hasDisguised(scan);
  const parts = decodedParts(scan);
  if (runs.length === 0 && !isMarked && parts.length === 0) return NONE;
  const found: HiddenText[] = [];
  const keep = (one: HiddenText | null): void => {
    if (one !== null) found.push(one);
  };
  for (const run of runs) {
    if (found.length >= DECODED_MAX) break;
    keep(decodeRun(text, run));
  }
  if (hasEscapes(scan)) keep(decodeEscapes(text));
  if (hasDisguised(scan)) keep(joinPieces(scan));
  if (tags > 0) keep(readTags(text));
  found.push(...parts);
  return found;
}
