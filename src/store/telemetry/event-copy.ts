import type { Writable } from "node:stream";
import type { Sql } from "postgres";
import { isConnectionLoss } from "../database/failure.ts";

/**
 * The two ways in which a flush reaches PostgreSQL. Both take the same bytes (src/ingest/row-encoder.ts) and answer only
 * what is certain.
 *
 * The driver's COPY stream is never believed: in postgres 3.4.9 as published a COPY that the server rejects after its end may still
 * fire `finish`, and no stream knows what became of a connection that died. What says that a flush is committed is its batch row, written in the same transaction and read back by a
 * query sent right behind the COPY on the same connection. One simple query carries the batch rows and the COPYs, so
 * all of it is one implicit transaction in one round trip.
 *
 * Every function here needs a pool of exactly one connection, for itself alone while it runs.
 */

export const EVENT_COLUMNS =
  "project_no, execution_no, event_id, event_type, sequence, timestamp, payload, received_at, batch_no";

/** What a flush writes for one project beside the events. */
export interface BatchRecord {
  readonly projectNo: number;
  readonly eventCount: number;
  readonly executionNos: Iterable<number>;
  /** Unix time in whole seconds: the first rounded down, the last rounded up. */
  readonly firstTimestampS: number;
  readonly lastTimestampS: number;
}

/** The first environment declaration of an execution by arrival. */
export interface EnvironmentDeclaration {
  readonly projectNo: number;
  readonly executionNo: number;
  /** JSON text. */
  readonly environment: string;
}

export interface Flush {
  readonly batchNo: number;
  /** A whole COPY stream in binary format. */
  readonly rows: Uint8Array;
  /** Places in `rows` at which a COPY ends and the next begins, rising; the last is the end of the last row. */
  readonly copyEnds: readonly number[];
  readonly batches: readonly BatchRecord[];
  readonly environments: readonly EnvironmentDeclaration[];
}

export type CopyResult =
  | { readonly kind: "committed" }
  /** The server answered, and nothing is stored: a duplicate, a row it refuses, no space, … */
  | { readonly kind: "refused"; readonly error: unknown }
  /** The connection went before the answer came: it may have been committed, or may yet be. */
  | { readonly kind: "unknown"; readonly error: unknown };

/** The fast road: COPY straight into the partitions. One duplicate, and nothing of the flush is stored. */
export async function copyEvents(sql: Sql, flush: Flush): Promise<CopyResult> {
  const lead = flush.batches[0]!;
  const copy = await sendCopies(sql, `${batchInsert(flush)};${environmentUpdate(flush)}`, "ats.event", flush);
  try {
    const found = await sql`
      select 1 from ats.batch where project_no = ${lead.projectNo} and batch_no = ${flush.batchNo}`;
    if (found.length === 1) return { kind: "committed" };
    // A fence that ran on a new connection may have overtaken the old one's transaction.
    return copy.error !== undefined && isConnectionLoss(copy.error)
      ? { kind: "unknown", error: copy.error }
      : { kind: "refused", error: copy.error };
  } catch (error) {
    return isConnectionLoss(error)
      ? { kind: "unknown", error: copy.error ?? error }
      : { kind: "refused", error };
  }
}

/** Which event of a careful flush is newly stored. */
export interface StoredKey {
  readonly executionNo: number;
  readonly eventId: string;
}

export type CarefulResult =
  | { readonly kind: "committed"; readonly stored: readonly StoredKey[] }
  | { readonly kind: "refused"; readonly error: unknown }
  | { readonly kind: "unknown"; readonly error: unknown };

/**
 * The careful road: COPY into a temporary table, then insert what is not stored yet, in key order so that two writers
 * with the same events wait for each other and do not deadlock. It also serves events of another day than their
 * execution's home day: where that is another partition, they first claim their identity in the home partition. An execution
 * without a home day is an error (23502), never a row left out. Costs about 1.5 times the fast road.
 *
 * Safe to call again with the same batch number after an unknown result: if the earlier try was committed — or is still
 * being committed by a server process that has not noticed the dead connection, for which the insert of the batch row
 * waits — it answers with what that try stored.
 */
export async function insertEvents(sql: Sql, flush: Flush): Promise<CarefulResult> {
  let copy: { error?: unknown } = {};
  try {
    await sql
      .unsafe("begin; create temp table if not exists event_stage (like ats.event) on commit delete rows")
      .simple();
    const fresh = await sql.unsafe(`${batchInsert(flush)} on conflict do nothing returning project_no`);
    if (fresh.length === 0) {
      const stored = await storedKeys(sql, flush);
      await sql.unsafe("rollback").simple();
      return { kind: "committed", stored };
    }
    copy = await sendCopies(sql, "", "pg_temp.event_stage", flush);
    if (copy.error !== undefined) throw copy.error;
    const stored = keysOf(await sql.unsafe(INSERT_STAGED));
    await sql
      .unsafe(`${environmentUpdate(flush)}${COUNT_STORED.replaceAll("$batch", String(flush.batchNo))};commit`)
      .simple();
    return { kind: "committed", stored };
  } catch (error) {
    if (isConnectionLoss(error)) return { kind: "unknown", error };
    await sql
      .unsafe("rollback")
      .simple()
      .catch(() => undefined);
    // What follows a refused COPY is told no more than that its transaction failed.
    return { kind: "refused", error: copy.error ?? error };
  }
}

const INSERT_STAGED = `
  with staged as (
    select distinct on (s.project_no, s.execution_no, s.event_id) s.*, x.home_day,
      ats.event_partition((s.timestamp at time zone 'UTC')::date) = ats.event_partition(x.home_day) as at_home
    from pg_temp.event_stage s
    join ats.execution x on x.project_no = s.project_no and x.execution_no = s.execution_no
    order by s.project_no, s.execution_no, s.event_id, s.ctid
  ), claimed as (
    insert into ats.event (${EVENT_COLUMNS})
    select project_no, execution_no, event_id, 0, 0, home_day::timestamp at time zone 'UTC', '{}', received_at, batch_no
    from staged where not at_home
    on conflict do nothing
    returning project_no, execution_no, event_id
  ), stored as (
    insert into ats.event (${EVENT_COLUMNS})
    select ${EVENT_COLUMNS} from staged s
    where at_home or (project_no, execution_no, event_id) in (select * from claimed)
    on conflict do nothing
    returning execution_no, event_id
  )
  select execution_no, event_id from stored`;

/** The batch rows were written with what was sent; what was stored may be less, or nothing at all. */
const COUNT_STORED = `
  update ats.batch b set event_count = (
    select count(*) from ats.event e
    where e.project_no = b.project_no and e.execution_no = any(b.execution_nos) and e.batch_no = b.batch_no
      and e.event_type > 0 and e.timestamp between b.first_timestamp and b.last_timestamp)
  where b.batch_no = $batch;
  delete from ats.batch where batch_no = $batch and event_count = 0`;

async function storedKeys(sql: Sql, flush: Flush): Promise<StoredKey[]> {
  return keysOf(
    await sql`
      select e.execution_no, e.event_id
      from ats.batch b
      join ats.event e on e.project_no = b.project_no and e.execution_no = any(b.execution_nos)
        and e.batch_no = b.batch_no and e.timestamp between b.first_timestamp and b.last_timestamp
      where b.batch_no = ${flush.batchNo} and b.project_no = any(${flush.batches.map((batch) => batch.projectNo)}::int[])
        and e.event_type > 0`,
  );
}

function keysOf(rows: readonly Record<string, unknown>[]): StoredKey[] {
  return rows.map((row) => ({ executionNo: Number(row.execution_no), eventId: row.event_id as string }));
}

/**
 * Less than a socket takes at once. The driver copies what it is given, and what the socket does not take is copied again: of a whole
 * flush that is megabytes of fresh memory, which cost more than the writing.
 */
const CHUNK_BYTES_MAX = 131_072;
/** Signature, flags and extension: what every binary COPY begins with. */
export const COPY_HEADER_BYTES = 19;
/** What our patch of the driver (patches/) takes for the end of one COPY of several. */
const END_OF_COPY = Buffer.alloc(0);

/**
 * Sends `statement` and the rows of a flush as COPYs into `table`, all in one simple query, without waiting for any answer in between,
 * and returns as soon as they are written. The next query on the connection fails, or finds nothing stored, if a COPY was refused;
 * `error` says why, and is set by then at the latest.
 */
async function sendCopies(
  sql: Sql,
  statement: string,
  table: string,
  { rows, copyEnds }: Flush,
): Promise<{ error?: unknown }> {
  const outcome: { error?: unknown } = {};
  const copy = `copy ${table} (${EVENT_COLUMNS}) from stdin (format binary);`;
  try {
    const stream: Writable = await sql
      .unsafe(statement + copy.repeat(copyEnds.length))
      .simple()
      .writable();
    // It may have failed before it came into our hands.
    outcome.error = stream.errored ?? undefined;
    await new Promise<void>((resolve) => {
      stream.on("error", (error) => {
        outcome.error ??= error;
        resolve();
      });
      const chunks = chunksOf(rows, copyEnds);
      const send = () => {
        const next = chunks.next();
        if (!next.done) return stream.write(next.value, send);
        stream.end();
        // The driver forgets the stream in the tick after end(); only then does it take the next query.
        setImmediate(resolve);
      };
      send();
    });
  } catch (error) {
    outcome.error = error;
  }
  return outcome;
}

function* chunksOf(rows: Uint8Array, copyEnds: readonly number[]): Generator<Uint8Array> {
  let at = 0;
  for (const end of copyEnds) {
    if (at > 0) {
      yield END_OF_COPY;
      // Every COPY begins with a header of its own; none needs an end of its rows.
      const first = Math.min(at + CHUNK_BYTES_MAX, end);
      const chunk = Buffer.allocUnsafe(COPY_HEADER_BYTES + first - at);
      chunk.set(rows.subarray(0, COPY_HEADER_BYTES));
      chunk.set(rows.subarray(at, first), COPY_HEADER_BYTES);
      yield chunk;
      at = first;
    }
    while (at < end) {
      const next = Math.min(at + CHUNK_BYTES_MAX, end);
      yield rows.subarray(at, next);
      at = next;
    }
  }
}

// The statements below travel in the simple protocol, which takes no parameters: every value in them is a number, or text
// in hexadecimal.

function batchInsert(flush: Flush): string {
  const rows = flush.batches.map(
    (batch) =>
      `(${batch.projectNo},${flush.batchNo},${batch.eventCount},'{${[...batch.executionNos].join(",")}}',` +
      `to_timestamp(${batch.firstTimestampS}),to_timestamp(${batch.lastTimestampS}))`,
  );
  return (
    "insert into ats.batch (project_no, batch_no, event_count, execution_nos, first_timestamp, last_timestamp) values " +
    rows.join(",")
  );
}

function environmentUpdate(flush: Flush): string {
  if (flush.environments.length === 0) return "";
  const rows = flush.environments
    .toSorted((a, b) => a.projectNo - b.projectNo || a.executionNo - b.executionNo)
    .map(
      ({ projectNo, executionNo, environment }) =>
        `(${projectNo},${executionNo}::bigint,convert_from(decode('${Buffer.from(environment).toString("hex")}','hex'),'UTF8')::json)`,
    );
  return `update ats.execution x set environment = v.environment from (values ${rows.join(",")}) v(project_no, execution_no, environment)
    where x.project_no = v.project_no and x.execution_no = v.execution_no and x.environment is null;`;
}
