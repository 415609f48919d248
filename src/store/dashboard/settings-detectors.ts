import type { Sql } from "../database/connect.ts";

/**
 * How often each class fired in a project within the last 24 hours, to the minute; a class that did not is
 * absent.
 */
export async function countFirings(sql: Sql, projectNo: number): Promise<ReadonlyMap<string, number>> {
  const rows = await sql<{ class: string; count: number }[]>`
    select class, sum(detection_count)::float8 as count from ats.detection_rollup
    where project_no = ${projectNo} and step = 60 and slot_at > now() - interval '24 hours'
    group by class`;
  return new Map(rows.map((row) => [row.class, row.count]));
}
