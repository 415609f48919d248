import type { Sql } from "../database/connect.ts";
import { isoMicros } from "../database/iso-time.ts";
import type { ExecutionStatus } from "../telemetry/executions.ts";
import { plannedEachTime } from "./days.ts";
import { findDays } from "./execution-days.ts";
import { BYTES_AT_LEAST, type ExecutionKey, IS_SHORT, ownEvents } from "./execution-key.ts";
import { type ExecutionUsage, MODEL_CALL, readUsage } from "./executions-usage.ts";

/**
 * One execution: its record, what its events add up to, and its detections. Everything is bounded, and says
 * so where a bound was met: an execution may have 100,000 events and payloads of megabytes.
 */

export interface ExecutionRecord {
  readonly execution_id: string;
  readonly status: ExecutionStatus;
  readonly sdk: { readonly language: string | null; readonly version: string | null };
  readonly environment: EnvironmentRecord | null;
  readonly started_at: string;
  readonly finished_at: string | null;
  readonly duration_ms: number | null;
  readonly tokens_in: number | null;
  readonly tokens_out: number | null;
  readonly crash_signature: string | null;
}

export interface EnvironmentRecord {
  readonly mode: string | null;
  readonly declared_by: string | null;
  readonly note: string | null;
}

export async function findExecution(
  sql: Sql,
  projectNo: number,
  executionId: string,
): Promise<{ key: ExecutionKey; record: ExecutionRecord } | null> {
  const [row] = await sql<
    (Omit<ExecutionRecord, "sdk"> & {
      execution_no: number;
      sdk_language: string | null;
      sdk_version: string | null;
      home_day: number | null;
    })[]
  >`
    select x.execution_id, x.execution_no::float8 as execution_no, x.status, x.sdk_language, x.sdk_version,
      case when x.environment is not null then json_build_object('mode', x.environment->>'mode',
        'declared_by', x.environment->>'declared_by', 'note', x.environment->>'note') end as environment,
      ${isoMicros(sql, sql`x.started_at`)} as started_at,
      ${isoMicros(sql, sql`x.finished_at`)} as finished_at,
      x.duration_ms::float8 as duration_ms, x.total_tokens_in::float8 as tokens_in,
      x.total_tokens_out::float8 as tokens_out, x.crash_signature, x.home_day - date '1970-01-01' as home_day
    from ats.execution x
    where x.project_no = ${projectNo} and x.execution_id = ${executionId}`;
  if (row === undefined) return null;
  const { execution_no: executionNo, home_day: homeDay, sdk_language, sdk_version, ...record } = row;
  // Its first event claims the home day: without one there is none.
  const days = homeDay === null ? [] : await findDays(sql, { projectNo, executionNo, homeDay });
  return {
    key: { projectNo, executionNo, days },
    record: { ...record, sdk: { language: sdk_language, version: sdk_version } },
  };
}

/** Events counted; an execution with more says `complete: false`. */
const EVENTS_COUNTED_MAX = 100_000;
/**
 * Long payloads are measured, which reads them, up to so many bytes on the disk, some 150 ms; what they take
 * there stands for those beyond.
 */
const MEASURED_BYTES_MAX = 64 * 1024 * 1024;

export interface ExecutionTotals {
  readonly events: number;
  /** Code of `event_type` and count. */
  readonly byType: readonly { readonly code: number; readonly count: number }[];
  readonly payload_bytes: number;
  readonly first_event_at: string | null;
  readonly last_event_at: string | null;
  readonly last_received_at: string | null;
  /** False if there are more events than were counted. */
  readonly complete: boolean;
  /** What the payloads of the model calls say. */
  readonly usage: ExecutionUsage;
}

export async function readTotals(sql: Sql, key: ExecutionKey): Promise<ExecutionTotals> {
  const [counted] = await countEvents(sql, key);
  const [long] = counted?.has_long ? await measureLong(sql, key) : [];
  const callBytes = (counted?.call_bytes ?? 0) + (long?.call_bytes ?? 0);
  const usage = await readUsage(sql, key, callBytes, EVENTS_COUNTED_MAX);
  const byType = Object.entries(counted?.by_type ?? {})
    .map(([code, count]) => ({ code: Number(code), count }))
    .sort((a, b) => b.count - a.count);
  const events = byType.reduce((sum, each) => sum + each.count, 0);
  return {
    events: Math.min(events, EVENTS_COUNTED_MAX),
    byType,
    payload_bytes: (counted?.payload_bytes ?? 0) + (long?.payload_bytes ?? 0),
    first_event_at: counted?.first_event_at ?? null,
    last_event_at: counted?.last_event_at ?? null,
    last_received_at: counted?.last_received_at ?? null,
    complete: events <= EVENTS_COUNTED_MAX,
    usage,
  };
}

function countEvents(sql: Sql, key: ExecutionKey) {
  return plannedEachTime(sql<
    {
      by_type: Record<string, number> | null;
      /** Of those that are not long. */
      payload_bytes: number;
      /** Of the model calls among them: no payload is empty, so 0 says that there is none. */
      call_bytes: number;
      has_long: boolean;
      first_event_at: string | null;
      last_event_at: string | null;
      last_received_at: string | null;
    }[]
  >`
    with own as materialized (
      select e.event_type, count(*)::int as count, sum(e.bytes)::float8 as bytes, bool_or(e.bytes is null) as has_long,
        min(e."timestamp") as first, max(e."timestamp") as last, max(e.received_at) as received
      from (
        select e.event_type, e."timestamp", e.received_at, case when ${sql.unsafe(IS_SHORT)} then octet_length(e.payload) end as bytes
        from ${ownEvents(sql, key)} limit ${EVENTS_COUNTED_MAX + 1}
      ) e group by e.event_type
    )
    select json_object_agg(event_type, count) as by_type, coalesce(sum(bytes), 0) as payload_bytes,
      coalesce(sum(bytes) filter (where event_type = ${MODEL_CALL}), 0) as call_bytes, bool_or(has_long) as has_long,
      ${isoMicros(sql, sql`min(first)`)} as first_event_at,
      ${isoMicros(sql, sql`max(last)`)} as last_event_at,
      ${isoMicros(sql, sql`max(received)`)} as last_received_at
    from own`);
}

function measureLong(sql: Sql, key: ExecutionKey) {
  return plannedEachTime(sql<{ payload_bytes: number; call_bytes: number }[]>`
    select coalesce(sum(bytes), 0)::float8 as payload_bytes,
      coalesce(sum(bytes) filter (where event_type = ${MODEL_CALL}), 0)::float8 as call_bytes
    from (
      select e.event_type,
        case when sum(${sql.unsafe(BYTES_AT_LEAST)}) over (rows unbounded preceding) <= ${MEASURED_BYTES_MAX}
          then octet_length(e.payload) else ${sql.unsafe(BYTES_AT_LEAST)} end as bytes
      from ${ownEvents(sql, key)} where not ${sql.unsafe(IS_SHORT)} limit ${EVENTS_COUNTED_MAX}
    ) e`);
}

const DETECTIONS_MAX = 300;

export interface ExecutionDetection {
  readonly detection_id: string;
  readonly class: string;
  readonly severity: "low" | "medium" | "high" | "critical";
  readonly rule_ids: string[];
  readonly score: number;
  readonly excerpt: string;
  /** Null when a status change or the clock fired it. */
  readonly event_id: string | null;
  /** Place of that event in the timeline; null without one. */
  readonly sequence: number | null;
  readonly evidence_event_ids: string[];
  readonly detected_at: string;
  /** The group it counts into. */
  readonly group_id: string | null;
  readonly group_state: "open" | "resolved" | "ignored" | null;
}

/** The execution's detections, worst first, and whether there are more. */
export async function listExecutionDetections(
  sql: Sql,
  key: ExecutionKey,
): Promise<{ items: ExecutionDetection[]; complete: boolean }> {
  // The events of all of them in one pass over the packs, and none where no detection names an event.
  const rows = await plannedEachTime(sql<ExecutionDetection[]>`
    with d as materialized (
      select *, array_position('{critical,high,medium,low}'::text[], severity) as rank from ats.detection
      where project_no = ${key.projectNo} and execution_no = ${key.executionNo}::bigint
      order by rank, detected_at, detection_id limit ${DETECTIONS_MAX + 1}
    )
    select d.detection_id, d.class, d.severity, d.rule_ids, d.score, d.excerpt, d.event_id, e.sequence,
      d.evidence_event_ids, ${isoMicros(sql, sql`d.detected_at`)} as detected_at,
      coalesce(main.group_id, g.group_id) as group_id, coalesce(main.state, g.state) as group_state
    from d
    left join ats.failure_group g
      on g.project_no = d.project_no and g.class = d.class and g.signature = d.signature
    left join ats.failure_group main on main.project_no = g.project_no and main.group_id = g.merged_into
    left join (
      select e.event_id, e.sequence from ${ownEvents(sql, key)}
      where exists (select from d where d.event_id is not null)
    ) e on e.event_id = d.event_id
    order by d.rank, d.detected_at, d.detection_id`);
  return { items: rows.slice(0, DETECTIONS_MAX), complete: rows.length <= DETECTIONS_MAX };
}
