import { type Fields, isFields } from "../../client-forms/fields.ts";
import { hashText, hashValue, mix } from "../hash.ts";
import { parsedJson } from "../json-text.ts";
import { toolClassOf } from "./tool-class.ts";
import { callHashOf } from "./tool-view.ts";
import { hashOfTries } from "./try-fields.ts";

/**
 * Calls that differ only in which page they ask for, or in the clock of the request, and that bring the same
 * things all the same: a service that takes no notice of the page, an agent that asks again and only the time
 * goes on. Only of tools that read, since to write one thing down at another time is another deed; and only
 * where what comes back is more than a receipt.
 */
const PAGE_FIELD =
  /^(?:page|p(?:age)?_?(?:no|num|number|index|token)|offset|skip|cursor|after|start(?:_?(?:at|index|row|after|cursor|page))?|from_?(?:index|row)|next_?(?:page|cursor|token)(?:_?token)?|continuation_?token)$/i;
const TIMES = 1_000;
const NEAR_MS = 120_000;
const ISO_MIN = 19;
const ISO_MAX = 35;
const FIELDS_MAX = 24;
const TEXT_PARSED_MAX = 16_384;
const TEXT_MIN = 80;
const VALUES_MIN = 3;
const DEPTH_MAX = 3;

const kinds = new Map<string, boolean>();
const KINDS_KEPT_MAX = 1_000;
const NAME_MAX = 40;

function isPageField(name: string): boolean {
  if (name.length > NAME_MAX) return false;
  const known = kinds.get(name);
  if (known !== undefined) return known;
  if (kinds.size >= KINDS_KEPT_MAX) kinds.clear();
  const found = PAGE_FIELD.test(name);
  kinds.set(name, found);
  return found;
}

/**
 * The moment of the request itself, in seconds, milliseconds or as ISO 8601; a moment asked about lies
 * elsewhere.
 */
export function isClock(value: unknown, atMs: number): boolean {
  if (typeof value === "number")
    return Math.abs(value - atMs) <= NEAR_MS || Math.abs(value * TIMES - atMs) <= NEAR_MS;
  if (typeof value !== "string" || value.length < ISO_MIN || value.length > ISO_MAX) return false;
  return value.charCodeAt(4) === 0x2d && Math.abs(Date.parse(value) - atMs) <= NEAR_MS;
}

export function kindredOf(tool: string, args: unknown, atMs: number): number {
  if (!reads(tool)) return 0;
  const fields = fieldsOf(args);
  if (fields === null || !hasPageOrClock(fields, atMs)) return 0;
  const names = Object.keys(fields);
  if (names.length > FIELDS_MAX) return 0;
  const kept = names.filter((name) => !isPageField(name) && !isClock(fields[name], atMs));
  return hashOf(tool, fields, kept);
}

/** Asked first, as most calls have neither. */
function hasPageOrClock(fields: Fields, atMs: number): boolean {
  for (const name in fields) if (isPageField(name) || isClock(fields[name], atMs)) return true;
  return false;
}

function hashOf(tool: string, fields: Fields, names: readonly string[]): number {
  const kept = Object.fromEntries(names.map((name) => [name, fields[name]]));
  return hashOfTries(tool, kept, callHashOf(tool, kept));
}

const readers = new Map<string, boolean>();

function reads(tool: string): boolean {
  const known = readers.get(tool);
  if (known !== undefined) return known;
  if (readers.size >= KINDS_KEPT_MAX) readers.clear();
  const toolClass = toolClassOf(tool.slice(tool.lastIndexOf("/") + 1));
  const found = toolClass === "read" || toolClass === "browse";
  readers.set(tool, found);
  return found;
}

/** What text holds where a page or a clock may stand in it. */
const MAY_TELL = /(?:page|p_?no|p_?num|offset|skip|cursor|after|start|index|token)\w{0,12}"|\d{10}|\dT\d/i;

function fieldsOf(args: unknown): Fields | null {
  if (typeof args === "string" && !MAY_TELL.test(args.slice(0, TEXT_PARSED_MAX))) return null;
  const given = typeof args === "string" ? parsed(args) : args;
  return isFields(given) ? given : null;
}

function parsed(text: string): unknown {
  const first = text.charCodeAt(0);
  if ((first !== 0x7b && first !== 0x5b) || text.length > TEXT_PARSED_MAX) return null;
  return parsedJson(text);
}

/**
 * The hash of what was brought, 0 where it could be nothing: the list in a result, whatever stands beside it;
 * else all of it but its clock.
 */
export function broughtBy(result: unknown, atMs: number): number {
  const text = typeof result === "string" ? result : mcpText(result);
  const value = text === null ? result : (parsed(text) ?? text);
  if (typeof value === "string") return value.length >= TEXT_MIN ? hashText(value) : 0;
  const list = listIn(value, 0);
  if (list !== null) return mix(list.length, hashValue(list));
  if (!isFields(value)) return 0;
  const names = Object.keys(value);
  // Nothing on the pages behind the last one is what a page is read for.
  if (names.length < VALUES_MIN || names.length > FIELDS_MAX || names.some((name) => isPageField(name)))
    return 0;
  return hashOf(
    "",
    value,
    names.filter((name) => !isClock(value[name], atMs)),
  );
}

function mcpText(result: unknown): string | null {
  const content = isFields(result) ? result.content : result;
  if (!Array.isArray(content) || content.length !== 1) return null;
  const [only] = content;
  return isFields(only) && typeof only.text === "string" ? only.text : null;
}

function listIn(value: unknown, depth: number): readonly unknown[] | null {
  if (Array.isArray(value)) return value.length === 0 ? null : value;
  if (!isFields(value) || depth >= DEPTH_MAX) return null;
  let seen = 0;
  for (const key in value) {
    if (seen++ >= FIELDS_MAX) break;
    const list = listIn(value[key], depth + 1);
    if (list !== null) return list;
  }
  return null;
}
