/**
 * RFC 4648's base32, in lower case: no letter that is mistaken for another, safe in a URL and in a double
 * click.
 */
const alphabet = "abcdefghijklmnopqrstuvwxyz234567";

/** `length` characters with 5 random bits each. */
export function randomBase32(length: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(length));
  let text = "";
  for (const byte of bytes) text += alphabet[byte & 31];
  return text;
}
