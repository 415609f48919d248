import { cutText } from "../cut-text.ts";
import { hashText, hashValue } from "../hash.ts";

/**
 * What a call does, for comparing the one that a person decided about with the one that was made: the tool by its name in any spelling, each
 * argument by itself, and a command line by its parts. Reasons and explanations that go with a call, and what only its transport needs, are no
 * part of the act. Plain data of at most about 300 bytes; whoever holds many makes them only where there is a decision.
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

/** What a field's value is: short, a figure or an address, too long to be compared by eye, or what makes a trial of the call. */
const FIRM = 0;
const WEIGHTY = 1;
const LONG = 2;
export const SOFTENING = 3;

interface Field {
  readonly key: number;
  readonly value: number;
  readonly kind: number;
}

const FIELDS_MAX = 8;
const COMMANDS_MAX = 4;
const JSON_CHARS_MAX = 16_384;
const LONG_CHARS = 80;
const COMMAND_CHARS_MAX = 2_000;

/** Names of tools differ from client to client in case, underscores and the prefix of MCP. */
export function toolHashes(name: string): { tool: number; bare: number } {
  const whole = cutText(name, 200).replace(/^mcp__/, "");
  const alone = whole.slice(Math.max(whole.lastIndexOf("/") + 1, whole.lastIndexOf("__") + 2, 0));
  const plain = (text: string) => text.toLowerCase().replace(/[_\W]{1,200}/g, "") || text;
  const tool = small(hashText(plain(whole)));
  return {
    tool,
    bare: whole.lastIndexOf("__") < 0 && !whole.includes("/") ? tool : small(hashText(plain(alone))),
  };
}

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

export function actOf(tool: string, args: unknown): Act {
  const given = fieldsOf(args);
  const fields: number[] = [];
  let commands: readonly number[] = [];
  const take = (key: string, value: unknown) => {
    const field = fieldOf(key, value);
    fields.push(field.key, field.value, field.kind);
  };
  if (given !== null) {
    const keys = Object.keys(given).slice(0, 4 * FIELDS_MAX);
    const command = keys.find((key) => COMMAND.test(key) && typeof given[key] === "string");
    if (command !== undefined) commands = commandsIn(given[command] as string);
    for (const key of keys) {
      if (fields.length >= 3 * FIELDS_MAX) break;
      const isSaid =
        SAID.test(key) || TRANSPORT.test(key) || (command !== undefined && DESCRIPTION.test(key));
      if (!isSaid) take(key, given[key]);
    }
  } else if (typeof args === "string" && args !== "") take("", args);
  return { ...toolHashes(tool), fields, commands };
}

/** Half as many digits do: they are compared within one run. */
const small = (hash: number): number => hash >>> 0;

function* fieldsIn({ fields }: Act): Generator<Field> {
  for (let at = 0; at < fields.length; at += 3)
    yield { key: fields[at]!, value: fields[at + 1]!, kind: fields[at + 2]! };
}

function fieldsOf(args: unknown): Record<string, unknown> | null {
  let found = args;
  if (typeof args === "string" && args.startsWith("{") && args.length <= JSON_CHARS_MAX) {
    try {
      found = JSON.parse(args);
    } catch {
      return null;
    }
  }
  return typeof found === "object" && found !== null && !Array.isArray(found)
    ? (found as Record<string, unknown>)
    : null;
}

const ADDRESS = /^[^\s@]{1,64}@[^\s@]{1,200}$/;

function fieldOf(name: string, value: unknown): Field {
  const key = small(hashText(name.toLowerCase().replace(/[_\W]{1,200}/g, "")));
  const isSoft = SOFTENS.test(typeof value === "string" ? `${name} ${value.slice(0, 40)}` : name);
  const kind = (otherwise: number) => (isSoft ? SOFTENING : otherwise);
  if (typeof value === "number") return { key, value: small(hashText(String(value))), kind: kind(WEIGHTY) };
  if (typeof value !== "string")
    return {
      key,
      value: small(typeof value === "boolean" ? hashText(String(value)) : hashValue(value)),
      kind: kind(typeof value === "boolean" ? FIRM : LONG),
    };
  const text = value.trim().replace(/\s{1,1000}/g, " ");
  const isNumber = text !== "" && text.length < 30 && Number.isFinite(Number(text));
  const said = isNumber ? String(Number(text)) : text.toLowerCase();
  const sort = isNumber || ADDRESS.test(text) ? WEIGHTY : text.length > LONG_CHARS ? LONG : FIRM;
  return { key, value: small(hashText(said)), kind: kind(sort) };
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
    found.push(small(hashText([...words.filter((word) => !word.startsWith("-")), ...options].join(" "))));
  }
  return found;
}

/**
 * True if the call made is the one decided about: each of its commands was run, by whatever tool, or each of its arguments stands in the call
 * and little else does, none of it a trial's.
 */
export function isSameAct(decided: Act, made: Act): boolean {
  if (decided.commands.length > 0 && made.commands.length > 0)
    return decided.commands.every((command) => made.commands.includes(command));
  if (!isSameTool(decided, made) || decided.fields.length === 0) return false;
  const given = [...fieldsIn(made)];
  const known = new Set<number>();
  for (const { key, value } of fieldsIn(decided)) {
    if (!given.some((one) => one.key === key && one.value === value)) return false;
    known.add(key);
  }
  const more = given.filter(({ key }) => !known.has(key));
  return more.length <= known.size && !more.some(({ kind }) => kind === SOFTENING);
}

/** Of the arguments that both give: how many say the same, how many something else (long texts left out), and how many of these are figures or addresses. */
export function compared(decided: Act, made: Act): { same: number; other: number; weighty: number } {
  const counts = { same: 0, other: 0, weighty: 0 };
  for (const field of fieldsIn(decided)) {
    for (const one of fieldsIn(made)) {
      if (one.key !== field.key) continue;
      if (one.value === field.value) counts.same++;
      else if (one.kind !== LONG && field.kind !== LONG) {
        counts.other++;
        if (one.kind === WEIGHTY && field.kind === WEIGHTY) counts.weighty++;
      }
      break;
    }
  }
  return counts;
}
