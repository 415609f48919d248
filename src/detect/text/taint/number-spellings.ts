/**
 * Numbers of accounts, cards and phones are written with spaces, hyphens, stops and brackets or without: the
 * same number in two spellings is one value.
 */
const DIGITS_MIN = 7;
const LENGTH_MAX = 48;
const SEPARATORS = /[ ./()+-]/g;
const BETWEEN = "[ ./()+-]{0,3}";

/** The letters and digits of a value that is mostly a number, in lower case; null for any other. */
export function bareNumber(value: string): string | null {
  if (value.length < DIGITS_MIN || value.length > LENGTH_MAX || !/^[a-z]{0,4}[\d(+]/.test(value)) return null;
  const bare = value.replace(SEPARATORS, "");
  if (!/^[a-z0-9]{7,40}$/.test(bare)) return null;
  const digits = bare.replace(/[a-z]/g, "").length;
  return digits >= DIGITS_MIN && digits * 3 >= bare.length * 2 ? bare : null;
}

/** How a text spells the number, "" if it does not hold it. Both are comparable forms. */
export function spellingIn(text: string, bare: string): string {
  const pattern = new RegExp(`(?<![a-z0-9])${[...bare].join(BETWEEN)}(?![a-z0-9])`);
  return pattern.exec(text)?.[0] ?? "";
}
