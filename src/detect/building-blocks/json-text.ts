/**
 * Values that clients send as JSON text. How long a text may be, and whether it is worth reading, is for the
 * reader to say.
 */

const BEGINS = /^\s{0,8}[[{]/;

/** True of a text that begins as an object or a list does. */
export const looksLikeJson = (text: string): boolean => BEGINS.test(text);

/** Null where a text is no JSON, or is cut off. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
