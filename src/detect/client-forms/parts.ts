import { looksPrinted, printedValue } from "./printed-values.ts";

export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Fields as they are named in .NET too. */
export function lowered(fields: Fields): Fields {
  for (const key in fields) {
    const first = key.charCodeAt(0);
    if (first < 65 || first > 90) continue;
    const all: Record<string, unknown> = {};
    for (const one in fields) all[one.charAt(0).toLowerCase() + one.slice(1)] = fields[one];
    return all;
  }
  return fields;
}

/**
 * The parts of a message's content, whoever's framework writes them, as the detectors read them: what is said, what the model asks of a tool,
 * and what a tool gave back. A part of a kind that the detectors read anyway is handed on as it is.
 */
export interface CallPart {
  readonly type: "tool_use";
  readonly id: unknown;
  readonly name: unknown;
  readonly input: unknown;
}

const PARTS_MAX = 100;
const READ_ANYWAY = new Set(
  "text input_text output_text tool_use tool_result tool-call tool-result tool_call tool_call_response function_call function_call_output custom_tool_call custom_tool_call_output server_tool_use".split(
    " ",
  ),
);
const NESTED_CALLS = ["functionCall", "function_call", "toolUse"] as const;
const NESTED_RESULTS = ["functionResponse", "function_response", "toolResult"] as const;
const IS_RESULT = /(?:result|output|response|return)(?:content)?$/;
const IS_CALL = /(?:call|use|invocation|request)(?:content)?$/;
/** The AI SDK names the tool in the type of the part. */
const TOOL_PART = /^(?:tool-(?!call|result|error|invocation)(.{1,120})|dynamic-tool|tool)$/;
const MEDIA = /image|audio|video|media|file|blob|screenshot/;

export function isPlainPart(part: unknown): boolean {
  if (typeof part === "string") return true;
  if (!isFields(part)) return false;
  const { type } = part;
  if (typeof type === "string") return READ_ANYWAY.has(type);
  return type === undefined && "text" in part ? !("tool_call" in part) : isNested(part);
}

function isNested(part: Fields): boolean {
  return NESTED_CALLS.some((key) => key in part) || NESTED_RESULTS.some((key) => key in part);
}

/** True for a part in which the model asks for a tool. */
export function isCallPart(part: unknown): boolean {
  if (!isFields(part)) return false;
  const { type } = part;
  if (typeof type === "string") return READ_ANYWAY.has(type) && IS_CALL.test(type.replace(/[^a-z]/g, ""));
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

function addPart(plain: unknown[], part: Fields): void {
  const { toolInvocation, message_content: openInference } = part;
  for (const inner of [toolInvocation, openInference]) {
    if (!isFields(inner)) continue;
    addPart(plain, { type: "tool", ...inner });
    return;
  }
  const alone = onlyField(part);
  if (alone !== null) {
    addPart(plain, alone);
    return;
  }
  const kind = String(part.type ?? part.$type ?? part.block_type ?? part.content_type ?? part.kind ?? "");
  const word = kind.replace(/[^A-Za-z]/g, "").toLowerCase();
  const ofTool = TOOL_PART.exec(kind);
  const nameless = nameOf(part) === undefined;
  if (ofTool !== null || (IS_CALL.test(word) && !IS_RESULT.test(word)) || (kind === "" && isBareCall(part))) {
    const named = ofTool?.[1] ?? (nameless ? word.replace(IS_CALL, "") : undefined);
    plain.push(...callAndResult(named === undefined ? part : { ...part, name: named }));
  } else if (IS_RESULT.test(word) || word === "toolerror" || (kind === "" && isBareResult(part))) {
    plain.push(resultPart(part));
  } else if (typeof part.transcript === "string") plain.push({ type: "text", text: part.transcript });
  else if (!MEDIA.test(word)) {
    const text = part.text ?? part.content ?? part.thinking ?? part.reasoning ?? part.value;
    if (typeof text === "string") plain.push({ type: "text", text });
    else if (Array.isArray(text)) plain.push(...plainParts(text));
    else addWords(plain, part);
  }
}

/** Keys of what is no words: names, places, marks, what only the provider can read. */
const NO_WORDS = /id$|type|signature|encrypt|redact|ur[li]|mime|format|role|status|kind|control|name|index/i;
const SEALED = /redact|encrypt/i;
const WORDS_DEPTH_MAX = 3;

/** Of a part of a kind that nothing is known of (a document, a refusal, a search's result) whatever words it holds. */
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
  const word = key.toLowerCase();
  return isFields(value) && (IS_CALL.test(word) || IS_RESULT.test(word)) ? { ...value, type: word } : null;
}

/** AutoGen's calls and results have no type. */
const isBareCall = (part: Fields): boolean =>
  isFields(part.function) ||
  (typeof part.name === "string" && (part.arguments ?? part.args ?? part.parameters) !== undefined);
const isBareResult = (part: Fields): boolean =>
  (part.call_id ?? part.callId ?? part.tool_call_id) !== undefined && "content" in part;

function nameOf(part: Fields): unknown {
  const { name, toolName, tool_name, functionName, function_name, tool, recipient_name } = part;
  return (
    function_name ??
    name ??
    toolName ??
    tool_name ??
    functionName ??
    (typeof tool === "string" ? tool : recipient_name)
  );
}

function idOf(part: Fields): unknown {
  const { callId, call_id, callID, toolCallId, tool_call_id, toolUseId, tool_use_id, id, ref, request_id } =
    part;
  const named = callId ?? call_id ?? callID ?? toolCallId ?? tool_call_id ?? toolUseId ?? tool_use_id;
  return named ?? id ?? ref ?? request_id;
}

/** A call beside a message, named and with arguments under one of the names that are read anyway. */
export function isPlainCall(call: unknown): boolean {
  if (!isFields(call)) return true;
  const inner = call.function ?? call;
  return isFields(inner) && "name" in inner && ("arguments" in inner || "args" in inner || "input" in inner);
}

/** A call as each framework has it, with the arguments as a value where they were printed. */
export function plainCall(call: Fields): CallPart {
  const wrapped = call.tool_call ?? call;
  const outer = lowered(isFields(wrapped) ? wrapped : call);
  const inner = isFields(outer.function) ? outer.function : outer;
  const { arguments: named, args, input, parameters, kwargs, action } = inner;
  const known = named ?? args ?? input ?? parameters ?? kwargs ?? action ?? outer.state_input;
  const given = known ?? valueNamed(inner, /^(?:arg|param|input)/) ?? {};
  return {
    type: "tool_use",
    id: idOf(outer),
    name: nameOf(inner) ?? nameOf(outer),
    input: argumentsIn(given),
  };
}

/** What a field of no known name holds, if its name begins or ends so. */
function valueNamed(fields: Fields, names: RegExp): unknown {
  for (const key in fields) if (names.test(key.toLowerCase()) && fields[key] != null) return fields[key];
  return undefined;
}

export function argumentsIn(given: unknown): unknown {
  if (typeof given !== "string" || !looksPrinted(given)) return given;
  return printedValue(given) ?? given;
}

/** A part that holds the call and, once it is done, what came back. */
function callAndResult(part: Fields): unknown[] {
  const { state } = part;
  const all = isFields(state) ? { ...part, ...state } : part;
  const call = plainCall(all);
  const found = all.output ?? all.result ?? all.outputs ?? all.results;
  const failure = all.errorText ?? all.error;
  if ((found ?? failure ?? null) === null) return [call];
  const result = { type: "tool_result", tool_use_id: call.id, name: call.name, content: found ?? failure };
  return [call, (failure ?? null) === null ? result : { ...result, is_error: true }];
}

export function resultPart(part: Fields): Fields {
  const { result, output, outputs, content, response, exception, error, is_error, isError, status, origin } =
    part;
  const failure = exception ?? error ?? null;
  const known = result ?? output ?? outputs ?? content ?? response ?? failure;
  const found = known ?? valueNamed(part, /^(?:result|output|response|return)/) ?? "";
  const isMarked = is_error === true || isError === true || error === true || status === "error";
  const call = isFields(origin) ? origin : part;
  const plain = { type: "tool_result", tool_use_id: idOf(call), name: nameOf(call), content: found };
  return isMarked || (failure !== null && result == null && output == null)
    ? { ...plain, is_error: true }
    : plain;
}
