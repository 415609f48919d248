import { type Fields, isFields } from "../../client-forms/fields.ts";
import { byName } from "../by-name.ts";
import { parsedJson } from "../json-text.ts";
import { callHashOf } from "./tool-view.ts";

/**
 * What a client writes beside the arguments to tell one try from the next: a count of tries, an id of the
 * request.
 */
const TRY_FIELD =
  /^_?(?:attempts?|attempt_?(?:no|number|count|id)|retry|retries|retry_?(?:no|number|count|id)|tries|try_?(?:no|number|count)|(?:client_?)?request_?id|idempotency_?key|correlation_?id|trace_?id|span_?id|nonce|cache_?bust(?:er)?)$/i;
const IN_TEXT =
  /"_?(?:attempt|retr(?:y|ies)|tr(?:y|ies)|(?:client_?)?request_?id|idempotency|correlation|trace_?id|span_?id|nonce|cache_?bust)/i;
const TEXT_MAX = 16_384;

export const countsTries = byName((name) => TRY_FIELD.test(name));
const namesDeed = byName((name) => /^idempotency_?key$/i.test(name));

/** The hash of a call without the fields that count its tries; `hash`, where it has none of them. */
export function hashOfTries(tool: string, args: unknown, hash: number): number {
  const fields = fieldsIn(args);
  if (fields === null || !countsAny(fields)) return hash;
  const kept = Object.keys(fields).filter((name) => !countsTries(name));
  if (kept.length === 0) return hash;
  return callHashOf(tool, Object.fromEntries(kept.map((name) => [name, fields[name]])));
}

function countsAny(fields: Fields): boolean {
  for (const name in fields) if (countsTries(name)) return true;
  return false;
}

/** The key by which a client says that a deed is meant once more, and not tried once more; "" for none. */
export function deedKeyIn(args: unknown): string {
  const fields = fieldsIn(args);
  const name = fields === null ? undefined : Object.keys(fields).find(namesDeed);
  const key = name === undefined ? undefined : fields?.[name];
  return typeof key === "string" ? key : "";
}

function fieldsIn(args: unknown): Fields | null {
  if (typeof args !== "string") return isFields(args) ? args : null;
  if (args.length > TEXT_MAX || !IN_TEXT.test(args)) return null;
  const parsed = parsedJson(args);
  return isFields(parsed) ? parsed : null;
}
