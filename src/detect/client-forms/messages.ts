import { listedAttributes } from "./attributes.ts";
import {
  backIn,
  callAndResult,
  callHolder,
  hasCallId,
  isAnswered,
  isNamedCall,
  resultPart,
  saysWhatCame,
} from "./call-shapes.ts";
import { MODEL_NAMES } from "./field-names.ts";
import { type Fields, isFields, lowered } from "./fields.ts";
import { isPlainCall, isPlainPart, plainParts, turnParts } from "./parts.ts";
import { printedValue } from "./printed-values.ts";
import { type Act, type Speaker, speakerNamed, speechNamed } from "./speakers.ts";

/**
 * Messages of a chat as frameworks write them, in the form that the detectors read: `role`, `content` as a
 * text or as parts, and `tool_calls` beside it. A message in that form already is handed on as it is, so a
 * chat of such messages costs a look at each.
 */
const MESSAGES_MAX = 100;
const DEPTH_MAX = 4;
const PLAIN_ROLES = new Set(
  "system developer user human assistant model ai tool function tool_result observation ipython".split(" "),
);
/** Fields by which a message says more than the detectors look for in one. */
const ELSEWHERE = [
  "toolInvocations",
  "toolCalls",
  "tool_plan",
  "contents",
  "blocks",
  "items",
  "message",
  "tool_results",
  "kwargs",
  "additional_kwargs",
];

export function isPlainMessage(message: unknown): boolean {
  if (!isFields(message)) return false;
  const { role, content, parts, tool_calls: calls } = message;
  if (role === undefined) return isItem(message);
  if (typeof role !== "string" || !PLAIN_ROLES.has(role)) return false;
  if (Array.isArray(calls) && !calls.every(isPlainCall)) return false;
  for (const key of ELSEWHERE) if (key in message) return false;
  const blocks = content ?? parts;
  if (!Array.isArray(blocks)) return blocks === undefined || blocks === null || typeof blocks === "string";
  for (let i = 0; i < blocks.length && i < MESSAGES_MAX; i++) if (!isPlainPart(blocks[i])) return false;
  return true;
}

/** Calls and results that OpenAI's Responses have beside messages. */
const isItem = ({ type }: Fields): boolean =>
  type === "function_call" ||
  type === "function_call_output" ||
  type === "custom_tool_call" ||
  type === "custom_tool_call_output" ||
  type === "reasoning" ||
  type === "tool_use" ||
  type === "tool_result";

/**
 * Of parts and entries that are called by who says what: `tool_return_message`, `user-prompt`; the model's
 * words under any other name.
 */
const entrySpeaker = (name: string): Speaker =>
  /^tool-?_?call|^builtin/.test(name) ? "assistant" : (speakerNamed(name) ?? "assistant");

/**
 * A message within a line of a log or an item of a run; of an entry that says its kind, the one field called
 * a message.
 */
function enveloped({ type, payload, raw_item, kind, ...fields }: Fields): Fields | null {
  if (type === "response_item" || type === "event_msg") return isFields(payload) ? payload : null;
  if (typeof type === "string" && isFields(raw_item)) return raw_item;
  if (typeof kind !== "string") return null;
  for (const key in fields) {
    const inner = fields[key];
    if (key.endsWith("_message") && isFields(inner) && speakerOf(lowered(inner)) !== null) return inner;
  }
  return null;
}

/** OpenTelemetry's events for one message each: `gen_ai.user.message`, and `gen_ai.choice` for the answer. */
const MESSAGE_EVENT = /^gen_ai\.(?:(system|user|assistant|tool)\.message|choice)$/;

function spanEvent(event: Fields): Fields | null {
  const name = event.name ?? event["event.name"] ?? event.event_name;
  if (typeof name !== "string") return null;
  const match = MESSAGE_EVENT.exec(name);
  if (match === null) return null;
  const { attributes, body } = event;
  const list = Array.isArray(attributes) ? listedAttributes(attributes) : attributes;
  const fields = isFields(body) ? body : isFields(list) ? list : event;
  const said = typeof fields.message === "string" ? printedValue(fields.message) : fields.message;
  const role = match[1] ?? "assistant";
  return isFields(said) ? { role, ...said } : { ...fields, role, tool_call_id: fields.id };
}

/** Of a list the first members tell what all are. */
const MEMBERS_LOOKED_AT = 16;

const isEnvelope = (value: unknown): boolean =>
  isFields(value) && (spanEvent(value) !== null || (enveloped(value) !== null && isSpoken(value)));

/** A list whose entries are wrapped or named in a way that nothing but a chat's are. */
export function isEnveloped(list: readonly unknown[]): boolean {
  for (let i = 0; i < list.length && i < MEMBERS_LOOKED_AT; i++) if (isEnvelope(list[i])) return true;
  return false;
}

/** Who speaks, wherever the framework says so; null where nothing does, so that it is no message. */
export function speakerOf(message: Fields): Speaker | null {
  const { role, type, source, author, id, info, messageType } = message;
  const entry = message.message_type;
  const named = isFields(role) ? (lowered(role).label ?? role.value) : role;
  if (named !== undefined) return speakerNamed(named);
  if (isFields(info)) return speakerNamed(info.role);
  if (typeof entry === "string" && entry.endsWith("_message")) return entrySpeaker(entry);
  if (messageType !== undefined) return speakerNamed(messageType);
  if (Array.isArray(id) && "kwargs" in message) return speakerNamed(id.at(-1));
  const typed = speakerNamed(type);
  if (typed !== null) return typed;
  if (typeof source === "string" && typeof type === "string") return speakerNamed(source) ?? "assistant";
  if (typeof author === "string" && isFields(message.content))
    return speakerNamed(message.content.role) ?? speakerNamed(author) ?? "assistant";
  return speakerNamed(message.from ?? message.sender ?? message.speaker ?? message.sessionUpdate);
}

const CONTENT_KEYS =
  "content parts contents blocks items message text value result tool_calls toolCalls tool_call tool_return tool_plan reasoning tool_results responses arguments kwargs data".split(
    " ",
  );
/** Where an entry of a chat says what it is. */
const KIND_KEYS = ["role", "type", "kind", "from", "sessionUpdate"];

/**
 * Of a turn that is itself a call or a result: `{role: "tool_call_result"}`, `{type: "function.call"}`,
 * `{sessionUpdate: "tool_call"}`.
 */
function turnAct(fields: Fields): Act | null {
  for (const key of KIND_KEYS) {
    const act = speechNamed(fields[key])?.act ?? null;
    if (act === null) continue;
    if (enveloped(fields) !== null) return null;
    if (act === "call" && isAnswered(fields)) return "result";
    // A turn may hold its calls or results as a list, as a message does.
    if (Array.isArray(fields.toolCalls ?? fields.tool_calls ?? fields.content ?? fields.parts)) return null;
    return (act === "call" ? isNamedCall(fields) : saysWhatCame(fields)) ? act : null;
  }
  return typeof fields.kind === "string" && hasCallId(fields) ? bareAct(fields) : null;
}

/** True for a call or a result that is a turn of its own and says of which call it is. */
export const isAct = (fields: Fields): boolean => hasCallId(fields) && turnAct(lowered(fields)) !== null;

/**
 * Of an entry whose kind says nothing that is known: what has a call's id and the call is one, what has it
 * and what came back is its result.
 */
function bareAct(fields: Fields): Act | null {
  if (callHolder(fields) !== null) return "call";
  return backIn(fields) !== undefined || typeof fields.error === "string" ? "result" : null;
}

/** Who speaks in an entry, in its envelope too. */
export const speakerIn = (fields: Fields): Speaker | null =>
  speakerOf(lowered(enveloped(lowered(fields)) ?? fields));

export function isSpoken(value: unknown): value is Fields {
  if (!isFields(value)) return false;
  const fields = lowered(value);
  if (isItem(fields) || isCallItem(fields) || isPartedTurn(fields) || spanEvent(fields) !== null) return true;
  if (turnAct(fields) !== null) return true;
  const { message } = fields;
  const inner = enveloped(fields);
  if (inner !== null) return isSpoken(inner);
  if (speakerOf(fields) !== null) return CONTENT_KEYS.some((key) => key in fields);
  // Of spans and logs: the message is the line's or the attribute's one field of that name.
  return isFields(message) && Object.keys(fields).length === 1 && isSpoken(message);
}

/** A turn whose parts each say who speaks: `{kind: "request", parts: [{part_kind: "user-prompt"}]}`. */
function isPartedTurn({ kind, parts }: Fields): boolean {
  if ((kind !== "request" && kind !== "response") || !Array.isArray(parts)) return false;
  const [first] = parts as unknown[];
  return isFields(first) && typeof first.part_kind === "string";
}

/** Parts of one speaker that follow each other are one message. */
function partedTurn(parts: readonly unknown[]): readonly unknown[] {
  const messages: { role: Speaker; content: unknown[] }[] = [];
  for (const part of parts.slice(0, MESSAGES_MAX)) {
    if (!isFields(part) || typeof part.part_kind !== "string") continue;
    const isRetry = part.part_kind === "retry-prompt" && typeof part.tool_name === "string";
    const role = isRetry ? "tool" : entrySpeaker(part.part_kind);
    const result = isRetry ? { ...resultPart(part), is_error: true } : resultPart(part);
    const content = role === "tool" ? [result] : plainParts([{ ...part, type: part.part_kind }]);
    const last = messages.at(-1);
    if (last?.role === role) last.content.push(...content);
    else messages.push({ role, content });
  }
  return messages;
}

/** `computer_call`, `mcp_call`, `web_search_call`, …, and what they came to. */
function isCallItem({ type, role }: Fields): boolean {
  return role === undefined && typeof type === "string" && /^[a-z_]{2,40}_call(?:_output)?$/.test(type);
}

/** The list of messages in a value, in the detectors' form; null where it holds none. */
export function plainMessages(value: readonly unknown[]): readonly unknown[] | null {
  // LangChain has a list of chats, one for each prompt of a batch.
  const list = value.length === 1 && Array.isArray(value[0]) ? (value[0] as unknown[]) : value;
  const last = list.slice(-MESSAGES_MAX);
  if (last.length === 0 || !last.some(isSpoken)) return null;
  if (last.every(isPlainMessage)) return last;
  return last.flatMap((one) => plainMessage(one, 0));
}

/** One message, or several where the framework puts calls, results and words into one. */
export function plainMessage(value: unknown, depth: number): readonly unknown[] {
  if (typeof value === "string") return [{ role: "user", content: value }];
  if (!isFields(value) || depth > DEPTH_MAX) return [];
  if (isPlainMessage(value)) return [value];
  const fields = lowered(value);
  const act = turnAct(fields);
  if (act !== null || isCallItem(fields)) {
    const parts = act === null ? plainParts([fields]) : turnParts(fields, act);
    return parts.map((part) => ({ role: isResult(part) ? "tool" : "assistant", content: [part] }));
  }
  const event = spanEvent(fields);
  if (event !== null) return plainMessage(event, depth + 1);
  if (isPartedTurn(fields)) return partedTurn(fields.parts as unknown[]);
  const { kwargs, data, message } = fields;
  const within = enveloped(fields);
  if (within !== null) return plainMessage(within, depth + 1);
  const speaker = speakerOf(fields);
  if (isFields(message)) return plainMessage(spokenBy(speaker, lowered(message)), depth + 1);
  // Of whom nothing is known: read as whoever else speaks there.
  if (speaker === null) return [systemEntry(fields) ?? fields];
  const inner = isFields(kwargs) ? kwargs : isFields(data) && !("content" in fields) ? data : fields;
  return messageOf(speaker, inner);
}

/** What an operator says in an entry of a log that has a name for it. */
function systemEntry(fields: Fields): Fields | null {
  if (typeof fields.kind !== "string") return null;
  for (const key in fields) {
    const said = fields[key];
    if (MODEL_NAMES.roleOf(key) === "system" && said !== null)
      return { role: "system", content: isFields(said) ? [said] : said };
  }
  return null;
}

const spokenBy = (role: Speaker | null, message: Fields): Fields =>
  role === null ? message : { role, ...message };

function isResult(part: unknown): boolean {
  return isFields(part) && part.type === "tool_result";
}

function contentOf(fields: Fields): unknown {
  const { content, parts, contents, blocks, items, message, text, value, tool_return, reasoning, tool_plan } =
    fields;
  const given = content ?? parts ?? contents ?? blocks ?? items ?? message ?? text ?? value;
  const found = given ?? tool_return ?? reasoning ?? tool_plan ?? null;
  if (!isFields(found)) return found;
  // The Agent Development Kit and opencode have a content of parts; others of a single one.
  if (Array.isArray(found.parts)) return found.parts;
  return typeof found.type === "string" ? [found] : (found.text ?? found.value ?? null);
}

function messageOf(role: Speaker, fields: Fields): readonly unknown[] {
  const found = contentOf(fields);
  const parts = Array.isArray(found) ? plainParts(found) : found;
  const told = [...callsIn(fields)];
  const calls = told
    .filter((part) => !isResult(part))
    .map(({ id, name, input }) => ({
      id,
      type: "function",
      function: { name, arguments: input },
    }));
  const results = [...told.filter(isResult), ...resultsIn(fields)];
  const message: Record<string, unknown> = { role, content: parts };
  if (calls.length > 0) message.tool_calls = calls;
  if (role === "tool") Object.assign(message, outcomeBeside(fields, parts));
  // A call that holds its result was answered before the model spoke on.
  const answered = Array.isArray(parts) ? parts.filter(isResult) : [];
  if (role === "assistant" && answered.length > 0)
    return inTurns(message, [...(parts as unknown[]), ...results]);
  if (results.length === 0) return [message];
  const isBare = parts === null || parts === "";
  const given = { role: "tool", content: results };
  return isBare && role === "tool" ? [given] : [message, given];
}

/** Words and calls of the model and what tools gave back in between, each as a message of its own. */
function inTurns(message: Fields, parts: readonly unknown[]): readonly unknown[] {
  const turns: { readonly role: unknown; readonly content: unknown[] }[] = [];
  for (const part of parts) {
    const role = isResult(part) ? "tool" : message.role;
    const last = turns.at(-1);
    if (last?.role === role) last?.content.push(part);
    else
      turns.push(
        role === "tool" || turns.length > 0
          ? { role, content: [part] }
          : { ...message, role, content: [part] },
      );
  }
  return turns;
}

/** Which call a tool's message answers, and whether it failed. */
function outcomeBeside(fields: Fields, said: unknown): Fields {
  const { additional_kwargs: more, tool_call_id, toolCallId, call_id, name, toolName, tool_name } = fields;
  const beside = isFields(more) ? more.tool_call_id : undefined;
  const { content, is_error: isFailed } = resultPart(fields);
  const isSilent = said === null || said === "";
  const called = typeof fields.function === "string" ? fields.function : undefined;
  return {
    ...(isSilent && isFailed === true
      ? { content: isFields(content) ? (content.message ?? content) : content }
      : {}),
    ...(isSilent && isFailed !== true && backIn(fields) !== undefined ? { content: backIn(fields) } : {}),
    tool_call_id: tool_call_id ?? toolCallId ?? call_id ?? beside,
    name: name ?? toolName ?? tool_name ?? called,
    is_error: isFailed === true || fields.tool_call_error === true,
  };
}

/** The calls that stand beside a message's words, each followed by what came back where that is told too. */
function* callsIn(fields: Fields): Generator<Fields> {
  const { additional_kwargs: more, tool_calls, toolCalls, toolInvocations, toolExecutionRequests } = fields;
  // Of some transcripts a call is a turn of its own.
  const isCall = typeof fields.name === "string" && fields.arguments !== undefined;
  const single = fields.function_call ?? fields.tool_call ?? (isCall ? fields : undefined);
  const beside = isFields(more)
    ? (more.tool_calls ?? (isFields(more.function_call) ? [more.function_call] : null))
    : null;
  const isGiven = Array.isArray(tool_calls) && tool_calls.length > 0;
  const listed =
    (isGiven ? tool_calls : null) ?? toolCalls ?? toolInvocations ?? toolExecutionRequests ?? beside;
  const all = Array.isArray(listed) ? listed : isFields(single) ? [single] : [];
  for (const call of all.slice(0, MESSAGES_MAX)) if (isFields(call)) yield* callAndResult(call);
}

function* resultsIn({ tool_results, responses }: Fields) {
  for (const one of Array.isArray(responses) ? responses : []) if (isFields(one)) yield resultPart(one);
  for (const one of Array.isArray(tool_results) ? tool_results : [])
    if (isFields(one)) yield resultPart(isFields(one.call) ? { name: one.call.name, ...one } : one);
}
