import type { Sql } from "postgres";
import { SLOT_ORIGIN } from "../upkeep/rollups.ts";

/**
 * Statements on `ats.execution`. Each takes many rows at once, sorted by key, so that two writers lock in the
 * same order, and appends to `ats.execution_tally` what it changed.
 */

export type ExecutionStatus = "started" | "completed" | "crashed";

/** The record as stored. Absent values are null. */
export interface ExecutionRecord {
  readonly projectNo: number;
  readonly executionNo: number;
  readonly executionId: string;
  readonly status: ExecutionStatus;
  readonly sdkLanguage: string | null;
  readonly sdkVersion: string | null;
  readonly durationMs: number | null;
  readonly totalTokensIn: number | null;
  readonly totalTokensOut: number | null;
  readonly crashSignature: string | null;
  readonly environment: unknown;
  /** Days since 1970-01-01 (UTC). */
  readonly homeDay: number | null;
  readonly startedAt: string;
  readonly finishedAt: string | null;
}

export interface NewExecution {
  readonly projectNo: number;
  readonly executionId: string;
  readonly sdkLanguage: string | null;
  readonly sdkVersion: string | null;
  /** Unix time in milliseconds. */
  readonly receivedMs: number;
}

export interface FinishedExecution {
  readonly projectNo: number;
  readonly executionId: string;
  readonly status: "completed" | "crashed";
  readonly durationMs: number | null;
  readonly totalTokensIn: number | null;
  readonly totalTokensOut: number | null;
  readonly crashSignature: string | null;
  readonly receivedMs: number;
}

export interface ExecutionKey {
  readonly projectNo: number;
  readonly executionId: string;
}

const minuteOf = (column: string) => `date_bin('1 minute', ${column}, ${SLOT_ORIGIN})`;

const COLUMNS = `x.project_no, x.execution_no, x.execution_id, x.status, x.sdk_language, x.sdk_version, x.duration_ms,
  x.total_tokens_in, x.total_tokens_out, x.crash_signature, x.environment::text as environment,
  x.home_day - date '1970-01-01' as home_day,
  to_char(x.started_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as started_at,
  to_char(x.finished_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as finished_at`;

/** Stores what is new and answers with all of them as stored, and which were created by this call. */
export async function createExecutions(
  sql: Sql,
  executions: readonly NewExecution[],
): Promise<{ record: ExecutionRecord; created: boolean }[]> {
  const sorted = executions.toSorted(byKey);
  const created = await sql.unsafe(
    `with created as (
       insert into ats.execution as x (project_no, execution_id, sdk_language, sdk_version, started_at)
       select * from unnest($1::int[], $2::text[], $3::text[], $4::text[], $5::timestamptz[])
       on conflict (project_no, execution_id) do nothing
       returning ${COLUMNS}, x.started_at as began_at
     ), tallied as (
       insert into ats.execution_tally (project_no, slot_at, started)
       select project_no, ${minuteOf("began_at")}, count(*) from created group by 1, 2
     )
     select * from created`,
    [
      sorted.map((x) => x.projectNo),
      sorted.map((x) => x.executionId),
      sorted.map((x) => x.sdkLanguage),
      sorted.map((x) => x.sdkVersion),
      sorted.map((x) => new Date(x.receivedMs).toISOString()),
    ],
    { prepare: true },
  );
  const answers = created.map((row) => ({ record: recordOf(row), created: true }));
  if (answers.length === executions.length) return answers;
  const known = new Set(answers.map(({ record }) => executionKeyText(record)));
  const rest = sorted.filter((x) => !known.has(executionKeyText(x)));
  for (const record of await findExecutions(sql, rest)) answers.push({ record, created: false });
  return answers;
}

export async function findExecutions(sql: Sql, keys: readonly ExecutionKey[]): Promise<ExecutionRecord[]> {
  const rows = await sql.unsafe(
    `select ${COLUMNS} from unnest($1::int[], $2::text[]) k(project_no, execution_id)
     join ats.execution x on x.project_no = k.project_no and x.execution_id = k.execution_id collate "C"`,
    [keys.map((key) => key.projectNo), keys.map((key) => key.executionId)],
    { prepare: true },
  );
  return rows.map(recordOf);
}

/**
 * Moves started executions to their final status and writes a batch row that says detection owes each of them
 * a look, in one transaction. An execution already final is left as it is. Returns the records of all
 * that exist.
 */
export async function finishExecutions(
  sql: Sql,
  finished: readonly FinishedExecution[],
  batchNo: number,
): Promise<{ record: ExecutionRecord; changed: boolean }[]> {
  const sorted = finished.toSorted(byKey);
  const changed = await sql.unsafe(
    `with input as (
       select * from unnest($1::int[], $2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[], $7::text[], $8::timestamptz[])
         k(project_no, execution_id, status, duration_ms, total_tokens_in, total_tokens_out, crash_signature, finished_at)
     ), locked as (
       select x.project_no, x.execution_no from input k
       join ats.execution x on x.project_no = k.project_no and x.execution_id = k.execution_id collate "C"
       where x.status = 'started'
       order by x.project_no, x.execution_no for update of x
     ), updated as (
       update ats.execution x set status = k.status, duration_ms = k.duration_ms, total_tokens_in = k.total_tokens_in,
         total_tokens_out = k.total_tokens_out, crash_signature = k.crash_signature, finished_at = k.finished_at
       from locked l, input k
       where x.project_no = l.project_no and x.execution_no = l.execution_no and x.status = 'started'
         and k.project_no = x.project_no and k.execution_id = x.execution_id collate "C"
       returning ${COLUMNS}, x.started_at as began_at, x.finished_at as ended_at
     ), owed as (
       insert into ats.batch (project_no, batch_no, event_count, execution_nos)
       select project_no, $9, 0, array_agg(execution_no) from updated group by project_no
     ), tallied as (
       insert into ats.execution_tally
         (project_no, slot_at, completed, crashed, tokens_in, tokens_out, started_completed, started_crashed)
       select project_no, ${minuteOf("ended_at")}, count(*) filter (where status = 'completed'),
         count(*) filter (where status = 'crashed'), coalesce(sum(total_tokens_in), 0), coalesce(sum(total_tokens_out), 0), 0, 0
       from updated group by 1, 2
       union all
       select project_no, ${minuteOf("began_at")}, 0, 0, 0, 0, count(*) filter (where status = 'completed'),
         count(*) filter (where status = 'crashed')
       from updated group by 1, 2
     )
     select * from updated`,
    [
      sorted.map((x) => x.projectNo),
      sorted.map((x) => x.executionId),
      sorted.map((x) => x.status),
      sorted.map((x) => x.durationMs),
      sorted.map((x) => x.totalTokensIn),
      sorted.map((x) => x.totalTokensOut),
      sorted.map((x) => x.crashSignature),
      sorted.map((x) => new Date(x.receivedMs).toISOString()),
      batchNo,
    ],
    { prepare: true },
  );
  const answers = changed.map((row) => ({ record: recordOf(row), changed: true }));
  if (answers.length === finished.length) return answers;
  const done = new Set(answers.map(({ record }) => executionKeyText(record)));
  const rest = sorted.filter((x) => !done.has(executionKeyText(x)));
  for (const record of await findExecutions(sql, rest)) answers.push({ record, changed: false });
  return answers;
}

/**
 * Gives each execution that has none its home day. The first writer wins; the answer is the day that stands.
 * A claim whose events are never stored does no harm: it only says where identities are arbitrated.
 */
export async function claimHomeDays(
  sql: Sql,
  claims: readonly { projectNo: number; executionNo: number; day: number }[],
): Promise<{ projectNo: number; executionNo: number; homeDay: number }[]> {
  const sorted = claims.toSorted((a, b) => a.projectNo - b.projectNo || a.executionNo - b.executionNo);
  const rows = await sql.unsafe(
    `with input as (select * from unnest($1::int[], $2::bigint[], $3::int[]) k(project_no, execution_no, day)),
     locked as (
       select x.project_no, x.execution_no, coalesce(x.home_day, date '1970-01-01' + k.day) as home_day
       from input k join ats.execution x on x.project_no = k.project_no and x.execution_no = k.execution_no
       order by x.project_no, x.execution_no for update of x
     ), updated as (
       update ats.execution x set home_day = l.home_day from locked l
       where x.project_no = l.project_no and x.execution_no = l.execution_no and x.home_day is null
     )
     select project_no, execution_no, home_day - date '1970-01-01' as home_day from locked`,
    [sorted.map((c) => c.projectNo), sorted.map((c) => c.executionNo), sorted.map((c) => c.day)],
    { prepare: true },
  );
  return rows.map((row) => ({
    projectNo: row.project_no as number,
    executionNo: Number(row.execution_no),
    homeDay: row.home_day as number,
  }));
}

/** By so much the sequence counts (drizzle/0000_ingest.sql). */
const BATCH_BLOCK_SIZE = 65_536;

/** Reserves a block of batch numbers. */
export async function nextBatchBlock(sql: Sql): Promise<{ first: number; size: number }> {
  const rows = await sql`select nextval('ats.batch_block') as first`;
  return { first: Number(rows[0]!.first), size: BATCH_BLOCK_SIZE };
}

function recordOf(row: Record<string, unknown>): ExecutionRecord {
  const count = (value: unknown) => (value === null ? null : Number(value));
  return {
    projectNo: row.project_no as number,
    executionNo: Number(row.execution_no),
    executionId: row.execution_id as string,
    status: row.status as ExecutionStatus,
    sdkLanguage: row.sdk_language as string | null,
    sdkVersion: row.sdk_version as string | null,
    durationMs: count(row.duration_ms),
    totalTokensIn: count(row.total_tokens_in),
    totalTokensOut: count(row.total_tokens_out),
    crashSignature: row.crash_signature as string | null,
    environment: row.environment === null ? null : JSON.parse(row.environment as string),
    homeDay: row.home_day as number | null,
    startedAt: row.started_at as string,
    finishedAt: row.finished_at as string | null,
  };
}

function byKey(a: ExecutionKey, b: ExecutionKey): number {
  return (
    a.projectNo - b.projectNo || (a.executionId < b.executionId ? -1 : a.executionId > b.executionId ? 1 : 0)
  );
}

/** A key as one text: equal for equal keys only, as numbers hold no slash. */
export function executionKeyText(key: ExecutionKey): string {
  return `${key.projectNo}/${key.executionId}`;
}
