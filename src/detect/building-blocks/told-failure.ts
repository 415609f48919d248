import { isFields } from "../client-forms/fields.ts";

/**
 * The failure that a tool tells as its ordinary result, where the client marks none: an answer of HTTP with a status of 500 and more,
 * or a text that is nothing but an error. What a page or a log says of errors is none; a command's exit code is read with the call.
 */
const ERROR_TEXT_MAX = 2_000;
const KEPT_MAX = 200;
const COLON_MAX = 80;
/** How programs and frameworks begin what they say instead of an answer. */
const ERROR_TEXT =
  /^\s{0,4}(?:error(?: \w{1,20}){0,5}|(?:[a-z_]{1,20}\.){0,4}[A-Za-z]{0,40}(?:Error|Exception)|tool (?:call|execution) failed|traceback \(most recent call last\)):/i;

/** Before the first colon stands the end of "error", "exception", "failed" or "last)": asked first, for most results are none of these. */
const LAST_LETTERS = new Set([..."rRnNdD)"].map((letter) => letter.charCodeAt(0)));

/** `status` is the name in a browser's own answers, and in most clients of Node. */
const STATUS_FIELDS = ["status_code", "statusCode", "http_status", "status"] as const;

function isErrorText(text: string): boolean {
  if (text.length > ERROR_TEXT_MAX) return false;
  const colon = text.indexOf(":");
  if (colon < 4 || colon > COLON_MAX) return false;
  const isPlain = text.charCodeAt(0) === 0x45 || text.charCodeAt(0) === 0x65;
  return (isPlain || LAST_LETTERS.has(text.charCodeAt(colon - 1))) && ERROR_TEXT.test(text);
}

export function toldFailure(result: unknown): string {
  if (typeof result === "string") return isErrorText(result) ? result.slice(0, KEPT_MAX) : "";
  if (!isFields(result)) return "";
  for (const field of STATUS_FIELDS) {
    const status = result[field];
    if (typeof status === "number" && status >= 500 && status < 600) return `HTTP ${status}`;
  }
  return "";
}
