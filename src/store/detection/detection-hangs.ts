import type { Statements } from "../database/connect.ts";
import type { DetectionSql } from "./detection-session.ts";

/**
 * Calls that hung, kept across processes: after two, the call is not made again as long as its events can
 * come by.
 */

export interface HungCall {
  readonly projectNo: number;
  readonly batchNo: number;
  readonly executionNo: number;
  readonly class: string;
}

export const HANGS_BEFORE_SKIP = 2;

export async function recordHang(sql: DetectionSql, call: HungCall): Promise<number> {
  const [row] = await sql<[{ hangCount: number }]>`
    insert into ats.detection_hang (project_no, batch_no, execution_no, class, hang_count, last_hung_at)
    values (${call.projectNo}, ${call.batchNo}, ${call.executionNo}, ${call.class}, 1, now())
    on conflict (project_no, batch_no, execution_no, class)
      do update set hang_count = least(ats.detection_hang.hang_count + 1, 1000), last_hung_at = now()
    returning hang_count as "hangCount"`;
  return row.hangCount;
}

/**
 * Classes that hung at least `hangsMin` times within the span until now, and the time since the last hang.
 */
export async function listHangingClasses(
  sql: DetectionSql,
  { hangsMin, withinMs }: { readonly hangsMin: number; readonly withinMs: number },
): Promise<{ readonly class: string; readonly quietMs: number }[]> {
  return await sql`
    select class, (extract(epoch from now() - max(last_hung_at)) * 1000)::float8 as "quietMs"
    from ats.detection_hang where last_hung_at > now() - ${withinMs} * interval '1 millisecond'
    group by class having sum(hang_count) >= ${hangsMin}`;
}

/** The calls not to make again, the latest ones. */
export async function listSkippedCalls(sql: DetectionSql, limit: number): Promise<HungCall[]> {
  return await sql<HungCall[]>`
    select project_no as "projectNo", batch_no::float8 as "batchNo", execution_no::float8 as "executionNo", class
    from ats.detection_hang where hang_count >= ${HANGS_BEFORE_SKIP}
    order by last_hung_at desc limit ${limit}`;
}

/**
 * Lets go of at most `limit` calls that hung last before then, once their batch is gone and cannot come by
 * again. A tick and a rebuild have none: they are tried anew. Threads that hang are few, so no index helps
 * here.
 */
export function deleteOldHangs(sql: Statements, before: Date, limit: number) {
  return sql`
    delete from ats.detection_hang where ctid = any(array(
      select h.ctid from ats.detection_hang h
      where h.last_hung_at < ${before}
        and not exists (select from ats.batch b where b.project_no = h.project_no and b.batch_no = h.batch_no)
      limit ${limit}
    ))`;
}
