import { timeOf } from "../store/given-time.ts";
import type { Flag, Flags } from "./command.ts";

/** What the value of a flag may be, in the words of the help and of a refusal. */

/** Empty where any value will do. */
export function boundsOf({ choices, range }: Flag): string {
  if (choices !== undefined) return `one of ${choices.join(", ")}`;
  if (range === undefined) return "";
  const numbers = range.max === undefined ? `${range.min} or more` : `${range.min} to ${range.max}`;
  return range.zero === undefined ? numbers : `${numbers}, 0 ${range.zero}`;
}

/** What is wrong with the value given; null if nothing is. */
export function valueProblem(flags: Flags, name: string, flag: Flag): string | null {
  const given = flags.text(name);
  if (given === undefined) return null;
  if (flag.kind === "integer" && !/^-?\d{1,15}$/.test(given)) return unexpected(name, given, "an integer");
  if (flag.kind === "time" && timeOf(given) === null)
    return unexpected(name, given, "a time such as 2027-01-31T08:00:00Z");
  return isWithin(flag, given) ? null : unexpected(name, given, boundsOf(flag));
}

function isWithin({ choices, range }: Flag, given: string): boolean {
  if (choices !== undefined) return choices.includes(given);
  return range === undefined || (Number(given) >= range.min && Number(given) <= (range.max ?? Infinity));
}

/** The one form of a refusal. */
export function unexpected(name: string, given: string, expected: string): string {
  return `--${name} ${JSON.stringify(given)}: expected ${expected}`;
}
