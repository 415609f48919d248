import { byName } from "../../building-blocks/by-name.ts";
import { type ToolClass, wordsOfName } from "../../building-blocks/calls/tool-class.ts";
import { wordsIn } from "../request/request-words.ts";
import { isMailAddress } from "./argument-values.ts";
import { type Told, wordsOf } from "./echoes.ts";

/**
 * Calls that move money, rights or records, told from the tool's name and from what its arguments are called
 * and hold: whoever asks an agent to "process" or "triage" things leaves these open no less than others, so
 * nothing but a stranger's order to machines need be known beside.
 */
const CLASSES: ReadonlySet<ToolClass> = new Set(["pay", "delete", "grant"]);
const NAME = wordsIn(
  "payee payout bank iban beneficiary collaborator collaborators member members permission permissions role roles owner ownership admin access merge release approve approval unlock credential credentials payroll salary vendor supplier deposit",
);
/** What an argument is called. */
const KEY = wordsIn(
  "iban bic swift bank payout routing beneficiary payee permission permissions role roles admin owner access scope approve approved approval release bypass override limit",
);
const RANK = /^(?:admin|administrator|owner|maintainer|root|superuser|super_?admin|full_?access|write)$/i;
const ACCOUNT = /^[A-Z]{2}\d{2}(?: ?[A-Z0-9]{2,4}){3,8}$/i;
/** What only looks, and what is said to the person. */
const LOOKS: ReadonlySet<ToolClass> = new Set(["read", "browse"]);
const NODES_MAX = 60;
const DEPTH_MAX = 4;

function holdsWeight(args: unknown): boolean {
  let nodes = 0;
  const walk = (value: unknown, depth: number): boolean => {
    if (++nodes > NODES_MAX) return false;
    if (typeof value === "string") return RANK.test(value) || (value.length < 48 && ACCOUNT.test(value));
    if (typeof value !== "object" || value === null || depth >= DEPTH_MAX) return false;
    for (const key in value) {
      if (!Array.isArray(value) && wordsOfName(key).some((word) => KEY.has(word))) return true;
      if (walk((value as Record<string, unknown>)[key], depth + 1)) return true;
    }
    return false;
  };
  return walk(args, 0);
}

const namesWeight = byName((name) => wordsOfName(name).some((word) => NAME.has(word)));

/** True if the call moves money, rights or records. */
export function isWeighty(name: string, toolClass: ToolClass, args: unknown): boolean {
  if (LOOKS.has(toolClass)) return false;
  return CLASSES.has(toolClass) || namesWeight(name) || holdsWeight(args);
}

/** What goes to somebody who is known goes besides to somebody of whom only these passages tell. */
export function addsRecipient(
  values: readonly string[],
  passages: readonly Told[],
  isKnown: (address: string) => boolean,
): boolean {
  const recipients = values.filter(isMailAddress);
  if (recipients.length < 2) return false;
  const strangers = recipients.filter((one) => !isKnown(one));
  return (
    strangers.length < recipients.length &&
    strangers.some((one) => passages.some((told) => wordsOf(told).includes(one)))
  );
}
