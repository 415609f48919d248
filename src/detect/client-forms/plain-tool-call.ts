import { KeyKinds, MARK, SETTLED, TOOL_NAMES, UNKNOWN, VALUE } from "./field-names.ts";
import { type Fields, isFields } from "./fields.ts";
import { looksPrinted } from "./printed-values.ts";

/**
 * Tells a call of a tool that is read as it is, as nearly all are, from one that has to be read for its form,
 * and what marks a failure.
 */
const SETTLED_KEYS =
  "tool_name call_id server method error latency_ms description description_hash input_schema schema_hash annotations tools gen_ai.tool.name gen_ai.tool.call.id documents".split(
    " ",
  );
export const IS_SETTLED: ReadonlySet<string> = new Set(SETTLED_KEYS);
const ARGUMENTS = ["arguments", "gen_ai.tool.call.arguments"];
const RESULTS = ["result", "gen_ai.tool.call.result"];
/** Beside the kinds of names: what a tool gave back. */
const RESULT = 4;
const MARKS =
  "is_error isError tool_call_error success succeeded ok failed status outcome result_status http_status status_code exit_code exitCode exit_status returncode return_code level type jsonrpc".split(
    " ",
  );
const KINDS = new KeyKinds(TOOL_NAMES, [
  [SETTLED, SETTLED_KEYS],
  [VALUE, ARGUMENTS],
  [RESULT, RESULTS],
  [MARK, MARKS],
]);

export function isPlainToolCall(payload: Fields): boolean {
  const { known } = KINDS;
  let isWrapper = false;
  for (const key in payload) {
    const kind = known.get(key) ?? KINDS.kindOf(key);
    if (kind === SETTLED) continue;
    const value = payload[key];
    if (kind === UNKNOWN) {
      isWrapper ||= typeof value === "object" && value !== null;
      continue;
    }
    if (kind === VALUE) {
      if (!isPlainValue(value)) return false;
    } else if (kind === RESULT) {
      if (typeof value === "string" ? isPrintedResult(value) : isFields(value) && isWrapped(value))
        return false;
    } else if (kind === MARK ? tellsFailure(key, value) : value !== null) return false;
  }
  // A call that has no name may stand in what nothing is known of.
  return !isWrapper || payload.tool_name !== undefined || payload["gen_ai.tool.name"] !== undefined;
}

const ENDS_CHARS = 400;

/**
 * JSON in JSON, or a message of a framework: a value that the tool itself printed stays the text that it is.
 */
export function isPrintedResult(text: string): boolean {
  if (!looksPrinted(text)) return false;
  const isTwice = text.charCodeAt(0) === 0x22;
  return isTwice || /tool_call_id/.test(text.slice(0, ENDS_CHARS) + text.slice(-ENDS_CHARS));
}

/** The tools of a server, told without the call that asked for them. */
export function isListing({ tools, method, tool_name: name, result }: Fields): boolean {
  const isAsked = method === undefined || method === "tools/list";
  if (!Array.isArray(tools) || !isAsked || name !== undefined || result !== undefined) return false;
  return tools.some((tool) => isFields(tool) && "name" in tool && "description" in tool);
}

function isPlainValue(value: unknown): boolean {
  if (typeof value === "string") return !looksPrinted(value) || isOnceJson(value);
  if (!isFields(value)) return true;
  for (const key in value) if (ARGUMENT_WRAPPERS.has(key)) return false;
  return true;
}

/** Read where it is needed. */
const isOnceJson = (text: string): boolean =>
  /^\s{0,8}(?:\{\s{0,8}["}]|\[\s{0,8}(?:[{\]\d-]|"(?!\[)))/.test(text) &&
  !/^\s{0,8}\[?\s{0,8}\{\s{0,8}'/.test(text);

/** Frameworks put a value into an object of their own. */
const WRAPPERS = new Set("error output kwargs content blocks lc".split(" "));

const ARGUMENT_WRAPPERS = new Set("input inputs input_str kwargs args".split(" "));

function isWrapped(value: Fields): boolean {
  for (const key in value) if (WRAPPERS.has(key) || tellsExit(key, value[key])) return true;
  return value.type === "error-text" || value.type === "error-json" || value.status === "error";
}

export function tellsFailure(key: string, value: unknown): boolean {
  if (key === "jsonrpc") return value === "2.0";
  if (value === false) return key === "success" || key === "succeeded" || key === "ok";
  if (value === true) return /^(?:tool_call_|is_|has_)?error$|^isError$|^failed$/.test(key);
  if (typeof value === "number")
    return tellsExit(key, value) || (HTTP_STATUS.test(key) && value >= 400 && value < 600);
  return (
    typeof value === "string" && /^(?:error|err|failed|failure|tool-error|tool_usage_error)$/i.test(value)
  );
}

const HTTP_STATUS = /^(?:http_|status_|)(?:status|code)$/;
const EXIT = /^(?:exit_?(?:code|status)|return_?code)$/i;

/** A command ended with a status that says that it did not do well. */
export const tellsExit = (key: string, value: unknown): value is number =>
  typeof value === "number" && value !== 0 && EXIT.test(key);
