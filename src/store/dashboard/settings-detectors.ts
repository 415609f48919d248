import type { Sql } from "../connect.ts";

/** How often each class fired in a project within the last 24 hours; a class that did not is absent. */
export async function countFirings(sql: Sql, projectNo: number): Promise<ReadonlyMap<string, number>> {
  const rows = await sql<{ class: string; count: number }[]>`
    select class, count(*)::int as count from ats.detection
    where project_no = ${projectNo} and detected_at > now() - interval '24 hours'
    group by class`;
  return new Map(rows.map((row) => [row.class, row.count]));
}
