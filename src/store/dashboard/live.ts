import type { Sql } from "../database/connect.ts";
import { isoMicros } from "../database/iso-time.ts";
import { type DayRange, dayOf, onDays, plannedEachTime } from "./days.ts";

/**
 * What the live tail reads. Batches become visible when their transactions commit, not in the order of
 * `stored_at`, so a reader must come back to a moment until nothing can still be committed into it:
 * `readCommitFloor` says which moments are settled. Times are microseconds since 1970, which a double holds
 * exactly.
 */

export interface StoredBatch {
  readonly batchNo: number;
  readonly storedUs: number;
  readonly eventCount: number;
}

/** An execution's share of a batch, and the days of the batch's events. */
export interface BatchShare extends DayRange {
  readonly batchNo: number;
  readonly executionNo: number;
}

export interface StoredEvent {
  readonly batch_no: number;
  readonly event_id: string;
  readonly execution_id: string;
  readonly event_type: number;
  readonly sequence: number;
  readonly timestamp: string;
  readonly received_at: string;
  /** The first characters of it. */
  readonly payload: string;
  readonly payload_bytes: number;
}

/**
 * Packs of one execution looked through for a batch's: an execution that holds more shows as many of its
 * events as are met.
 */
const PACKS_LOOKED_THROUGH_MAX = 2_000;
const BATCHES_READ_MAX = 20_000;

/**
 * A statement that begins after this one sees every batch stored before the moment returned: whatever it does
 * not see belongs to a transaction that runs now, whose `stored_at` is later than its start, or to one that
 * begins later.
 */
export async function readCommitFloor(sql: Sql): Promise<{ floorUs: number; nowUs: number }> {
  const [row] = await sql<[{ floorUs: number; nowUs: number }]>`
    select (extract(epoch from least(n.now, min(a.xact_start))) * 1000000)::float8 as "floorUs",
      (extract(epoch from n.now) * 1000000)::float8 as "nowUs"
    from (select clock_timestamp() as now) n
    left join pg_stat_activity a
      on a.datname = current_database() and a.pid <> pg_backend_pid() and a.xact_start is not null
    group by n.now`;
  return row;
}

/** Batches with events; the latest stored, where there are very many. */
export async function listStoredBatches(sql: Sql, projectNo: number, fromUs: number): Promise<StoredBatch[]> {
  return await sql<StoredBatch[]>`
    select batch_no::float8 as "batchNo", (extract(epoch from stored_at) * 1000000)::float8 as "storedUs",
      event_count as "eventCount"
    from ats.batch
    where project_no = ${projectNo} and event_count > 0
      and stored_at >= timestamptz 'epoch' + ${fromUs}::float8 * interval '1 microsecond'
    order by stored_at desc limit ${BATCHES_READ_MAX}`;
}

/** At most `sharesPerBatch` executions of each batch, and besides those every one that is wanted. */
export async function listBatchShares(
  sql: Sql,
  projectNo: number,
  request: {
    readonly batchNos: readonly number[];
    readonly sharesPerBatch: number;
    readonly wantedExecutionNos: readonly number[];
  },
): Promise<BatchShare[]> {
  return await sql<BatchShare[]>`
    select b.batch_no::float8 as "batchNo", x.execution_no::float8 as "executionNo",
      ${dayOf(sql, "b.first_timestamp")} as "firstDay", ${dayOf(sql, "b.last_timestamp")} as "lastDay"
    from ats.batch b
    cross join lateral (
      select u.execution_no from unnest(b.execution_nos) with ordinality as u (execution_no, place)
      where u.place <= ${request.sharesPerBatch}
        or u.execution_no = any(${request.wantedExecutionNos.map(String)}::bigint[])
    ) x
    where b.project_no = ${projectNo} and b.batch_no = any(${request.batchNos.map(String)}::bigint[])`;
}

/** The events of some shares, a limited number of each, with the first characters of their payloads. */
export async function readShareEvents(
  sql: Sql,
  projectNo: number,
  request: {
    readonly shares: readonly BatchShare[];
    readonly eventsPerShare: number;
    readonly eventsMax: number;
    readonly payloadChars: number;
  },
): Promise<StoredEvent[]> {
  const { shares } = request;
  // The execution's packs by their index, the newest first. The days of all shares say which partitions there
  // are to the plan, those of a share in which of them to look. `offset 0` keeps the order.
  return await plannedEachTime(sql<StoredEvent[]>`
    select e.batch_no::float8 as batch_no, e.event_id, x.execution_id, e.event_type, e.sequence,
      ${isoMicros(sql, sql`e."timestamp"`)} as timestamp, ${isoMicros(sql, sql`e.received_at`)} as received_at,
      left(e.payload, ${request.payloadChars}) as payload, octet_length(e.payload) as payload_bytes
    from unnest(${shares.map((s) => String(s.batchNo))}::bigint[], ${shares.map((s) => String(s.executionNo))}::bigint[],
      ${shares.map((s) => s.firstDay)}::int[], ${shares.map((s) => s.lastDay)}::int[])
      as share (batch_no, execution_no, first_day, last_day)
    cross join lateral (
      select met.batch_no, met.received_at, met.event_ids[n.nth] as event_id, met.event_types[n.nth] as event_type,
        met.sequences[n.nth] as sequence, met.timestamps[n.nth] as "timestamp", met.payloads[n.nth] as payload
      from (
        select p.* from ats.event_pack p
        where p.project_no = ${projectNo} and p.execution_no = share.execution_no
          and p.first_timestamp >= to_timestamp(share.first_day * 86400.0::float8)
          and p.first_timestamp < to_timestamp((share.last_day + 1) * 86400.0::float8) and ${onDays(sql, shares)}
        order by p.pack_no desc limit ${PACKS_LOOKED_THROUGH_MAX}
      ) met
      cross join lateral generate_series(cardinality(met.event_types), 1, -1) as n (nth)
      where met.batch_no = share.batch_no
      limit ${request.eventsPerShare}
    ) e
    cross join lateral (
      select execution_id from ats.execution
      where project_no = ${projectNo} and execution_no = share.execution_no
      offset 0
    ) x
    limit ${request.eventsMax}`);
}

/** The numbers of those executions that exist. */
export async function findExecutionNos(
  sql: Sql,
  projectNo: number,
  executionIds: readonly string[],
): Promise<{ executionId: string; executionNo: number }[]> {
  return await sql<{ executionId: string; executionNo: number }[]>`
    select execution_id as "executionId", execution_no::float8 as "executionNo" from ats.execution
    where project_no = ${projectNo} and execution_id = any(${executionIds as string[]}::text[])`;
}
