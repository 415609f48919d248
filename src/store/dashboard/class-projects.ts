import type { Sql } from "../database/connect.ts";
import { isoTime } from "../database/iso-time.ts";

/**
 * Where a class has fired, the latest first: a notification's link names the class and no project, and who
 * follows it may have looked at another one last. One look into each project's groups of the class.
 */

export interface ClassProject {
  readonly project_id: string;
  readonly name: string;
  /** The group of the class that fired last. */
  readonly group_id: string;
  readonly last_seen_at: string;
}

export async function listClassProjects(
  sql: Sql,
  failureClass: string,
  limit: number,
): Promise<ClassProject[]> {
  return await sql<ClassProject[]>`
    select p.project_id, p.name, g.group_id, ${isoTime(sql, sql`g.last_seen_at`)} as last_seen_at
    from ats.project p
    cross join lateral (
      select coalesce(f.merged_into, f.group_id) as group_id, f.last_seen_at from ats.failure_group f
      where f.project_no = p.project_no and f.class = ${failureClass}
      order by f.last_seen_at desc limit 1
    ) g
    order by g.last_seen_at desc, p.project_no
    limit ${limit}`;
}
