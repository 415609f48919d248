import type { Sql } from "../database/connect.ts";
import { isLockConflict, isTableThere } from "../database/failure.ts";

/**
 * Day partitions of `ats.event_pack`, made before their day begins. Invariant: nothing here is needed for
 * correctness — a pack of a day without a partition lands in the default one, and is moved when the partition
 * is made. So a failure is counted and logged, and the next hour tries again; it never stops the service.
 */

const dayMs = 86_400_000;
/**
 * A short wait for the default partition's lock, several times: writers must not queue up behind ours for
 * long.
 */
const lockTimeoutMs = 500;
const triesMax = 10;

export interface PartitionOptions {
  readonly sql: Sql;
  readonly daysAhead: number;
  readonly nowMs?: number;
}

/** Makes what is missing from yesterday to `daysAhead` days from now, in UTC; answers how many it made. */
export async function ensurePartitions({
  sql,
  daysAhead,
  nowMs = Date.now(),
}: PartitionOptions): Promise<number> {
  const first = new Date(nowMs - dayMs).toISOString().slice(0, 10);
  const missing = await sql<{ day: string }[]>`
    select day::date::text as day
    from generate_series(${first}::date, ${first}::date + ${daysAhead + 1}::int, interval '1 day') as day
    where to_regclass('ats.event_pack_' || to_char(day, 'YYYYMMDD')) is null`;
  let made = 0;
  for (const { day } of missing) {
    if (await ensurePartition(sql, day)) made += 1;
  }
  return made;
}

async function ensurePartition(sql: Sql, day: string): Promise<boolean> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await sql.begin(async (tx) => {
        await tx`select set_config('lock_timeout', ${`${lockTimeoutMs}ms`}, true)`;
        const [row] = await tx<[{ made: boolean }]>`select ats.ensure_event_partition(${day}::date) as made`;
        return row.made;
      });
    } catch (error) {
      // Made by another service while this one waited its turn: an advisory lock, unlike a table's, does not
      // refresh what the session believes to be there.
      if (isTableThere(error)) return false;
      if (tries >= triesMax || !isLockConflict(error)) throw error;
      await Bun.sleep(50 * tries);
    }
  }
}
