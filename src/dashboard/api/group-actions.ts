import type { Sql } from "../../store/database/connect.ts";
import {
  type ActedGroup,
  type Acting,
  type ChangedGroup,
  type GroupResult,
  ignoreGroup,
  mergeGroup,
  reopenGroup,
  resolveGroup,
  unmergeGroup,
} from "../../store/groups/failure-group-admin.ts";
import type { GroupAction } from "./group-query.ts";

/**
 * One action on many groups. Each group is changed in a transaction of its own, in the order given, and has a
 * result of its own: what is refused for one is done for the others. So it is with a group that somebody else
 * changed since the caller looked.
 */

export type GroupActionResult =
  | { readonly id: string; readonly ok: true }
  | {
      readonly id: string;
      readonly ok: false;
      readonly code: "changed";
      readonly detail: string;
      /** The group named, or the one that it was to be merged into. */
      readonly now: ChangedGroup;
    }
  | { readonly id: string; readonly ok: false; readonly code: string; readonly detail: string };

export async function applyToGroups(
  sql: Sql,
  projectNo: number,
  action: GroupAction,
  by: string,
): Promise<GroupActionResult[]> {
  const acting: Acting = { by, seen: action.seen };
  const results: GroupActionResult[] = [];
  for (const id of action.ids) results.push(await applyTo(sql, { projectNo, id, acting }, action));
  return results;
}

async function applyTo(sql: Sql, on: ActedGroup, action: GroupAction): Promise<GroupActionResult> {
  const { id } = on;
  try {
    const result = await change(sql, on, action);
    if (result.ok) return { id, ok: true };
    if (result.now !== undefined)
      return { id, ok: false, code: "changed", detail: result.detail, now: result.now };
    return {
      id,
      ok: false,
      code: result.reason === "not_found" ? "group_not_found" : "invalid",
      detail: result.detail,
    };
  } catch {
    // A lock not granted in time or a lost connection: the others may fare better, and the caller learns
    // which to try again.
    return { id, ok: false, code: "not_done", detail: "The database did not answer in time; try again" };
  }
}

function change(sql: Sql, on: ActedGroup, action: GroupAction): Promise<GroupResult> {
  switch (action.action) {
    case "resolve":
      return resolveGroup(sql, on);
    case "reopen":
      return reopenGroup(sql, on);
    case "ignore": {
      const until = action.until ?? null;
      return ignoreGroup(sql, on, {
        until: until === null ? null : new Date(until),
        firings: action.firings ?? null,
        nowMs: Date.now(),
      });
    }
    case "merge":
      return mergeGroup(sql, on, action.into);
    case "unmerge":
      return unmergeGroup(sql, on);
  }
}
