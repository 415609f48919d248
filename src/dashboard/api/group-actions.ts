import type { Sql } from "../../store/database/connect.ts";
import {
  type GroupEntry,
  ignoreGroup,
  mergeGroup,
  reopenGroup,
  resolveGroup,
  unmergeGroup,
} from "../../store/groups/failure-group-admin.ts";
import type { AdminResult } from "../../store/projects/projects.ts";
import type { GroupAction } from "./group-query.ts";

/**
 * One action on many groups. Each group is changed in a transaction of its own, in the order given, and has a result
 * of its own: what is refused for one is done for the others.
 */

export type GroupActionResult =
  | { readonly id: string; readonly ok: true }
  | { readonly id: string; readonly ok: false; readonly code: string; readonly detail: string };

export async function applyToGroups(
  sql: Sql,
  projectNo: number,
  action: GroupAction,
): Promise<GroupActionResult[]> {
  const results: GroupActionResult[] = [];
  for (const id of action.ids) results.push(await applyTo(sql, projectNo, id, action));
  return results;
}

async function applyTo(
  sql: Sql,
  projectNo: number,
  id: string,
  action: GroupAction,
): Promise<GroupActionResult> {
  try {
    const result = await change(sql, projectNo, id, action);
    if (result.ok) return { id, ok: true };
    return {
      id,
      ok: false,
      code: result.reason === "not_found" ? "group_not_found" : "invalid",
      detail: result.detail,
    };
  } catch {
    // A lock not granted in time or a lost connection: the others may fare better, and the caller learns which to try again.
    return { id, ok: false, code: "not_done", detail: "The database did not answer in time; try again" };
  }
}

function change(
  sql: Sql,
  projectNo: number,
  id: string,
  action: GroupAction,
): Promise<AdminResult<GroupEntry>> {
  switch (action.action) {
    case "resolve":
      return resolveGroup(sql, projectNo, id);
    case "reopen":
      return reopenGroup(sql, projectNo, id);
    case "ignore": {
      const until = action.until ?? null;
      return ignoreGroup(sql, projectNo, id, {
        until: until === null ? null : new Date(until),
        firings: action.firings ?? null,
        nowMs: Date.now(),
      });
    }
    case "merge":
      return mergeGroup(sql, projectNo, id, action.into);
    case "unmerge":
      return unmergeGroup(sql, projectNo, id);
  }
}
