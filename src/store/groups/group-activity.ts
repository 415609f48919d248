import type { GroupTx } from "./failure-group-rows.ts";

/**
 * Firings of groups by time, in slots of two lengths: short ones for the last days, hours for as long as the
 * project keeps its data. Invariant: written in the transaction that counts the firings, by whoever holds the
 * lock of their class, so the hours of a group add up to its `firing_count`.
 */

/** The same number stands in the index group_activity_short. */
export const SHORT_STEP_S = 300;
export const HOUR_STEP_S = 3600;
/** A range that begins earlier than this is drawn from hours. */
export const SHORT_STEP_KEPT_S = 8 * 86_400;

export interface ActiveGroup {
  readonly projectNo: number;
  /** The row that fired: an alias, if that is what it is. */
  readonly groupId: string;
  readonly count: number;
}

export async function countActivity(
  tx: GroupTx,
  groups: readonly ActiveGroup[],
  nowMs: number,
): Promise<void> {
  if (groups.length === 0) return;
  const records = groups.flatMap(({ projectNo, groupId, count }) =>
    [SHORT_STEP_S, HOUR_STEP_S].map((step) => ({
      project_no: projectNo,
      group_id: groupId,
      step,
      slot_at: new Date(nowMs - (nowMs % (step * 1000))).toISOString(),
      firing_count: count,
    })),
  );
  await tx`
    insert into ats.group_activity as a
    select project_no, group_id, step, slot_at, sum(firing_count)
    from json_populate_recordset(null::ats.group_activity, ${JSON.stringify(records)}::text::json)
    group by 1, 2, 3, 4
    on conflict (project_no, group_id, step, slot_at) do update
      set firing_count = a.firing_count + excluded.firing_count`;
}

/** Lets go of short slots that no chart asks for any more, of at most `limit`. */
export function deleteOldActivity(sql: GroupTx, nowMs: number, limit: number) {
  return sql`
    delete from ats.group_activity where ctid = any(array(
      select ctid from ats.group_activity
      where step = 300 and slot_at < ${new Date(nowMs - SHORT_STEP_KEPT_S * 1000)}
      order by slot_at limit ${limit}
    ))`;
}
