import { type Fields, isFields } from "./fields.ts";

/**
 * Attributes of spans, in which lists and objects are spread over keys (`llm.input_messages.0.message.role`),
 * or which come as a list of keys and values, as OpenTelemetry's own format has them: put together again.
 * Bounded in keys and depth.
 */
const KEYS_MAX = 4_000;
const SEGMENTS_MAX = 16;
const INDEX_MAX = 2_000;
const SPREAD_KEY_CHARS_MAX = 200;
const INDEXED = /\.\d{1,4}(?:\.|$)/;

/** True if a list is spread over keys here. */
export const isSpread = (key: string): boolean => key.length < SPREAD_KEY_CHARS_MAX && INDEXED.test(key);

/** `[{key, value: {stringValue}}]` as an object; null for any other list. */
export function listedAttributes(list: readonly unknown[]): Fields | null {
  const all: Record<string, unknown> = {};
  for (let i = 0; i < list.length && i < KEYS_MAX; i++) {
    const one = list[i];
    if (!isFields(one) || typeof one.key !== "string" || one.key === "__proto__" || !("value" in one))
      return null;
    all[one.key] = typedValue(one.value);
  }
  return all;
}

function typedValue(value: unknown): unknown {
  if (!isFields(value)) return value;
  const { stringValue, intValue, doubleValue, boolValue, arrayValue, kvlistValue } = value;
  if (isFields(arrayValue) && Array.isArray(arrayValue.values)) return arrayValue.values.map(typedValue);
  if (isFields(kvlistValue) && Array.isArray(kvlistValue.values))
    return listedAttributes(kvlistValue.values) ?? value;
  return (
    stringValue ??
    (intValue === undefined ? undefined : Number(intValue)) ??
    doubleValue ??
    boolValue ??
    value
  );
}

/** The lists that are spread over keys, by the name before the first place of a list; all else as it was. */
export function gathered(fields: Fields): Fields {
  const all: Record<string, unknown> = {};
  const lists = new Map<string, Record<string, unknown>>();
  let count = 0;
  for (const key in fields) {
    const at = key.length < SPREAD_KEY_CHARS_MAX ? key.search(INDEXED) : -1;
    if (at < 0 || count++ > KEYS_MAX) {
      all[key] = fields[key];
      continue;
    }
    const name = key.slice(0, at);
    const tree = lists.get(name) ?? {};
    lists.set(name, tree);
    plant(tree, key.slice(at + 1).split("."), fields[key]);
  }
  for (const [name, tree] of lists) all[name] ??= grown(tree, 0);
  return all;
}

function plant(tree: Record<string, unknown>, path: readonly string[], value: unknown): void {
  if (path.length > SEGMENTS_MAX || path.includes("__proto__")) return;
  let place = tree;
  for (const segment of path.slice(0, -1)) {
    const next = place[segment];
    if (isFields(next)) place = next as Record<string, unknown>;
    else {
      const made: Record<string, unknown> = {};
      place[segment] = made;
      place = made;
    }
  }
  place[path.at(-1) as string] ??= value;
}

/** Objects whose keys are all places become lists. */
function grown(tree: Fields, depth: number): unknown {
  const keys = Object.keys(tree);
  const isList = keys.every((key) => /^\d{1,4}$/.test(key) && Number(key) <= INDEX_MAX);
  const inner = (value: unknown) =>
    isFields(value) && depth < SEGMENTS_MAX ? grown(value, depth + 1) : value;
  if (isList) return keys.toSorted((a, b) => Number(a) - Number(b)).map((key) => inner(tree[key]));
  return Object.fromEntries(keys.map((key) => [key, inner(tree[key])]));
}
