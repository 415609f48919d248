import type { TimeSpan } from "../store/database/time-span.ts";
import type { CommandInput, Flag, Flags } from "./command.ts";
import { valueProblem } from "./flag-values.ts";

/**
 * Flags that several lists have. Invariant: a value that can match nothing is told as a mistake; an empty
 * answer then means that there is nothing.
 */

export interface ListLimit {
  /** As much as somebody reads. */
  readonly default: number;
  /** With --json the default too: a program counts what it is given. */
  readonly max: number;
}

export function limitFlag(limit: ListLimit): Flag {
  return {
    kind: "integer",
    placeholder: "N",
    summary: "At most so many",
    range: { min: 1, max: limit.max },
    default: `${limit.default}, with --json ${limit.max}`,
  };
}

export function limitOf(flags: Flags, limit: ListLimit): number {
  return flags.integer("limit") ?? (flags.boolean("json") ? limit.max : limit.default);
}

/** By the time that a list is sorted by, so that what lies beyond its limit can be reached. */
export function spanFlags(what: string): Readonly<Record<"since" | "until", Flag>> {
  const flag = (end: string): Flag => ({
    kind: "time",
    placeholder: "TIME",
    summary: `Only what ${what} ${end} this time (RFC 3339), itself included`,
  });
  return { since: flag("since"), until: flag("until") };
}

/** The span given; a text says what is wrong with it. */
export function spanOf(flags: Flags): TimeSpan | string {
  const [since, until] = [flags.time("since"), flags.time("until")];
  if (since !== undefined && until !== undefined && since > until) return "--since is after --until";
  return { since, until };
}

/** Tells that a list may go on, so that nobody counts its lines. */
export function noteIfCut({ note }: Pick<CommandInput, "note">, shown: number, limit: number): void {
  if (shown >= limit)
    note(
      `These are the first ${limit}: there may be more (see --limit, or --until with the time of the last).`,
    );
}

export const classFlag: Flag = { kind: "text", placeholder: "CLASS", summary: "Only of this class" };

/**
 * Of a list that came out empty. What an older build found stays listed, though this one has no such
 * detector.
 */
export async function unknownClass(flags: Flags): Promise<string | null> {
  // Not for every list: the detectors bring tables along that take longer to load than all the rest of a
  // command.
  const { DETECTORS } = await import("../detect/registry.ts");
  const choices = DETECTORS.map((detector) => detector.failureClass);
  return valueProblem(flags, "class", { ...classFlag, choices });
}
