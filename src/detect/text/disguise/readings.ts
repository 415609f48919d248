import { NO_TURNS } from "../../event-views/transcript.ts";
import { foldText } from "../scan/char-classes.ts";
import { classNumber, holdsAny } from "../scan/class-set.ts";
import { FragmentScan, type Reading } from "../scan-event.ts";
import { hiddenTexts } from "./decode-hidden.ts";
import { type DisguiseSigns, disguiseSigns, SLIGHT } from "./disguise-signs.ts";
import { type DisguisedForm, disguisedForms } from "./disguised-forms.ts";
import { isKnown, lettersOf, segmented, wordMeant } from "./disguised-words.ts";
import { astralLetter, FOREIGN, HIGH_HALF, plainCodes, UNSEEN } from "./plain-letters.ts";

/**
 * The other readings of a text: what its encodings decode to, what its ciphers say, and the text itself with
 * its disguised words spelt out. Every detector can judge each of them by the rules it has. Made once a text,
 * on first use; most texts have none. Bounded in number, length and depth; it cannot fail on any text.
 */
const NONE: readonly Reading[] = Object.freeze([]);
/** Shorter texts say nothing that a rule looks for, however they say it. */
const TEXT_MIN = 16;
const DEPTH_MAX = 3;
const READINGS_MAX = 10;
const DECODED_MAX = 4_096;
/**
 * A longer text is read only around its disguised words, with as much as a passage and its surroundings take.
 */
const READ_WHOLE_MAX = 8_192;
const AROUND = 2_400;
const AROUND_SLIPS = 300;
const MEANT_MAX = 300;
const CIPHERS_MAX = 4;
const DISGUISED = classNumber("disguised");
const hasDisguised = holdsAny("disguised");

/** Stands for a proof that is beyond doubt: nobody encodes by accident. */
const ENCODED = 4;

export function readingsOf(fragment: FragmentScan): readonly Reading[] {
  if (fragment.text.length < TEXT_MIN) return NONE;
  if (fragment.readings === null) {
    const found: Reading[] = [];
    collect(fragment, 0, found);
    fragment.readings = found.length === 0 ? NONE : found;
  }
  return fragment.readings;
}

function collect(fragment: FragmentScan, depth: number, found: Reading[]): void {
  const { scan, text } = fragment;
  const hidden = hiddenTexts(scan);
  const forms = hasDisguised(scan) ? formsIn(fragment) : null;
  // Plain words and spaces disguise nothing: what could must show a mark, a word known for it, or no known
  // word at all.
  const isPlain = scan.digits + scan.marks + scan.hidden === 0 && forms === null && scan.hits.length > 0;
  const signs = isPlain ? null : disguiseSigns(text);
  if (hidden.length === 0 && forms === null && signs === null) return;
  const add = (
    kind: string,
    read: string,
    changes: readonly number[] | null,
    start: number,
    end: number,
  ): void => {
    if (found.length >= READINGS_MAX) return;
    const reading = new FragmentScan({
      origin: fragment.origin,
      text: read,
      repeated: fragment.repeated,
      comesAgain: false,
      tool: fragment.tool,
      turns: NO_TURNS,
    });
    found.push({ kind, fragment: reading, changes: changes ?? [0, read.length, ENCODED], start, end });
    if (depth < DEPTH_MAX) collect(reading, depth + 1, found);
  };
  for (const { kind, text: decoded, start, end } of hidden)
    add(kind, decoded.slice(0, DECODED_MAX), null, start, end);
  // A cipher of a cipher is the text again.
  if (forms !== null && depth < 2) {
    for (const { kind, shift, start, end } of forms.ciphers.values()) {
      const stretch = text.slice(Math.max(0, start - 1_000), end + 1_000);
      add(kind, deciphered(kind, stretch, shift), null, start, end);
      if (kind === "reversed") add(kind, stretch.replace(/[a-z]{2,40}/gi, backwards), null, start, end);
    }
  }
  if (signs === null && (forms === null || forms.misspelt.length === 0)) return;
  const spelt = speltOut(text, signs, forms?.misspelt ?? []);
  if (spelt !== null) add("disguised-letters", spelt.text, spelt.changes, spelt.start, spelt.end);
}

interface Change {
  readonly start: number;
  readonly end: number;
  readonly read: string;
  readonly proof: number;
}

interface Forms {
  /** By kind and shift: a word that looks like another shift by chance must not stand for the right one. */
  readonly ciphers: Map<string, { kind: DisguisedForm["kind"]; shift: number; start: number; end: number }>;
  readonly misspelt: Change[];
}

function formsIn({ scan, text }: FragmentScan): Forms {
  const forms: Forms = { ciphers: new Map(), misspelt: [] };
  const { hits } = scan;
  for (let hit = 0; hit < hits.length; hit += 3) {
    if (hits[hit] !== DISGUISED) continue;
    const [start, end] = [hits[hit + 1] as number, hits[hit + 2] as number];
    const form = disguisedForms.get(foldText(text.slice(start, end)));
    if (form === undefined || form.kind === "base64") continue;
    if (form.kind === "misspelt") forms.misspelt.push({ start, end, read: form.word, proof: 1 });
    else {
      const key = `${form.kind} ${form.shift}`;
      const before = forms.ciphers.get(key);
      if (before === undefined && forms.ciphers.size >= CIPHERS_MAX) continue;
      forms.ciphers.set(key, { kind: form.kind, shift: form.shift, start: before?.start ?? start, end });
    }
  }
  return forms;
}

function turned(letter: string, by: (at: number) => number): string {
  const first = letter <= "Z" ? 65 : 97;
  return String.fromCharCode(first + by(letter.charCodeAt(0) - first));
}

const PIG_LATIN = /\b([a-z]{2,24})ay\b/gi;

/** The letters that moved to the end of a word go back to its front: as many of them as make a word. */
function fromPigLatin(all: string, letters: string): string {
  const word = letters.toLowerCase();
  for (let moved = 1; moved <= 4 && moved < word.length; moved++) {
    const candidate = word.slice(-moved) + word.slice(0, -moved);
    if (isKnown(candidate)) return candidate;
  }
  return /[wy]$/.test(word) && word.length > 2 ? word.slice(0, -1) : all;
}

function deciphered(kind: DisguisedForm["kind"], text: string, shift: number): string {
  switch (kind) {
    case "reversed":
      return backwards(text);
    case "shifted":
      return text.replace(/[a-z]/gi, (letter) => turned(letter, (at) => (at + 26 - shift) % 26));
    case "mirrored":
      return text.replace(/[a-z]/gi, (letter) => turned(letter, (at) => 25 - at));
    default:
      return text.replace(PIG_LATIN, fromPigLatin);
  }
}

const backwards = (letters: string): string => Array.from(letters).reverse().join("");

/**
 * Letters standing apart: two spaces or more between them end a word; without any the words are told by what
 * they are.
 */
function joined(text: string, start: number, end: number): string {
  const parts = text.slice(start, end).split(/\s{2,8}|\s[^\w\s]\s/);
  const words = parts.map((part) => lettersOf(part, 0, part.length));
  return words
    .map((word) => (word.length > 12 || parts.length === 1 ? segmented(word.slice(0, 300)) : word))
    .join(" ");
}

/**
 * A word that is none of those known, letter by letter; what stands between its letters stays, unless it
 * stands between all of them.
 */
function mapped(text: string, start: number, end: number): string {
  const letters = lettersOf(text, start, end);
  if (letters.length > 1 && end - start >= 2 * letters.length - 1) return letters;
  let read = "";
  for (let i = start; i < end; i++) {
    const unit = text.charCodeAt(i);
    let code = plainCodes[unit] as number;
    if (code === UNSEEN) continue;
    if (code === HIGH_HALF) {
      code = astralLetter(unit, text.charCodeAt(i + 1));
      if (code !== 0) i++;
    }
    read += code >= FOREIGN ? String.fromCharCode(code & ~FOREIGN) : text[i];
  }
  return read;
}

/** Words between and around misspelt ones that are misspelt too. */
function meant(text: string, slips: readonly Change[]): Change[] {
  const from = Math.max(0, Math.min(...slips.map(({ start }) => start)) - AROUND_SLIPS);
  const to = Math.max(...slips.map(({ end }) => end)) + AROUND_SLIPS;
  const found: Change[] = [];
  for (const { 0: written, index } of text.slice(from, to).matchAll(/[a-z*]{3,24}/gi)) {
    const word = wordMeant(written);
    const start = from + index;
    if (word !== undefined && found.length < MEANT_MAX)
      found.push({ start, end: start + written.length, read: word, proof: SLIGHT });
  }
  return found;
}

const LONE_MARKS = / [,.:;_](?= )/g;

function speltOut(
  text: string,
  signs: DisguiseSigns | null,
  misspelt: readonly Change[],
): { text: string; changes: number[]; start: number; end: number } | null {
  const wanted: Change[] = [...misspelt];
  for (const { start, end, word, proof } of signs?.words ?? [])
    wanted.push({ start, end, read: word ?? mapped(text, start, end), proof });
  for (const { start, end } of signs?.spaced ?? [])
    wanted.push({ start, end, read: joined(text, start, end), proof: ENCODED });
  const slips = wanted.filter(({ proof }) => proof === SLIGHT);
  if (slips.length > 1) wanted.push(...meant(text, slips));
  if (signs !== null && signs.lone > 1)
    for (const { index } of text.matchAll(LONE_MARKS))
      wanted.push({ start: index, end: index + 2, read: "", proof: 0 });
  if (wanted.length === 0) return null;
  wanted.sort((a, b) => a.start - b.start);
  const last = wanted.reduce((most, { end }) => Math.max(most, end), 0);
  const isWhole = text.length <= READ_WHOLE_MAX;
  const from = isWhole ? 0 : Math.max(0, (wanted[0] as Change).start - AROUND);
  const to = isWhole ? text.length : Math.min(text.length, last + AROUND);
  const changes: number[] = [];
  let read = "";
  let at = from;
  for (const change of wanted) {
    if (change.start < at) continue;
    read += text.slice(at, change.start);
    changes.push(read.length, read.length + change.read.length, change.proof);
    read += change.read;
    at = change.end;
  }
  read += text.slice(at, to);
  return { text: read, changes, start: (wanted[0] as Change).start, end: last };
}

/** Characters before and after what a detector points to that its verdict may rest on. */
const RESTS_BEFORE = 250;
const RESTS_AFTER = 1_000;

/** True if something near a place of a reading is read otherwise than it stands in the text. */
export function changedNear({ changes }: Reading, start: number, end: number): boolean {
  for (let i = 0; i < changes.length; i += 3)
    if ((changes[i] as number) <= end + RESTS_AFTER && (changes[i + 1] as number) >= start - RESTS_BEFORE)
      return true;
  return false;
}

/**
 * How much of what stands from `start` to `end` of a reading is disguised; 0 if it stands in the text just
 * so.
 */
export function disguisedWithin({ changes }: Reading, start: number, end: number): number {
  let proof = 0;
  for (let i = 0; i < changes.length; i += 3)
    if ((changes[i] as number) < end && (changes[i + 1] as number) > start) proof += changes[i + 2] as number;
  return proof;
}
