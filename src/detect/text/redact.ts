import { createHmac } from "node:crypto";

/**
 * What may leave a text for a detection's excerpt: at most 240 characters, with whatever could be a secret or
 * personal data masked. Masking errs on the side of too much.
 */
export const EXCERPT_MAX = 240;

/** Keys the fingerprint of secrets: it tells two values apart within the service and leads back to neither. */
const FINGERPRINT_KEY = "agent-telemetry-service/secret-fingerprint/v1";

/** 12 hex digits that stand for a secret value. */
export function fingerprint(value: string, key: string = FINGERPRINT_KEY): string {
  return createHmac("sha256", key).update(value).digest("hex").slice(0, 12);
}

const PRIVATE_BLOCK = /-----BEGIN[ A-Z]{0,40}-----[\s\S]{0,400}/g;
const EMAIL = /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}/g;
const URL_LOGIN = /:\/\/[^\s/@]{1,100}@/g;
const ASSIGNED =
  /((?:pass(?:word|wd|wort)?|secret|token|api[_-]?key|authorization|bearer|credential)["'`]?\s{0,3}[:= ]\s{0,3}["'`]?)([^\s"'`,;]{6,200})/gi;
const MIXED_TOKEN = /(?<![\w/])(?=[\w+/=.~-]{0,40}\d)(?=[\w+/=.~-]{0,40}[A-Za-z])[\w+/=.~-]{20,300}/g;
const NUMBER = /\+?\d(?:[ .()-]{0,2}\d){6,30}/g;
const IBAN = /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]){10,32}/gi;

export function maskSensitive(text: string): string {
  return text
    .replace(PRIVATE_BLOCK, "<private-key>")
    .replace(URL_LOGIN, "://<login>@")
    .replace(EMAIL, "<email>")
    .replace(ASSIGNED, "$1<masked>")
    .replace(IBAN, "<account>")
    .replace(MIXED_TOKEN, "<token>")
    .replace(NUMBER, "<number>");
}

/** True inside a surrogate pair: a cut there would leave half a character. */
function splitsPair(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/** The text around a match, masked, on one line. */
export function excerptOf(text: string, start: number, end: number): string {
  const room = Math.max(0, 200 - (end - start));
  let from = Math.max(0, start - Math.floor(room / 3));
  let to = Math.min(text.length, Math.min(end, start + 200) + Math.floor((room * 2) / 3));
  if (splitsPair(text, from)) from++;
  if (splitsPair(text, to)) to--;
  const line = maskSensitive(text.slice(from, to))
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
  if (line.length <= EXCERPT_MAX) return line;
  const cut = splitsPair(line, EXCERPT_MAX - 1) ? EXCERPT_MAX - 2 : EXCERPT_MAX - 1;
  return `${line.slice(0, cut)}…`;
}
