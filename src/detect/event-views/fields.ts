import { looksLikeJson, parsedJson } from "../building-blocks/json-text.ts";
import type { DetectorEvent } from "../detector.ts";
import { CALL_TYPES, partsOfCall } from "./model-tool-calls.ts";
import { NO_TURNS, type Turn, turnsOf } from "./transcript.ts";

/**
 * Takes the texts out of an event and says whom each comes from, because what is an attack in a tool's output
 * is an ordinary wish in a user's prompt. Everything is bounded: characters a text and an event, depth, and
 * nodes visited; what lies beyond is not looked at. It never throws, whatever the payload holds.
 */
export type TextOrigin =
  /** The operator's own instructions. Trusted. */
  | "system"
  /** What a person asked. */
  | "user"
  /** What the model said. */
  | "assistant"
  /** What came back from a tool, a server or a document: untrusted. */
  | "tool"
  /** What the model passes to a tool. */
  | "arguments"
  /** A tool's description or schema, as an MCP server gives it: untrusted. */
  | "description"
  /** What a memory gave back: what other runs heard and said, their users' wishes too. */
  | "recalled"
  /** What is written into a memory. */
  | "memory"
  /** Anything else: messages of exceptions, notes, reasons. */
  | "other";

export interface Fragment {
  readonly origin: TextOrigin;
  readonly text: string;
  /** True for earlier turns that an `llm_call` carries along: other events have shown them already. */
  readonly repeated: boolean;
  /** True for a turn of a chat: the next `llm_call` is likely to carry it along. */
  readonly comesAgain: boolean;
  /** The tool that a model's answer passes the text to; "": the event tells, if any is meant. */
  readonly tool: string;
  /** Of a person's new prompt that is a transcript. */
  readonly turns: readonly Turn[];
}

/** Scanned a text: the head and the tail, where instructions stand. */
export const TEXT_HEAD_MAX = 24_576;
const TEXT_TAIL_MAX = 8_192;
export const TEXT_MAX = TEXT_HEAD_MAX + TEXT_TAIL_MAX;
/** Characters of all texts of an event together. */
export const EVENT_TEXT_MAX = 65_536;
/** Characters of a chat sent as JSON in a string; a longer one is read as one text. */
export const CHAT_JSON_MAX = 1 << 20;
const DEPTH_MAX = 24;
const NODES_MAX = 4_000;
const MESSAGES_MAX = 64;
const PARTS_MAX = 100;
const TOOL_NAME_MAX = 200;
/** Shorter texts hold nothing that a rule looks for. */
const TEXT_MIN = 8;

export function capText(text: string): string {
  if (text.length <= TEXT_MAX) return text;
  return `${text.slice(0, TEXT_HEAD_MAX)}\n${text.slice(text.length - TEXT_TAIL_MAX)}`;
}

/** Where `capText` left out the middle of a text. */
const cutIn = (text: string): number => (text.length > TEXT_MAX ? TEXT_HEAD_MAX : Number.POSITIVE_INFINITY);

/** A picture or a sound in base64 says nothing, and would leave no room for the words behind it. */
const PICTURE_MIN = 2_000;
const PICTURE_STARTS =
  /^(?:data:[\w/.+-]{3,60};base64,)?(?:iVBORw0KGgo|\/9j\/|R0lGOD|UklGR|SUkq|Qk0|SUQz|JVBERi0)/;
const isPicture = (text: string): boolean => {
  const start = PICTURE_STARTS.exec(text);
  return start !== null && !/[^A-Za-z0-9+/=\r\n]/.test(text.slice(start[0].length));
};

class Flattener {
  private text = "";
  private length = 0;
  private nodes = 0;

  add(value: unknown, depth: number): void {
    if (this.nodes++ > NODES_MAX || this.length > TEXT_MAX) return;
    if (typeof value === "string") {
      if (value.length > PICTURE_MIN && isPicture(value)) return;
      this.push(value.length > TEXT_MAX ? capText(value) : value);
    } else if (typeof value === "number") {
      this.push(String(value));
    } else if (typeof value === "object" && value !== null && depth < DEPTH_MAX) {
      if (Array.isArray(value)) {
        for (let i = 0; i < value.length && this.nodes <= NODES_MAX; i++) this.add(value[i], depth + 1);
      } else {
        for (const key in value) {
          if (this.nodes > NODES_MAX) break;
          this.text = `${this.text}${key.length > 80 ? key.slice(0, 80) : key}: `;
          this.length += key.length;
          this.add((value as Record<string, unknown>)[key], depth + 1);
        }
      }
    }
  }

  private push(text: string): void {
    this.text = `${this.text}${text}\n`;
    this.length += text.length + 1;
  }

  take(): string {
    return capText(this.text);
  }
}

/** Any JSON value as one text: `key: value` lines. Strings come back as they are. */
export function flattenText(value: unknown): string {
  if (typeof value === "string") return value.length > TEXT_MAX ? capText(value) : value;
  if (typeof value === "number" || typeof value === "boolean" || value === null || value === undefined)
    return "";
  const flattener = new Flattener();
  flattener.add(value, 0);
  return flattener.take();
}

export function originOfRole(role: unknown, otherwise: TextOrigin): TextOrigin {
  switch (role) {
    case "system":
    case "developer":
      return "system";
    case "user":
    case "human":
      return "user";
    case "assistant":
    case "model":
    case "ai":
      return "assistant";
    case "tool":
    case "function":
    case "tool_result":
    case "observation":
    case "ipython":
      return "tool";
    default:
      return otherwise;
  }
}

export type Message = Readonly<Record<string, unknown>>;

/** How providers call what a tool gave back, among a message's parts or beside messages. */
export const RESULT_TYPES: ReadonlySet<unknown> = new Set(
  "tool_result tool-result tool_call_response function_call_output custom_tool_call_output".split(" "),
);

function isMessage(value: unknown): value is Message {
  if (typeof value !== "object" || value === null) return false;
  if ("role" in value) return true;
  const type = "type" in value ? value.type : "";
  // Items of an answer often begin with what the model thought.
  return RESULT_TYPES.has(type) || CALL_TYPES.has(type) || type === "reasoning";
}

/** The list of chat messages in a value: an array, `{messages: […]}`, or either as JSON text. */
export function messagesOf(value: unknown): readonly Message[] | null {
  let found = value;
  if (typeof found === "string") {
    if (found.length > CHAT_JSON_MAX || !looksLikeJson(found) || !/"role"|_call_output"/.test(found))
      return null;
    found = parsedJson(found);
  }
  if (typeof found === "object" && found !== null && !Array.isArray(found)) {
    const { messages, contents } = found as { messages?: unknown; contents?: unknown };
    found = messages ?? contents ?? (isMessage(found) ? [found] : null);
  }
  return Array.isArray(found) && found.length > 0 && isMessage(found[0]) ? (found as Message[]) : null;
}

interface Part {
  readonly origin: TextOrigin;
  readonly value: unknown;
  readonly tool?: string;
}

/**
 * Content blocks: a `tool_result` block inside a user message is a tool's, whatever the message's role says.
 */
function partsOf(message: Message, otherwise: TextOrigin): Part[] {
  if (!("role" in message)) return [partOf(message, otherwise)];
  const origin = originOfRole(message.role, otherwise);
  const content = message.content ?? message.parts ?? message.text;
  const blocks = Array.isArray(content) ? content.slice(0, PARTS_MAX) : null;
  const said = blocks?.map((block: unknown) => partOf(block, origin)) ?? [{ origin, value: content }];
  return [...said, ...callsBeside(message)];
}

/** OpenAI's chat has the calls that an answer asks for beside its content. */
function callsBeside({ tool_calls: calls, function_call: call }: Message): Part[] {
  const asked: unknown[] = Array.isArray(calls) ? calls.slice(0, PARTS_MAX) : [];
  if (call !== undefined) asked.push(call);
  return asked.map((one) => {
    const { function: inner = one } = (one ?? {}) as Message;
    return argumentsPart(inner);
  });
}

function argumentsPart(call: unknown): Part {
  const { name, args } = partsOfCall((call ?? {}) as Message);
  return {
    origin: "arguments",
    value: args,
    tool: typeof name === "string" ? name.slice(0, TOOL_NAME_MAX) : "",
  };
}

function partOf(block: unknown, origin: TextOrigin): Part {
  if (typeof block !== "object" || block === null) return { origin, value: block };
  const {
    type,
    text,
    content,
    response,
    result,
    output,
    functionResponse,
    function_response: snakeResponse,
    toolResult,
    functionCall,
    function_call: snakeCall,
    toolUse,
    summary,
  } = block as Record<string, unknown>;
  // Gemini and Bedrock have no type: the part is called by its one field.
  const untyped = functionResponse ?? snakeResponse ?? toolResult;
  if (untyped !== undefined) return { origin: "tool", value: untyped };
  const call = functionCall ?? snakeCall ?? toolUse;
  if (call !== undefined) return argumentsPart(call);
  if (RESULT_TYPES.has(type))
    return { origin: "tool", value: content ?? response ?? result ?? output ?? block };
  if (CALL_TYPES.has(type)) return argumentsPart(block);
  return { origin, value: text ?? content ?? summary ?? null };
}

class Collector {
  readonly fragments: Fragment[] = [];
  private left = EVENT_TEXT_MAX;

  add(origin: TextOrigin, value: unknown, tool = "", repeated = false, comesAgain = false): void {
    if (value === null || value === undefined || this.left <= 0) return;
    if (typeof value === "string" && value.length < TEXT_MIN) return;
    const text = flattenText(value);
    if (text.length < TEXT_MIN) return;
    const kept = text.length > this.left ? text.slice(0, this.left) : text;
    this.left -= kept.length;
    const turns = origin === "user" && !repeated ? turnsOf(kept, cutIn(kept)) : NO_TURNS;
    this.fragments.push({ origin, text: kept, repeated, comesAgain, tool, turns });
  }

  /**
   * A prompt as it is and, where it is a transcript, what tools say in it once more: as what comes from
   * outside.
   */
  private addText(origin: TextOrigin, value: unknown): void {
    const before = this.fragments.length;
    this.add(origin, value);
    const whole = this.fragments[before];
    if (whole === undefined) return;
    const { text, turns } = whole;
    const first = Math.max(0, turns.length - MESSAGES_MAX);
    for (let i = turns.length - 1; i >= first; i--) {
      const { origin: speaker, start, end } = turns[i] as Turn;
      if (speaker === "tool") this.add(speaker, text.slice(start, end), "", i < turns.length - 3, true);
    }
  }

  /** Newest messages first: under the event's cap the oldest ones, shown by earlier events, drop out. */
  addChat(value: unknown, otherwise: TextOrigin): void {
    const messages = messagesOf(value);
    if (messages === null) {
      this.addText(otherwise, value);
      return;
    }
    const first = Math.max(0, messages.length - MESSAGES_MAX);
    for (let i = messages.length - 1; i >= first; i--) {
      const message = messages[i] as Message;
      if (typeof message !== "object" || message === null) continue;
      const repeated = i < messages.length - 3;
      for (const { origin, value: said, tool } of partsOf(message, otherwise))
        this.add(origin, said, tool, repeated, true);
    }
  }
}

/** Fields that hold names, numbers and ids, not text. */
const PLAIN_FIELDS = new Set([
  "model",
  "tokens_in",
  "tokens_out",
  "provider",
  "finish_reason",
  "latency_ms",
  "tool_name",
  "call_id",
  "server",
  "method",
  "gen_ai.tool.name",
  "gen_ai.tool.call.id",
  "gen_ai.request.model",
  "gen_ai.system",
  "operation",
  "store",
  "detector",
  "score",
  "verdict",
  "severity",
  "kind",
  "code",
  "status",
  "threshold",
  "metric",
  "passed",
  "drifted",
  "from_agent",
  "to_agent",
  "action",
  "state_hash",
  "handled",
]);

function originOfField(type: DetectorEvent["type"], field: string): TextOrigin {
  switch (field) {
    case "input":
    case "prompt":
    case "gen_ai.input.messages":
    case "messages":
      return type === "llm_call" ? "user" : "arguments";
    case "system":
    case "system_prompt":
    case "instructions":
    case "gen_ai.system_instructions":
      return "system";
    case "output":
    case "completion":
    case "gen_ai.output.messages":
      return type === "llm_call" ? "assistant" : "tool";
    case "arguments":
    case "args":
    case "gen_ai.tool.call.arguments":
      return "arguments";
    case "result":
    case "error":
    case "documents":
    case "gen_ai.tool.call.result":
      return type === "llm_call" ? "other" : "tool";
    case "description":
    case "input_schema":
    case "annotations":
    case "tools":
      return type === "mcp_call" || type === "tool_call" ? "description" : "system";
    default:
      return "other";
  }
}

const KNOWN_FIELDS =
  "input prompt gen_ai.input.messages messages system system_prompt instructions gen_ai.system_instructions output completion gen_ai.output.messages arguments args gen_ai.tool.call.arguments result error documents gen_ai.tool.call.result description input_schema annotations tools".split(
    " ",
  );

/** What a field's text is, or null for one without text; one look-up a field. Any other field is `other`. */
function originsFor(type: DetectorEvent["type"]): ReadonlyMap<string, TextOrigin | null> {
  const origins = new Map<string, TextOrigin | null>();
  for (const field of KNOWN_FIELDS) origins.set(field, originOfField(type, field));
  for (const field of PLAIN_FIELDS) origins.set(field, null);
  return origins;
}

const MODEL_ORIGINS = originsFor("llm_call");
const TOOL_ORIGINS = originsFor("tool_call");
const OTHER_ORIGINS = originsFor("exception");

function addMemory(collector: Collector, payload: Readonly<Record<string, unknown>>): void {
  const origin = payload.operation === "read" || payload.operation === "search" ? "recalled" : "memory";
  for (const key in payload) {
    if (!PLAIN_FIELDS.has(key) && key !== "key") collector.add(origin, payload[key]);
  }
}

/** The texts of an event, in the order of its fields. */
export function fragmentsOf(event: DetectorEvent): readonly Fragment[] {
  const { payload, type } = event;
  const collector = new Collector();
  if (type === "memory_operation") {
    addMemory(collector, payload);
    return collector.fragments;
  }
  const isModel = type === "llm_call";
  const isTool = type === "tool_call" || type === "mcp_call";
  const origins = isModel ? MODEL_ORIGINS : isTool ? TOOL_ORIGINS : OTHER_ORIGINS;
  for (const key in payload) {
    const value = payload[key];
    if (typeof value === "number" || typeof value === "boolean") continue;
    if (typeof value === "string" && value.length < TEXT_MIN) continue;
    const known = origins.get(key);
    if (known === null) continue;
    const origin = known ?? "other";
    if (isModel && (origin === "user" || origin === "assistant")) collector.addChat(value, origin);
    else if (isModel && key === "tool_calls" && Array.isArray(value))
      for (const part of callsBeside(payload)) collector.add(part.origin, part.value, part.tool);
    else collector.add(origin, value);
  }
  return collector.fragments;
}
