/**
 * What a value of a call says in another spelling: the parameters in the query of an address, percent signs
 * undone, and the text that base64 or hex stands for. Nothing here nests: who encodes twice is not followed.
 */
const QUERY_VALUES_MAX = 12;
const ENCODED_MIN = 16;
const ENCODED_MAX = 1_200;
const TEXT_MAX = 8_192;

const QUERY = /https?:\/\/[^\s"'<>)?#]{4,200}[?#][^\s"'<>)]{5,1000}/i;
const HEX = /^(?:[0-9a-f]{2}){8,600}$/i;
const BASE64 = /^[A-Za-z0-9+/_-]{16,1200}={0,2}$/;
/** Any text of some length has both in base64; most ids, names and paths do not. */
const BOTH_CASES = /[a-z][^A-Z]{0,40}[A-Z]|[A-Z][^a-z]{0,40}[a-z]/;

function unescaped(text: string): string {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The values of the parameters of the first address in a text. */
export function queryValues(text: string): readonly string[] {
  if (!text.includes("://") || !(text.includes("?") || text.includes("#"))) return [];
  const address = QUERY.exec(text.slice(0, TEXT_MAX))?.[0];
  if (address === undefined) return [];
  const values: string[] = [];
  for (const part of address.slice(address.search(/[?#]/) + 1).split(/[&;#]/, QUERY_VALUES_MAX)) {
    const value = unescaped(part.slice(part.indexOf("=") + 1));
    values.push(value);
    const decoded = decodedValue(value);
    if (decoded !== null) values.push(decoded);
  }
  return values;
}

/**
 * The text that the whole value stands for in base64, hex or percent signs; null if it is no encoding of a
 * text.
 */
export function decodedValue(value: string): string | null {
  if (value.length < ENCODED_MIN || value.length > ENCODED_MAX || value.includes(" ")) return null;
  if (value.includes("%")) {
    const text = unescaped(value);
    return text === value ? null : text;
  }
  const form = HEX.test(value) ? "hex" : BOTH_CASES.test(value) && BASE64.test(value) ? "base64" : null;
  if (form === null) return null;
  const text = Buffer.from(value, form).toString("latin1");
  // Words in one case are base64 as well; what they decode to is none.
  return /^[\t\n\r -~]{8,900}$/.test(text) ? text : null;
}
