import { isFields } from "../client-forms/fields.ts";
import type { DetectorEvent } from "../detector.ts";
import { byName } from "./by-name.ts";

/** A token count of a payload; 0 for anything that is not a whole number of tokens. */
export function tokensOf(value: unknown): number {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : 0;
}

/** True if the call says how many tokens it used. */
export function reportsTokens(event: DetectorEvent): boolean {
  return typeof event.payload.tokens_in === "number" || typeof event.payload.tokens_out === "number";
}

/** Tokens that some providers count within the others and some beside them. */
export interface SpecialTokens {
  readonly cacheRead: number;
  readonly cacheWritten: number;
  readonly reasoning: number;
}

const NO_TOKENS: SpecialTokens = { cacheRead: 0, cacheWritten: 0, reasoning: 0 };
const CACHE = /cache/i;
const WRITTEN = /creat|writ|stor/i;
const REASONING = /reasoning|thought|thinking/i;
const TOKENS = /token|count|input|read|creat|writ/i;
const DEPTH_MAX = 3;
const FIELDS_MAX = 100;

type SpecialKind = keyof SpecialTokens | "other";

/** What a count is of, by its name. */
const countNamed = byName((key): SpecialKind => {
  if (!TOKENS.test(key)) return "other";
  if (REASONING.test(key)) return "reasoning";
  return !CACHE.test(key) ? "other" : WRITTEN.test(key) ? "cacheWritten" : "cacheRead";
});

/** Those of a model call, beside its counts or within its usage. */
export function specialTokensOf({ payload }: DetectorEvent): SpecialTokens {
  let found = NO_TOKENS;
  let left = FIELDS_MAX;
  const read = (fields: Readonly<Record<string, unknown>>, depth: number): void => {
    for (const key in fields) {
      if (left-- <= 0) return;
      const value = fields[key];
      if (typeof value === "number") found = withTokens(found, key, tokensOf(value));
      else if (isFields(value) && depth < DEPTH_MAX && /usage|details|token|metadata/i.test(key))
        read(value, depth + 1);
    }
  };
  read(payload, 0);
  return found;
}

/** The most that is said of each: the same count may stand in two places. */
function withTokens(found: SpecialTokens, key: string, tokens: number): SpecialTokens {
  // The counts that nearly every call has.
  const isPlain = key === "tokens_in" || key === "tokens_out" || key === "latency_ms";
  const kind = tokens === 0 || isPlain ? "other" : countNamed(key);
  return kind === "other" ? found : { ...found, [kind]: Math.max(found[kind], tokens) };
}

const TEXTS_MAX = 500;
const TEXT_DEPTH_MAX = 8;
/** A text without a blank of that length is a picture or a key, whose tokens are counted otherwise. */
const UNBROKEN_CHARS_MAX = 1_000;

/** The characters of the words in a value, `charsMax` at most. */
export function charactersIn(value: unknown, charsMax: number): number {
  let chars = 0;
  let left = TEXTS_MAX;
  const read = (one: unknown, depth: number): void => {
    if (left-- <= 0 || chars >= charsMax || depth > TEXT_DEPTH_MAX) return;
    if (typeof one === "string") {
      const isWords = one.length <= UNBROKEN_CHARS_MAX || /\s/.test(one.slice(0, UNBROKEN_CHARS_MAX));
      if (isWords) chars += one.length;
    } else if (Array.isArray(one)) for (const part of one) read(part, depth + 1);
    else if (isFields(one))
      for (const key in one) if (key !== "type" && key !== "role" && key !== "id") read(one[key], depth + 1);
  };
  read(value, 0);
  return Math.min(chars, charsMax);
}
