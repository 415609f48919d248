import type { DetectionSql } from "./detection-session.ts";
import { andInShare, type ProjectShare } from "./project-share.ts";

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
 * Executions of some projects that are still started, in the projects' order. It ends with the first project
 * that has more than is looked at, where `next` goes on; null: that was all.
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
export function cursorBehind({
  projectNo,
  startedMs,
  executionNo,
}: Pick<ExecutionRecord, "projectNo" | "startedMs" | "executionNo">): StartedCursor {
  return { projectNo, sinceMs: startedMs, afterExecutionNo: executionNo };
}

/** What lets a class fire, by time and once, of an execution that is started. */
export interface DueRule {
  readonly projectNo: number;
  readonly class: string;
  readonly since: "start" | "latest_event";
  /** What it counts from must lie before this moment. */
  readonly beforeMs: number;
  /**
   * Not null: only if sequence numbers are missing, and whatever has fired, but for what bears this
   * `dedup_key`.
   */
  readonly gapKey: string | null;
}

export interface DueScan {
  /** In this order; of the first only what lies behind `after`. */
  readonly projectNos: readonly number[];
  readonly after: StartedCursor | null;
  readonly oldestMs: number;
  readonly rules: readonly DueRule[];
  /** Looked at of each project, finished ones included. */
  readonly scannedMax: number;
}

export interface DueExecution {
  readonly projectNo: number;
  readonly executionNo: number;
}

/**
 * Home days are of the clients' clocks: of an execution whose first event is of another day, no latest event
 * is found.
 */
const HOME_DAYS_AROUND = 2;
const DAY_MS = 86_400_000;
/** Of an execution with more packs it is not asked which numbers are missing: some may be. */
const GAP_PACKS_MAX = 1_000;

/**
 * Whether there may be a gap in the sequence of an execution `x`: a number is missing before another, and two
 * are neighbours, or not all can be told, for its packs are too many or some stand on other days. Its home
 * day's packs are read, payloads left out.
 */
const mayMissEvents = (onHomeDay: string) => `(
  select coalesce(bool_or(k.is_unknown), false)
    or coalesce(bool_or(k.step = 1) and (bool_or(k.step > 1) or min(k.sequence) > 1), false)
  from (
    select e.sequence, e.sequence - lag(e.sequence) over (order by e.sequence) as step, k.is_unknown
    from (
      select k.sequences, k.sequences = '{}' or row_number() over () = ${GAP_PACKS_MAX} as is_unknown
      from (select k.sequences from ats.event_pack k where ${onHomeDay} order by k.pack_no limit ${GAP_PACKS_MAX}) k
    ) k
    left join lateral unnest(k.sequences) as e (sequence) on true
  ) k
)`;

/**
 * Started executions of which a rule may let something fire that has not fired since. When the latest event
 * came is told by the pack with the highest number, which stands on the execution's home day, be it for
 * another: one look into one index. It ends with the first project that has more than is looked at, where
 * `next` goes on; null: that was all.
 */
export async function scanDue(
  sql: DetectionSql,
  { projectNos, after, oldestMs, rules, scannedMax }: DueScan,
): Promise<{ due: DueExecution[]; next: StartedCursor | null }> {
  const sinceMs = Math.max(oldestMs, after?.sinceMs ?? 0);
  const firstDay = new Date(Math.floor(oldestMs / DAY_MS - HOME_DAYS_AROUND) * DAY_MS).toISOString();
  const lastDay = new Date(Math.floor(Date.now() / DAY_MS + HOME_DAYS_AROUND) * DAY_MS).toISOString();
  const onHomeDay = `k.project_no = x.project_no and k.execution_no = x.execution_no
    and k.first_timestamp >= x.home_day::timestamp at time zone 'UTC'
    and k.first_timestamp < x.home_day::timestamp at time zone 'UTC' + interval '24 hours'
    and k.first_timestamp >= '${firstDay}' and k.first_timestamp < '${lastDay}'`;
  const rows = await sql.unsafe<
    { projectNo: number; executionNo: number; startedMs: number; isCut: boolean; isDue: boolean }[]
  >(
    `select x.project_no as "projectNo", x.execution_no::float8 as "executionNo",
      floor(extract(epoch from x.started_at) * 1000)::float8 as "startedMs", x.place = $4::int as "isCut", due.found as "isDue"
    from unnest($1::int[]) with ordinality as p (project_no, nth)
    cross join lateral (
      select x.*, row_number() over (order by x.started_at, x.execution_no) as place
      from (
        select * from ats.execution x
        where x.project_no = p.project_no
          and x.started_at >= timestamptz 'epoch' + case when p.nth = 1 then $2::float8 else $3::float8 end * interval '1 millisecond'
          and (p.nth > 1 or x.started_at >= timestamptz 'epoch' + ($2::float8 + 1) * interval '1 millisecond'
            or x.execution_no > $5::bigint)
        order by x.started_at, x.execution_no limit $4::int
      ) x
    ) x
    cross join lateral (
      select x.status = 'started' and exists (
        select from unnest($6::int[], $7::text[], $8::int[], $9::float8[], $10::text[]) as r (project_no, class, is_of_start, before_ms, gap_key)
        cross join lateral (select timestamptz 'epoch' + r.before_ms * interval '1 millisecond' as before offset 0) b
        cross join lateral (
          select case when r.is_of_start = 1 then x.started_at else greatest(x.started_at, (
            select k.received_at from ats.event_pack k where ${onHomeDay}
            order by k.pack_no desc limit 1
          )) end as since offset 0
        ) s
        where r.project_no = x.project_no and x.started_at < b.before and s.since < b.before
          and not exists (
            select from ats.detection d
            where d.project_no = x.project_no and d.execution_no = x.execution_no and d.class = r.class
              and case when r.gap_key is null then d.detected_at >= s.since else d.dedup_key = r.gap_key end
          )
          and (r.gap_key is null or ${mayMissEvents(onHomeDay)})
      ) as found offset 0
    ) due
    where due.found or x.place = $4::int
    order by p.nth, x.started_at, x.execution_no`,
    [
      projectNos as number[],
      sinceMs,
      oldestMs,
      scannedMax,
      after?.afterExecutionNo ?? 0,
      rules.map((rule) => rule.projectNo),
      rules.map((rule) => rule.class),
      rules.map((rule) => Number(rule.since === "start")),
      rules.map((rule) => rule.beforeMs),
      rules.map((rule) => rule.gapKey),
    ],
  );
  const cutAt = rows.findIndex((row) => row.isCut);
  const seen = cutAt === -1 ? rows : rows.slice(0, cutAt + 1);
  const last = seen.at(-1);
  return {
    due: seen.filter((row) => row.isDue),
    next: cutAt === -1 || last === undefined ? null : cursorBehind(last),
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

export async function listProjectNos(sql: DetectionSql, share: ProjectShare): Promise<number[]> {
  const rows = await sql<{ projectNo: number }[]>`
    select project_no as "projectNo" from ats.project where true ${andInShare(sql, share)} order by project_no`;
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
