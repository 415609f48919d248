import { foldedCodes, invisibleUnits, isEastAsian } from "../scan/char-classes.ts";

/**
 * What a code unit stands for inside a word whose spelling is disguised: the letter that it looks like in
 * another script, the digit or sign written for it, or nothing (a character that cannot be seen, a mark laid
 * over a letter). Wider than the folding of the scan, which every text pays for and which has to keep the
 * letters of other languages apart: it is used where one word mixes kinds.
 */

/** Ends a word. */
export const BREAK = 0;
/**
 * Stands in honest words and counts for nothing: an accent written apart, a soft hyphen, the choice of a
 * glyph's variant.
 */
export const SILENT = 1;
/** Cannot be seen, or strikes a letter out: has no place in a word. */
export const UNSEEN = 2;
/** May be strewn between the letters of a word. */
export const JOINT = 3;
/** The first half of a character outside the basic plane: `astralLetter` says more. */
export const HIGH_HALF = 4;
/** Added to a letter that is no ASCII letter and no accented one. */
export const FOREIGN = 0x80;

/** Digits and signs written for letters. `l` and `i` are told apart by the word that they make. */
const SIGNS: Readonly<Record<string, string>> = {
  "0": "o",
  "1": "i",
  "3": "e",
  "4": "a",
  "5": "s",
  "6": "g",
  "7": "t",
  "8": "b",
  "9": "g",
  "@": "a",
  $: "s",
  "!": "i",
  "+": "t",
  "|": "i",
  "€": "e",
  "£": "l",
  "¢": "c",
  "¡": "i",
  "¥": "y",
  "†": "t",
  "×": "x",
};

/**
 * Letters of other scripts and alphabets by what they look like; capitals beside small ones where the two
 * look different.
 */
const ALIKE: Readonly<Record<string, string>> = {
  a: "аАαΑɑᗅᎪꓮⲀⲁ∀ªдДɐ₳Λλ∆",
  b: "вВβΒьЬъЪБбƄᏴᗷꓐɓƀ฿",
  c: "сСϲϹᏟᏨⅽⅭꓚⲤⲥɔƈ₵ᑕ",
  d: "ԁԀᎠᗞᗪꓓɗđĐժⅾⅮð",
  e: "еЕεΕэЭєЄҽᎬꓰⲈɛǝɘə∑ΣξΞ℮",
  f: "ƒϜᖴꓝꞘꞙẝֆ",
  g: "ɡցԌᏀᏳꓖɢǥƃ₲",
  h: "һҺнНΗհʜɥᏂᎻᕼꓧⲎħ",
  i: "іІιΙӏӀїɩıɪᎥꙇꓲǀⲒ¦ᴉ",
  j: "јЈϳͿʝᒍᎫꓙɾ",
  k: "кКκΚҟҡқᏦꓗⲔʞƙ₭",
  l: "ⅼⅬᏞᒪꓡʟłŁℓ₺",
  m: "мМΜᎷᗰꓟⲘɱɯ₥ⅿⅯ",
  n: "ηΝпПиИйЙπͷᴎꓠⲚɳŋ₦ռղո",
  o: "оОοΟσфФөӨᏅօՕ൦ഠꓳⲞⲟ૦ᴏøØסㅇ○◯",
  p: "рРρΡᏢᑭꓑⲢⲣ₱þÞք",
  q: "ԛԚզգϙႳ",
  r: "гГяЯᎡᏒᖇꓣɹʀɼɾᴦ",
  s: "ѕЅՏᏚᏕꓢʂƨς§ß",
  t: "тТτΤᎢꓔⲦʇŧ₮",
  u: "υцЦՍսᑌꓴʋυμµꞟᴜ⋃∪",
  v: "νѵѴᏙᐯꓦⅴⅤ∨√",
  w: "ԝԜωшШщЩѡѠաᎳᏔꓪʍ₩ɰ",
  x: "хХχΧⅹⅩ᙭ꓫⲬжЖ",
  y: "уУγΥүҮУᎩᎽꓬⲨʏɣчЧʎ¥",
  z: "ΖᏃꓜⲌʐƶᴢζ",
};

const JOINTS = '-._*"`/~·•‧∙・‐‑–';
/** Characters of Hangul and Braille that are as good as nothing, between two letters. */
const BLANK_LETTERS = [0x115f, 0x1160, 0x3164, 0xffa0, 0x2800];
/** Marks over and under letters that spelling asks for, written apart from their letter. */
const isSpellingMark = (code: number): boolean =>
  (code >= 0x300 && code <= 0x304) ||
  (code >= 0x306 && code <= 0x30c) ||
  code === 0x31b ||
  (code >= 0x323 && code <= 0x328);
const isOtherMark = (code: number): boolean =>
  (code >= 0x305 && code <= 0x36f) ||
  (code >= 0x483 && code <= 0x489) ||
  (code >= 0x1ab0 && code <= 0x1aff) ||
  (code >= 0x1dc0 && code <= 0x1dff) ||
  (code >= 0x20d0 && code <= 0x20ff) ||
  (code >= 0xfe20 && code <= 0xfe2f);

const isLetter = (code: number): boolean => code >= 97 && code <= 122;

function codeOf(code: number): number {
  if (code >= 0xd800 && code <= 0xdbff) return HIGH_HALF;
  if ((code >= 0xdc00 && code <= 0xdfff) || isEastAsian(code)) return BREAK;
  if (code === 0xad || isSpellingMark(code) || (code >= 0xfe00 && code <= 0xfe0f)) return SILENT;
  if (invisibleUnits[code] === 1 || isOtherMark(code) || BLANK_LETTERS.includes(code)) return UNSEEN;
  const char = String.fromCharCode(code);
  if (JOINTS.includes(char)) return JOINT;
  const bare = char.normalize("NFKD");
  const folded = foldedCodes[code] as number;
  if (isLetter(folded)) {
    const accented = code < 0x250 || (code >= 0x1e00 && code < 0x1f00);
    return accented ? folded : folded + FOREIGN;
  }
  // "(a)" in one character.
  const enclosed = /^\(([A-Za-z])\)$/.exec(bare)?.[1];
  return enclosed === undefined ? BREAK : enclosed.toLowerCase().charCodeAt(0) + FOREIGN;
}

/** By code unit: one of the marks above, or a lower-case ASCII letter with or without `FOREIGN`. */
export const plainCodes = new Uint8Array(65_536);
for (let code = 1; code < 65_536; code++) plainCodes[code] = codeOf(code);
for (const [letter, signs] of Object.entries(ALIKE))
  for (const sign of signs) plainCodes[sign.charCodeAt(0)] = letter.charCodeAt(0) + FOREIGN;
for (const [sign, letter] of Object.entries(SIGNS))
  plainCodes[sign.charCodeAt(0)] = letter.charCodeAt(0) + FOREIGN;

/** Alphabets outside the basic plane that have no decomposition, from where A stands in their block. */
const BARE_ALPHABETS = [0x1f150, 0x1f170, 0x1f1e6];
const MATHEMATICAL = 0xd835;
const ENCLOSED = 0xd83c;

/**
 * The letter of a mathematical, squared, circled or flag character, given by its two halves; 0 if it is none.
 */
export function astralLetter(high: number, low: number): number {
  // A text may end, or go on with anything, after half a character.
  if ((high !== MATHEMATICAL && high !== ENCLOSED) || !(low >= 0xdc00 && low <= 0xdfff)) return 0;
  const code = 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
  for (const first of BARE_ALPHABETS)
    if (code >= first && code < first + 26) return 97 + code - first + FOREIGN;
  const bare = String.fromCodePoint(code).normalize("NFKD");
  const first = plainCodes[
    (bare.charCodeAt(0) === 40 ? bare.charCodeAt(1) : bare.charCodeAt(0)) || 0
  ] as number;
  return isLetter(first & ~FOREIGN) ? (first & ~FOREIGN) + FOREIGN : 0;
}
