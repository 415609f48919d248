import { listedAttributes } from "./attributes.ts";
import { MODEL_NAMES, sideNamed } from "./field-names.ts";
import { type Fields, isFields, lowered } from "./fields.ts";
import { isAct, isEnveloped, isSpoken, speakerIn, speakerOf } from "./messages.ts";
import { isStepList } from "./steps.ts";
import { isStream } from "./stream-chunks.ts";

const isMessageNamed = (key: string): boolean => key.endsWith("essage");

/** What the model says under a name that says that it came back: `last_reply`, `result`, `output_choices`. */
export function isAnswerNamed(key: string, value: unknown): value is Fields | readonly Fields[] {
  if (!Array.isArray(value)) return isSaidByModel(value) && (isMessageNamed(key) || sideNamed(key) === "out");
  return value.length > 0 && sideNamed(key) === "out" && value.slice(0, ANSWERS_MAX).every(isSaidByModel);
}

const ANSWERS_MAX = 16;

const isSaidByModel = (value: unknown): value is Fields =>
  isSpoken(value) && speakerOf(lowered(value)) === "assistant";

/**
 * A list in which a person speaks or a tool is called, and nobody who says nothing: the chat, if there is no
 * other.
 */
const isTalk = (list: readonly unknown[]): boolean =>
  list.length > 0 &&
  list.every(isEntry) &&
  list.some((one) => isSpoken(one) && (speakerIn(one) === "user" || isAct(one)));

/** A log of a chat may hold an entry in which nobody speaks, if it says of what kind it is. */
const isEntry = (value: unknown): boolean =>
  isSpoken(value) ||
  (isFields(value) && typeof value.kind === "string" && !("text" in value || "content" in value));

const BEARS_NODES_MAX = 300;
const BEARS_DEPTH_MAX = 9;
/** Of a list the first members tell what all are. */
const BEARS_MEMBERS_MAX = 4;

/**
 * True if a chat stands in a value of which nothing else is known: a list of messages under one of its names,
 * in a wrapper that only a chat's have, or in which a person speaks. Any other list of what looks like
 * messages is none: a role in it would be believed.
 */
export function bearsChat(value: unknown, seen = { nodes: 0 }, depth = 0): value is object {
  if (typeof value !== "object" || value === null || depth > BEARS_DEPTH_MAX) return false;
  if (Array.isArray(value)) {
    if (isStream(value) || isEnveloped(value) || isTalk(value) || isStepList(value)) return true;
    for (let i = 0; i < value.length && i < BEARS_MEMBERS_MAX; i++)
      if (bearsChat(value[i], seen, depth + 1)) return true;
    return false;
  }
  for (const key in value) {
    if (seen.nodes++ > BEARS_NODES_MAX) return false;
    const inner = (value as Fields)[key];
    if (typeof inner !== "object" || inner === null) continue;
    const role = MODEL_NAMES.roleOf(key);
    if (role === "input" || role === "output") {
      if (Array.isArray(inner) ? inner.some(isSpoken) : isSpoken(inner)) return true;
    } else if (isMessageNamed(key) && isSpoken(inner)) return true;
    else if (role === "within" && Array.isArray(inner) && listedAttributes(inner.slice(0, 1)) !== null)
      return inner.length > 0;
    if (bearsChat(inner, seen, depth + 1)) return true;
  }
  return false;
}
