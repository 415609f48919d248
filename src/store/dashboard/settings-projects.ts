import type { Sql } from "../database/connect.ts";
import { type DayRange, dayOf, onDays, plannedEachTime } from "./days.ts";

/**
 * What the dashboard asks about projects beside what they are (src/store/projects/projects.ts). Every
 * question walks an index of a small table: none reads events but the one event that it answers with.
 */

export interface ProjectActivity {
  readonly project_id: string;
  readonly open_groups: number;
  /** When events of the project were last accepted, as far as the roll-ups know: some seconds late. */
  readonly last_event_at: Date | null;
}

/** The rows of the latest slots, one a key: among these many is the latest. */
const LATEST_ROWS = 100;

/** Of every project, or of one. */
export async function readProjectActivity(sql: Sql, projectNo: number | null): Promise<ProjectActivity[]> {
  return await sql<ProjectActivity[]>`
    select p.project_id, groups.open as open_groups, latest.last_at as last_event_at
    from ats.project p
    cross join lateral (
      select count(*)::int as open from ats.failure_group g
      where g.project_no = p.project_no and g.state = 'open' and g.merged_into is null
    ) groups
    cross join lateral (
      select max(recent.last_at) as last_at from (
        select r.last_at from ats.outcome_rollup r
        where r.project_no = p.project_no and r.step = 3600 and r.outcome = 'accepted'
        order by r.slot_at desc limit ${LATEST_ROWS}
      ) recent
    ) latest
    where ${projectNo}::int is null or p.project_no = ${projectNo}
    order by p.project_no`;
}

export interface FirstEvent {
  readonly received: boolean;
  /** Null where the event itself is no longer stored. */
  readonly execution_id: string | null;
  readonly event_id: string | null;
  readonly received_at: Date | null;
}

const NO_EVENT = { execution_id: null, event_id: null, received_at: null };

interface FirstBatch extends DayRange {
  readonly batchNo: string;
  readonly executionNos: readonly string[];
}

/**
 * Whether the project ever had an event, and if it can be told which one came first. New ones are found
 * through the row of their flush, at once; when those rows are gone (src/store/upkeep/retention.ts) the
 * roll-ups still know.
 */
export async function readFirstEvent(sql: Sql, projectNo: number): Promise<FirstEvent> {
  const [batch] = await sql<FirstBatch[]>`
    select batch_no::text as "batchNo", execution_nos::text[] as "executionNos",
      ${dayOf(sql, "first_timestamp")} as "firstDay", ${dayOf(sql, "last_timestamp")} as "lastDay"
    from ats.batch where project_no = ${projectNo} and event_count > 0 order by batch_no limit 1`;
  if (batch !== undefined) {
    const [event] = await plannedEachTime(sql<Omit<FirstEvent, "received">[]>`
      select x.execution_id, e.event_id, e.received_at
      from (
        select p.execution_no, p.event_ids[n.nth] as event_id, p.received_at
        from ats.event_pack p cross join lateral generate_series(1, cardinality(p.event_types)) as n (nth)
        where p.project_no = ${projectNo} and p.execution_no = any(${batch.executionNos as string[]}::bigint[])
          and p.batch_no = ${batch.batchNo}::bigint and ${onDays(sql, [batch])}
        order by p.sequences[n.nth], event_id limit 1
      ) e
      left join ats.execution x on x.project_no = ${projectNo} and x.execution_no = e.execution_no`);
    return { received: true, ...(event ?? NO_EVENT) };
  }
  const [earlier] = await sql<FirstEvent[]>`
    select true as received, x.execution_id, null as event_id, null as received_at
    from (
      select r.project_no from ats.outcome_rollup r
      where r.project_no = ${projectNo} and r.step = 3600 and r.outcome = 'accepted' limit 1
    ) r
    left join lateral (
      select x.execution_id from ats.execution x
      where x.project_no = r.project_no and x.home_day is not null order by x.started_at limit 1
    ) x on true`;
  return earlier ?? { received: false, ...NO_EVENT };
}

/** Whether the project has a key with this id. */
export async function hasKey(sql: Sql, projectNo: number, keyId: string): Promise<boolean> {
  const rows = await sql`select from ats.api_key where project_no = ${projectNo} and key_id = ${keyId}`;
  return rows.length > 0;
}
