/**
 * How the scanner reads a UTF-16 code unit. Every lookup is one array access, so normalisation costs nothing
 * extra: upper case, accents, full-width forms and the look-alikes of Cyrillic and Greek fold to the Latin
 * letter, all white space folds to one space, and characters that are invisible (zero width, bidi controls,
 * soft hyphens, combining marks) read as if they were not there. Built once at import from constants; it
 * cannot fail on any input.
 */

/** The folded code of a unit: a lower-case ASCII code, an unfolded code, or one of the two marks below. */
export const foldedCodes = new Uint16Array(65536);

/** Reads as nothing. */
const FOLD_SKIP = 0;
/** Any white space. */
export const FOLD_SPACE = 32;

/** 1 where the unit is part of a word (letters and digits of any script, underscore). */
export const wordUnits = new Uint8Array(65536);

/** 1 where the unit is invisible and has no honest place between two ASCII letters. */
export const invisibleUnits = new Uint8Array(65536);

/**
 * Letters of the phonetic alphabets that look like small capitals, in which whole texts are written to pass a
 * filter.
 */
function smallCapitals(): Record<string, string> {
  const written = [..."ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ"];
  return Object.fromEntries(written.map((letter, at) => [letter, "abcdefghijklmnoprstuvwyz"[at] ?? ""]));
}

const LOOK_ALIKES: Readonly<Record<string, string>> = {
  а: "a",
  в: "b",
  е: "e",
  ё: "e",
  к: "k",
  м: "m",
  н: "h",
  о: "o",
  р: "p",
  с: "c",
  т: "t",
  у: "y",
  х: "x",
  і: "i",
  ї: "i",
  ј: "j",
  ѕ: "s",
  ԁ: "d",
  ԛ: "q",
  ԝ: "w",
  һ: "h",
  ɡ: "g",
  ı: "i",
  ӏ: "l",
  α: "a",
  β: "b",
  ε: "e",
  η: "n",
  ι: "i",
  κ: "k",
  ν: "v",
  ο: "o",
  ρ: "p",
  τ: "t",
  υ: "u",
  χ: "x",
  ...smallCapitals(),
  "’": "'",
  "‘": "'",
  "“": '"',
  "”": '"',
  "–": "-",
  "—": "-",
  "‐": "-",
  "‑": "-",
};

/**
 * True for ideographs and the syllables of Hangul: two thirds of the plane, all letters that fold to
 * themselves and stand for no Latin one. Looked up one by one they were most of the time that this takes.
 */
export const isEastAsian = (code: number): boolean =>
  (code >= 0x3400 && code <= 0x4dbf) ||
  (code >= 0x4e00 && code <= 0x9fff) ||
  (code >= 0xac00 && code <= 0xd7a3);

function foldUnit(code: number): number {
  const char = String.fromCharCode(code);
  if (/\s/.test(char)) return FOLD_SPACE;
  const lower = char.toLowerCase();
  const alike = LOOK_ALIKES[lower];
  if (alike !== undefined) return alike.charCodeAt(0);
  if (code < 128) return lower.charCodeAt(0);
  if (code === 0xdf) return "s".charCodeAt(0);
  const base = char.normalize("NFKD").toLowerCase();
  const first = base.charCodeAt(0);
  return first < 128 && first > 32 ? first : lower.charCodeAt(0);
}

function isInvisible(code: number): boolean {
  return (
    code === 0xad ||
    code === 0x34f ||
    code === 0x61c ||
    code === 0x180e ||
    (code >= 0x200b && code <= 0x200f) ||
    (code >= 0x202a && code <= 0x202e) ||
    (code >= 0x2060 && code <= 0x206f) ||
    code === 0xfeff
  );
}

for (let code = 1; code < 65536; code++) {
  if (code >= 0xd800 && code <= 0xdfff) {
    foldedCodes[code] = code;
    continue;
  }
  if (isInvisible(code)) {
    invisibleUnits[code] = 1;
    continue;
  }
  if ((code >= 0x300 && code <= 0x36f) || (code >= 0xfe00 && code <= 0xfe0f)) continue;
  foldedCodes[code] = isEastAsian(code) ? code : foldUnit(code);
}
const WORD = /[\p{L}\p{N}_]/u;
for (let code = 1; code < 65536; code++) {
  if (code >= 0xd800 && code <= 0xdfff) continue;
  if (isEastAsian(code) || WORD.test(String.fromCharCode(code))) wordUnits[code] = 1;
}

/** The folded form of a text, for keywords and for tests. */
export const foldText = (text: string): string => foldStretch(text, 0, text.length, false);

/**
 * The same of a stretch; with `keepsLines` a line's end stays one. Most letters are folded already: whole
 * pieces are taken, not letters.
 */
export function foldStretch(text: string, start: number, end: number, keepsLines: boolean): string {
  let folded = "";
  let from = start;
  for (let i = start; i < end; i++) {
    const unit = text.charCodeAt(i);
    const isLine = keepsLines && (unit === 10 || unit === 13);
    const code = isLine ? 10 : (foldedCodes[unit] as number);
    if (code === unit && code !== FOLD_SKIP) continue;
    if (from < i) folded += text.slice(from, i);
    if (code !== FOLD_SKIP) folded += String.fromCharCode(code);
    from = i + 1;
  }
  const rest = text.slice(from, end);
  return folded === "" ? rest : folded + rest;
}
