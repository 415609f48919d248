import { COPY_HEADER_BYTES } from "../telemetry/pack-buffer.ts";
import type { DetectionSql } from "./detection-session.ts";

/**
 * Batches that detection owes, and their events. A batch is owed while `detected_at` is null; claiming one sets it in
 * the transaction that also stores what was detected, so it is either owed or done, never half. `detected_at` grows
 * with the order of detection, one microsecond a batch at least: that order is what a state is rebuilt in.
 *
 * Events are read as tuples of the binary COPY format, the very bytes that the ingest side writes, so that there is one
 * reader for both.
 */

const EVENT_FIELDS =
  'e.project_no, e.execution_no, e.event_id, e.event_type, e.sequence, e."timestamp", e.payload, e.received_at';

export interface OwedBatch {
  readonly projectNo: number;
  readonly batchNo: number;
  readonly eventCount: number;
  readonly ageMs: number;
}

/** The oldest owed batches, oldest first. */
export async function listOwedBatches(sql: DetectionSql, limit: number): Promise<OwedBatch[]> {
  return await sql<OwedBatch[]>`
    select project_no as "projectNo", batch_no::float8 as "batchNo", event_count as "eventCount",
      (extract(epoch from clock_timestamp() - stored_at) * 1000)::float8 as "ageMs"
    from ats.batch where detected_at is null
    order by stored_at, batch_no limit ${limit}`;
}

export interface BatchToClaim {
  readonly projectNo: number;
  readonly batchNo: number;
  /** Microseconds since 1970: unlike any earlier batch's. */
  readonly detectedUs: number;
  /** True if the batch's events must be read from the store. */
  readonly fromStore: boolean;
}

export interface ClaimedBatch {
  readonly projectNo: number;
  readonly batchNo: number;
  readonly eventCount: number;
  /** Named where they are needed: to read the events, or because the batch is one of status changes. */
  readonly executionNos: readonly number[] | null;
  readonly firstTimestampMs: number | null;
  readonly lastTimestampMs: number | null;
}

/** Takes the batches that are still owed, for the length of this transaction or for good. */
export async function claimBatches(
  sql: DetectionSql,
  batches: readonly BatchToClaim[],
): Promise<ClaimedBatch[]> {
  const rows = await sql<(Omit<ClaimedBatch, "executionNos"> & { executionNos: string[] | null })[]>`
    update ats.batch b
    set detected_at = timestamptz 'epoch' + c.detected_us * interval '1 microsecond'
    from unnest(
      ${batches.map((b) => b.projectNo)}::int[], ${batches.map((b) => b.batchNo)}::bigint[],
      ${batches.map((b) => b.detectedUs)}::bigint[], ${batches.map((b) => Number(b.fromStore))}::int[]
    ) as c (project_no, batch_no, detected_us, from_store)
    where b.project_no = c.project_no and b.batch_no = c.batch_no and b.detected_at is null
    returning b.project_no as "projectNo", b.batch_no::float8 as "batchNo", b.event_count as "eventCount",
      case when c.from_store = 1 or b.event_count = 0 then b.execution_nos::text[] end as "executionNos",
      (extract(epoch from b.first_timestamp) * 1000)::float8 as "firstTimestampMs",
      (extract(epoch from b.last_timestamp) * 1000)::float8 as "lastTimestampMs"`;
  return rows.map((row) => ({ ...row, executionNos: row.executionNos?.map(Number) ?? null }));
}

/** The events of claimed batches of one project, in binary COPY format, ordered by batch. */
export async function readBatchEvents(
  sql: DetectionSql,
  projectNo: number,
  batches: readonly ClaimedBatch[],
): Promise<Uint8Array> {
  const executionNos = new Set<number>();
  let firstMs = Number.POSITIVE_INFINITY;
  let lastMs = Number.NEGATIVE_INFINITY;
  for (const batch of batches) {
    for (const executionNo of batch.executionNos ?? []) executionNos.add(executionNo);
    firstMs = Math.min(firstMs, batch.firstTimestampMs ?? Number.POSITIVE_INFINITY);
    lastMs = Math.max(lastMs, batch.lastTimestampMs ?? Number.NEGATIVE_INFINITY);
  }
  const inTime = Number.isFinite(firstMs) ? `and ${notBefore(firstMs)} and ${notAfter(lastMs)}` : "";
  return await readTuples(
    sql,
    `select ${EVENT_FIELDS}, e.batch_no from ats.event e
    where e.project_no = ${whole(projectNo)} and e.execution_no = any(${numbers(executionNos)})
      and e.batch_no = any(${numbers(batches.map((batch) => batch.batchNo))}) and e.event_type > 0 ${inTime}
    order by e.batch_no`,
  );
}

export interface HistoryRequest {
  readonly projectNo: number;
  readonly executionNos: readonly number[];
  /** Batches being detected right now: not history yet. */
  readonly claimedBatchNos: readonly number[];
  readonly typeCodes: readonly number[];
  /** No event before this time is looked for: spares the search through old partitions. */
  readonly notBeforeMs: number;
  readonly eventsPerExecutionMax: number;
}

/**
 * The latest events, already detected, of some executions, in the order in which they were detected. In place of the
 * batch number stands the batch's `detected_at`, in microseconds since 1970: it tells the batches apart, too.
 */
export async function readHistory(sql: DetectionSql, request: HistoryRequest): Promise<Uint8Array> {
  return await readTuples(
    sql,
    // `offset 0` keeps the order of the joins: events by their index, then the batch of each by its key. Left to itself, a
    // planner without statistics walks all batches and, for each of them, all events of the execution: 4 s for 50.
    `select h.* from unnest(${numbers(request.executionNos)}) as x (execution_no)
    cross join lateral (
      select own.project_no, own.execution_no, own.event_id, own.event_type, own.sequence, own."timestamp", own.payload,
        own.received_at, b.detected_us as batch_no
      from (
        select ${EVENT_FIELDS}, e.batch_no from ats.event e
        where e.project_no = ${whole(request.projectNo)} and e.execution_no = x.execution_no
          and e.event_type = any('{${request.typeCodes.map(whole).join(",")}}'::smallint[])
          and e.batch_no <> all(${numbers(request.claimedBatchNos)}) and ${notBefore(request.notBeforeMs)}
        offset 0
      ) own
      cross join lateral (
        select (extract(epoch from b.detected_at) * 1000000)::bigint as detected_us from ats.batch b
        where b.project_no = own.project_no and b.batch_no = own.batch_no and b.detected_at is not null
        offset 0
      ) b
      order by b.detected_us desc, own.received_at desc, own.sequence desc, own.event_id desc
      limit ${whole(request.eventsPerExecutionMax)}
    ) h
    order by h.execution_no, h.batch_no, h.received_at, h.sequence, h.event_id`,
  );
}

/** What stands behind the last tuple of a binary COPY. */
const COPY_TRAILER_BYTES = 2;

/** Rests on our patch of the driver (patches/): as published, a COPY that fills its stream leaves the socket paused for ever. */
async function readTuples(sql: DetectionSql, query: string): Promise<Uint8Array> {
  const stream = await sql.unsafe(`copy (${query}) to stdout (format binary)`).readable();
  const pieces: Buffer[] = [];
  for await (const piece of stream) pieces.push(piece);
  const whole = Buffer.concat(pieces);
  return whole.subarray(COPY_HEADER_BYTES, whole.length - COPY_TRAILER_BYTES);
}

/** Lists of thousands of numbers are cheaper as text than as parameters; only whole numbers get into it. */
function whole(value: number): string {
  if (!Number.isSafeInteger(value)) throw new RangeError("not a whole number");
  return String(value);
}

function numbers(values: Iterable<number>): string {
  return `'{${Array.from(values, whole).join(",")}}'::bigint[]`;
}

/** The years that a timestamp of an event can lie in, and a margin for rounding. */
const clampMs = (ms: number) => Math.min(253_402_300_799_000, Math.max(-62_135_596_800_000, ms));
const momentOf = (ms: number) =>
  `timestamptz 'epoch' + interval '1 second' * ${whole(Math.floor(ms / 1000))}`;
const notBefore = (ms: number) => `e."timestamp" >= ${momentOf(clampMs(ms) - 1000)}`;
const notAfter = (ms: number) => `e."timestamp" <= ${momentOf(clampMs(ms) + 2000)}`;
