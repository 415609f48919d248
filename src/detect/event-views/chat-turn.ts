import { errorOf } from "../building-blocks/calls/tool-view.ts";
import { CHAT_TURN } from "../building-blocks/event-slots.ts";
import { hashText, hashValue, mix } from "../building-blocks/hash.ts";
import { looksLikeJson } from "../building-blocks/json-text.ts";
import type { DetectorEvent } from "../detector.ts";
import {
  CHAT_JSON_MAX,
  flattenText,
  type Message,
  messagesOf,
  originOfRole,
  RESULT_TYPES,
} from "./fields.ts";
import { inputOf } from "./model-call-fields.ts";
import {
  CALL_TYPES,
  callIdOf,
  callsInMessage,
  type ModelToolCall,
  modelToolCalls,
} from "./model-tool-calls.ts";

/**
 * What one `llm_call` adds to the calls of tools that a run has made, for clients that send model calls
 * alone:
 *
 *   input:  … earlier turns … │ answer with calls │ results │        output: answer with calls
 *                               └─── before ────┘ └results┘                       └── asked ──┘
 *
 * Of the input only its end is looked at. What stands before the last answer was the end of an earlier
 * event's input, so a full history says nothing twice, the turns of an earlier run are not taken for this
 * one's, and the order in which events arrive does not matter. A pure function of the event, made once and
 * shared by the detectors that ask. Bounded in messages, parts and characters; never throws.
 */
export interface ChatTurn {
  /** What the model's answer asks for. */
  readonly asked: readonly ModelToolCall[];
  /** The calls whose results end the input; none where the client sends only what is new. */
  readonly before: readonly ModelToolCall[];
  /** What tools gave back since the answer before. */
  readonly results: readonly TurnResult[];
}

export interface TurnResult {
  /** "" where the provider gives calls no id: results then come in the order of the calls. */
  readonly id: string;
  /** "" where neither the result nor a call beside it names the tool. */
  readonly tool: string;
  readonly value: unknown;
  readonly errorText: string;
}

const NOTHING: ChatTurn = { asked: [], before: [], results: [] };
const MESSAGES_MAX = 48;
const LAST_MESSAGES = 8;
const RESULTS_MAX = 32;
const PARTS_MAX = 100;
const NAMED_MESSAGES_MAX = 400;
const ERROR_CHARS_MAX = 200;
/** Words of a person, or of the framework, behind the results. */
const PLAIN_MAX = 2;
const HOLDS_A_RESULT =
  /"(?:tool_call_id|tool_use_id|toolCallId|toolUseId|functionResponse|function_response|tool_call_response|\w{0,12}_call_output)"|"role"\s{0,2}:\s{0,2}"(?:tool|function)"/;

interface Turned extends DetectorEvent {
  [CHAT_TURN]?: ChatTurn | undefined;
}

export function chatTurnOf(event: DetectorEvent): ChatTurn {
  const known = (event as Turned)[CHAT_TURN];
  if (known !== undefined) return known;
  const turn = read(event);
  if (Object.isExtensible(event)) (event as Turned)[CHAT_TURN] = turn;
  return turn;
}

/**
 * Where the chat stood: the same for two answers to the same input, as when several are drawn to choose from.
 * New results alone, without ids, do not tell it: they are the same each time round a loop.
 */
export function placeOf(event: DetectorEvent): number {
  const input = inputOf(event.payload);
  const { before, results } = chatTurnOf(event);
  const isBare = results.length > 0 && before.length === 0 && results.every(({ id }) => id === "");
  if (input === undefined || input === null || isBare) return hashText(event.eventId);
  if (typeof input === "string") return hashText(input);
  const messages = messagesOf(input);
  return messages === null ? hashValue(input) : mix(messages.length, hashValue(messages.at(-1)));
}

/** True if a tool that the input's messages name, by a call or by a result, passes the test. */
export function someToolNamed(event: DetectorEvent, test: (name: string) => boolean): boolean {
  const messages = messagesOf(inputOf(event.payload)) ?? [];
  const first = Math.max(0, messages.length - NAMED_MESSAGES_MAX);
  for (let i = messages.length - 1; i >= first; i--) {
    const message = messages[i] as Message;
    if (callsInMessage(message).some((call) => test(call.name))) return true;
    if (resultsIn(message).some((result) => test(result.tool))) return true;
  }
  return false;
}

function read(event: DetectorEvent): ChatTurn {
  const asked = modelToolCalls(event);
  const input = inputOf(event.payload);
  const isText = typeof input === "string";
  // Calls whose results cannot be read might be waiting for something: better not to know of them.
  if (isText && input.length > CHAT_JSON_MAX && looksLikeJson(input)) return NOTHING;
  const messages = isText ? messagesIn(input) : messagesOf(input);
  const end = messages === null ? NOTHING : endOf(messages);
  if (asked.length === 0) return end;
  return { ...end, asked };
}

function messagesIn(text: string): readonly Message[] | null {
  if (!looksLikeJson(text)) return null;
  const end = text.slice(lastPlace(text, '"role"') ?? 0);
  return HOLDS_A_RESULT.test(end) ? (lastMessages(text) ?? messagesOf(text)) : null;
}

/** The end of a chat that came as JSON in a text; null where it is none, or longer than such are read. */
export function endOfChatIn(text: string): readonly Message[] | null {
  if (text.length > CHAT_JSON_MAX || !looksLikeJson(text)) return null;
  return lastMessages(text) ?? messagesOf(text);
}

/** Where the mark stands for the last time but a few; null where it is rarer. */
function lastPlace(text: string, mark: string): number | null {
  let at = text.length;
  for (let found = 0; found < LAST_MESSAGES; found++) {
    at = text.lastIndexOf(mark, at - 1);
    if (at <= 0) return null;
  }
  return at;
}

/**
 * The last messages of a chat in JSON, without reading the rest, which grows with every event: null where
 * that is not sure to tell the same. Inside a text the quotes of the mark would be escaped, and from inside
 * an object no list could end where the text does.
 */
function lastMessages(text: string): readonly Message[] | null {
  const at = lastPlace(text, '{"role":');
  if (at === null) return null;
  try {
    const messages = JSON.parse(`[${text.slice(at)}`) as Message[];
    return messages.some(isAnswer) ? messages : null;
  } catch {
    return null;
  }
}

function endOf(messages: readonly Message[]): ChatTurn {
  const results: TurnResult[] = [];
  const first = Math.max(0, messages.length - MESSAGES_MAX);
  let plain = 0;
  let at = messages.length - 1;
  for (; at >= first && results.length < RESULTS_MAX; at--) {
    const message = messages[at] as Message;
    const found = resultsIn(message);
    if (found.length > 0) results.unshift(...found);
    else if (isAnswer(message)) break;
    else if (results.length > 0 || ++plain > PLAIN_MAX) break;
  }
  if (results.length === 0) return NOTHING;
  const before = at >= first ? lastCalls(messages, at) : [];
  return { asked: [], before, results: results.map((result, i) => named(result, i, before)) };
}

/** The calls of the answer that ends at `at`: one message, or items that each are a call. */
function lastCalls(messages: readonly Message[], at: number): readonly ModelToolCall[] {
  const calls: ModelToolCall[] = [];
  for (let i = at; i >= 0 && calls.length < RESULTS_MAX; i--) {
    const message = messages[i] as Message;
    if (!isAnswer(message)) break;
    calls.unshift(...callsInMessage(message));
    if ("role" in message) break;
  }
  return calls;
}

function isAnswer(message: unknown): boolean {
  if (typeof message !== "object" || message === null) return false;
  const { role, type } = message as Message;
  if (role !== undefined) return originOfRole(role, "other") === "assistant";
  return type === "reasoning" || CALL_TYPES.has(type);
}

function named(result: TurnResult, index: number, calls: readonly ModelToolCall[]): TurnResult {
  if (result.tool !== "" || calls.length === 0) return result;
  const call = result.id === "" ? calls[index] : calls.find((one) => one.id === result.id);
  return call === undefined ? result : { ...result, tool: call.name };
}

/** What tools gave back, in one message. */
export function resultsIn(message: unknown): readonly TurnResult[] {
  if (typeof message !== "object" || message === null) return [];
  const { role, content, parts, name } = message as Message;
  if (role === undefined) return partResult(message as Message) ?? [];
  const blocks = parts ?? content;
  const found: TurnResult[] = [];
  if (Array.isArray(blocks)) {
    for (let i = 0; i < blocks.length && i < PARTS_MAX && found.length < RESULTS_MAX; i++) {
      const block: unknown = blocks[i];
      if (typeof block === "object" && block !== null) found.push(...(partResult(block as Message) ?? []));
    }
  }
  if (found.length > 0 || originOfRole(role, "other") !== "tool") return found;
  return [turnResult(message as Message, name, blocks)];
}

function partResult(part: Message): readonly TurnResult[] | null {
  const untyped = part.functionResponse ?? part.function_response ?? part.toolResult;
  if (typeof untyped === "object" && untyped !== null) {
    const inner = untyped as Message;
    return [turnResult(inner, inner.name, inner.response ?? inner.content)];
  }
  if (!RESULT_TYPES.has(part.type)) return null;
  const { content, response, result, output } = part;
  return [turnResult(part, part.name ?? part.toolName, content ?? response ?? result ?? output)];
}

function turnResult(part: Message, name: unknown, value: unknown): TurnResult {
  return {
    id: callIdOf(part),
    tool: typeof name === "string" ? name : "",
    value: value ?? "",
    errorText: failureOf(part, value),
  };
}

/**
 * Providers mark a failure beside the result, or Gemini in it. Words that tell of one are not read: they may
 * be the work.
 */
function failureOf(part: Message, value: unknown): string {
  const { is_error, isError, status } = part;
  const isObject = typeof value === "object" && value !== null;
  const { error, type } = (isObject ? value : {}) as Message;
  const isMarked = is_error === true || isError === true || status === "error" || isErrorType(type);
  if (isMarked) return flattenText(value).slice(0, ERROR_CHARS_MAX).trim() || "error";
  const exit = exitIn(part) ?? exitIn(value);
  return errorOf(error, value) || (exit === undefined ? "" : `exit code ${exit}`);
}

const EXIT_IN_JSON = /"exit_code"\s{0,2}:\s{0,2}(\d{1,5})\b[^{[]{0,80}$/;
const EXIT_CHARS = 160;

/** The status other than 0 with which a command ended, beside what it printed; Codex has both as JSON. */
function exitIn(value: unknown): number | undefined {
  if (typeof value === "string") {
    const code = value.charCodeAt(0) === 0x7b ? EXIT_IN_JSON.exec(value.slice(-EXIT_CHARS))?.[1] : undefined;
    return code === undefined || Number(code) === 0 ? undefined : Number(code);
  }
  if (typeof value !== "object" || value === null) return undefined;
  const { exit_code, exitCode = exit_code, returncode = exitCode } = value as Message;
  return typeof returncode === "number" && returncode !== 0 ? returncode : undefined;
}

/** `error-text` and `error-json` of the AI SDK. */
function isErrorType(type: unknown): boolean {
  return typeof type === "string" && type.startsWith("error-");
}
