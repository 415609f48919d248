import { ASKED_CALLS } from "../building-blocks/event-slots.ts";
import { looksLikeJson, parsedJson } from "../building-blocks/json-text.ts";
import type { DetectorEvent } from "../detector.ts";
import { outputOf } from "./model-call-fields.ts";

/**
 * The calls of tools that a model's answer asks for, in the shapes that providers give them: `tool_calls` and
 * `function_call` (OpenAI), `tool_use` blocks (Anthropic), `functionCall` (Gemini), `toolUse` (Bedrock),
 * `tool-call` parts, OpenTelemetry's `tool_call` parts. All of them are an object with a name and arguments
 * that says what it is, by its type or by where it stands: a structured answer may hold names and inputs too.
 * Bounded in nodes, depth, calls and length; never throws.
 */
export interface ModelToolCall {
  readonly name: string;
  readonly args: unknown;
  /** What the provider calls it, and its result by; "" where it gives no id. */
  readonly id: string;
}

const CALLS_MAX = 16;
const NODES_MAX = 400;
const DEPTH_MAX = 8;
const JSON_CHARS_MAX = 65_536;
const HOLDS_A_CALL = /"(?:arguments|args|input)"/;

function parsed(output: unknown): unknown {
  if (typeof output !== "string") return output;
  if (output.length > JSON_CHARS_MAX || !looksLikeJson(output) || !HOLDS_A_CALL.test(output)) return null;
  return parsedJson(output);
}

/** How providers call what the model asks of a tool, among a message's parts or beside messages. */
export const CALL_TYPES: ReadonlySet<unknown> = new Set(
  "tool_use tool_call tool-call function_call custom_tool_call".split(" "),
);
/**
 * Beside those of messages, calls that the provider makes for the model: their outcome may stand in the same
 * part.
 */
const ANSWER_CALL_TYPES: ReadonlySet<unknown> = new Set([...CALL_TYPES, "mcp_call", "server_tool_use"]);
const CALL_PLACES = new Set("tool_calls toolCalls function functionCall function_call toolUse".split(" "));

/**
 * The id of a call in the call itself or in its result. OpenAI's Responses give an item an id of its own
 * beside it.
 */
export function callIdOf(object: Readonly<Record<string, unknown>>): string {
  const { call_id, tool_call_id, toolCallId, tool_use_id, toolUseId, id } = object;
  const found = call_id ?? tool_call_id ?? toolCallId ?? tool_use_id ?? toolUseId ?? id;
  return typeof found === "string" ? found : "";
}

/** What a call is named and given, wherever the provider has it. */
export function partsOfCall(object: Readonly<Record<string, unknown>>): { name: unknown; args: unknown } {
  return {
    name: object.name ?? object.toolName ?? object.tool_name,
    args: object.arguments ?? object.args ?? object.input,
  };
}

function callOf(
  object: Readonly<Record<string, unknown>>,
  inPlace: boolean,
  outerId: string,
): ModelToolCall | null {
  if (!inPlace && !ANSWER_CALL_TYPES.has(object.type)) return null;
  const { name, args } = partsOfCall(object);
  if (typeof name !== "string" || args === undefined || args === null) return null;
  return { name, args, id: callIdOf(object) || outerId };
}

class Collector {
  readonly calls: ModelToolCall[] = [];
  private nodes = 0;

  private isFull(): boolean {
    return this.nodes >= NODES_MAX || this.calls.length >= CALLS_MAX;
  }

  walk(value: unknown, depth: number, inPlace: boolean, outerId = ""): void {
    if (typeof value !== "object" || value === null || depth > DEPTH_MAX) return;
    if (this.isFull()) return;
    this.nodes++;
    if (Array.isArray(value)) {
      // A list may be far longer than what is looked at.
      for (let i = 0; i < value.length && !this.isFull(); i++) this.walk(value[i], depth + 1, inPlace);
      return;
    }
    const object = value as Readonly<Record<string, unknown>>;
    const call = callOf(object, inPlace, outerId);
    if (call !== null) {
      this.calls.push(call);
      return;
    }
    for (const key in object) {
      if (this.isFull()) return;
      // OpenAI's chat has the id of a call beside its `function`.
      const id = key === "function" ? callIdOf(object) : "";
      this.walk(object[key], depth + 1, CALL_PLACES.has(key), id);
    }
  }
}

interface Asking extends DetectorEvent {
  [ASKED_CALLS]?: readonly ModelToolCall[] | undefined;
}

/** Of an `llm_call`; worked out once an event. */
export function modelToolCalls(event: DetectorEvent): readonly ModelToolCall[] {
  const known = (event as Asking)[ASKED_CALLS];
  if (known !== undefined) return known;
  const calls = callsInAnswer(event.payload);
  if (Object.isExtensible(event)) (event as Asking)[ASKED_CALLS] = calls;
  return calls;
}

function callsInAnswer(payload: Readonly<Record<string, unknown>>): readonly ModelToolCall[] {
  const collector = new Collector();
  collector.walk(parsed(outputOf(payload)), 0, false);
  collector.walk(payload.tool_calls, 0, true);
  return collector.calls;
}

/** The calls that stand in one message of a chat. */
export function callsInMessage(message: unknown): readonly ModelToolCall[] {
  const collector = new Collector();
  collector.walk(message, 0, false);
  return collector.calls;
}
