import { isFields } from "../../client-forms/fields.ts";
import { parsedJson } from "../json-text.ts";
import type { ToolView } from "./tool-view.ts";

/**
 * The failure that a tool tells as its ordinary result, where the client marks none: an answer of HTTP with a
 * status of 500 and more, fields that say so (`error`, `success: false`), or a text that is nothing but an
 * error or a refusal. What a page or a log says of errors is none; a command's exit code is read with the
 * call.
 */
const ERROR_TEXT_MAX = 2_000;
const KEPT_MAX = 200;
const COLON_MAX = 80;
/** How programs and frameworks begin what they say instead of an answer. */
const ERROR_TEXT =
  /^\s{0,4}(?:error(?: \w{1,20}){0,5}|(?:[a-z_]{1,20}\.){0,4}[A-Za-z]{0,40}(?:Error|Exception)|tool (?:call|execution) failed|traceback \(most recent call last\)):/i;

const REFUSAL_MAX = 300;
const THING = "element|selector|node|button|link|page|file|folder|action|command|tool|function|index|target";
/**
 * How tools say in a sentence of their own that they did nothing of what was asked; "no results" is an
 * answer.
 */
const REFUSAL = new RegExp(
  `^\\W{0,4}(?:failed to|unable to|could ?n[o']t|can(?:not|'t)|invalid|unknown (?:${THING})|no such|(?:no|the|that|this) (?:${THING})\\b[^.!\\n]{0,80}?\\b(?:found|match|exists?)|(?:permission|access) denied|timed? ?out|(?:${THING})\\b[^.!\\n]{0,80}?\\b(?:not found|(?:does|did) ?n[o']t exist|not (?:visible|clickable|interactable|attached|supported|recogni[sz]ed|available|valid)|failed|timed out))\\b`,
  "i",
);
/** The first two letters of each of them: most results begin otherwise. */
const REFUSAL_STARTS = new Set(
  "fa un co ca in no th pe ac ti el se bu li pa fi fo to fu ta".split(" ").map((two) => wordStart(two, 0)),
);
const MARKS_BEFORE = new Set([...'"([❌'].map((mark) => mark.charCodeAt(0)));
const JSON_OF_FAILURE =
  /^\s{0,4}\{\s{0,8}"(?:(?:error|success|ok)"|(?:status|status_?code|http_?status)"\s{0,4}:\s{0,4}5\d\d\b)/i;
/** What a framework says for a tool that raised; the reason follows. */
const RAISED =
  /^\s{0,4}(?:an? (?:\w{1,16} )?(?:error|exception) (?:has )?(?:occurred|happened)|something went wrong)\b/i;

/**
 * Before the first colon stands the end of "error", "exception", "failed" or "last)": asked first, for most
 * results are none of these.
 */
const LAST_LETTERS = new Set([..."rRnNdD)"].map((letter) => letter.charCodeAt(0)));

/** Who asks too much, or may not, got no answer; what was not found is one. */
const REFUSED_STATUSES = new Set([401, 403, 407, 408, 429]);
/** `status` is the name in a browser's own answers, and in most clients of Node. */
const STATUS_FIELDS = ["status_code", "statusCode", "http_status", "status"] as const;

function isErrorText(text: string): boolean {
  if (text.length > ERROR_TEXT_MAX) return false;
  const colon = text.indexOf(":");
  if (colon < 4 || colon > COLON_MAX) return false;
  const isPlain = text.charCodeAt(0) === 0x45 || text.charCodeAt(0) === 0x65;
  return (isPlain || LAST_LETTERS.has(text.charCodeAt(colon - 1))) && ERROR_TEXT.test(text);
}

/** Two letters as one number, whatever their case. */
function wordStart(text: string, at: number): number {
  return ((text.charCodeAt(at) | 0x20) << 8) | (text.charCodeAt(at + 1) | 0x20);
}

function isRefusal(text: string): boolean {
  if (text.length > REFUSAL_MAX || text.length < 2) return false;
  const mayBe = REFUSAL_STARTS.has(wordStart(text, 0)) || MARKS_BEFORE.has(text.charCodeAt(0));
  return mayBe && REFUSAL.test(text);
}

/** What a call's own result tells; several detectors ask it. */
export function failureToldBy(view: Pick<ToolView, "told">, result: unknown): string {
  view.told ??= toldFailure(result);
  return view.told;
}

export function toldFailure(result: unknown): string {
  if (typeof result === "string") {
    if (isErrorText(result) || isRefusal(result) || isRaised(result)) return result.slice(0, KEPT_MAX);
    return result.length <= ERROR_TEXT_MAX && JSON_OF_FAILURE.test(result)
      ? toldInObject(parsedJson(result))
      : "";
  }
  return toldInObject(result);
}

const isRaised = (text: string): boolean => text.length <= ERROR_TEXT_MAX && RAISED.test(text);

function toldInObject(result: unknown): string {
  if (!isFields(result)) return "";
  for (const field of STATUS_FIELDS) {
    const status = result[field];
    if (typeof status === "number" && status >= 500 && status < 600) return `HTTP ${status}`;
  }
  return toldInFields(result);
}

function toldInFields(result: unknown): string {
  if (!isFields(result)) return "";
  const { error, success, ok, message } = result;
  const isTold = success === false || ok === false || error === true;
  const said = isFields(error) ? error.message : error;
  const text = typeof said === "string" && said !== "" ? said : "";
  if (text !== "") return text.slice(0, KEPT_MAX);
  if (!isTold) return "";
  return typeof message === "string" && message !== "" ? message.slice(0, KEPT_MAX) : "error";
}

/** A result whose fields say that it is an error, by HTTP's status or by a word beside a reason. */
export function refusedBy(result: unknown): string {
  if (!isFields(result)) return "";
  for (const field of STATUS_FIELDS) {
    const status = result[field];
    if (typeof status === "number" && REFUSED_STATUSES.has(status)) return `HTTP ${status}`;
  }
  const { status, message, reason, detail } = result;
  const said = message ?? reason ?? detail;
  return status === "error" && typeof said === "string" ? said.slice(0, KEPT_MAX) : "";
}
