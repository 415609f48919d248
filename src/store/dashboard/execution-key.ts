import type { Sql } from "../database/connect.ts";
import { type DayRange, onDays } from "./days.ts";

/**
 * How the reads of one execution come at its events: by packs, not by the view `ats.event`. What a pack's
 * arrays hold is taken out of them where it is asked for and not before, and an event that was met is found
 * again by the number of its pack and its place in it.
 */

/**
 * What the reads of an execution's events need: which packs are its own, and in which partitions they lie.
 */
export interface ExecutionKey {
  readonly projectNo: number;
  readonly executionNo: number;
  /** All that have events of it, and maybe more. */
  readonly days: readonly DayRange[];
}

/** The execution's own rows of `ats.event_pack p`. */
function ownPacks(sql: Sql, { projectNo, executionNo, days }: ExecutionKey) {
  return sql`p.project_no = ${projectNo} and p.execution_no = ${executionNo}::bigint and ${onDays(sql, days)}`;
}

/**
 * The execution's events as a relation `e`; `PLACE` says where one lies, `event_ids` and `payloads` are its
 * whole pack's. The limit, which cuts nothing, makes the places as they are asked for and tells the planner
 * of 100 a pack; of a function alone it expects 1,000, and gives a few packs to parallel workers, which take
 * 8 ms to start.
 */
export function ownEvents(sql: Sql, key: ExecutionKey) {
  return sql`(
    select p.event_ids[n.nth] as event_id, p.event_types[n.nth] as event_type, p.sequences[n.nth] as sequence,
      p.timestamps[n.nth] as "timestamp", p.payloads[n.nth] as payload, p.received_at,
      p.pack_no, p.away, p.first_timestamp, n.nth, p.event_ids, p.payloads
    from ats.event_pack p
    cross join lateral (select generate_series(1, cardinality(p.event_types)) as nth limit cardinality(p.event_types)) n
    where ${ownPacks(sql, key)}
  ) e`;
}

/** Columns that name the place of an event of `ownEvents`, for `payloadOf`. */
export const PLACE = "pack_no, away, first_timestamp, nth";

/**
 * The payload of an event whose place the row `k` holds, read once: a relation of one column, and one row if
 * it is still stored.
 */
export function payloadOf(sql: Sql, key: ExecutionKey) {
  return sql`(
    select p.payloads[k.nth] as payload from ats.event_pack p
    where ${ownPacks(sql, key)} and p.pack_no = k.pack_no and p.away = k.away and p.first_timestamp = k.first_timestamp
    offset 0
  )`;
}

/**
 * What takes more than this on the disk is one long event alone in its pack
 * (src/store/telemetry/pack-buffer.ts), mostly compressed.
 */
const PACK_BYTES_MAX = 4_096;
/** Of an array beside the bytes of its only text. */
const ARRAY_BYTES = 64;

/** Whether the payload of `e` can be looked at without reading, and decompressing, a long one. */
export const IS_SHORT = `pg_column_size(e.payloads) <= ${PACK_BYTES_MAX}`;

/**
 * Bytes of the payload of `e`; of a long one those that it takes on the disk, mostly fewer than it has, as
 * only reading it would tell.
 */
export const BYTES_AT_LEAST = `(case when ${IS_SHORT} then octet_length(e.payload)
  else pg_column_size(e.payloads) - ${ARRAY_BYTES} end)`;
