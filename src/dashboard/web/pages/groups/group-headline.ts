import type { GroupItem } from "./group-queries.ts";

/** One line that tells groups of a class apart: the latest excerpt, or what there is instead of one. */
export function headlineOf(group: Pick<GroupItem, "excerpt" | "rule_ids" | "signature">): string {
  return group.excerpt.trim() || group.rule_ids.join(", ") || group.signature;
}
