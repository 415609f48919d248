/**
 * Personal numbers of single countries. Each kind has a shape, a check of its digits where the number has
 * one, and mostly names (`number-names.ts`) one of which must stand beside it: a check digit of one in ten or
 * eleven is no proof by itself. Pure; tried only where a text has enough digits near each other and holds one
 * of the names.
 */
export interface NationalNumber {
  readonly kind: string;
  readonly shape: RegExp;
  /** Digits of the shape that are near each other, as `TextScan.numberDigits` counts them. */
  readonly digits: number;
  readonly holds: (bare: string) => boolean;
}

const digit = (text: string, at: number): number => text.charCodeAt(at) - 48;

function weighted(text: string, weights: readonly number[]): number {
  let sum = 0;
  for (let i = 0; i < weights.length; i++) sum += digit(text, i) * (weights[i] as number);
  return sum;
}

function remainder(text: string, modulus: number): number {
  let rest = 0;
  for (let i = 0; i < text.length; i++) rest = (rest * 10 + digit(text, i)) % modulus;
  return rest;
}

function luhn(text: string): boolean {
  let sum = 0;
  for (let i = 0; i < text.length; i++) {
    const value = digit(text, text.length - 1 - i) * (i % 2 === 1 ? 2 : 1);
    sum += value > 9 ? value - 9 : value;
  }
  return sum % 10 === 0;
}

const isPlainRun = (text: string): boolean => new Set(text).size === 1;

/** ISO 7064, modulo 11, 10. */
function germanTaxId(text: string): boolean {
  let product = 10;
  for (let i = 0; i < 10; i++) {
    const sum = (digit(text, i) + product) % 10 || 10;
    product = (sum * 2) % 11;
  }
  return digit(text, 0) !== 0 && (11 - product) % 10 === digit(text, 10);
}

function healthService(text: string): boolean {
  const check = (11 - (weighted(text, [10, 9, 8, 7, 6, 5, 4, 3, 2]) % 11)) % 11;
  return check !== 10 && check === digit(text, 9);
}

function spanish(text: string): boolean {
  const upper = text.toUpperCase();
  const body = upper.slice(0, -1).replace(/^[XYZ]/, (letter) => String("XYZ".indexOf(letter)));
  return "TRWAGMYFPDXBNJZSQVHLCKE"[remainder(body, 23)] === upper.at(-1);
}

function brazilian(text: string): boolean {
  const first = ((weighted(text, [10, 9, 8, 7, 6, 5, 4, 3, 2]) * 10) % 11) % 10;
  const second = ((weighted(text, [11, 10, 9, 8, 7, 6, 5, 4, 3, 2]) * 10) % 11) % 10;
  return !isPlainRun(text) && first === digit(text, 9) && second === digit(text, 10);
}

function french(text: string): boolean {
  const upper = text.toUpperCase();
  const body = upper.slice(0, 13).replace("2A", "19").replace("2B", "18");
  return 97 - remainder(body, 97) === Number(upper.slice(13));
}

function polish(text: string): boolean {
  return (10 - (weighted(text, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3]) % 10)) % 10 === digit(text, 10);
}

const PRODUCT = [
  "0123456789",
  "1234067895",
  "2340178956",
  "3401289567",
  "4012395678",
  "5987604321",
  "6598710432",
  "7659821043",
  "8765932104",
  "9876543210",
];
const PERMUTED = [
  "0123456789",
  "1576283094",
  "5803796142",
  "8916043527",
  "9453126870",
  "4286573901",
  "2793806415",
  "7046913258",
];

/** Verhoeff. */
function indian(text: string): boolean {
  let state = 0;
  for (let i = 0; i < text.length; i++) {
    const place = PERMUTED[i % 8] as string;
    state = digit(PRODUCT[state] as string, digit(place, digit(text, text.length - 1 - i)));
  }
  return state === 0 && digit(text, 0) > 1;
}

const dutch = (text: string): boolean =>
  (weighted(text, [9, 8, 7, 6, 5, 4, 3, 2]) - digit(text, 8)) % 11 === 0 && !isPlainRun(text);

const swiss = (text: string): boolean =>
  (10 - (weighted(text, [1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3]) % 10)) % 10 === digit(text, 12);

const australian = (text: string): boolean =>
  weighted(text, [1, 4, 3, 7, 5, 8, 6, 9, 10]) % 11 === 0 && !isPlainRun(text);

const ODD = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23];

function italian(text: string): boolean {
  const upper = text.toUpperCase();
  let sum = 0;
  for (let i = 0; i < 15; i++) {
    const unit = upper.charCodeAt(i);
    const value = unit < 65 ? unit - 48 : unit - 65;
    sum += i % 2 === 0 ? (ODD[value] as number) : value;
  }
  return (sum % 26) + 65 === upper.charCodeAt(15);
}

/** Turkey: the tenth digit from the odd and the even places, the last from all before it. */
function turkish(text: string): boolean {
  if (digit(text, 0) === 0) return false;
  const tenth = (weighted(text, [7, -1, 7, -1, 7, -1, 7, -1, 7]) + 70) % 10;
  return tenth === digit(text, 9) && weighted(text, [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]) % 10 === digit(text, 10);
}

/** Day and month at two places of a number. */
function isDate(text: string, month: number, day: number): boolean {
  const m = Number(text.slice(month, month + 2));
  const d = Number(text.slice(day, day + 2));
  return m >= 1 && m <= 12 && d >= 1 && d <= 31;
}

const FINNISH = "0123456789ABCDEFHJKLMNPRSTUVWXY";

function finnish(text: string): boolean {
  const upper = text.toUpperCase();
  const digits = upper.slice(0, 6) + upper.slice(-4, -1);
  return isDate(digits, 2, 0) && FINNISH[remainder(digits, 31)] === upper.at(-1);
}

/** Of who has no number yet 40 is added to the day. */
function norwegian(text: string): boolean {
  if (!isDate(`${Number(text.slice(0, 2)) % 40}`.padStart(2, "0") + text.slice(2), 2, 0)) return false;
  const first = (11 - (weighted(text, [3, 7, 6, 1, 8, 9, 4, 5, 2]) % 11)) % 11;
  const second = (11 - (weighted(text, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11)) % 11;
  return first === digit(text, 9) && second === digit(text, 10);
}

function chinese(text: string): boolean {
  const sum = weighted(text, [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]);
  return isDate(text, 10, 12) && "10X98765432"[sum % 11] === text.at(-1)?.toUpperCase();
}

/** Of who was born since 2000 a 2 is put before. */
function belgian(text: string): boolean {
  const body = text.slice(0, 9);
  const check = Number(text.slice(9));
  return 97 - remainder(body, 97) === check || 97 - remainder(`2${body}`, 97) === check;
}

function singaporean(text: string): boolean {
  const upper = text.toUpperCase();
  const first = upper[0] as string;
  const offset = first === "T" || first === "G" ? 4 : first === "M" ? 3 : 0;
  const rest = (weighted(upper.slice(1), [2, 7, 6, 5, 4, 3, 2]) + offset) % 11;
  const letters =
    first === "S" || first === "T" ? "JZIHGFEDCBA" : first === "M" ? "XWUTRQPNJLK" : "XWUTRQPNMLK";
  return (first === "M" ? letters[10 - rest] : letters[rest]) === upper.at(-1);
}

const CURP = "0123456789ABCDEFGHIJKLMN\u00d1OPQRSTUVWXYZ";

function mexican(text: string): boolean {
  const upper = text.toUpperCase();
  let sum = 0;
  for (let i = 0; i < 17; i++) sum += CURP.indexOf(upper[i] as string) * (18 - i);
  return isDate(upper, 6, 8) && (10 - (sum % 10)) % 10 === digit(upper, 17);
}

const always = (): boolean => true;

export const NATIONAL_NUMBERS: readonly NationalNumber[] = [
  {
    kind: "tax-id-de",
    digits: 11,
    shape: /(?<![\w-])\d{2} ?\d{3} ?\d{3} ?\d{3}(?![\w-])/g,
    holds: germanTaxId,
  },
  {
    kind: "health-number-gb",
    digits: 10,
    shape: /(?<![\w-])\d{3}[ -]?\d{3}[ -]?\d{3}[ -]?\d(?![\w-])/g,
    holds: healthService,
  },
  {
    kind: "national-insurance-gb",
    digits: 6,
    shape:
      /(?<!\w)(?!BG|GB|NK|KN|TN|NT|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d{2} ?\d{2} ?\d{2} ?[A-D](?!\w)/gi,
    holds: always,
  },
  {
    kind: "identity-number-es",
    digits: 7,
    shape: /(?<!\w)(?:\d{8}|[XYZ]-?\d{7})-?[A-Z](?!\w)/gi,
    holds: spanish,
  },
  {
    kind: "cpf-br",
    digits: 11,
    shape: /(?<![\w.-])\d{3}\.?\d{3}\.?\d{3}-?\d{2}(?![\w-])/g,
    holds: brazilian,
  },
  {
    kind: "social-security-fr",
    digits: 8,
    shape: /(?<!\w)[12] ?\d{2} ?\d{2} ?(?:\d{2}|2[AB]) ?\d{3} ?\d{3} ?\d{2}(?!\w)/gi,
    holds: french,
  },
  { kind: "pesel-pl", digits: 11, shape: /(?<!\w)\d{11}(?!\w)/g, holds: polish },
  {
    kind: "aadhaar-in",
    digits: 12,
    shape: /(?<![\w-])\d{4}[ -]?\d{4}[ -]?\d{4}(?![\w-])/g,
    holds: indian,
  },
  {
    kind: "social-insurance-ca",
    digits: 9,
    // None begins with 0 or 8.
    shape: /(?<![\w-])[1-79]\d{2}[ -]?\d{3}[ -]?\d{3}(?![\w-])/g,
    holds: luhn,
  },
  {
    kind: "fiscal-code-it",
    digits: 7,
    shape: /(?<!\w)[A-Z]{6}\d{2}[A-EHLMPRST]\d{2}[A-Z]\d{3}[A-Z](?!\w)/g,
    holds: italian,
  },
  {
    kind: "citizen-number-nl",
    digits: 9,
    shape: /(?<!\w)\d{4}[. ]?\d{2}[. ]?\d{3}(?!\w)/g,
    holds: dutch,
  },
  {
    kind: "personal-number-se",
    digits: 10,
    shape: /(?<![\w-])(?:18|19|20)?\d{6}[-+]?\d{4}(?![\w-])/g,
    holds: (bare) => luhn(bare.slice(-10)),
  },
  {
    kind: "social-security-ch",
    digits: 13,
    shape: /(?<![\w.])756\.\d{4}\.\d{4}\.\d{2}(?!\w)/g,
    holds: swiss,
  },
  {
    kind: "tax-file-number-au",
    digits: 9,
    shape: /(?<![\w-])\d{3} ?\d{3} ?\d{3}(?![\w-])/g,
    holds: australian,
  },
  {
    kind: "taxpayer-number-us",
    digits: 9,
    shape: /(?<![\w-])9\d{2}([ -]?)(?:5\d|6[0-5]|7\d|8[0-8]|9[0-24-9])\1\d{4}(?![\w-])/g,
    holds: always,
  },
  {
    kind: "identity-number-tr",
    digits: 11,
    shape: /(?<![\w-])[1-9]\d{10}(?![\w-])/g,
    holds: turkish,
  },
  {
    kind: "identity-number-za",
    digits: 13,
    shape: /(?<![\w-])\d{6} ?\d{4} ?[012]\d{2}(?![\w-])/g,
    holds: (bare) => isDate(bare, 2, 4) && luhn(bare),
  },
  {
    kind: "identity-code-fi",
    digits: 9,
    shape: /(?<![\w-])\d{6}[-+A-FU-Y]\d{3}[0-9A-Y](?![\w-])/gi,
    holds: finnish,
  },
  {
    kind: "registration-number-kr",
    digits: 13,
    shape: /(?<![\w-])\d{6}-?[1-8]\d{6}(?![\w-])/g,
    holds: (bare) => isDate(bare, 2, 4),
  },
  {
    kind: "birth-number-no",
    digits: 11,
    shape: /(?<![\w-])\d{6} ?\d{5}(?![\w-])/g,
    holds: norwegian,
  },
  {
    kind: "identity-number-cn",
    digits: 17,
    shape: /(?<!\w)[1-9]\d{5}(?:19|20)\d{9}[\dX](?!\w)/gi,
    holds: chinese,
  },
  {
    kind: "national-number-be",
    digits: 11,
    shape: /(?<![\w.-])\d{2}\.?\d{2}\.?\d{2}[ -]?\d{3}[. ]?\d{2}(?![\w-])/g,
    holds: belgian,
  },
  {
    kind: "identity-number-sg",
    digits: 7,
    shape: /(?<!\w)[STFGM]\d{7}[A-Z](?!\w)/gi,
    holds: singaporean,
  },
  {
    kind: "population-code-mx",
    digits: 6,
    shape: /(?<!\w)[A-Z][AEIOUX][A-Z]{2}\d{6}[HMX][A-Z]{5}[0-9A-Z]\d(?!\w)/gi,
    holds: mexican,
  },
];
