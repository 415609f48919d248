/**
 * Personal numbers of single countries. Each kind has a shape, a check of its digits where the number has one, and mostly names (`number-names.ts`) one of which must
 * stand beside it: a check digit of one in ten or eleven is no proof by itself. Pure; tried only where a text has enough digits near
 * each other and holds one of the names.
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
      /(?<!\w)(?!BG|GB|NK|KN|TN|NT|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d{2} ?\d{2} ?\d{2} ?[A-D](?!\w)/g,
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
    shape: /(?<![\w-])\d{3}[ -]?\d{3}[ -]?\d{3}(?![\w-])/g,
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
    shape: /(?<![\w-])(?:19|20)?\d{6}[-+]?\d{4}(?![\w-])/g,
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
    shape: /(?<![\w-])9\d{2}-(?:5\d|6[0-5]|7\d|8[0-8]|9[0-24-9])-\d{4}(?![\w-])/g,
    holds: always,
  },
];
