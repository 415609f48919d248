import type { Sql } from "../database/connect.ts";
import { type DayRange, dayOf, onDays, plannedEachTime } from "./days.ts";

/**
 * On which days the events of an execution lie, asked before anything else is read of them. Its packs lie on its home day, and each pack of
 * another day has a stand-in there (docs/ARCHITECTURE.md): without a stand-in the home day is the only one. A stand-in tells in which batch its
 * pack came, and the batch, while it is kept, between which days. Only where that says nothing are all partitions asked.
 */

export interface ExecutionHome {
  readonly projectNo: number;
  readonly executionNo: number;
  readonly homeDay: number;
}

/**
 * Packs of the home day looked through for stand-ins, in each call about the execution: 5 ms. To ask all partitions costs 30 ms when there
 * are 400, and 2 when there are ten.
 */
const HOME_PACKS_MAX = 4_000;

/** At least the days that have events. */
export async function findDays(sql: Sql, execution: ExecutionHome): Promise<readonly DayRange[]> {
  const homeDay = { firstDay: execution.homeDay, lastDay: execution.homeDay };
  const awayBatches = await readAwayBatches(sql, execution, homeDay);
  const days =
    (awayBatches && (await readBatchDays(sql, execution.projectNo, awayBatches))) ??
    (await readAwayDays(sql, execution, homeDay));
  return [homeDay, ...days];
}

/**
 * The batches in which packs of other days came; null where the home day does not tell of all. Packs are numbered without a gap, so
 * a number that is missing tells of what the home day lost when its retention ended.
 */
async function readAwayBatches(
  sql: Sql,
  { projectNo, executionNo }: ExecutionHome,
  homeDay: DayRange,
): Promise<readonly string[] | null> {
  const [home] = await plannedEachTime(sql<
    [{ packs: number; last: number | null; awayBatches: string[] | null }]
  >`
    select count(*)::int as packs, max(p.pack_no) as last,
      array_agg(distinct p.batch_no::text) filter (where p.event_types = '{}') as "awayBatches"
    from (
      select p.pack_no, p.batch_no, p.event_types from ats.event_pack p
      where p.project_no = ${projectNo} and p.execution_no = ${executionNo}::bigint and not p.away and ${onDays(sql, [homeDay])}
      limit ${HOME_PACKS_MAX + 1}
    ) p`);
  const isWhole = home.packs <= HOME_PACKS_MAX && home.last !== null && home.packs === home.last + 1;
  return isWhole ? (home.awayBatches ?? []) : null;
}

/** Null if one of them is no longer known (src/store/upkeep/retention.ts). */
async function readBatchDays(
  sql: Sql,
  projectNo: number,
  batchNos: readonly string[],
): Promise<readonly DayRange[] | null> {
  if (batchNos.length === 0) return [];
  const days = await sql<DayRange[]>`
    select ${dayOf(sql, "first_timestamp")} as "firstDay", ${dayOf(sql, "last_timestamp")} as "lastDay" from ats.batch
    where project_no = ${projectNo} and batch_no = any(${batchNos as string[]}::bigint[])
      and first_timestamp is not null and last_timestamp is not null`;
  return days.length === batchNos.length ? days : null;
}

/** From every partition but the home day's: no pack there is away. As it is of all of them anyway, it may keep its plan. */
async function readAwayDays(
  sql: Sql,
  { projectNo, executionNo }: ExecutionHome,
  homeDay: DayRange,
): Promise<readonly DayRange[]> {
  return await sql<DayRange[]>`
    select d.day as "firstDay", d.day as "lastDay" from (
      select distinct ${dayOf(sql, "p.first_timestamp")} as day from ats.event_pack p
      where p.project_no = ${projectNo} and p.execution_no = ${executionNo}::bigint and p.away and not ${onDays(sql, [homeDay])}
    ) d`;
}
