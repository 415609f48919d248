import type { Sql } from "../database/connect.ts";
import { isoMicros } from "../database/iso-time.ts";
import { plannedEachTime } from "./days.ts";
import { type ExecutionKey, ownEvents, PLACE, payloadOf } from "./execution-key.ts";

/**
 * The events of one execution, a page at a time in order of (sequence, timestamp, event_id). No index has
 * that order, so a page sorts the execution's keys (100,000 of them: 120 ms) and reads payloads for its own
 * rows only.
 */

export interface EventPosition {
  readonly sequence: number;
  readonly timestamp: string;
  readonly eventId: string;
}

export interface EventPageRequest {
  readonly key: ExecutionKey;
  /** Codes of `event_type`; null for all. */
  readonly typeCodes: readonly number[] | null;
  /** Events behind this position or, backward, before it. */
  readonly from: EventPosition | null;
  /** First sequence of the page, where no position is given. */
  readonly fromSequence: number | null;
  readonly backward: boolean;
  /** Only what was stored at this time or later. */
  readonly receivedFrom: string | null;
  readonly limit: number;
}

export interface EventRow {
  readonly event_id: string;
  readonly event_type: number;
  readonly sequence: number;
  readonly timestamp: string;
  readonly received_at: string;
  readonly payload_bytes: number;
  /** The payload's JSON text up to `INSPECTED_BYTES_MAX`; null beyond, and where the page is full. */
  readonly payload: string | null;
  /** The first characters of a payload that is not read whole. */
  readonly preview: string | null;
}

/** A payload up to this size is read whole for a list. */
const INSPECTED_BYTES_MAX = 128 * 1024;
/** All payloads of a page together. */
const PAGE_BYTES_MAX = 4 * 1024 * 1024;
export const PREVIEW_CHARS = 1_024;

/** In order, whichever way was asked for. `more` says that the way goes on. */
export async function listExecutionEvents(
  sql: Sql,
  request: EventPageRequest,
): Promise<{ rows: EventRow[]; more: boolean }> {
  const { key, typeCodes, from, fromSequence, backward, receivedFrom, limit } = request;
  const ofType =
    typeCodes === null ? sql`` : sql`and e.event_type = any(${typeCodes as number[]}::smallint[])`;
  const received =
    receivedFrom === null ? sql`` : sql`and e.received_at >= ${receivedFrom}::text::timestamptz`;
  const start = fromSequence === null ? sql`` : sql`and e.sequence >= ${fromSequence}::int`;
  const order = (row: "e" | "k") =>
    sql.unsafe(
      `order by ${["sequence", '"timestamp"', "event_id"].map((column) => `${row}.${column} ${backward ? "desc" : ""}`).join(", ")}`,
    );
  let beyond = start;
  if (from !== null) {
    const position = sql`(${from.sequence}::int, ${from.timestamp}::text::timestamptz, ${from.eventId}::text)`;
    beyond = backward
      ? sql`and (e.sequence, e."timestamp", e.event_id) < ${position}`
      : sql`and (e.sequence, e."timestamp", e.event_id) > ${position}`;
  }
  const rows = await plannedEachTime(sql<EventRow[]>`
    select k.event_id, k.event_type, k.sequence, ${isoMicros(sql, sql`k."timestamp"`)} as "timestamp",
      ${isoMicros(sql, sql`k.received_at`)} as received_at, k.bytes as payload_bytes,
      case when k.so_far <= ${PAGE_BYTES_MAX} then k.payload end as payload,
      case when k.payload is null or k.so_far > ${PAGE_BYTES_MAX} then k.preview end as preview
    from (
      select k.*, octet_length(p.payload) as bytes, left(p.payload, ${PREVIEW_CHARS}) as preview,
        case when octet_length(p.payload) <= ${INSPECTED_BYTES_MAX} then p.payload end as payload,
        sum(case when octet_length(p.payload) <= ${INSPECTED_BYTES_MAX} then octet_length(p.payload) else 0 end)
          over (${order("k")}) as so_far
      from (
        select e.event_id, e.event_type, e.sequence, e."timestamp", e.received_at, ${sql.unsafe(PLACE)}
        from ${ownEvents(sql, key)} where true ${ofType} ${received} ${beyond}
        ${order("e")} limit ${limit + 1}
      ) k
      cross join lateral ${payloadOf(sql, key)} p
    ) k
    order by k.sequence, k."timestamp", k.event_id`);
  const more = rows.length > limit;
  if (more) rows.splice(backward ? 0 : limit, 1);
  return { rows, more };
}

export interface FullEvent {
  readonly event_id: string;
  readonly event_type: number;
  readonly sequence: number;
  readonly timestamp: string;
  readonly received_at: string;
  /** The JSON text as stored. */
  readonly payload: string;
}

export async function findExecutionEvent(
  sql: Sql,
  key: ExecutionKey,
  eventId: string,
): Promise<FullEvent | null> {
  const [row] = await plannedEachTime(sql<FullEvent[]>`
    select e.event_id, e.event_type, e.sequence, ${isoMicros(sql, sql`e."timestamp"`)} as "timestamp",
      ${isoMicros(sql, sql`e.received_at`)} as received_at, e.payload
    from ${ownEvents(sql, key)} where ${eventId} = any(e.event_ids) and e.event_id = ${eventId}
    order by e.received_at limit 1`);
  return row ?? null;
}
