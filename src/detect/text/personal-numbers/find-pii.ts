import type { TextScan } from "../scan/scan-text.ts";
import { NATIONAL_NUMBERS, type NationalNumber } from "./national-numbers.ts";
import { type NumberName, numberNames } from "./number-names.ts";

/**
 * Personal numbers that can be checked: payment cards (issuer prefix, length, Luhn), IBANs (country length,
 * mod 97), US social security numbers (ranges, and words that say so), numbers of other countries beside
 * their name (`national-numbers.ts`). Names, addresses and bare phone numbers cannot be checked and are left
 * out; mail addresses are only counted.
 */
export type PiiKind = "card" | "iban" | "ssn" | "email" | (string & {});

export interface PiiFinding {
  readonly kind: PiiKind;
  readonly start: number;
  readonly end: number;
}

const FINDINGS_MAX = 64;
/**
 * In one run or in the groups that cards have, with the same mark between them. A number of another grouping
 * is two columns of a table, and so is one with a further number beside it; behind a card the month may stand
 * until which it is good.
 */
const CARD =
  /(?<![\w.,-]|\d[ -])(?:\d{12,19}|\d{4}([ -])(?:\d{4}\1\d{4}\1\d{4}(?:\1\d{3})?|\d{6}\1\d{4,5}))(?![\w-]|[.,]\d|[ -]\d(?!\d?\/\d\d))/g;
/** What may be the last group of 19 digits, or the check number behind sixteen. */
const LAST_GROUP = /[ -]\d{3}$/;
const IBAN = /(?<![A-Za-z0-9])[A-Z]{2}[ -]?\d{2}(?=[ .-]?[A-Z0-9])/g;
/** As a file has it, without marks: only straight behind its name. */
const PLAIN_SSN =
  /(?<=(?:\bssn\b|social security)[^\d\n]{0,20})(?<!\w)(?!000|666|9\d\d)\d{3}(?!00)\d{2}(?!0000)\d{4}(?![\w-])/gi;
/** Of a card that lay in wallets on sale; it opens nothing, and manuals name it. */
const PRINTED_SSN = "078051120";
const SSN = /(?<![\w-])(?!000|666|9\d\d)\d{3}([- ])(?!00)\d{2}\1(?!0000)\d{4}(?![\w-])/g;
const EMAIL = /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}/g;

export function luhnHolds(digits: string): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    let digit = digits.charCodeAt(digits.length - 1 - i) - 48;
    if (i % 2 === 1) {
      digit *= 2;
      if (digit > 9) digit -= 9;
    }
    sum += digit;
  }
  return sum % 10 === 0;
}

/** Issuer prefixes and the lengths that they use. */
function isCardShape(digits: string): boolean {
  const { length } = digits;
  const two = Number(digits.slice(0, 2));
  const four = Number(digits.slice(0, 4));
  const three = Number(digits.slice(0, 3));
  if (digits.startsWith("4")) return length === 13 || length === 16 || length === 19;
  if ((two >= 51 && two <= 55) || (four >= 2221 && four <= 2720)) return length === 16;
  if (two === 34 || two === 37) return length === 15;
  if (digits.startsWith("6011") || two === 65 || (three >= 644 && three <= 649))
    return length === 16 || length === 19;
  if (four >= 3528 && four <= 3589) return length === 16 || length === 19;
  if (four === 2131 || four === 1800) return length === 15;
  if ((three >= 300 && three <= 305) || two === 36 || two === 38 || two === 39) return length === 14;
  if (two === 62 || (four >= 8100 && four <= 8171)) return length >= 16 && length <= 19;
  if (two === 50 || (two >= 56 && two <= 58) || two === 67 || two === 63) return length >= 12 && length <= 19;
  return false;
}

/** The card in what stands in its groups, or an empty text. */
function cardIn(written: string): string {
  for (const card of new Set([written, written.replace(LAST_GROUP, "")])) {
    const bare = card.replace(/[ -]/g, "");
    if (isCardShape(bare) && !isPlainRun(bare) && luhnHolds(bare)) return card;
  }
  return "";
}

/** Runs such as 1111111111111111 pass Luhn and are nobody's. */
function isPlainRun(digits: string): boolean {
  return new Set(digits).size === 1;
}

/**
 * Of the registry of ISO 13616, release 102; Morocco and others that print such numbers have not registered
 * theirs.
 */
const IBAN_LENGTHS: Readonly<Record<string, number>> = {
  AD: 24,
  AE: 23,
  AL: 28,
  AT: 20,
  AZ: 28,
  BA: 20,
  BE: 16,
  BG: 22,
  BH: 22,
  BI: 27,
  BR: 29,
  BY: 28,
  CH: 21,
  CR: 22,
  CY: 28,
  CZ: 24,
  DE: 22,
  DJ: 27,
  DK: 18,
  DO: 28,
  EE: 20,
  EG: 29,
  ES: 24,
  FI: 18,
  FK: 18,
  FO: 18,
  FR: 27,
  GB: 22,
  GE: 22,
  GI: 23,
  GL: 18,
  GR: 27,
  GT: 28,
  HN: 28,
  HR: 21,
  HU: 28,
  IE: 22,
  IL: 23,
  IQ: 23,
  IS: 26,
  IT: 27,
  JO: 30,
  KW: 30,
  KZ: 20,
  LB: 28,
  LC: 32,
  LI: 21,
  LT: 20,
  LU: 20,
  LV: 21,
  LY: 25,
  MC: 27,
  MD: 24,
  ME: 22,
  MK: 19,
  MN: 20,
  MR: 27,
  MT: 31,
  MU: 30,
  NI: 28,
  NL: 18,
  NO: 15,
  OM: 23,
  PK: 24,
  PL: 28,
  PS: 29,
  PT: 25,
  QA: 29,
  RO: 24,
  RS: 22,
  RU: 33,
  SA: 24,
  SC: 31,
  SD: 18,
  SE: 24,
  SI: 19,
  SK: 24,
  SM: 27,
  SO: 23,
  ST: 25,
  SV: 28,
  TL: 23,
  TN: 24,
  TR: 26,
  UA: 29,
  VA: 22,
  VG: 24,
  XK: 20,
  YE: 30,
};

export function ibanHolds(iban: string): boolean {
  if (IBAN_LENGTHS[iban.slice(0, 2)] !== iban.length) return false;
  let rest = 0;
  const turned = iban.slice(4) + iban.slice(0, 4);
  for (let i = 0; i < turned.length; i++) {
    const unit = turned.charCodeAt(i);
    rest = unit <= 57 ? (rest * 10 + unit - 48) % 97 : (rest * 100 + unit - 55) % 97;
  }
  return rest === 1;
}

/**
 * Where the IBAN that begins there ends, whatever stands between its groups: -1 if it is none. Its country
 * says how long it is.
 */
function ibanEnd(text: string, start: number): number {
  const length = IBAN_LENGTHS[text.slice(start, start + 2)];
  if (length === undefined) return -1;
  let bare = "";
  let at = start;
  let separators = 0;
  while (bare.length < length) {
    const unit = text.charCodeAt(at);
    if ((unit >= 48 && unit <= 57) || (unit >= 65 && unit <= 90)) {
      bare += text[at];
      separators = 0;
    } else if ((unit !== 32 && unit !== 45 && unit !== 46) || ++separators > 1) return -1;
    at++;
  }
  return !/^[A-Za-z0-9]/.test(text.slice(at, at + 1)) && ibanHolds(bare) ? at : -1;
}

const SSN_NAME = numberNames.get("ssn") as NumberName;
const NOT_A_CARD =
  /(?:order|tracking|invoice|(?<!pa)id|isbn|ean|imei|timestamp|phone|tel|fax|account|ref|transaction)[\w .]{0,8}["']?[ :=#]{0,3}\+?$|\+$/i;
/**
 * The field of an object whose text it is, alone or in a list. The account of a card has the card's number.
 */
const OTHER_FIELD =
  /(?:order|tracking|invoice|id|isbn|ean|imei|timestamp|phone|tel|fax|ref|transaction)\w{0,8}\\?["']? ?: ?(?:\[\s{0,32})?(?:\\?["'])?\+?$/i;
/** Numbers that stand before it in the same list. */
const IN_LIST = /(?<=\[\s{0,32})(?:\\?["']?\+?\d[\d -]{0,31}\\?["']?,\s{0,32}){1,8}(?=\\?["']?$)/;
const CARD_WORD = /(?<![a-z])(?:credit|debit)?(?:card|cc|pan)(?![a-z])/i;
/** A segment of an address's path is the number of a page, a post or an order. */
const IN_PATH = /(?:https?:\/\/|www\.)[^\s?#"'<>]{1,200}\/$/i;
/** Groups of four of a table in hex: those beside it have letters too. */
const HEX_BEFORE = /(?=[\dA-F]{0,3}[A-F])[\dA-F]{4}[ -]$/;
const HEX_BEHIND = /^[ -](?=[\dA-F]{0,3}[A-F])[\dA-F]{4}(?!\w)/;
/** The numbers that payment services give for trials are low on digits, and the text says what they are. */
const TRIAL_WORD = /\btest(?:ing|s)?\b|\bsandbox\b|\bdummy\b|\bexample card|testkarte/i;
const TRIAL_DIGITS_MAX = 4;

function isForTrials(text: string, start: number, end: number, bare: string): boolean {
  if (new Set(bare).size > TRIAL_DIGITS_MAX) return false;
  return TRIAL_WORD.test(`${text.slice(Math.max(0, start - 60), start)} ${text.slice(end, end + 60)}`);
}

/** An account that asks the public for money is published on purpose. */
const PUBLIC_ACCOUNT =
  /spende|donat|donaci|donazion|doa\u00e7\u00e3o|faire un don|fundrais|charit|stiftung|foundation|\be\. ?V\./i;

function isPublished(text: string, start: number, end: number): boolean {
  return PUBLIC_ACCOUNT.test(`${text.slice(Math.max(0, start - 240), start)} ${text.slice(end, end + 80)}`);
}

/** Digits of the shortest card, social security number and IBAN. */
const CARD_DIGITS = 12;
const SSN_DIGITS = 9;
const IBAN_DIGITS = 6;

/**
 * Numbers of one kind with their check, within 60 characters after their name or 30 before; without a name,
 * shape and check are enough.
 */
function nationalNumbers(
  text: string,
  { shape, holds }: NationalNumber,
  name: NumberName | undefined,
): RegExpMatchArray[] {
  if (name !== undefined && !name.pattern.test(text)) return [];
  return [...text.matchAll(shape)].filter((match) => {
    const start = match.index ?? 0;
    const end = start + match[0].length;
    const beside = `${text.slice(Math.max(0, start - 60), start)} ${text.slice(end, end + 30)}`;
    return (name === undefined || name.pattern.test(beside)) && holds(match[0].replace(/[ .+-]/g, ""));
  });
}

/** What the scan knows says which kinds there is any use looking for. */
export function findPii(scan: TextScan, emails = false): readonly PiiFinding[] {
  const { text, digits, numberDigits, namesNumbers } = scan;
  const found: PiiFinding[] = [];
  const add = (kind: PiiKind, match: RegExpMatchArray, length: number): void => {
    const start = match.index ?? 0;
    if (found.length < FINDINGS_MAX) found.push({ kind, start, end: start + length });
  };
  if (numberDigits >= CARD_DIGITS) {
    for (const match of text.matchAll(CARD)) {
      const card = cardIn(match[0]);
      if (card === "") continue;
      const start = match.index;
      const end = start + card.length;
      if (isForTrials(text, start, end, card.replace(/[ -]/g, ""))) continue;
      const before = text
        .slice(Math.max(0, start - 320), start)
        .replace(IN_LIST, "")
        .slice(-24);
      if (HEX_BEFORE.test(before) || HEX_BEHIND.test(text.slice(end, end + 6))) continue;
      const isNamed = NOT_A_CARD.test(before) || OTHER_FIELD.test(before);
      const isOther = isNamed || IN_PATH.test(text.slice(Math.max(0, start - 220), start));
      if (!isOther || CARD_WORD.test(before)) add("card", match, card.length);
    }
  }
  if (digits >= IBAN_DIGITS) {
    for (const match of text.matchAll(IBAN)) {
      const start = match.index;
      const end = ibanEnd(text, start);
      if (end > 0 && !isPublished(text, start, end)) add("iban", match, end - start);
    }
  }
  if (numberDigits >= SSN_DIGITS && (namesNumbers & SSN_NAME.bit) !== 0 && SSN_NAME.pattern.test(text)) {
    for (const match of text.matchAll(SSN)) {
      const start = match.index ?? 0;
      const beside = text.slice(Math.max(0, start - 60), start + 30);
      if (SSN_NAME.pattern.test(beside)) add("ssn", match, match[0].length);
    }
    for (const match of text.matchAll(PLAIN_SSN)) {
      if (!isPlainRun(match[0]) && match[0] !== PRINTED_SSN) add("ssn", match, match[0].length);
    }
  }
  for (const number of NATIONAL_NUMBERS) {
    const name = numberNames.get(number.kind);
    if (numberDigits < number.digits || (name !== undefined && (namesNumbers & name.bit) === 0)) continue;
    for (const match of nationalNumbers(text, number, name)) add(number.kind, match, match[0].length);
  }
  if (emails && text.includes("@"))
    for (const match of text.matchAll(EMAIL)) add("email", match, match[0].length);
  return found;
}
