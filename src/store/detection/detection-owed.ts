import type { Sql } from "../database/connect.ts";

/** How many batches of a project detection has not looked at yet. */
export async function countOwedBatches(sql: Sql, projectNo: number): Promise<number> {
  const [row] = await sql<[{ owed: number }]>`
    select count(*)::int as owed from ats.batch where detected_at is null and project_no = ${projectNo}`;
  return row.owed;
}
