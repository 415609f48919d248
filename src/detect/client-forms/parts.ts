import {
  backIn,
  callAndResult,
  callHolder,
  givenIn,
  hasCallId,
  isAnswered,
  nameOf,
  resultPart,
} from "./call-shapes.ts";
import { type Fields, isFields, lowered } from "./fields.ts";
import { type Act, speechNamed } from "./speakers.ts";

/**
 * The parts of a message's content, whoever's framework writes them, as the detectors read them: what is
 * said, what the model asks of a tool, and what a tool gave back. A part of a kind that the detectors read
 * anyway is handed on as it is.
 */
const PARTS_MAX = 100;
const CALL_KINDS = "tool_use tool-call tool_call function_call custom_tool_call server_tool_use".split(" ");
const READ_ANYWAY = new Set([
  ...CALL_KINDS,
  ..."text input_text output_text tool_result tool-result tool_call_response function_call_output custom_tool_call_output".split(
    " ",
  ),
]);
const IS_CALL_KIND: ReadonlySet<unknown> = new Set(CALL_KINDS);
const NESTED_CALLS = ["functionCall", "function_call", "toolUse"] as const;
const NESTED_RESULTS = ["functionResponse", "function_response", "toolResult"] as const;
/** The AI SDK names the tool in the type of the part. */
const TOOL_PART = /^(?:tool-(?!call|result|error|invocation)(.{1,120})|dynamic-tool|tool)$/;
const MEDIA = /image|audio|video|media|file|blob|screenshot/;
/** Kinds that say nothing of what the part is. */
const NO_KIND = /^(?:|data|json|object|value|other|custom)$/;
/** A kind of part ends with what it is: `web_search_call`, `FunctionResultContent`. */
const IS_RESULT = /(?:results?|outputs?|responses?|returns?|tool_?error)(?:content)?$/;
const IS_CALL = /(?:calls?|use|invocations?|requests?)(?:content)?$/;

export function isPlainPart(part: unknown): boolean {
  if (typeof part === "string") return true;
  if (!isFields(part)) return false;
  const { type } = part;
  if (typeof type === "string") return READ_ANYWAY.has(type) && !isFields(part[type]);
  return type === undefined && "text" in part
    ? typeof part.text === "string" && !("tool_call" in part)
    : isNested(part);
}

function isNested(part: Fields): boolean {
  return NESTED_CALLS.some((key) => isFields(part[key])) || NESTED_RESULTS.some((key) => isFields(part[key]));
}

/** True for a part in which the model asks for a tool. */
export function isCallPart(part: unknown): boolean {
  if (!isFields(part)) return false;
  const { type } = part;
  if (typeof type === "string") return IS_CALL_KIND.has(type);
  return NESTED_CALLS.some((key) => key in part);
}

export function plainParts(parts: readonly unknown[]): unknown[] {
  const plain: unknown[] = [];
  for (let i = 0; i < parts.length && i < PARTS_MAX; i++) {
    const part = parts[i];
    if (isPlainPart(part)) plain.push(part);
    else if (isFields(part)) addPart(plain, lowered(part));
  }
  return plain;
}

/**
 * What a part says of itself. No `String()` of what a client sent: it throws of an object that has a field
 * `toString`.
 */
export function kindOf(part: Fields): string {
  const kind = part.type ?? part.$type ?? part.block_type ?? part.content_type ?? part.kind;
  return typeof kind === "string" ? kind : "";
}

function addPart(plain: unknown[], given: Fields): void {
  const { toolInvocation, message_content: openInference } = given;
  for (const inner of [toolInvocation, openInference]) {
    if (!isFields(inner)) continue;
    addPart(plain, { type: "tool", ...inner });
    return;
  }
  const alone = onlyField(given);
  if (alone !== null) {
    addPart(plain, alone);
    return;
  }
  const kind = kindOf(given);
  const part = untagged(given, kind);
  const ofTool = TOOL_PART.exec(kind);
  const act = ofTool === null ? partAct(part, kind) : "call";
  if (act === "call") plain.push(...callAndResult(named(part, ofTool?.[1], kind)));
  else if (act === "result") plain.push(resultPart(part));
  else if (typeof part.transcript === "string") plain.push({ type: "text", text: part.transcript });
  else if (!MEDIA.test(kind.toLowerCase())) addText(plain, part);
}

/** Of a turn that is one call or one result. */
export const turnParts = (turn: Fields, act: Act): Fields[] =>
  act === "result" ? [resultPart(turn)] : callAndResult(named(turn, undefined, ""));

function addText(plain: unknown[], part: Fields): void {
  const text = part.text ?? part.content ?? part.thinking ?? part.reasoning ?? part.value;
  if (typeof text === "string") plain.push({ type: "text", text });
  else if (Array.isArray(text)) plain.push(...plainParts(text));
  else addWords(plain, part);
}

/**
 * A part whose kind is the name of the field that holds it: `{type: "tool_use", tool_use: {…}}`, `{type:
 * "text", text: {value}}`.
 */
function untagged(part: Fields, kind: string): Fields {
  const inner = kind === "" ? undefined : part[kind];
  if (!isFields(inner)) return part;
  const { [kind]: _inner, ...beside } = part;
  return { ...beside, ...inner, type: kind };
}

function partAct(part: Fields, kind: string): "call" | "result" | null {
  const word = kind.replace(/[^A-Za-z]/g, "").toLowerCase();
  if (IS_RESULT.test(word)) return "result";
  if (IS_CALL.test(word)) return isAnswered(part) ? "result" : "call";
  const isBare = NO_KIND.test(kind) || speechNamed(kind)?.speaker === "tool";
  if (!isBare) return null;
  // AutoGen's calls and results have no type.
  if (isFields(part.function)) return "call";
  const isNamed = typeof nameOf(part) === "string";
  if (isNamed && givenIn(part) !== undefined) return "call";
  return (hasCallId(part) && "content" in part) || (isNamed && backIn(part) !== undefined) ? "result" : null;
}

/** A tool of the provider's own is named by the kind of the part alone. */
function named(part: Fields, name: string | undefined, kind: string): Fields {
  if (name !== undefined) return { ...part, name };
  const isNameless = nameOf(part) === undefined && callHolder(part) === null;
  const word = kind.replace(/[^A-Za-z]/g, "").toLowerCase();
  return isNameless && word !== "" ? { ...part, name: word.replace(IS_CALL, "") } : part;
}

/** Keys of what is no words: names, places, marks, what only the provider can read. */
const NO_WORDS = /id$|type|signature|encrypt|redact|ur[li]|mime|format|role|status|kind|control|name|index/i;
const SEALED = /redact|encrypt/i;
const WORDS_DEPTH_MAX = 3;

/**
 * Of a part of a kind that nothing is known of (a document, a refusal, a search's result) whatever words it
 * holds.
 */
function addWords(plain: unknown[], part: Fields, depth = 0): void {
  if (part.type === "base64" || SEALED.test(String(part.type ?? ""))) return;
  for (const key in part) {
    if (plain.length >= PARTS_MAX || NO_WORDS.test(key)) continue;
    const value = part[key];
    if (typeof value === "string") plain.push({ type: "text", text: value });
    else if (Array.isArray(value)) plain.push(...plainParts(value));
    else if (isFields(value) && depth < WORDS_DEPTH_MAX) addWords(plain, value, depth + 1);
  }
}

/** A part without a type is called by its one field: `{tool_call: {…}}`, `{tool_call_result: {…}}`. */
function onlyField(part: Fields): Fields | null {
  const [key, second] = Object.keys(part);
  if (key === undefined || second !== undefined) return null;
  const value = part[key];
  return isFields(value) && (speechNamed(key)?.act ?? null) !== null ? { ...value, type: key } : null;
}

/** A call beside a message, named and with arguments under one of the names that are read anyway. */
export function isPlainCall(call: unknown): boolean {
  if (!isFields(call)) return true;
  const inner = call.function ?? call;
  if (!isFields(inner) || "output" in inner || "result" in call) return false;
  return "name" in inner && ("arguments" in inner || "args" in inner || "input" in inner);
}
