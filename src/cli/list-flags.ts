import type { CommandInput, Flag, Flags } from "./command.ts";

/**
 * Flags that several lists have. Invariant: a value that can match nothing is told as a mistake; an empty answer then
 * means that there is nothing.
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
    summary: `At most so many, 1 to ${limit.max} (${limit.default}; with --json ${limit.max})`,
  };
}

/** The limit to use; a text says what is wrong with the one given. */
export function limitOf(flags: Flags, limit: ListLimit): number | string {
  const given = flags.integer("limit") ?? (flags.boolean("json") ? limit.max : limit.default);
  return given >= 1 && given <= limit.max ? given : `--limit ${given}: expected 1 to ${limit.max}`;
}

/** Tells that a list may go on, so that nobody counts its lines. */
export function noteIfCut({ note }: Pick<CommandInput, "note">, shown: number, limit: number): void {
  if (shown >= limit) note(`These are the first ${limit}: there may be more (see --limit).`);
}

/** What is wrong with a flag whose value is one of a few; null if nothing is. */
export function choiceProblem(flags: Flags, name: string, choices: readonly string[]): string | null {
  const given = flags.text(name);
  if (given === undefined || choices.includes(given)) return null;
  return `--${name} ${JSON.stringify(given)}: expected one of ${choices.join(", ")}`;
}

/** Of a list that came out empty. What an older build found stays listed, though this one has no such detector. */
export async function unknownClass(flags: Flags): Promise<string | null> {
  // Not for every list: the detectors bring tables along that take longer to load than all the rest of a command.
  const { DETECTORS } = await import("../detect/registry.ts");
  return choiceProblem(
    flags,
    "class",
    DETECTORS.map((detector) => detector.failureClass),
  );
}
