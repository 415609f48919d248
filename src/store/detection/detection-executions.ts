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

/** Where a walk over started executions goes on. */
export interface StartedCursor {
  readonly projectNo: number;
  readonly startedMs: number;
  readonly executionNo: number;
}

/**
 * Executions of one project that are still started, after the cursor in order of (started_at, execution_no).
 * `scannedMax` bounds what is looked at, finished ones included; `next` is null at the project's end.
 */
export async function scanStarted(
  sql: DetectionSql,
  options: { projectNo: number; sinceMs: number; afterExecutionNo: number; scannedMax: number },
): Promise<{ started: ExecutionRecord[]; next: { sinceMs: number; afterExecutionNo: number } | null }> {
  const rows = await sql<ExecutionRecord[]>`
    select ${executionFields(sql)} from ats.execution x
    where x.project_no = ${options.projectNo}
      and x.started_at >= timestamptz 'epoch' + ${options.sinceMs}::float8 * interval '1 millisecond'
      and (x.started_at >= timestamptz 'epoch' + ${options.sinceMs + 1}::float8 * interval '1 millisecond'
        or x.execution_no > ${options.afterExecutionNo})
    order by x.started_at, x.execution_no limit ${options.scannedMax}`;
  const last = rows.at(-1);
  return {
    started: rows.filter((row) => row.status === "started"),
    next:
      last === undefined || rows.length < options.scannedMax
        ? null
        : { sinceMs: last.startedMs, afterExecutionNo: last.executionNo },
  };
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
