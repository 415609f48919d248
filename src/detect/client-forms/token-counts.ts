import { MODEL_NAMES } from "./field-names.ts";
import { type Fields, isFields, lowered } from "./fields.ts";

/**
 * Counts of tokens in whatever else a payload holds, where none stand under a usage: by their own names, as
 * `{total}`, or as the value of a metric named so. Bounded in fields and depth; lists of messages are passed
 * over, whose counts are those of earlier calls.
 */
export interface TokenCounts {
  tokensIn?: number;
  tokensOut?: number;
}

const FIELDS_MAX = 400;
const DEPTH_MAX = 6;
const MEMBERS_MAX = 8;

export function tokensWithin(value: unknown): TokenCounts {
  const found: TokenCounts = {};
  look(value, found, { fields: 0 }, 0);
  return found;
}

function look(value: unknown, found: TokenCounts, seen: { fields: number }, depth: number): void {
  if (depth > DEPTH_MAX) return;
  if (Array.isArray(value)) {
    for (const one of value.slice(0, MEMBERS_MAX)) if (!isMessage(one)) look(one, found, seen, depth + 1);
    return;
  }
  if (!isFields(value)) return;
  const metric = value.metric ?? value.name;
  if (typeof metric === "string") note(metric, value.value, found);
  for (const key in value) {
    if (seen.fields++ > FIELDS_MAX) return;
    if (!note(key, value[key], found)) look(value[key], found, seen, depth + 1);
  }
}

const isMessage = (value: unknown): boolean =>
  isFields(value) && ("role" in value || "content" in lowered(value));

function note(key: string, value: unknown, found: TokenCounts): boolean {
  const role = MODEL_NAMES.roleOf(key);
  if (role !== "tokensIn" && role !== "tokensOut") return false;
  const count = isFields(value) ? (value as Fields).total : value;
  if (typeof count === "number") found[role] ??= count;
  return true;
}
