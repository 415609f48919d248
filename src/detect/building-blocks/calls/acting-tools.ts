import { byName } from "../by-name.ts";
import { changesState, toolClassOf } from "./tool-class.ts";
import { handsOver } from "./tool-purpose.ts";
import { onlyReads } from "./work-evidence.ts";

/**
 * Whether calls of a tool change something, by its name; null: it does not say. Giving the work to another
 * agent or a person changes nothing itself.
 */
export const actsByName = byName((name): boolean | null => {
  if (onlyReads(name) || handsOver(name)) return false;
  const toolClass = toolClassOf(name);
  return toolClass === "other" ? null : changesState(toolClass);
});

/** Characters in the texts that a call was given. */
export function charsGivenIn(args: unknown): number {
  if (typeof args === "string") return args.length;
  let chars = 0;
  if (typeof args === "object" && args !== null)
    for (const key in args) {
      const value = (args as Record<string, unknown>)[key];
      if (typeof value === "string") chars += value.length;
    }
  return chars;
}
