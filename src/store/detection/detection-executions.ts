import type { DetectionSql } from "./detection-session.ts";

/** What detection reads about executions and projects. Plain reads; nothing here is written. */

export interface ExecutionRecord {
  readonly projectNo: number;
  readonly executionNo: number;
  readonly executionId: string;
  readonly status: "started" | "completed" | "crashed";
  readonly startedMs: number;
  readonly finishedMs: number | null;
  readonly durationMs: number | null;
  readonly totalTokensIn: number | null;
  readonly totalTokensOut: number | null;
  readonly crashSignature: string | null;
  readonly environmentMode: string | null;
  /** Start of the UTC day of the first event stored; null while there is none. */
  readonly homeDayMs: number | null;
}

function executionFields(sql: DetectionSql) {
  return sql`
    x.project_no as "projectNo", x.execution_no::float8 as "executionNo", x.execution_id as "executionId",
    x.status, floor(extract(epoch from x.started_at) * 1000)::float8 as "startedMs",
    floor(extract(epoch from x.finished_at) * 1000)::float8 as "finishedMs", x.duration_ms::float8 as "durationMs",
    x.total_tokens_in::float8 as "totalTokensIn", x.total_tokens_out::float8 as "totalTokensOut",
    x.crash_signature as "crashSignature", x.environment->>'mode' as "environmentMode",
    (extract(epoch from x.home_day) * 1000)::float8 as "homeDayMs"`;
}

export async function readExecutions(
  sql: DetectionSql,
  keys: readonly { readonly projectNo: number; readonly executionNo: number }[],
): Promise<ExecutionRecord[]> {
  return await sql<ExecutionRecord[]>`
    select ${executionFields(sql)}
    from unnest(${keys.map((k) => k.projectNo)}::int[], ${keys.map((k) => k.executionNo)}::bigint[])
      as k (project_no, execution_no)
    join ats.execution x on x.project_no = k.project_no and x.execution_no = k.execution_no`;
}

/** Where a walk over started executions goes on: behind this one, in order of (started_at, execution_no). */
export interface StartedCursor {
  readonly projectNo: number;
  readonly sinceMs: number;
  readonly afterExecutionNo: number;
}

export interface StartedScan {
  /** In this order; of the first only what lies behind `after`. */
  readonly projectNos: readonly number[];
  readonly after: StartedCursor | null;
  readonly oldestMs: number;
  /** Looked at of each project, finished ones included. */
  readonly scannedMax: number;
  readonly startedMax: number;
}

/**
 * Executions of some projects that are still started, in the projects' order. It ends with the first project that has more than is looked
 * at, where `next` goes on; null: that was all.
 */
export async function scanStarted(
  sql: DetectionSql,
  { projectNos, after, oldestMs, scannedMax, startedMax }: StartedScan,
): Promise<{ started: ExecutionRecord[]; next: StartedCursor | null }> {
  const sinceMs = Math.max(oldestMs, after?.sinceMs ?? 0);
  const rows = await sql<(ExecutionRecord & { isCut: boolean })[]>`
    select ${executionFields(sql)}, x.place = ${scannedMax} as "isCut"
    from unnest(${projectNos as number[]}::int[]) with ordinality as p (project_no, nth)
    cross join lateral (
      select x.*, row_number() over (order by x.started_at, x.execution_no) as place
      from (
        select * from ats.execution x
        where x.project_no = p.project_no
          and x.started_at >= timestamptz 'epoch' +
            case when p.nth = 1 then ${sinceMs}::float8 else ${oldestMs}::float8 end * interval '1 millisecond'
          and (p.nth > 1 or x.started_at >= timestamptz 'epoch' + ${sinceMs + 1}::float8 * interval '1 millisecond'
            or x.execution_no > ${after?.afterExecutionNo ?? 0})
        order by x.started_at, x.execution_no limit ${scannedMax}
      ) x
    ) x
    where x.status = 'started' or x.place = ${scannedMax}
    order by p.nth, x.started_at, x.execution_no limit ${startedMax}`;
  const cutAt = rows.findIndex((row) => row.isCut);
  const seen = cutAt === -1 ? rows : rows.slice(0, cutAt + 1);
  const last = seen.at(-1);
  return {
    started: seen.filter(({ status }) => status === "started"),
    next: last === undefined || (cutAt === -1 && rows.length < startedMax) ? null : cursorBehind(last),
  };
}

/** Behind that one. */
export function cursorBehind({ projectNo, startedMs, executionNo }: ExecutionRecord): StartedCursor {
  return { projectNo, sinceMs: startedMs, afterExecutionNo: executionNo };
}

export interface ProjectRecord {
  readonly projectNo: number;
  readonly projectId: string;
  readonly detectorSettings: unknown;
}

export async function readProjects(
  sql: DetectionSql,
  projectNos: readonly number[],
): Promise<ProjectRecord[]> {
  return await sql<ProjectRecord[]>`
    select project_no as "projectNo", project_id as "projectId", detector_settings as "detectorSettings"
    from ats.project where project_no = any(${projectNos as number[]}::int[])`;
}

export async function listProjectNos(sql: DetectionSql): Promise<number[]> {
  const rows = await sql<{ projectNo: number }[]>`
    select project_no as "projectNo" from ats.project order by project_no`;
  return rows.map((row) => row.projectNo);
}

/** Changes with every change of a project's settings. */
export async function readDirectoryVersion(sql: DetectionSql): Promise<number> {
  const [row] = await sql<{ version: number }[]>`select version from ats.directory_version`;
  return row?.version ?? 0;
}

/** Every execution made from now on has a higher number. */
export async function highestExecutionNo(sql: DetectionSql): Promise<number> {
  const [row] = await sql<[{ highest: number }]>`
    select last_value::float8 as highest from ats.execution_execution_no_seq`;
  return row.highest;
}
