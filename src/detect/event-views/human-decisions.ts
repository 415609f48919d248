import { argumentsOf } from "../building-blocks/calls/call-fields.ts";
import { type Act, actOf, plainName } from "../building-blocks/calls/same-act.ts";
import { callHashOf, toolViewOf } from "../building-blocks/calls/tool-view.ts";
import { cutText } from "../building-blocks/cut-text.ts";
import { hashText } from "../building-blocks/hash.ts";
import { parsedJson } from "../building-blocks/json-text.ts";
import { isFields } from "../client-forms/fields.ts";
import type { DetectorEvent } from "../detector.ts";
import { chatTurnOf, endOfChatIn } from "./chat-turn.ts";
import { destroyedThings, destroyingWords } from "./destroyed-things.ts";
import { flattenText } from "./fields.ts";
import type { ModelToolCall } from "./model-tool-calls.ts";

/**
 * What people decide about an agent's calls, what it then does, and where a person writes to it, as hashes
 * that can be compared.
 */
export interface Decision {
  /** Its place in the run, as those of all the others. */
  readonly seq: number;
  readonly action: "reject" | "stop" | "approve" | "edit";
  readonly timestampMs: number;
  /** Hash of the tool's name; 0 where the decision names none. */
  readonly tool: number;
  /** Hash of tool and arguments; 0 where the decision names none. */
  readonly call: number;
  /** Hash of the call's id; 0 where the decision names none. */
  readonly callId: number;
  /** What it is about, argument by argument; null where it names no tool. */
  readonly act: Act | null;
  /** Of a rejection: its figures, the hash of the field's name before each. */
  readonly amounts: readonly number[];
  /**
   * Of a rejection: the names of what it was to do away with, unless the person says what to do in its place.
   */
  readonly spared: readonly string[];
  readonly eventId: string;
}

export interface Action {
  readonly seq: number;
  readonly startedMs: number;
  readonly tool: number;
  readonly call: number;
  readonly callId: number;
  /** False of a call that waits: its end has an event of its own. */
  readonly ended: boolean;
  readonly name: string;
  /** Only of the latest, and where a decision was known when it came. */
  act: Act | null;
  /** Nothing but another decision can make it one that a person is ignored by. */
  isSettled: boolean;
  readonly amounts: readonly number[];
  /** Of a call that does away with something: what it was given. */
  readonly destroying: string;
  /** Of a call of the model, which is judged and not kept. */
  readonly isModel?: boolean;
  readonly eventId: string;
}

/** A person's words behind an answer: not the task that the run began with, nor what a tool gave back. */
export function endsWithPerson(input: unknown): boolean {
  const held = typeof input === "string" ? endOfChatIn(input) : messagesHeld(input);
  if (!Array.isArray(held) || held.length < 2) return false;
  return PEOPLE.has(roleOf(held.at(-1))) && MODELS.has(roleOf(held.at(-2))) && !holdsResult(held.at(-1));
}

const messagesHeld = (input: unknown): unknown =>
  Array.isArray(input) ? input : (input as { messages?: unknown } | null | undefined)?.messages;

const PEOPLE: ReadonlySet<unknown> = new Set(["user", "human"]);
const MODELS: ReadonlySet<unknown> = new Set(["assistant", "ai", "model"]);

const roleOf = (message: unknown): unknown =>
  (message as { role?: unknown } | null)?.role ?? (message as { type?: unknown } | null)?.type;

/** Providers without a role for tools put what they gave back into a message of the user's. */
function holdsResult(message: unknown): boolean {
  const { content, parts } = message as { content?: unknown; parts?: unknown };
  const held = Array.isArray(content) ? content : parts;
  if (!Array.isArray(held)) return false;
  return held.some(
    (part) =>
      typeof part === "object" &&
      part !== null &&
      (part.type === "tool_result" || "functionResponse" in part || "toolResult" in part),
  );
}

export function decisionOf(event: DetectorEvent, seq: number): Decision | null {
  const { action, tool_name, call_id } = event.payload;
  const name = typeof action === "string" ? action.toLowerCase() : "";
  if (name !== "reject" && name !== "stop" && name !== "approve" && name !== "edit") return null;
  const tool = typeof tool_name === "string" ? tool_name : "";
  const args = name === "edit" ? editedIn(event.payload) : event.payload.arguments;
  const hasArguments = args !== undefined && args !== null;
  return {
    seq,
    action: name,
    timestampMs: event.timestampMs,
    tool: tool === "" ? 0 : hashText(tool),
    call: tool === "" || !hasArguments ? 0 : callHashOf(tool, args),
    callId: typeof call_id === "string" && call_id !== "" ? hashText(call_id) : 0,
    act: tool === "" ? null : actOf(tool, hasArguments ? args : undefined),
    amounts: name === "reject" && tool !== "" ? amountsIn(args) : NO_AMOUNTS,
    spared:
      name === "reject" && tool !== "" && !saysOtherwise(event) ? destroyedThings(tool, args) : NO_NAMES,
    eventId: event.eventId,
  };
}

/** What the person made of the arguments, where the proposal stands beside it under the plain name. */
const EDITED =
  "edited_arguments new_arguments modified_arguments updated_arguments edited_args new_args modified_args updated_args".split(
    " ",
  );

function editedIn(payload: Readonly<Record<string, unknown>>): unknown {
  const named = EDITED.find((one) => payload[one] !== undefined && payload[one] !== null);
  return named === undefined ? payload.arguments : payload[named];
}

const NO_NAMES: readonly string[] = [];
/** The person names another way. */
const OTHERWISE =
  /\b(?:instead|rather|use|try|better|go with|stattdessen|lieber|nimm|besser|plutôt|utilise[zr]?|en (?:su )?lugar|mejor|usa|em vez|melhor|invece|piuttosto|in plaats|liever)\b|вместо|лучше|代わり|改用|대신/i;

const saysOtherwise = ({ payload: { note, reason, message } }: DetectorEvent): boolean =>
  [note, reason, message].some((one) => typeof one === "string" && OTHERWISE.test(one.slice(0, 500)));

const NO_AMOUNTS: readonly number[] = [];
const AMOUNTS_MAX = 3;
const JSON_CHARS_MAX = 4_096;

/** What adds up: no id, page or year. */
const ADDS_UP =
  /amount|sum|total|quantity|qty|count|units?$|value|volume|shares|betrag|menge|anzahl|montant|quantit|importe|cantidad|valor|importo|bedrag|aantal|kwot|сумм|колич|金額|数量|金额|금액|수량/i;

function amountsIn(args: unknown): readonly number[] {
  const isJson = typeof args === "string" && args.startsWith("{") && args.length <= JSON_CHARS_MAX;
  const fields = isJson ? parsedJson(args) : args;
  if (!isFields(fields)) return NO_AMOUNTS;
  const found: number[] = [];
  for (const key in fields) {
    if (!ADDS_UP.test(key)) continue;
    const value = fields[key];
    const amount =
      typeof value === "string" && value.length < 30 && value.trim() !== "" ? Number(value) : value;
    if (typeof amount !== "number" || !Number.isFinite(amount)) continue;
    found.push(hashText(plainName(key)), amount);
    if (found.length >= 2 * AMOUNTS_MAX) break;
  }
  return found.length === 0 ? NO_AMOUNTS : found;
}

export const otherAction = (event: DetectorEvent, seq: number): Action => ({
  seq,
  startedMs: event.timestampMs - tookMs(event),
  tool: 0,
  call: 0,
  callId: 0,
  ended: true,
  name: event.type,
  act: null,
  isSettled: false,
  amounts: NO_AMOUNTS,
  destroying: "",
  eventId: event.eventId,
});

function tookMs({ payload }: DetectorEvent): number {
  const latency = payload.latency_ms;
  return typeof latency === "number" && latency > 0 ? latency : 0;
}

/** Handing over to a person is what a stop asks for. */
const PEOPLE_NAMED =
  /^(?:the )?(?:human|person|user|operator|owner|supervisor|support|reviewer)(?:[ _-]agent)?$/i;

/** `isSpared`: a person would not have something deleted. */
export function actionOf(
  event: DetectorEvent,
  seq: number,
  { isJudged = false, isSpared = false } = {},
): Action | null {
  if (event.type === "llm_call") return null;
  const view = toolViewOf(event);
  if (view === null) {
    if (event.type === "tool_call" || event.type === "mcp_call") return null;
    const { operation, to_agent: to } = event.payload;
    if (event.type === "memory_operation" && operation === "read") return null;
    if (event.type === "agent_handoff" && typeof to === "string" && PEOPLE_NAMED.test(to)) return null;
    return otherAction(event, seq);
  }
  // A command that ended with a status was run.
  if (view.failed && !/^exit code \d/.test(view.errorText)) return null;
  // An MCP tool is known to people by its own name, not behind its server's.
  const tool = typeof event.payload.tool_name === "string" ? event.payload.tool_name : view.tool;
  const args = argumentsOf(event.payload);
  return {
    ...otherAction(event, seq),
    tool: hashText(tool),
    call: tool === view.tool ? view.callHash : callHashOf(tool, args),
    callId: view.callIdHash,
    ended: view.ended,
    name: cutText(tool, 80),
    act: isJudged ? actOf(view.tool, args) : null,
    amounts: isJudged ? amountsIn(args) : NO_AMOUNTS,
    destroying: isSpared ? destroyingWords(tool, args) : "",
  };
}

/** Of a call that stands in a model's answer and whose result shows that it was made. */
export const actionInChat = (
  event: DetectorEvent,
  seq: number,
  { name, args, id }: ModelToolCall,
  isSpared: boolean,
): Action => ({
  ...otherAction(event, seq),
  tool: hashText(name),
  call: callHashOf(name, args),
  callId: id === "" ? 0 : hashText(id),
  name: cutText(name, 80),
  act: actOf(name, args),
  amounts: amountsIn(args),
  destroying: isSpared ? destroyingWords(name, args) : "",
});

const REFUSED_CHARS_MAX = 400;
/** How a framework tells the model that a person would not have it: the call was not made. */
const REFUSED =
  /reject|declin|den(?:y|ied)|refus|cancel|abort|disallow|forbid|block|skip|interrupt|veto|approv|permi(?:t|ss)|allow|authori[sz]|\bnot (?:been )?(?:executed|run|made|sent|performed)|didn.t|abgelehnt|verweiger|genehmig|abgebrochen|rechaz|deneg|rejet|annul|rifiut|negad|recus|geweiger|odrzu|отклон|отказ|отмен|拒|却下|取消|거부|취소/i;

/** The calls behind the model's last answer whose results its next input brings. */
export function callsMadeInChat(event: DetectorEvent): readonly ModelToolCall[] {
  const { before, results } = chatTurnOf(event);
  return before.filter(({ id }, index) => {
    const result = id === "" ? results[index] : results.find((one) => one.id === id);
    if (result === undefined || result.errorText !== "") return false;
    return !REFUSED.test(flattenText(result.value).slice(0, REFUSED_CHARS_MAX));
  });
}
