import type { Sql } from "../database/connect.ts";
import { HOUR_STEP_S, SHORT_STEP_KEPT_S, SHORT_STEP_S } from "../groups/group-activity.ts";

/**
 * Firings of groups over time, for sparklines and charts. Read from the slots that detection counts up, so a
 * group with a million firings costs as much as one with ten.
 */

export interface TimeRange {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Equal buckets that end at the first slot boundary from `toMs` on. */
export interface ActivityBuckets {
  readonly startMs: number;
  readonly bucketMs: number;
  readonly bucketCount: number;
  /** The length of the slots to read. */
  readonly slotS: number;
}

/** Short slots only while that keeps what is read small, also for a page full of busy groups. */
const SHORT_RANGE_MAX_MS = 2 * 86_400_000;

export function activityBuckets(range: TimeRange, bucketsMax: number, nowMs: number): ActivityBuckets {
  const isShort =
    range.toMs - range.fromMs <= SHORT_RANGE_MAX_MS && range.fromMs >= nowMs - SHORT_STEP_KEPT_S * 1000;
  const slotS = isShort ? SHORT_STEP_S : HOUR_STEP_S;
  const slotMs = slotS * 1000;
  const endMs = Math.ceil(range.toMs / slotMs) * slotMs;
  const slotCount = Math.max(1, Math.ceil((range.toMs - range.fromMs) / slotMs));
  const slotsPerBucket = Math.ceil(slotCount / bucketsMax);
  const bucketCount = Math.ceil(slotCount / slotsPerBucket);
  const bucketMs = slotsPerBucket * slotMs;
  return { startMs: endMs - bucketCount * bucketMs, bucketMs, bucketCount, slotS };
}

export interface GroupMembers {
  readonly groupId: string;
  /** The group itself and everything merged into it. */
  readonly memberIds: readonly string[];
}

/**
 * Firings by bucket, for each group in the order given. Summed up a member at a time, in the order of the
 * primary key.
 */
export async function readActivity(
  sql: Sql,
  projectNo: number,
  groups: readonly GroupMembers[],
  buckets: ActivityBuckets,
): Promise<number[][]> {
  const counts = new Map(
    groups.map((group) => [group.groupId, new Array<number>(buckets.bucketCount).fill(0)]),
  );
  const pairs = groups.flatMap(({ groupId, memberIds }) => memberIds.map((memberId) => [groupId, memberId]));
  if (pairs.length === 0) return [...counts.values()];
  const start = new Date(buckets.startMs);
  const end = new Date(buckets.startMs + buckets.bucketCount * buckets.bucketMs);
  const rows = await sql<{ groupId: string; counts: Readonly<Record<string, number>> }[]>`
    select m.group_id as "groupId", a.counts
    from unnest(${pairs.map((pair) => pair[0]!)}::text[], ${pairs.map((pair) => pair[1]!)}::text[])
      as m (group_id, member_id)
    cross join lateral (
      select json_object_agg((date_part('epoch', b.start_at - ${start}::timestamptz) * 1000 / ${buckets.bucketMs}::float8)::int, b.count)
        as counts
      from (
        select date_bin(${`${buckets.bucketMs} ms`}::interval, slot_at, ${start}::timestamptz) as start_at,
          sum(firing_count::float8) as count
        from ats.group_activity
        where project_no = ${projectNo} and group_id = m.member_id and step = ${buckets.slotS}
          and slot_at >= ${start} and slot_at < ${end}
        group by 1
        offset 0
      ) b
    ) a
    where a.counts is not null`;
  for (const { groupId, counts: ofMember } of rows) {
    const series = counts.get(groupId)!;
    for (const [bucket, count] of Object.entries(ofMember)) series[Number(bucket)]! += count;
  }
  return [...counts.values()];
}
