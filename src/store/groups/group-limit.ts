import type { ReservedSql } from "postgres";
import { lockClass } from "./failure-groups.ts";

/**
 * Bounds the failure groups of a class. A signature made of a part that is new each time (a client whose
 * crash signatures hold a time of day, a run that names a validator after itself) makes a group of every
 * firing; lists and their indexes would grow for ever. Invariant: groups that are ignored, merged or merged
 * into stay and do not count; of the others, open or resolved, the ones that fired longest ago go, their
 * detections stay. One that fires again is a first occurrence then.
 */

/** A person reads some dozens; this many tell that a signature is unsteady. */
export const GROUPS_KEPT_MAX = 10_000;
/** A transaction holds the class's lock, which detection waits for. */
const DELETED_MAX = 500;

export interface CrowdedClass {
  readonly projectNo: number;
  readonly projectId: string;
  readonly class: string;
}

/** Classes that may have more groups than are kept: those that stay anyway are counted here. */
export async function listCrowdedClasses(sql: ReservedSql, keptMax: number): Promise<CrowdedClass[]> {
  return await sql<CrowdedClass[]>`
    select g.project_no as "projectNo", p.project_id as "projectId", g.class
    from (
      select project_no, class from ats.failure_group group by project_no, class having count(*) > ${keptMax}
    ) g join ats.project p using (project_no)
    order by g.project_no, g.class`;
}

/** The last group of a class that is kept. */
export interface LastKept {
  /** Microseconds count, so as the database writes it. */
  readonly lastSeenAt: string;
  readonly groupId: string;
}

/** Null where no group is too many. */
export async function findLastKept(
  sql: ReservedSql,
  { projectNo, class: failureClass }: CrowdedClass,
  keptMax: number,
): Promise<LastKept | null> {
  const [row] = await sql<LastKept[]>`
    select last_seen_at::text as "lastSeenAt", group_id as "groupId" from ats.failure_group g
    where project_no = ${projectNo} and class = ${failureClass} and ${isFree(sql)}
    order by g.last_seen_at desc, group_id desc offset ${keptMax - 1} limit 1`;
  return row ?? null;
}

/** Lets go of some of the groups that fired before the last that is kept; answers how many. */
export async function deleteIdleGroups(
  sql: ReservedSql,
  { projectNo, class: failureClass }: CrowdedClass,
  { lastSeenAt, groupId }: LastKept,
): Promise<{ count: number }> {
  await sql`begin`;
  try {
    await lockClass(sql, projectNo, failureClass);
    const { count } = await sql`
      delete from ats.failure_group where project_no = ${projectNo} and group_id = any(array(
        select group_id from ats.failure_group g
        where project_no = ${projectNo} and class = ${failureClass} and ${isFree(sql)}
          and (last_seen_at, group_id) < (${lastSeenAt}::text::timestamptz, ${groupId})
        limit ${DELETED_MAX}
      ))`;
    await sql`commit`;
    return { count };
  } catch (error) {
    await sql`rollback`.catch(() => undefined);
    throw error;
  }
}

/** Whether nobody ignores the group `g` and no merge rests on it. */
function isFree(sql: ReservedSql) {
  return sql`(g.state <> 'ignored' and g.merged_into is null and not exists (
    select from ats.failure_group a where a.project_no = g.project_no and a.merged_into = g.group_id
  ))`;
}
