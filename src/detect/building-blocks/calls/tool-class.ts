import { byName } from "../by-name.ts";
import { webAddressesIn } from "../hosts/web-addresses.ts";

/**
 * What a tool does, told from its name alone: names of tools are free text, their verbs are not. A name that
 * tells nothing counts as one that changes something.
 */
export type ToolClass =
  | "read"
  | "send"
  | "pay"
  | "write"
  | "delete"
  | "execute"
  | "browse"
  | "grant"
  | "other";

const VERBS: readonly (readonly [ToolClass, ReadonlySet<string>])[] = [
  [
    "pay",
    new Set(
      "pay payment transfer wire purchase buy order checkout refund withdraw deposit trade sell charge transaction money".split(
        " ",
      ),
    ),
  ],
  [
    "send",
    new Set(
      "send email mail message post tweet publish share forward reply notify dm sms comment upload submit slack webhook invite".split(
        " ",
      ),
    ),
  ],
  ["delete", new Set("delete remove drop erase purge wipe cancel clear unlink truncate revoke".split(" "))],
  [
    "execute",
    new Set(
      "execute exec run shell bash terminal command eval python script code deploy install invoke subprocess".split(
        " ",
      ),
    ),
  ],
  [
    "grant",
    new Set("grant permission permissions role password unlock authorize allow disable enable".split(" ")),
  ],
  [
    "write",
    new Set(
      "write create update edit append insert set add save modify rename move schedule reschedule book reserve put patch commit push merge register assign store upsert change".split(
        " ",
      ),
    ),
  ],
  [
    "browse",
    new Set(
      "browse fetch webpage web url visit navigate goto open download crawl scrape http request".split(" "),
    ),
  ],
  [
    "read",
    new Set(
      "get read list search find lookup query view show check count describe fetch load retrieve select inspect stat ls cat grep calculate think transcribe assess analyze analyse examine evaluate compare diagnose explain summarize summarise preview identify estimate compute determine classify detect locate trace".split(
        " ",
      ),
    ),
  ],
];

/** The words of a tool's name, in lower case: "sendMail", "send_mail" and "mail.send" hold the same. */
export const wordsOfName = (name: string): string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== "");

export const toolClassOf = byName((name): ToolClass => {
  const parts = wordsOfName(name.slice(0, 120));
  const first = parts[0];
  const last = VERBS.length - 1;
  const reads = (VERBS[last] as (typeof VERBS)[number])[1];
  if (first !== undefined && reads.has(first) && first !== "fetch") return "read";
  for (const [toolClass, verbs] of VERBS) {
    if (parts.some((part) => verbs.has(part))) return toolClass;
  }
  return "other";
});

const SENDING_METHODS = /^(?:post|put|patch|delete)$/i;

/**
 * Of the verbs of reading those that bring what stands at a place; the others look for it, count it or think
 * about it.
 */
const BRINGS = new Set("get read view show load retrieve".split(" "));
/** What looks an address up, and does not go there. */
const LOOKS_UP = new Set("reputation safety whois dns verdict phishing scan rating".split(" "));

const fetches = byName((name): boolean => {
  const [first = "", ...others] = wordsOfName(name.slice(0, 120));
  return BRINGS.has(first) && !others.some((word) => LOOKS_UP.has(word));
});

/** A statement that changes a database, first in its text or behind another. */
const STATEMENT =
  /(?:^|;)\s{0,8}(?:(grant|revoke)\s[^;]{1,400}?\s(?:to|from)\s|(delete)\s{1,8}from\s{1,8}[\w."`$]{1,80}\s{0,8}(?:where\s|;|$)|(drop|truncate)\s{1,8}(?:table|schema|database|view|role|user|index)\s|(update)\s{1,8}\S{1,120}\s{1,8}set\s|(insert|merge)\s{1,8}into\s|(alter)\s{1,8}(?:table|role|user|database|system|policy|schema|warehouse|account)\s)/i;
const STATEMENT_CLASSES: readonly ToolClass[] = ["grant", "delete", "delete", "write", "write", "grant"];
const STATEMENT_MAX = 4_096;

/**
 * What a statement among the arguments does, whatever the tool that runs it is called ("query"); null: there
 * is none.
 */
function statementClass(args: unknown): ToolClass | null {
  if (typeof args !== "object" || args === null) return null;
  for (const key in args) {
    const value = (args as Record<string, unknown>)[key];
    if (typeof value !== "string" || value.length < 12) continue;
    const found = STATEMENT.exec(value.slice(0, STATEMENT_MAX));
    if (found !== null)
      return STATEMENT_CLASSES[found.slice(1).findIndex((one) => one !== undefined)] ?? null;
  }
  return null;
}

/**
 * The class of one call. What reads from a web address is browsing, whatever its name ("get_webpage"); a
 * request to the web that names a method which changes something is none.
 */
export function callClassOf(name: string, args: unknown): ToolClass {
  const toolClass = toolClassOf(name);
  if (toolClass === "read" || toolClass === "execute" || toolClass === "other") {
    const statement = statementClass(args);
    if (statement !== null) return statement;
  }
  if (toolClass === "read") return fetches(name) && webAddressesIn(args).length > 0 ? "browse" : "read";
  if (toolClass !== "browse" || typeof args !== "object" || args === null) return toolClass;
  const { method } = args as { method?: unknown };
  return typeof method === "string" && SENDING_METHODS.test(method) ? "send" : toolClass;
}

/** What a call that deletes or grants something does to what, by its name: "delete", "repository". */
export interface Deed {
  readonly verb: string;
  readonly object: string;
}

const DEEDS: ReadonlySet<ToolClass> = new Set(["delete", "grant"]);
const OBJECT_MIN = 4;

/** null for a tool of another class, and for one whose name has no object. */
export function deedOf(name: string): Deed | null {
  const toolClass = toolClassOf(name);
  if (!DEEDS.has(toolClass)) return null;
  const verbs = VERBS.find(([one]) => one === toolClass)?.[1];
  const parts = wordsOfName(name.slice(0, 120));
  const verb = parts.find((part) => verbs?.has(part));
  const object = parts.findLast((part) => part.length >= OBJECT_MIN && part !== verb);
  return verb === undefined || object === undefined ? null : { verb, object };
}

/** True if a call of the tool leaves something changed or sent, so that steering it does harm. */
export function changesState(toolClass: ToolClass): boolean {
  return toolClass !== "read" && toolClass !== "browse";
}

/** The name of the tool of a call's payload, "" if it has none. */
export function toolNameOf(payload: Readonly<Record<string, unknown>>): string {
  const name = payload.tool_name ?? payload["gen_ai.tool.name"] ?? payload.name ?? payload.method;
  return typeof name === "string" ? name : "";
}
