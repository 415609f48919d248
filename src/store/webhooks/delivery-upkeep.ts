import { DeliveryRank, type Statements } from "./deliveries.ts";

/** What is done about deliveries now and then, whichever webhook they are owed to. */

/**
 * Longer than any lease or the moment that a first attempt is due at may be ahead, and than any wait of the
 * schedule.
 */
const [AHEAD_AT_ONCE_MS, AHEAD_RETRY_MS] = [60_000, 13 * 3_600_000];

/**
 * What is due further ahead than it can be was put off by a clock that has been set back since, of this
 * machine or a replica's: due now, or it would wait for as long. Answers how many.
 */
export async function recallFromAhead(sql: Statements, nowMs: number): Promise<number> {
  const recalled = await sql`
    update ats.delivery set due_at = ${new Date(nowMs)}
    where finished_at is null and due_at > case
      when status = 'delivering' or rank = ${DeliveryRank.first} then ${new Date(nowMs + AHEAD_AT_ONCE_MS)}::timestamptz
      else ${new Date(nowMs + AHEAD_RETRY_MS)}::timestamptz end`;
  return recalled.count;
}

/** How far delivery is behind: what is due and not yet begun. */
export interface DeliveryBacklog {
  owed: number;
  due: number;
  /** Of what was redelivered by the thousands nobody waits: it is left out. */
  oldestDueMs: number | null;
}

export async function readBacklog(sql: Statements, nowMs: number): Promise<DeliveryBacklog> {
  const [row] = await sql<{ owed: number; due: number; oldest: Date | null }[]>`
    select count(*)::int as owed, (count(*) filter (where due_at <= ${new Date(nowMs)}))::int as due,
      min(due_at) filter (where due_at <= ${new Date(nowMs)} and rank < ${DeliveryRank.mass}) as oldest
    from ats.delivery where finished_at is null`;
  return { owed: row?.owed ?? 0, due: row?.due ?? 0, oldestDueMs: row?.oldest?.getTime() ?? null };
}

/**
 * Drops finished deliveries and their log, oldest first, a bounded number a call. Answers how many. What
 * somebody else holds is being queued again, and stays: found finished and waited for, it would be deleted
 * when it is owed.
 */
export async function pruneDeliveries(
  sql: Statements,
  input: { finishedBeforeMs: number; limit: number },
): Promise<number> {
  const pruned = await sql`
    with old as materialized (
      select project_no, delivery_id from ats.delivery
      where finished_at < ${new Date(input.finishedBeforeMs)} order by finished_at limit ${input.limit}
      for update skip locked
    )
    delete from ats.delivery d using old
    where d.project_no = old.project_no and d.delivery_id = old.delivery_id`;
  return pruned.count;
}
