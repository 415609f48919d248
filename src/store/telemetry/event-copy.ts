import type { Writable } from "node:stream";
import type { Sql } from "postgres";
import { isConnectionLoss, isKeyTaken, isWantOfRoom } from "../database/failure.ts";
import { PackBuffer } from "./pack-buffer.ts";
import { COPY_HEADER_BYTES, EVENT_PACK_COLUMNS } from "./pack-format.ts";
import { eventIdOf, eventsOf } from "./packed-events.ts";
import { findStoredIds, type LockedExecution } from "./stored-ids.ts";

/**
 * The two ways in which a flush reaches PostgreSQL. Both take the same bytes
 * (src/store/telemetry/pack-buffer.ts) and answer only what is certain.
 *
 * The driver's COPY stream is never believed: in postgres 3.4.9 as published a COPY that the server rejects
 * after its end may still fire `finish`, and no stream knows what became of a connection that died. What says
 * that a flush is committed is its batch row, written in the same transaction and read back by a query sent
 * right behind the COPY on the same connection. One simple query carries the batch rows and the COPYs, so all
 * of it is one implicit transaction in one round trip.
 *
 * Every function here needs a pool of exactly one connection, for itself alone while it runs.
 */

/** What a flush writes for one project beside the events. */
export interface BatchRecord {
  readonly projectNo: number;
  readonly eventCount: number;
  readonly executionNos: Iterable<number>;
  /** Unix time in whole seconds: the first rounded down, the last rounded up. */
  readonly firstTimestampS: number;
  readonly lastTimestampS: number;
}

/** One project's part of a flush. */
export type FlushPart = Pick<BatchRecord, "projectNo" | "eventCount">;

/** The first environment declaration of an execution by arrival. */
export interface EnvironmentDeclaration {
  readonly projectNo: number;
  readonly executionNo: number;
  /** JSON text. */
  readonly environment: string;
}

export interface Flush {
  readonly batchNo: number;
  /** A whole COPY stream of packs. */
  readonly rows: Buffer;
  /**
   * Places in `rows` at which a COPY ends and the next begins, rising; the last is the end of the last row.
   */
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

/**
 * The fast lane: COPY straight into the partitions, of events known to be new in packs that are numbered. If
 * one number is taken, nothing of the flush is stored.
 */
export async function copyEvents(sql: Sql, flush: Flush): Promise<CopyResult> {
  const lead = flush.batches[0]!;
  const copy = await sendCopies(sql, `${batchInsert(flush)};${environmentUpdate(flush)}`, flush);
  // There was no session to send it in.
  if (isWantOfRoom(copy.error)) return { kind: "refused", error: copy.error };
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
  | {
      readonly kind: "committed";
      readonly stored: readonly StoredKey[];
      /** By execution: the first pack number that was free; empty if an earlier try had stored the flush. */
      readonly firstFree: ReadonlyMap<number, number>;
    }
  | { readonly kind: "refused"; readonly error: unknown }
  | { readonly kind: "unknown"; readonly error: unknown };

/**
 * The careful lane, for events that may be duplicates and packs whose numbers are not known: whatever of the
 * flush is not stored yet is packed anew and stored. The rows of its executions are locked in key order, so
 * that two writers with the same events wait for each other without a deadlock. Writers on the fast lane lock
 * nothing and may take a number first: then everything is looked up again. An execution without a home day is
 * an error (23502); no event is ever left out.
 *
 * Safe to call again with the same batch number after an unknown result: if the earlier try was committed —
 * or is still being committed by a server process that has not noticed the dead connection, for which the
 * insert of the batch row waits — it answers with what that try stored.
 */
export async function insertEvents(sql: Sql, flush: Flush): Promise<CarefulResult> {
  for (let tries = 1; ; tries++) {
    const result = await tryInsert(sql, flush);
    if (result.kind !== "refused" || !isKeyTaken(result.error) || tries === OVERTAKEN_MAX) return result;
  }
}

/** How often writers on the fast lane may be first before the flush is refused. */
const OVERTAKEN_MAX = 5;

async function tryInsert(sql: Sql, flush: Flush): Promise<CarefulResult> {
  let copy: { error?: unknown } = {};
  try {
    await sql.unsafe("begin").simple();
    const fresh = await sql.unsafe(`${batchInsert(flush)} on conflict do nothing returning project_no`);
    // One that stands is proof: of a project of which nothing was new, the earlier try left no row.
    if (fresh.length < flush.batches.length) {
      const stored = await storedKeys(sql, flush);
      await sql.unsafe("rollback").simple();
      return { kind: "committed", stored, firstFree: new Map() };
    }
    const packed = await packUnstored(sql, flush);
    if (packed.stored.length > 0) {
      copy = await sendCopies(sql, "", { rows: packed.rows.finish(), copyEnds: packed.rows.copyEnds });
      if (copy.error !== undefined) throw copy.error;
    }
    await sql.unsafe(`${countUpdate(flush, packed.counts)};${environmentUpdate(flush)}commit`).simple();
    return { kind: "committed", stored: packed.stored, firstFree: packed.firstFree };
  } catch (error) {
    // Before the commit was sent, or it would be the loss of its connection.
    if (isWantOfRoom(error)) return { kind: "refused", error };
    if (isConnectionLoss(error)) return { kind: "unknown", error };
    await sql
      .unsafe("rollback")
      .simple()
      .catch(() => undefined);
    // What follows a refused COPY is told no more than that its transaction failed.
    return { kind: "refused", error: copy.error ?? error };
  }
}

interface Packed {
  readonly rows: PackBuffer;
  readonly stored: readonly StoredKey[];
  /** Events to be stored by project. */
  readonly counts: ReadonlyMap<number, number>;
  /** By execution: the first pack number that was free. */
  readonly firstFree: ReadonlyMap<number, number>;
}

/**
 * Locks the executions of a flush, and packs and numbers what of it is not stored; of events that it holds
 * twice, the first.
 */
async function packUnstored(sql: Sql, flush: Flush): Promise<Packed> {
  const events = [...eventsOf(flush.rows)].map((event) => ({ ...event, eventId: eventIdOf(event.texts) }));
  const executions = await lockExecutions(sql, flush);
  const homeDays = new Map(executions.map((one) => [one.executionNo, one.homeDay]));
  const free = new Map<number, number>();
  const known = new Set<string>();
  const sent = new Set(events.map((event) => event.executionNo));
  const asked = executions.filter((one) => sent.has(one.executionNo));
  for (const found of await findStoredIds(sql, asked, [...new Set(events.map((event) => event.eventId))])) {
    free.set(found.executionNo, found.firstFree);
    for (const id of found.eventIds) known.add(`${found.executionNo}/${id}`);
  }
  const rows = new PackBuffer(flush.rows.length);
  const stored: StoredKey[] = [];
  const counts = new Map<number, number>();
  for (const event of events) {
    const { projectNo, executionNo, eventId, texts, receivedMs, ...place } = event;
    const homeDay = homeDays.get(executionNo);
    if (homeDay === undefined) throw new NoHomeDay();
    const key = `${executionNo}/${eventId}`;
    if (known.has(key)) continue;
    known.add(key);
    stored.push({ executionNo, eventId });
    counts.set(projectNo, (counts.get(projectNo) ?? 0) + 1);
    rows.appendBytes({ ...place, projectNo, executionNo, homeDay }, texts, receivedMs, flush.batchNo);
  }
  rows.closePack();
  rows.numberPacks(free);
  return { rows, stored, counts, firstFree: free };
}

/** As PostgreSQL says that a column which must not be null is. */
class NoHomeDay extends Error {
  readonly code = "23502";

  constructor() {
    super("an execution of the flush has no home day");
  }
}

/** Those of the flush that have a home day. */
async function lockExecutions(sql: Sql, { batches }: Flush): Promise<LockedExecution[]> {
  const keys = batches.flatMap(({ projectNo, executionNos }) =>
    [...executionNos].map((executionNo) => `(${projectNo},${executionNo}::bigint)`),
  );
  const rows = await sql.unsafe<(Omit<LockedExecution, "homeDay"> & { homeDay: number | null })[]>(
    `select x.project_no as "projectNo", x.execution_no::float8 as "executionNo", x.home_day - date '1970-01-01' as "homeDay",
       to_regclass('ats.event_pack_' || to_char(x.home_day, 'YYYYMMDD')) is not null as "hasPartition"
     from ats.execution x
     where (x.project_no, x.execution_no) in (values ${keys.join(",")})
     order by x.project_no, x.execution_no for no key update`,
  );
  return rows.flatMap((row) => (row.homeDay === null ? [] : [{ ...row, homeDay: row.homeDay }]));
}

/** The batch rows were written with what was sent; what is stored may be less, or nothing at all. */
function countUpdate({ batches, batchNo }: Flush, counts: ReadonlyMap<number, number>): string {
  const values = batches.map(({ projectNo }) => `(${projectNo},${counts.get(projectNo) ?? 0})`);
  return `update ats.batch b set event_count = c.events from (values ${values.join(",")}) c(project_no, events)
      where b.project_no = c.project_no and b.batch_no = ${batchNo};
    delete from ats.batch b using (values ${values.join(",")}) c(project_no, events)
      where c.events = 0 and b.project_no = c.project_no and b.batch_no = ${batchNo}`;
}

async function storedKeys(sql: Sql, flush: Flush): Promise<StoredKey[]> {
  return keysOf(
    await sql`
      select e.execution_no, e.event_id
      from ats.batch b
      join ats.event e on e.project_no = b.project_no and e.execution_no = any(b.execution_nos)
        and e.batch_no = b.batch_no and e.pack_timestamp <= b.last_timestamp
        and e.pack_timestamp >= date_trunc('day', b.first_timestamp, 'UTC')
      where b.batch_no = ${flush.batchNo} and b.project_no = any(${flush.batches.map((batch) => batch.projectNo)}::int[])`,
  );
}

function keysOf(rows: readonly Record<string, unknown>[]): StoredKey[] {
  return rows.map((row) => ({ executionNo: Number(row.execution_no), eventId: row.event_id as string }));
}

/**
 * Less than a socket takes at once. The driver copies what it is given, and what the socket does not take is
 * copied again: of a whole flush that is megabytes of fresh memory, which cost more than the writing.
 */
const CHUNK_BYTES_MAX = 131_072;
/** What our patch of the driver (patches/) takes for the end of one COPY of several. */
const END_OF_COPY = Buffer.alloc(0);

/**
 * Sends `statement` and the packs of a flush as COPYs, all in one simple query, without waiting for any
 * answer in between, and returns as soon as they are written. The next query on the connection fails, or
 * finds nothing stored, if a COPY was refused; `error` says why, and is set by then at the latest.
 */
async function sendCopies(
  sql: Sql,
  statement: string,
  { rows, copyEnds }: Pick<Flush, "rows" | "copyEnds">,
): Promise<{ error?: unknown }> {
  const outcome: { error?: unknown } = {};
  const copy = `copy ats.event_pack (${EVENT_PACK_COLUMNS}) from stdin (format binary);`;
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
      yield rows.subarray(0, COPY_HEADER_BYTES);
    }
    while (at < end) {
      const next = Math.min(at + CHUNK_BYTES_MAX, end);
      yield rows.subarray(at, next);
      at = next;
    }
  }
}

// The statements below travel in the simple protocol, which takes no parameters: every value in them is a
// number, or text in hexadecimal.

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
