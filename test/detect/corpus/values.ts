/**
 * Numbers and tokens of real formats, made up here: valid check digits, random letters, nobody's. The rules
 * of the check digits are written out once more: values made by the service's own tables could not catch a
 * mistake in them.
 */
const ALPHANUMERIC = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** Letters that look random and are the same at each run. */
export function letters(seed: number, length: number, alphabet: string = ALPHANUMERIC): string {
  let state = (seed * 2_654_435_761 + 97) >>> 0;
  let text = "";
  for (let i = 0; i < length; i++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    text += alphabet[Math.floor((state / 2 ** 32) * alphabet.length)];
  }
  return text;
}

export const hex = (seed: number, length: number): string => letters(seed, length, "0123456789abcdef");
export const upper = (seed: number, length: number): string =>
  letters(seed, length, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567");
export const digits = (seed: number, length: number): string => letters(seed, length, "0123456789");

export const base64 = (text: string): string => Buffer.from(text, "utf8").toString("base64");
export const hexOf = (text: string): string => Buffer.from(text, "utf8").toString("hex");

/** The body and a last digit after Luhn. */
export function luhn(body: string): string {
  let sum = 0;
  [...body].reverse().forEach((digit, place) => {
    const value = Number(digit) * (place % 2 === 0 ? 2 : 1);
    sum += value > 9 ? value - 9 : value;
  });
  return body + String((10 - (sum % 10)) % 10);
}

function remainder(text: string, modulus: number): number {
  let rest = 0;
  for (const digit of text) rest = (rest * 10 + Number(digit)) % modulus;
  return rest;
}

export function iban(country: string, account: string): string {
  const spelled = [...`${account}${country}00`]
    .map((one) => (/[A-Z]/.test(one) ? String(one.charCodeAt(0) - 55) : one))
    .join("");
  return country + String(98 - remainder(spelled, 97)).padStart(2, "0") + account;
}

export const grouped = (text: string, size: number): string =>
  text.replace(new RegExp(`(.{${size}})(?=.)`, "g"), "$1 ");

const weighted = (body: string, weights: readonly number[]): number =>
  [...body].reduce((sum, digit, place) => sum + Number(digit) * (weights[place] ?? 0), 0);

/** Brazil: two check digits. */
export function cpf(body: string): string {
  const first = ((weighted(body, [10, 9, 8, 7, 6, 5, 4, 3, 2]) * 10) % 11) % 10;
  const second = ((weighted(body + first, [11, 10, 9, 8, 7, 6, 5, 4, 3, 2]) * 10) % 11) % 10;
  return body + first + second;
}

/** Spain: a letter by the remainder of 23. */
export const dni = (body: string): string => body + "TRWAGMYFPDXBNJZSQVHLCKE"[remainder(body, 23)];

/** United Kingdom, health service: weights 10 to 2, modulo 11. The body must not lead to the digit 10. */
export function nhs(body: string): string {
  return body + String((11 - (weighted(body, [10, 9, 8, 7, 6, 5, 4, 3, 2]) % 11)) % 11);
}

/** Germany, tax number: ISO 7064, modulo 11, 10. */
export function taxIdGermany(body: string): string {
  let product = 10;
  for (const digit of body) {
    const sum = (Number(digit) + product) % 10 || 10;
    product = (sum * 2) % 11;
  }
  return body + String((11 - product) % 10);
}

/** France, number of the social security: key is 97 less the remainder. */
export const nir = (body: string): string => body + String(97 - remainder(body, 97)).padStart(2, "0");

/** Poland: weights 1, 3, 7, 9. */
export function pesel(body: string): string {
  return body + String((10 - (weighted(body, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3]) % 10)) % 10);
}

const D5 = [
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
const P8 = [
  "0123456789",
  "1576283094",
  "5803796142",
  "8916043527",
  "9453126870",
  "4286573901",
  "2793806415",
  "7046913258",
];

/** India: Verhoeff. */
export function aadhaar(body: string): string {
  for (let check = 0; check < 10; check++) {
    let state = 0;
    [...body, String(check)].reverse().forEach((digit, place) => {
      state = Number(D5[state]?.[Number(P8[place % 8]?.[Number(digit)])]);
    });
    if (state === 0) return body + String(check);
  }
  return body;
}
