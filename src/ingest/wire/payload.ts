/**
 * From a parsed payload to the JSON text that is stored.
 *
 * PostgreSQL must be able to cast every stored payload to jsonb, and every number must survive exactly. Three
 * things that `JSON.parse` and `JSON.stringify` alone would break are looked for in the raw body, and only a
 * body that shows a sign of one is treated for it:
 * - a number that a double would bend: parsed again with the source text of each number kept
 *   (`JSON.rawJSON`);
 * - U+0000 and lone surrogates, which jsonb refuses: replaced by U+FFFD in the text, and counted;
 * - a number whose exponent PostgreSQL's numeric cannot hold: the event is refused.
 */

declare global {
  // In the ECMAScript proposal "JSON.parse source text access" and in Bun, not yet in TypeScript's library.
  interface JSON {
    parse(
      text: string,
      reviver: (this: unknown, key: string, value: unknown, context: { source?: string }) => unknown,
    ): unknown;
    rawJSON(text: string): object;
    isRawJSON(value: unknown): value is { readonly rawJSON: string };
  }
}

/** Levels of objects and arrays in a payload, the payload itself included. */
export const PAYLOAD_DEPTH_MAX = 64;

/**
 * A number token, outside a string, that is long or has an exponent: what a double may bend. It may match
 * inside a string too; that costs time, not exactness. Anchored to what can stand around a number so that
 * ids, timestamps and hashes in strings hardly ever match.
 */
const SUSPECT_NUMBERS = /[:[,]\s*-?([\d.]{16,}(?:[eE][+-]?\d+)?|[\d.]+[eE][+-]?\d+)(?=\s*[,}\]])/g;
/**
 * An escape for U+0000 or for a surrogate. A surrogate pair written as escapes matches as well: see
 * `cleanText`.
 */
const SUSPECT_ESCAPE = /\\u(?:0000|[dD][89a-fA-F])/;

/** What numeric holds: 131,072 digits before the decimal point and 16,383 after it. */
const NUMERIC_DIGITS_BEFORE_MAX = 131_072;
const NUMERIC_DIGITS_AFTER_MAX = 16_383;

export interface BodySigns {
  readonly suspectNumber: boolean;
  readonly suspectEscape: boolean;
}

export function signsOf(body: string): BodySigns {
  return { suspectNumber: holdsBentNumber(body), suspectEscape: SUSPECT_ESCAPE.test(body) };
}

/**
 * Most long numbers are doubles printed in full, which survive: only one that would come back as another
 * value counts.
 */
function holdsBentNumber(body: string): boolean {
  for (const [, token] of body.matchAll(SUSPECT_NUMBERS)) {
    const printed = String(Number(token));
    if (printed !== token && decimalOf(printed) !== decimalOf(token!)) return true;
  }
  return false;
}

/** Significant digits and exponent of an unsigned number token: equal for tokens of equal value. */
function decimalOf(token: string): string {
  const [mantissa = "", exponent = "0"] = token.toLowerCase().split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  const digits = `${whole}${fraction}`.replace(/^0+/, "");
  const significant = withoutLastZeros(digits);
  if (significant === "") return "0";
  return `${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}

/** Not `/0+$/`, which tries at each zero of a run that is not the last: a number of 100 kB cost 7 s. */
function withoutLastZeros(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === "0") end--;
  return digits.slice(0, end);
}

/**
 * `JSON.parse` that keeps the source of every number which would print differently. Ten times slower: see
 * `signsOf`.
 */
export function parseKeepingNumbers(body: string): unknown {
  return JSON.parse(body, (_key, value: unknown, context: { source?: string }) =>
    typeof value === "number" && context.source !== undefined && String(value) !== context.source
      ? JSON.rawJSON(context.source)
      : value,
  );
}

/** True if `value` nests objects and arrays deeper than `levels`. */
export function isDeeperThan(value: object, levels: number): boolean {
  if (levels === 0) return true;
  if (Array.isArray(value)) {
    for (const item of value) {
      if (typeof item === "object" && item !== null && isDeeperThan(item, levels - 1)) return true;
    }
    return false;
  }
  for (const key in value) {
    const item = (value as Record<string, unknown>)[key];
    if (typeof item === "object" && item !== null && isDeeperThan(item, levels - 1)) return true;
  }
  return false;
}

/**
 * Replaces what PostgreSQL cannot hold by U+FFFD in JSON text made by `JSON.stringify`, where U+0000 and lone
 * surrogates always stand as escapes (a pair never does). An escaped backslash is stepped over, so text that
 * only talks about an escape keeps its letters.
 */
export function cleanText(json: string): { text: string; replaced: number } {
  let replaced = 0;
  const text = json.replace(/\\(?:u(?:0000|d[89a-f][0-9a-f]{2})|.)/g, (sequence) => {
    if (!sequence.startsWith("\\u0000") && !sequence.startsWith("\\ud")) return sequence;
    replaced++;
    return "\ufffd";
  });
  return { text, replaced };
}

/** True if the JSON text holds a number that PostgreSQL's numeric, and so jsonb, refuses. */
export function hasUnstorableNumber(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (JSON.isRawJSON(value)) return !isStorable(value.rawJSON);
  for (const key in value) if (hasUnstorableNumber((value as Record<string, unknown>)[key])) return true;
  return false;
}

function isStorable(source: string): boolean {
  const match = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(source);
  if (match === null) return false;
  const exponent = Number(match[3] ?? 0);
  const before = match[1]!.length + exponent;
  const after = (match[2]?.length ?? 0) - exponent;
  return before <= NUMERIC_DIGITS_BEFORE_MAX && after <= NUMERIC_DIGITS_AFTER_MAX;
}
