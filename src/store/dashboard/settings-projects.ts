import type { Sql } from "../connect.ts";

/**
 * What the dashboard asks about projects beside what they are (src/store/projects.ts). Every question walks an index
 * of a small table: none reads events but the one event that it answers with.
 */

export interface ProjectActivity {
  readonly project_id: string;
  readonly open_groups: number;
  /** When the latest flush with events of the project was stored. */
  readonly last_event_at: Date | null;
}

/**
 * Batch numbers come from blocks, one an HTTP thread at a time, so the highest number is not quite the latest flush:
 * the latest of these many is.
 */
const LATEST_BATCHES = 200;

/** Of every project, or of one. */
export async function readProjectActivity(sql: Sql, projectNo: number | null): Promise<ProjectActivity[]> {
  return await sql<ProjectActivity[]>`
    select p.project_id, groups.open as open_groups, latest.stored_at as last_event_at
    from ats.project p
    cross join lateral (
      select count(*)::int as open from ats.failure_group g
      where g.project_no = p.project_no and g.state = 'open' and g.merged_into is null
    ) groups
    cross join lateral (
      select max(recent.stored_at) as stored_at from (
        select b.stored_at from ats.batch b
        where b.project_no = p.project_no and b.event_count > 0
        order by b.batch_no desc limit ${LATEST_BATCHES}
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

/** An event of the first flush that the project had: found through the flush's row, so it costs the same ever after. */
export async function readFirstEvent(sql: Sql, projectNo: number): Promise<FirstEvent> {
  const [found] = await sql<FirstEvent[]>`
    select true as received, x.execution_id, e.event_id, e.received_at
    from (
      select b.* from ats.batch b
      where b.project_no = ${projectNo} and b.event_count > 0
      order by b.batch_no limit 1
    ) b
    left join lateral (
      select e.execution_no, e.event_id, e.received_at from ats.event e
      where e.project_no = b.project_no and e.execution_no = any (b.execution_nos) and e.batch_no = b.batch_no
        and e."timestamp" between b.first_timestamp and b.last_timestamp and e.event_type > 0
      order by e.sequence, e.event_id limit 1
    ) e on true
    left join ats.execution x on x.project_no = b.project_no and x.execution_no = e.execution_no`;
  return found ?? { received: false, execution_id: null, event_id: null, received_at: null };
}

/** Whether the project has a key with this id. */
export async function hasKey(sql: Sql, projectNo: number, keyId: string): Promise<boolean> {
  const rows = await sql`select from ats.api_key where project_no = ${projectNo} and key_id = ${keyId}`;
  return rows.length > 0;
}
