import { isSpread } from "./attributes.ts";
import { bearsChat, isAnswerNamed } from "./chat-bearers.ts";
import { KeyKinds, MARK, MODEL_NAMES, OTHER, SETTLED, sideNamed, UNKNOWN, VALUE } from "./field-names.ts";
import { type Fields, isFields } from "./fields.ts";
import { isEnveloped, isPlainMessage, isSpoken } from "./messages.ts";
import { endNamed, FLAGS_WELL, stopsShort, tellsEnd } from "./model-end.ts";
import { isPlainPart } from "./parts.ts";
import { looksPrinted } from "./printed-values.ts";
import { isStream } from "./stream-chunks.ts";

/**
 * Tells a model call that is read as it is, as nearly all are, from one that has to be read for its form: a
 * look at each of its fields.
 */
/** Named as the detectors read them: only the value may be in another form. */
const READ_BY_NAME = "input messages prompt tool_calls gen_ai.input.messages".split(" ");
const ANSWERS = ["output", "completion", "gen_ai.output.messages"];
/** Named so and read so: nothing to look at. */
const SETTLED_KEYS =
  "model provider tokens_in tokens_out finish_reason latency_ms error system system_prompt instructions gen_ai.request.model gen_ai.system gen_ai.system_instructions".split(
    " ",
  );
/**
 * A list of tools is read as it stands; a node of a graph may be called so too, and hold what its tools gave
 * back.
 */
const TOOLS = 6;
/** Read as it is, unless it says that it stops short. */
const ANSWER = 7;
const SPEAKS = ["role", "type", "author", "source", "id"];
const KINDS = new KeyKinds(
  MODEL_NAMES,
  [
    [SETTLED, SETTLED_KEYS],
    [VALUE, READ_BY_NAME],
    [ANSWER, ANSWERS],
    [MARK, SPEAKS],
    [TOOLS, ["tools"]],
    // The answer of a message, or once more what a chat beside it says.
    [OTHER, ["content"]],
  ],
  endNamed,
);

/** True if all of the payload is in a form that is read as it is. */
export function isPlainModelCall(payload: Fields): boolean {
  const { known } = KINDS;
  let maySpeak = false;
  for (const key in payload) {
    const kind = known.get(key) ?? KINDS.kindOf(key);
    if (kind === SETTLED) continue;
    if (kind === MARK) {
      maySpeak = true;
      continue;
    }
    const value = payload[key];
    if (kind >= FLAGS_WELL) {
      if (tellsEnd(kind, value) || bearsChat(value)) return false;
      continue;
    }
    if (kind === UNKNOWN && (isAnswerNamed(key, value) || isPrintedSide(key, value))) return false;
    if (kind === UNKNOWN || kind === TOOLS) {
      if (kind === TOOLS ? isFields(value) && bearsChat(value) : bearsChat(value)) return false;
      continue;
    }
    if (kind === ANSWER && stopsShort(value)) return false;
    if (kind === VALUE || kind === ANSWER ? !isPlainChat(value) : value !== null) return false;
  }
  return !maySpeak || !isSpoken(payload);
}

/** What goes in or comes back as JSON, under a name that only says so. */
const isPrintedSide = (key: string, value: unknown): boolean =>
  typeof value === "string" && looksPrinted(value) && sideNamed(key) !== null;

function isPlainChat(value: unknown): boolean {
  if (typeof value === "string") return !looksPrinted(value) || isPlainJson(value);
  if (Array.isArray(value))
    return value.every(isPlainTurn) || !(value.some(isOther) || isEnveloped(value) || isStream(value));
  if (!isFields(value)) return true;
  const list = value.messages ?? value.contents;
  if (Array.isArray(list)) return isPlainChat(list) && !Object.keys(value).some(isListOfTools);
  return isPlainMessage(value)
    ? "role" in value
    : !isKnownInside(value) && !isSpoken(value) && !bearsChat(value);
}

const isListOfTools = (key: string): boolean => MODEL_NAMES.roleOf(key) === "tools";

/** A message, or a part of the one message that an answer is. */
const isPlainTurn = (value: unknown): boolean =>
  isPlainMessage(value) || (isFields(value) && isPlainPart(value));

const isOther = (value: unknown): boolean =>
  (isSpoken(value) && !isPlainMessage(value)) ||
  Array.isArray(value) ||
  (isFields(value) && isKnownInside(value));

const JSON_OF_MESSAGES =
  /^\s{0,8}(?:\[\s{0,8}\{|\{)\s{0,8}"(?:role|messages|contents|parts|content|type|tool_call_id)"/;
const JSON_OF_OTHERS =
  /"(?:kwargs|blocks|toolInvocations|block_type|additional_kwargs|\$type|toolInvocation|tool_results|toolCalls|part_kind|message_type|raw_item|content_type)"|"type"\s{0,2}:\s{0,2}"(?:human|ai|constructor)"/;

const ENDS_CHARS = 4_000;

/**
 * JSON that holds messages in a form that is read anyway is read where it is needed, from its end; a chat's
 * form shows at its ends.
 */
function isPlainJson(text: string): boolean {
  if (!JSON_OF_MESSAGES.test(text)) return false;
  return !JSON_OF_OTHERS.test(text.slice(0, ENDS_CHARS)) && !JSON_OF_OTHERS.test(text.slice(-ENDS_CHARS));
}

/** True if fields of a model call stand in the value. */
export function isKnownInside(value: Fields): boolean {
  for (const key in value) {
    const role = MODEL_NAMES.roleOf(key);
    if ((role !== null && role !== "model" && role !== "error") || isSpread(key)) return true;
  }
  return false;
}
