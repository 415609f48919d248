import { callAndResult, callHolder, plainCall } from "./call-shapes.ts";
import { type Fields, isFields } from "./fields.ts";
import { wordsOf } from "./speakers.ts";

/**
 * The steps of an agent beside its chat: a list whose members each hold a call and what came of it, in
 * whatever wrappers: `[[action, observation]]`, `[{action: {tool, tool_input}, observation}]`, `[{tool,
 * toolInput, toolOutput}]`, `[{step_details: {tool_calls: [{function: {name, arguments, output}}]}}]`.
 * Bounded in members and depth.
 */
const STEPS_MAX = 100;
const DEPTH_MAX = 4;
const KEYS_MAX = 24;
const OF_TOOLS = new Set("tool tools function functions action call calls".split(" "));

/** A call and its result, in turn; null for a list of anything else. */
export function stepsIn(list: readonly unknown[]): readonly Fields[] | null {
  const parts: Fields[] = [];
  for (let i = 0; i < list.length && i < STEPS_MAX; i++) addStep(parts, list[i], 0);
  return parts.some(({ type }) => type === "tool_result") ? parts : null;
}

/** Tells by its first member. */
export const isStepList = (list: readonly unknown[]): boolean =>
  list.length > 0 &&
  isFields(Array.isArray(list[0]) ? list[0][0] : list[0]) &&
  stepsIn(list.slice(0, 1)) !== null;

function addStep(parts: Fields[], value: unknown, depth: number): void {
  if (depth > DEPTH_MAX || parts.length >= STEPS_MAX * 2) return;
  if (Array.isArray(value)) addPair(parts, value);
  else if (isCall(value)) {
    const told = callAndResult(value);
    if (told.length === 2) parts.push(...told);
  } else if (isFields(value)) addListed(parts, value, depth);
}

function addPair(parts: Fields[], [action, observation, more]: readonly unknown[]): void {
  if (more !== undefined || observation === undefined || !isCall(action)) return;
  const call = plainCall(action);
  const result = { type: "tool_result", tool_use_id: call.id, name: call.name, content: observation };
  parts.push({ ...call }, result);
}

function addListed(parts: Fields[], fields: Fields, depth: number): void {
  let keys = 0;
  for (const key in fields) {
    if (keys++ > KEYS_MAX) return;
    const inner = fields[key];
    const list = isFields(inner) ? Object.values(inner).find(Array.isArray) : inner;
    if (!Array.isArray(list) || !isCall(list[0])) continue;
    for (const one of list.slice(0, STEPS_MAX)) addStep(parts, one, depth + 1);
  }
}

/** A name beside what was given may be anything: it must say that it is a tool's. */
function isCall(value: unknown): value is Fields {
  if (!isFields(value) || callHolder(value) === null) return false;
  return Object.keys(value)
    .slice(0, KEYS_MAX)
    .some((key) => wordsOf(key.slice(0, 60)).some((word) => OF_TOOLS.has(word)));
}
