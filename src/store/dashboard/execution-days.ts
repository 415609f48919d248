import type { Sql } from "../database/connect.ts";
import { type DayRange, dayOf, onDays, plannedEachTime } from "./days.ts";

/**
 * On which days the events of an execution lie, asked before anything else is read of them. Its packs lie on
 * its home day, and each pack of another day has a stand-in there, which tells that day
 * (docs/ARCHITECTURE.md). Only where the home day does not tell of all packs, or a stand-in was stored before
 * it told a day, are all partitions asked.
 */

export interface ExecutionHome {
  readonly projectNo: number;
  readonly executionNo: number;
  readonly homeDay: number;
}

/**
 * Packs of the home day looked through for stand-ins, in each call about the execution: 5 ms. To ask all
 * partitions costs 30 ms when there are 400, and 2 when there are ten.
 */
const HOME_PACKS_MAX = 4_000;

/** At least the days that have events. */
export async function findDays(sql: Sql, execution: ExecutionHome): Promise<readonly DayRange[]> {
  const homeDay = { firstDay: execution.homeDay, lastDay: execution.homeDay };
  const days =
    (await readDaysOfStandIns(sql, execution, homeDay)) ?? (await readAwayDays(sql, execution, homeDay));
  return [homeDay, ...days];
}

/**
 * The days of which packs have stand-ins; null where the home day does not tell all. Packs are numbered
 * without a gap, so a number that is missing tells of what the home day lost when its retention ended.
 */
async function readDaysOfStandIns(
  sql: Sql,
  { projectNo, executionNo }: ExecutionHome,
  homeDay: DayRange,
): Promise<readonly DayRange[] | null> {
  const [home] = await plannedEachTime(sql<
    [{ packs: number; last: number | null; untold: number; days: number[] | null }]
  >`
    select count(*)::int as packs, max(p.pack_no) as last,
      count(*) filter (where p.is_stand_in and p.stands_for is null)::int as untold,
      array_agg(distinct ${dayOf(sql, "p.stands_for")}) filter (where p.is_stand_in and p.stands_for is not null) as days
    from (
      select p.pack_no, p.event_types = '{}' as is_stand_in, p.timestamps[1] as stands_for from ats.event_pack p
      where p.project_no = ${projectNo} and p.execution_no = ${executionNo}::bigint and not p.away and ${onDays(sql, [homeDay])}
      limit ${HOME_PACKS_MAX + 1}
    ) p`);
  const isWhole = home.packs <= HOME_PACKS_MAX && home.last !== null && home.packs === home.last + 1;
  if (!isWhole || home.untold > 0) return null;
  return (home.days ?? []).map((day) => ({ firstDay: day, lastDay: day }));
}

/**
 * From every partition but the home day's: no pack there is away. As it is of all of them anyway, it may keep
 * its plan.
 */
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
