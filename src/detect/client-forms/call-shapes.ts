import { type Fields, isFields, lowered } from "./fields.ts";
import { looksPrinted, printedValue } from "./printed-values.ts";
import { speechNamed, wordsOf } from "./speakers.ts";

/**
 * What is a call of a tool, and what came back from it, by the fields that stand side by side:
 *
 *   a name and what was given           → a call, also where wrappers hold it: `{toolCall: {value: {name, arguments}}}`
 *   an id or a name and what came back  → its result, out of `{status, value}` and the like
 *   all three                           → both
 *
 * Bounded in depth and fields.
 */
export interface CallPart {
  readonly type: "tool_use";
  readonly id: unknown;
  readonly name: unknown;
  readonly input: unknown;
}

const WRAPPERS_MAX = 3;
const KEYS_MAX = 40;
const GIVEN = new Set(
  "argument arguments arg args input inputs param params parameter parameters kwargs".split(" "),
);
const BACK = new Set(
  "result results output outputs response responses return returns observation observations".split(" "),
);
/** Words that may stand beside one of those; any other makes it the name of something else. */
const BESIDE = new Set(
  "tool function call raw state span action ai json str string as value data text content body final mcp".split(
    " ",
  ),
);
const FAILED = /^(?:error|err|failed|failure|rejected|cancell?ed|timed?_?out)$/i;

const nameWords = new Map<string, "given" | "back" | null>();
const NAMES_MAX = 2_000;

/** Whether a field of this name holds what a tool was given or what it gave back; null: neither. */
export function sideOfTool(key: string): "given" | "back" | null {
  if (key.length > 60) return null;
  const before = nameWords.get(key);
  if (before !== undefined) return before;
  const words = wordsOf(key).filter((word) => !BESIDE.has(word));
  const [word, second] = words;
  const side =
    word === undefined || second !== undefined
      ? null
      : GIVEN.has(word)
        ? "given"
        : BACK.has(word)
          ? "back"
          : null;
  if (nameWords.size >= NAMES_MAX) nameWords.clear();
  nameWords.set(key, side);
  return side;
}

/** What the first field on that side holds. */
function valueOn(fields: Fields, side: "given" | "back"): unknown {
  let looked = 0;
  for (const key in fields) {
    if (looked++ > KEYS_MAX) return undefined;
    if (sideOfTool(key) === side && (fields[key] ?? null) !== null) return fields[key];
  }
  return undefined;
}

export function nameOf(part: Fields): unknown {
  const {
    name,
    toolName,
    tool_name,
    functionName,
    function_name,
    tool,
    function: called,
    recipient_name,
  } = part;
  const named = function_name ?? name ?? toolName ?? tool_name ?? functionName;
  return named ?? [tool, called, recipient_name].find((one) => typeof one === "string");
}

export function idOf(part: Fields): unknown {
  const { callId, call_id, callID, toolCallId, tool_call_id, toolUseId, tool_use_id, invocationId } = part;
  const { id, ref, request_id } = part;
  const named = callId ?? call_id ?? callID ?? toolCallId ?? tool_call_id ?? toolUseId ?? tool_use_id;
  return named ?? invocationId ?? id ?? ref ?? request_id;
}

/** True if the part says of which call it is. */
export function hasCallId(part: Fields): boolean {
  const { callId, call_id, callID, toolCallId, tool_call_id, toolUseId, tool_use_id, invocationId } = part;
  const named = callId ?? call_id ?? callID ?? toolCallId ?? tool_call_id ?? toolUseId ?? tool_use_id;
  return (named ?? invocationId) !== undefined;
}

export function givenIn(fields: Fields): unknown {
  const { arguments: named, args, input, parameters, kwargs, action, state_input: state } = fields;
  const known = named ?? args ?? input ?? parameters ?? kwargs ?? state;
  return (
    known ?? valueOn(fields, "given") ?? (isFields(action) || typeof action === "string" ? action : undefined)
  );
}

export function backIn(fields: Fields): unknown {
  const { result, output, outputs, content, response } = fields;
  return result ?? output ?? outputs ?? content ?? response ?? valueOn(fields, "back");
}

/**
 * The object in which the call stands by its name and what was given: the value itself, or one that it wraps;
 * with the id of any of them.
 */
export function callHolder(value: unknown, seen = { keys: 0 }, depth = 0): Fields | null {
  if (!isFields(value) || depth > WRAPPERS_MAX) return null;
  const fields = lowered(value);
  if (typeof nameOf(fields) === "string" && givenIn(fields) !== undefined) return fields;
  for (const key in fields) {
    if (seen.keys++ > KEYS_MAX) return null;
    const inner = fields[key];
    if (typeof inner !== "object" || sideOfTool(key) === "back") continue;
    const holder = callHolder(inner, seen, depth + 1);
    if (holder === null) continue;
    const id = hasCallId(holder) ? undefined : idOf(fields);
    return id === undefined ? holder : { ...holder, id };
  }
  return null;
}

function unprintedArguments(given: unknown): unknown {
  if (typeof given !== "string" || !looksPrinted(given)) return given;
  return printedValue(given) ?? given;
}

/** A call as each framework has it, with the arguments as a value where they were printed. */
export function plainCall(call: Fields): CallPart {
  const outer = lowered(call);
  const holder = callHolder(outer) ?? outer;
  const given = unprintedArguments(givenIn(holder) ?? textOf(outer) ?? {});
  // The words of a call's turn may be the whole call.
  const told = nameOf(holder) === undefined ? callHolder(given) : null;
  return {
    type: "tool_use",
    id: idOf(holder) ?? idOf(outer),
    name: nameOf(told ?? holder) ?? nameOf(outer) ?? outer.title,
    input: told === null ? given : unprintedArguments(givenIn(told)),
  };
}

const textOf = ({ text, value, message, content }: Fields): unknown =>
  [text, value, message, content].find((one) => typeof one === "string" && looksPrinted(one));

export function resultPart(part: Fields): Fields {
  const { exception, error, is_error, isError, origin } = part;
  const { value, isFailed } = outcomeOf(backIn(part));
  const failure = exception ?? error ?? null;
  const { text, message, value: said } = part;
  const isMarked = is_error === true || isError === true || error === true || saysFailed(part) || isFailed;
  const call = isFields(origin) ? origin : part;
  const found = value ?? failure ?? text ?? message ?? said ?? "";
  const plain = { type: "tool_result", tool_use_id: idOf(call), name: nameOf(call), content: found };
  return isMarked || (failure !== null && failure !== false && (value ?? "") === "")
    ? {
        ...plain,
        content: (value ?? "") === "" && failure !== true ? (failure ?? found) : found,
        is_error: true,
      }
    : plain;
}

const saysFailed = ({ status, state }: Fields): boolean =>
  (typeof status === "string" && FAILED.test(status)) || (typeof state === "string" && FAILED.test(state));

/** What came back, out of a wrapper that only says how the call ended. */
function outcomeOf(value: unknown): { value: unknown; isFailed: boolean } {
  const only = Array.isArray(value) && value.length === 1 ? value[0] : undefined;
  if (isFields(only)) return { value: namedResult(only) ?? value, isFailed: false };
  if (!isFields(value) || typeof value.status !== "string") return { value, isFailed: false };
  const { status: _status, ...rest } = value;
  const [inner, second] = Object.values(rest);
  return { value: second === undefined && inner !== undefined ? inner : value, isFailed: saysFailed(value) };
}

/** What came back, in the one field that says so: `[{functionResponse: {response}}]`. */
function namedResult(part: Fields): unknown {
  const [key, second] = Object.keys(part);
  const inner = key === undefined || second !== undefined ? undefined : part[key];
  return isFields(inner) && speechNamed(key)?.act === "result" ? backIn(inner) : undefined;
}

/** A part that holds the call and, once it is done, what came back. */
export function callAndResult(part: Fields): Fields[] {
  const { state } = part;
  const all = isFields(state) ? { ...part, ...state } : part;
  const call = plainCall(all);
  const holder = callHolder(all) ?? all;
  const found = outcomeOf(outcome(holder) ?? outcome(all)).value;
  const failure = all.errorText ?? all.error ?? holder.error;
  if ((found ?? failure ?? null) === null) return [{ ...call }];
  const failed = (failure ?? null) !== null && failure !== "";
  const content = failed && (found ?? "") === "" ? failure : found;
  const result = { type: "tool_result", tool_use_id: call.id, name: call.name, content };
  return [{ ...call }, failed || saysFailed(all) ? { ...result, is_error: true } : result];
}

/** Of the words beside a call none are its result: only what is named so. */
function outcome(fields: Fields): unknown {
  const { output, result, outputs, results } = fields;
  return output ?? result ?? outputs ?? results ?? valueOn(fields, "back");
}

/** True if only what came back from a call stands there, and which call it was. */
export const isAnswered = (fields: Fields): boolean =>
  hasCallId(fields) &&
  givenIn(fields) === undefined &&
  callHolder(fields) === null &&
  backIn(fields) !== undefined;

/** True if the call has a name, or a text that may be the whole of it. */
export const isNamedCall = (fields: Fields): boolean =>
  typeof nameOf(fields) === "string" ||
  callHolder(fields) !== null ||
  textOf(fields) !== undefined ||
  (hasCallId(fields) && givenIn(fields) !== undefined);

export const saysWhatCame = (fields: Fields): boolean => {
  const { text, message, value, error, exception } = fields;
  return (backIn(fields) ?? text ?? message ?? value ?? error ?? exception ?? null) !== null;
};
