import { COPY_HEADER_BYTES, EVENT_PACK_COLUMNS } from "../telemetry/pack-format.ts";
import type { DetectionSql } from "./detection-session.ts";
import { andInShare, type ProjectShare } from "./project-share.ts";

/**
 * Batches that detection owes, and their events. A batch is owed while `detected_at` is null; claiming one
 * sets it in the transaction that also stores what was detected, so it is either owed or done, never half.
 * `detected_at` grows with the order of detection, one microsecond a batch at least: that order is what a
 * state is rebuilt in.
 *
 * Events are read as packs in the binary COPY format, the very bytes that the ingest side writes, so that
 * there is one reader for both.
 */

const PACK_KEY = "p.project_no, p.execution_no, p.pack_no, p.away, p.first_timestamp, p.received_at";
const PACKED_EVENTS = "p.event_ids, p.event_types, p.sequences, p.timestamps, p.payloads";

export interface OwedBatch {
  readonly projectNo: number;
  readonly batchNo: number;
  readonly eventCount: number;
  readonly ageMs: number;
  /** When it was stored, in microseconds since 1970. */
  readonly storedUs: number;
}

export interface OwedLook {
  /** Oldest first. */
  readonly batches: readonly OwedBatch[];
  /** The database's clock. */
  readonly nowMs: number;
}

export interface OwedSpan {
  /** Those stored since then by the database's clock; since 0: all. */
  readonly sinceMs: number;
  /** Those behind this one. */
  readonly behind?: OwedBatch;
  /** Of these projects none. */
  readonly except?: readonly number[];
  readonly share: ProjectShare;
  readonly limit: number;
}

/** The oldest batches owed. */
export async function listOwedBatches(
  sql: DetectionSql,
  { sinceMs, behind, except, share, limit }: OwedSpan,
): Promise<OwedLook> {
  const storedAt =
    behind === undefined
      ? sql`timestamptz 'epoch' + ${sinceMs}::float8 * interval '1 millisecond'`
      : sql`timestamptz 'epoch' + ${behind.storedUs}::float8 * interval '1 microsecond'`;
  const rows = await sql<(OwedBatch & { nowMs: number })[]>`
    select b.project_no as "projectNo", b.batch_no::float8 as "batchNo", b.event_count as "eventCount",
      (extract(epoch from b.stored_at) * 1000000)::float8 as "storedUs",
      (extract(epoch from n.now - b.stored_at) * 1000)::float8 as "ageMs",
      (extract(epoch from n.now) * 1000)::float8 as "nowMs"
    from (select clock_timestamp() as now) n left join (
      select project_no, batch_no, event_count, stored_at from ats.batch
      where detected_at is null and stored_at >= ${storedAt} ${andInShare(sql, share)}
        ${except === undefined ? sql`` : sql`and project_no <> all(${except as number[]}::int[])`}
        ${behind === undefined ? sql`` : sql`and (stored_at > ${storedAt} or (batch_no, project_no) > (${behind.batchNo}, ${behind.projectNo}))`}
      order by stored_at, batch_no, project_no limit ${limit}
    ) b on true
    order by b.stored_at, b.batch_no, b.project_no`;
  return { batches: rows.filter((row) => row.projectNo !== null), nowMs: rows[0]!.nowMs };
}

/** What the database's clock says. */
export async function readClockMs(sql: DetectionSql): Promise<number> {
  const [row] = await sql<[{ nowMs: number }]>`
    select (extract(epoch from clock_timestamp()) * 1000)::float8 as "nowMs"`;
  return row.nowMs;
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

/**
 * When the latest batch was detected, in microseconds since 1970; 0: none yet. What lies more than a day
 * ahead of the database's clock comes from a clock that was wrong, and is not gone on from: all that is
 * detected would bear its date.
 */
export async function latestDetectedUs(sql: DetectionSql): Promise<number> {
  const [row] = await sql<[{ us: number }]>`
    select coalesce(extract(epoch from max(detected_at)) * 1000000, 0)::float8 as us
    from ats.batch where detected_at < now() + interval '1 day'`;
  return row.us;
}

export interface EndedExecution {
  readonly projectNo: number;
  readonly executionNo: number;
  /** Microseconds since 1970. */
  readonly detectedUs: number;
}

export interface EndsPage {
  readonly ended: readonly EndedExecution[];
  /** The earliest end that was looked at; null: there is none in the span. */
  readonly detectedUs: number | null;
}

export interface EndsRequest {
  /** When an end was detected: the first moment and the one behind the last, in microseconds since 1970. */
  readonly sinceUs: number;
  readonly beforeUs: number;
  /** Those that ended earlier are left out. */
  readonly finishedSinceMs: number;
  readonly share: ProjectShare;
  /** Batches looked at; more where several have the time of the last one, as those of a flush. */
  readonly batchesMax: number;
}

/** Executions whose end was detected in a span of time, the latest first. */
export async function listEnded(sql: DetectionSql, request: EndsRequest): Promise<EndsPage> {
  const rows = await sql<{ projectNo: number; executionNo: number | null; detectedUs: number }[]>`
    select b.project_no as "projectNo", x.execution_no::float8 as "executionNo",
      (extract(epoch from b.detected_at) * 1000000)::float8 as "detectedUs"
    from (
      select project_no, execution_nos, detected_at from ats.batch
      where detected_at >= timestamptz 'epoch' + ${request.sinceUs}::bigint * interval '1 microsecond'
        and detected_at < timestamptz 'epoch' + ${request.beforeUs}::bigint * interval '1 microsecond'
        and event_count = 0 ${andInShare(sql, request.share)}
      order by detected_at desc fetch first ${request.batchesMax} rows with ties
    ) b left join lateral (
      select x.execution_no from unnest(b.execution_nos) as e (execution_no)
      join ats.execution x on x.project_no = b.project_no and x.execution_no = e.execution_no
      where x.finished_at >= ${new Date(request.finishedSinceMs)}
    ) x on true
    order by b.detected_at desc`;
  const ended = rows.flatMap(({ executionNo, ...row }) =>
    executionNo === null ? [] : [{ ...row, executionNo }],
  );
  return { ended, detectedUs: rows.at(-1)?.detectedUs ?? null };
}

/** From when the end of an execution is told to when it is stored. */
const STORED_WITHIN = "60 seconds";

/**
 * Of these finished executions those whose end is owed. The end and the batch that owes it are stored
 * together, the one by the service's clock, the other by the database's: how far they are apart now is asked
 * as well. Of another service's clock nothing is known.
 */
export async function listOwedEnds(
  sql: DetectionSql,
  finished: readonly { readonly executionNo: number; readonly finishedMs: number }[],
): Promise<number[]> {
  const moments = finished.map(({ finishedMs }) => finishedMs);
  const first = new Date(moments.reduce((a, b) => Math.min(a, b)));
  const last = new Date(moments.reduce((a, b) => Math.max(a, b)));
  const rows = await sql<{ executionNo: number }[]>`
    select distinct e.execution_no::float8 as "executionNo"
    from (select statement_timestamp() - ${new Date()}::timestamptz as ahead) c
    cross join lateral (
      select least(c.ahead, '0') - ${STORED_WITHIN}::interval as least, greatest(c.ahead, '0') + ${STORED_WITHIN}::interval as most
    ) d
    join ats.batch b on b.stored_at between ${first}::timestamptz + d.least and ${last}::timestamptz + d.most
    cross join lateral unnest(b.execution_nos) as e (execution_no)
    where b.detected_at is null and b.event_count = 0
      and e.execution_no = any(${finished.map(({ executionNo }) => executionNo)}::bigint[])`;
  return rows.map((row) => row.executionNo);
}

/** Some of the packs of each execution. */
export interface PackWindow {
  readonly packsMax: number;
  /** By execution the first pack of the window; for others it is the last packs that there are. */
  readonly fromPackNo: ReadonlyMap<number, number>;
}

/**
 * The events of claimed batches of one project, in binary COPY format, ordered by batch. No index knows
 * batches: all packs of their executions are walked, or those of a window.
 */
export async function readBatchEvents(
  sql: DetectionSql,
  projectNo: number,
  batches: readonly ClaimedBatch[],
  window: PackWindow | null = null,
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
  const inProject = `p.project_no = ${whole(projectNo)}`;
  const packs =
    window === null
      ? `ats.event_pack p where ${inProject} and p.execution_no = any(${numbers(executionNos)})`
      : `${windowsOf(executionNos, window, `${inProject} ${inTime}`)} where true`;
  return await readPacks(
    sql,
    `select ${EVENT_PACK_COLUMNS} from ${packs} and p.batch_no = any(${numbers(batches.map((batch) => batch.batchNo))}) and p.event_types <> '{}' ${inTime}
    order by p.batch_no, p.execution_no, p.pack_no`,
  );
}

function windowsOf(executionNos: ReadonlySet<number>, window: PackWindow, condition: string): string {
  const { packsMax, fromPackNo } = window;
  const placed = [...executionNos].filter((executionNo) => fromPackNo.has(executionNo));
  const others = [...executionNos].filter((executionNo) => !fromPackNo.has(executionNo));
  const froms = placed.map((executionNo) => fromPackNo.get(executionNo)!);
  const ofEach = (executions: string, place: string) =>
    `select p.* from ${executions} cross join lateral (
      select * from ats.event_pack p where p.execution_no = x.execution_no and ${condition} ${place} limit ${whole(packsMax)}
    ) p`;
  const last = ofEach(`unnest(${numbers(others)}) as x (execution_no)`, "order by p.pack_no desc");
  const from = ofEach(
    `unnest(${numbers(placed)}, ${numbers(froms)}) as x (execution_no, from_no)`,
    "and p.pack_no >= x.from_no order by p.pack_no",
  );
  return `(${placed.length === 0 ? last : `${last} union all ${from}`}) p`;
}

export interface HistoryRequest {
  readonly projectNo: number;
  readonly executionNos: readonly number[];
  /** Batches being detected right now: not history yet. */
  readonly claimedBatchNos: readonly number[];
  readonly typeCodes: readonly number[];
  /** No event of a UTC day before this moment's is looked for: spares the search through old partitions. */
  readonly notBeforeMs: number;
  readonly eventsPerExecutionMax: number;
  /** Of their payloads; the event that goes beyond it is still read. */
  readonly bytesPerExecutionMax: number;
}

/** Of one execution, between the events' order of detection and that of their packs' numbers. */
const EVENTS_OUT_OF_ORDER = 1_000;

/**
 * The latest events, already detected, of some executions, ordered by execution and batch: the packs, less
 * the events that are not looked for. In place of the batch number stands the batch's `detected_at`, in
 * microseconds since 1970: it tells the batches apart, too.
 *
 * Of a long execution only the packs that were numbered last are opened: those that hold so many events, and
 * some more as packs are not detected quite in the order of their numbers. To open all of a million events
 * took 22 s, of three million longer than a statement may.
 *
 * Of large payloads the latest that fit are read, as of runs whose every model call carries the whole chat.
 */
export async function readHistory(sql: DetectionSql, request: HistoryRequest): Promise<Uint8Array> {
  const typeCodes = `'{${request.typeCodes.map(whole).join(",")}}'::smallint[]`;
  const inOrder = "order by p.sequence, p.event_id";
  const eventsMax = whole(request.eventsPerExecutionMax);
  const openedMax = whole(request.eventsPerExecutionMax + EVENTS_OUT_OF_ORDER);
  const latestFirst = "p.detected_us desc, p.received_at desc, e.sequence desc, e.event_id desc";
  return await readPacks(
    sql,
    // `offset 0` keeps the order of the joins: packs by their index, then the batch of each by its key. Left
    // to itself, a planner without statistics walks all batches and, for each of them, all packs of the
    // execution: 4 s for 50.
    `select ${PACK_KEY}, p.detected_us as batch_no, array_agg(p.event_id ${inOrder}), array_agg(p.event_type ${inOrder}),
      array_agg(p.sequence ${inOrder}), array_agg(p."timestamp" ${inOrder}), array_agg(p.payload ${inOrder})
    from unnest(${numbers(request.executionNos)}) as x (execution_no)
    cross join lateral (
      select ${PACK_KEY}, p.detected_us, e.*,
        sum(octet_length(e.payload)) over (order by ${latestFirst} rows unbounded preceding)
          - octet_length(e.payload) as bytes_behind
      from (
        select p.*, sum(p.wanted) over (order by p.pack_no desc) - p.wanted as wanted_behind
        from (
          select p.*, b.detected_us,
            (select count(*) from unnest(p.event_types) as t (code) where t.code = any(${typeCodes})) as wanted
          from (
            select * from ats.event_pack p
            where p.project_no = ${whole(request.projectNo)} and p.execution_no = x.execution_no
              and p.event_types && ${typeCodes} and p.batch_no <> all(${numbers(request.claimedBatchNos)})
              and ${notBefore(request.notBeforeMs)}
            order by p.pack_no desc offset 0
          ) p
          cross join lateral (
            select (extract(epoch from b.detected_at) * 1000000)::bigint as detected_us from ats.batch b
            where b.project_no = p.project_no and b.batch_no = p.batch_no and b.detected_at is not null
            offset 0
          ) b
          order by p.pack_no desc limit ${openedMax}
        ) p
      ) p
      cross join lateral unnest(${PACKED_EVENTS}) as e (event_id, event_type, sequence, "timestamp", payload)
      where p.wanted_behind < ${openedMax} and e.event_type = any(${typeCodes})
      order by ${latestFirst}
      limit ${eventsMax}
    ) p
    where p.bytes_behind < ${whole(request.bytesPerExecutionMax)}
    group by ${PACK_KEY}, p.detected_us
    order by p.execution_no, p.detected_us, p.received_at, p.pack_no`,
  );
}

/**
 * Of these executions those that have lost their beginning: the first pack, or its batch, is kept no longer
 * (src/store/upkeep/retention.ts). Nothing is let go of within a day.
 */
export async function listBeheaded(
  sql: DetectionSql,
  projectNo: number,
  executions: readonly { readonly executionNo: number; readonly homeDayMs: number }[],
): Promise<number[]> {
  const homeDays = executions.map(({ homeDayMs }) => homeDayMs);
  const first = homeDays.reduce((a, b) => Math.min(a, b));
  const last = homeDays.reduce((a, b) => Math.max(a, b));
  // The number 0 is on the home day, be it a stand-in's. The constants are for the planner, the execution's
  // own day is for the reader.
  const rows = await sql.unsafe<{ executionNo: number }[]>(
    `select x.execution_no::float8 as "executionNo"
    from ats.execution x cross join lateral (select x.home_day::timestamp at time zone 'UTC' as midnight) home
    where x.project_no = ${whole(projectNo)} and x.started_at < now() - interval '1 day'
      and x.execution_no = any(${numbers(executions.map(({ executionNo }) => executionNo))})
      and not exists (
        select from ats.event_pack p
        where p.project_no = x.project_no and p.execution_no = x.execution_no and p.pack_no = 0
          and ${notBefore(first)} and p.first_timestamp < ${momentOf(last / 1000 + DAY_S)}
          and p.first_timestamp >= home.midnight and p.first_timestamp < home.midnight + interval '24 hours'
          and exists (
            select from ats.batch b where b.project_no = p.project_no and b.batch_no = p.batch_no offset 0
          )
        offset 0
      )`,
  );
  return rows.map((row) => row.executionNo);
}

/** What stands behind the last tuple of a binary COPY. */
const COPY_TRAILER_BYTES = 2;

/**
 * Rests on our patch of the driver (patches/): as published, a COPY that fills its stream leaves the socket
 * paused for ever.
 */
async function readPacks(sql: DetectionSql, query: string): Promise<Uint8Array> {
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

const DAY_S = 86_400;
/** The years that a timestamp of an event can lie in, and a margin for rounding. */
const clampMs = (ms: number) => Math.min(253_402_300_799_000, Math.max(-62_135_596_800_000, ms));
/** A constant to the planner: of an interval added, which is none, it plans for every day that is kept. */
const momentOf = (seconds: number) => `to_timestamp(${whole(seconds)})`;
/**
 * A pack lies on one UTC day: what has an event from that moment on begins on the moment's day at the
 * earliest.
 */
const notBefore = (ms: number) =>
  `p.first_timestamp >= ${momentOf(Math.floor(clampMs(ms) / 1000 / DAY_S) * DAY_S)}`;
const notAfter = (ms: number) => `p.first_timestamp <= ${momentOf(Math.floor(clampMs(ms) / 1000) + 2)}`;
