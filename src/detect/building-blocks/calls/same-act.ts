import { type Fields, isFields } from "../../client-forms/fields.ts";
import { byName } from "../by-name.ts";
import { cutText } from "../cut-text.ts";
import { halved, hashText, hashValue } from "../hash.ts";
import { parsedJson } from "../json-text.ts";

/**
 * What a call does, for comparing the one that a person decided about with the one that was made: the tool by
 * its name in any spelling, each argument by itself, and a command line by its parts. Reasons and
 * explanations that go with a call, and what only its transport needs, are no part of the act. Plain data of
 * at most about 300 bytes; whoever holds many makes them only where there is a decision.
 */
export interface Act {
  /** Of the name with what stands before it, and of the name alone. */
  readonly tool: number;
  readonly bare: number;
  /** Hash of the name, hash of the value and kind, one field behind the other. */
  readonly fields: readonly number[];
  /** The commands of a command line; empty where there is none. */
  readonly commands: readonly number[];
}

/**
 * What a field's value is: short, a figure or an address, too long to be compared by eye, or what makes a
 * trial of the call.
 */
const FIRM = 0;
const WEIGHTY = 1;
const LONG = 2;
export const SOFTENING = 3;

const FIELDS_MAX = 8;
const COMMANDS_MAX = 4;
const JSON_CHARS_MAX = 16_384;
const LONG_CHARS = 80;
const COMMAND_CHARS_MAX = 2_000;

/** Clients write one name in either case and with underscores or without. */
export const plainName = (name: string): string => name.toLowerCase().replace(/[_\W]{1,200}/g, "");

/** Names of tools differ from client to client in case, underscores and the prefix of MCP. */
const toolHashes = byName((name): { readonly tool: number; readonly bare: number } => {
  const whole = cutText(name, 200).replace(/^mcp__/, "");
  const alone = whole.slice(Math.max(whole.lastIndexOf("/") + 1, whole.lastIndexOf("__") + 2, 0));
  const plain = (text: string) => plainName(text) || text;
  const tool = halved(hashText(plain(whole)));
  return {
    tool,
    bare: whole.lastIndexOf("__") < 0 && !whole.includes("/") ? tool : halved(hashText(plain(alone))),
  };
});

type Named = Pick<Act, "tool" | "bare">;

/** By the whole name, or by the name alone where one of the two has no more. */
export const isSameTool = (a: Named, b: Named): boolean =>
  a.tool === b.tool || (a.bare === b.bare && (a.tool === a.bare || b.tool === b.bare));

/** Said beside the act: why, or for whom it is logged. */
const SAID = /^(?:reason(?:ing)?|rationale|explanation|thoughts?|justification|intent|purpose|why)$/i;
const TRANSPORT =
  /^(?:timeout(?:_?(?:ms|s|seconds))?|(?:request|trace|correlation|call|tool_?call|idempotency|run|session)_?(?:id|key)|nonce|timestamp|attempt|retry|retries|run_in_background|verbose)$/i;
/** What a command line is said to be for. */
const DESCRIPTION = /^(?:description|title|summary|comment|note)$/i;
const COMMAND = /^(?:command|cmd|command_?line|script|shell|bash|code)$/i;
/** Makes a trial, or a safer act, of the call. */
const SOFTENS =
  /dry|test|draft|preview|simulat|sandbox|backup|confirm|check_?only|safe|pending|staging|undo/i;

/** What an argument's name says of it, whatever it is set to. */
interface ArgumentName {
  readonly key: number;
  readonly isBeside: boolean;
  readonly isDescription: boolean;
  readonly isCommand: boolean;
  readonly softens: boolean;
}

const argumentNamed = byName(
  (name): ArgumentName => ({
    key: halved(hashText(plainName(name))),
    isBeside: SAID.test(name) || TRANSPORT.test(name),
    isDescription: DESCRIPTION.test(name),
    isCommand: COMMAND.test(name),
    softens: SOFTENS.test(name),
  }),
);

export function actOf(tool: string, args: unknown): Act {
  const given = fieldsOf(args);
  const fields: number[] = [];
  let commands: readonly number[] = [];
  if (given !== null) {
    const keys = Object.keys(given);
    const keysMax = Math.min(keys.length, 4 * FIELDS_MAX);
    let hasCommand = false;
    const names: ArgumentName[] = [];
    for (let i = 0; i < keysMax; i++) {
      const named = argumentNamed(keys[i]!);
      names.push(named);
      const value = given[keys[i]!];
      if (hasCommand || !named.isCommand || typeof value !== "string") continue;
      hasCommand = true;
      commands = commandsIn(value);
    }
    for (let i = 0; i < keysMax && fields.length < 3 * FIELDS_MAX; i++) {
      const named = names[i]!;
      if (!named.isBeside && !(hasCommand && named.isDescription)) addField(fields, named, given[keys[i]!]);
    }
  } else if (typeof args === "string" && args !== "") addField(fields, argumentNamed(""), args);
  const { tool: whole, bare } = toolHashes(tool);
  return { tool: whole, bare, fields, commands };
}

function fieldsOf(args: unknown): Fields | null {
  const isJson = typeof args === "string" && args.startsWith("{") && args.length <= JSON_CHARS_MAX;
  const found = isJson ? parsedJson(args) : args;
  return isFields(found) ? found : null;
}

const ADDRESS = /^[^\s@]{1,64}@[^\s@]{1,200}$/;

const SPACES = /[^\S ]| {2}/;

function addField(fields: number[], { key, softens }: ArgumentName, value: unknown): void {
  if (typeof value !== "string") {
    const isPlain = typeof value === "number" || typeof value === "boolean";
    const sort = typeof value === "number" ? WEIGHTY : isPlain ? FIRM : LONG;
    fields.push(
      key,
      halved(isPlain ? hashText(String(value)) : hashValue(value)),
      softens ? SOFTENING : sort,
    );
    return;
  }
  const trimmed = value.trim();
  const text = SPACES.test(trimmed) ? trimmed.replace(/\s{1,1000}/g, " ") : trimmed;
  const isNumber = text !== "" && text.length < 30 && Number.isFinite(Number(text));
  const said = isNumber ? String(Number(text)) : text.toLowerCase();
  const isSoft = softens || SOFTENS.test(value.slice(0, 40));
  const isWeighty = isNumber || (text.includes("@") && ADDRESS.test(text));
  const sort = isWeighty ? WEIGHTY : text.length > LONG_CHARS ? LONG : FIRM;
  fields.push(key, halved(hashText(said)), isSoft ? SOFTENING : sort);
}

/** Going to a folder, setting a variable and printing come before what is meant. */
const PREPARES = /^(?:cd|export|set|echo|source|true|#)(?:\s|$)|^\w{1,40}=\S{0,200}$/;
const PREFIX = /^(?:sudo|env|time|nohup|\w{1,40}=\S{0,200})\s{1,20}/;

function commandsIn(line: string): readonly number[] {
  const text = line.slice(0, COMMAND_CHARS_MAX);
  const found: number[] = [];
  for (const part of text.split(/&&|\|\||;|\n/)) {
    let command = part.trim().replace(/["'`\\]/g, "");
    for (let n = 0; n < 4 && PREFIX.test(command); n++) command = command.replace(PREFIX, "");
    if (command === "" || PREPARES.test(command)) continue;
    if (found.length >= COMMANDS_MAX) return [];
    const words = command.split(/\s{1,200}/).map((word) => (word === "-f" ? "--force" : word));
    const options = words.filter((word) => word.startsWith("-")).sort();
    found.push(halved(hashText([...words.filter((word) => !word.startsWith("-")), ...options].join(" "))));
  }
  return found;
}

/** Where a field of this name stands before `end`; -1: nowhere. */
function placeOf(fields: readonly number[], key: number, end: number): number {
  for (let at = 0; at < end; at += 3) if (fields[at] === key) return at;
  return -1;
}

function holdsField(fields: readonly number[], key: number, value: number): boolean {
  for (let at = 0; at < fields.length; at += 3)
    if (fields[at] === key && fields[at + 1] === value) return true;
  return false;
}

/**
 * True if the call made is the one decided about: each of its commands was run, by whatever tool, or each of
 * its arguments stands in the call and little else does, none of it a trial's.
 */
export function isSameAct(decided: Act, made: Act): boolean {
  if (decided.commands.length > 0 && made.commands.length > 0)
    return decided.commands.every((command) => made.commands.includes(command));
  const { fields } = decided;
  if (fields.length === 0 || !isSameTool(decided, made)) return false;
  let known = 0;
  for (let at = 0; at < fields.length; at += 3) {
    if (!holdsField(made.fields, fields[at]!, fields[at + 1]!)) return false;
    if (placeOf(fields, fields[at]!, at) < 0) known++;
  }
  let more = 0;
  for (let at = 0; at < made.fields.length; at += 3) {
    if (placeOf(fields, made.fields[at]!, fields.length) >= 0) continue;
    if (made.fields[at + 2] === SOFTENING) return false;
    more++;
  }
  return more <= known;
}

/**
 * Of the arguments that both give: how many say the same, how many something else (long texts left out), and
 * how many of these are figures or addresses.
 */
export function compared(decided: Act, made: Act): { same: number; other: number; weighty: number } {
  const counts = { same: 0, other: 0, weighty: 0 };
  const { fields } = decided;
  for (let at = 0; at < fields.length; at += 3) {
    const place = placeOf(made.fields, fields[at]!, made.fields.length);
    if (place < 0) continue;
    const kind = made.fields[place + 2];
    if (made.fields[place + 1] === fields[at + 1]) counts.same++;
    else if (kind !== LONG && fields[at + 2] !== LONG) {
      counts.other++;
      if (kind === WEIGHTY && fields[at + 2] === WEIGHTY) counts.weighty++;
    }
  }
  return counts;
}
