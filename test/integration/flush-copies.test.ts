/**
 * A flush goes to PostgreSQL as several COPYs in one statement, none of whose answers is waited for. All of
 * it is stored or nothing, wherever in it the fault is, and the connection is good for the next flush.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { connect, type Sql } from "../../src/store/database/connect.ts";
import { codeOf } from "../../src/store/database/failure.ts";
import {
  type CarefulResult,
  type CopyResult,
  copyEvents,
  type Flush,
  insertEvents,
} from "../../src/store/telemetry/event-copy.ts";
import { PackBuffer, type PackedEvent } from "../../src/store/telemetry/pack-buffer.ts";
import { eventsOf } from "../../src/store/telemetry/packed-events.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { eventually } from "../support/postgres-server.ts";

const PROJECT_NO = 7;
const EXECUTION_NO = 70;
const OTHER_PROJECT_NO = 8;
const OTHER_EXECUTION_NO = 80;
/** Some 280 bytes each: eight COPYs and the start of a ninth. */
const EVENTS = 2_000;
/** 2025-12-31. */
const HOME_DAY = 20_453;
/** An event in one of the COPYs of a flush. */
const PLACES: [string, number][] = [
  ["first", 1],
  ["middle", EVENTS / 2],
  ["last", EVENTS - 1],
];
const RECEIVED_MS = Date.UTC(2026, 0, 1);
/** SQLSTATE of a text with U+0000. */
const NOT_IN_TEXT = "22021";

let database: TestDatabase;
let sql: Sql;
let lastBatchNo = 2 ** 52;

beforeAll(async () => {
  database = await cloneDatabase();
  sql = connect({ url: database.url, connectionsMax: 1, applicationName: "test flush" });
  await database.sql`
    insert into ats.project (project_no, project_id, name) overriding system value
    values (${PROJECT_NO}, 'p', 'p'), (${OTHER_PROJECT_NO}, 'q', 'q')`;
  await database.sql`
    insert into ats.execution (project_no, execution_no, execution_id, home_day, started_at)
    values (${PROJECT_NO}, ${EXECUTION_NO}, 'x', '2025-12-31', now()),
      (${OTHER_PROJECT_NO}, ${OTHER_EXECUTION_NO}, 'y', '2025-12-31', now())`;
});
afterAll(async () => {
  await sql.end({ timeout: 5 });
  await database.drop();
});
afterEach(async () => {
  await database.sql`truncate ats.event_pack, ats.batch`;
});

/**
 * Events numbered from `first` on; `change` may spoil one, by its place in the flush. Packs are numbered from
 * `firstPackNo` on.
 */
function flushOf(
  first: number,
  { count = EVENTS, firstPackNo = 0 }: { count?: number; firstPackNo?: number } = {},
  change: (n: number) => Partial<PackedEvent> = () => ({}),
): Flush & { packs: number } {
  const batchNo = ++lastBatchNo;
  const { projectNo = PROJECT_NO, executionNo = EXECUTION_NO } = change(0);
  const buffer = new PackBuffer(1_024);
  for (let n = 0; n < count; n++) {
    buffer.append(
      {
        projectNo: PROJECT_NO,
        executionNo: EXECUTION_NO,
        homeDay: HOME_DAY,
        eventId: `event-${first + n}`,
        typeCode: 1,
        sequence: n,
        seconds: 820_454_400,
        micros: n,
        payload: JSON.stringify({ n: first + n, text: "x".repeat(180) }),
        ...change(n),
      },
      RECEIVED_MS,
      batchNo,
    );
  }
  const rows = buffer.finish();
  const packs = buffer.numberPacks(new Map([[executionNo, firstPackNo]])).get(executionNo)! - firstPackNo;
  return {
    batchNo,
    rows,
    packs,
    copyEnds: buffer.copyEnds,
    batches: [
      {
        projectNo,
        eventCount: count,
        executionNos: [executionNo],
        firstTimestampS: 1_767_139_200,
        lastTimestampS: 1_767_225_600,
      },
    ],
    environments: [],
  };
}

async function stored(): Promise<{ events: number; payloads: number; batches: number }> {
  const [row] = await database.sql`
    select count(*)::int as events, count(distinct (payload::json ->> 'n'))::int as payloads,
      (select count(*)::int from ats.batch) as batches
    from ats.event`;
  return row as { events: number; payloads: number; batches: number };
}

/** Of a COPY that fails, the connection's next query knows no more than 25P02. */
function expectRefused(result: CopyResult | CarefulResult, code: string): void {
  expect(result.kind).toBe("refused");
  expect(result.kind === "refused" && codeOf(result.error)).toBe(code);
}

async function expectNothingStoredAndTheNextToWork(): Promise<void> {
  expect(await stored()).toEqual({ events: 0, payloads: 0, batches: 0 });
  expect(await copyEvents(sql, flushOf(100_000))).toEqual({ kind: "committed" });
  expect(await stored()).toEqual({ events: EVENTS, payloads: EVENTS, batches: 1 });
}

test("the flushes of this file are of several COPYs", () => {
  expect(flushOf(0).copyEnds.length).toBeGreaterThan(5);
});

describe("the fast lane", () => {
  test("stores each event once and as it was", async () => {
    let firstPackNo = 0;
    for (const first of [0, EVENTS, 2 * EVENTS]) {
      const flush = flushOf(first, { firstPackNo });
      expect(await copyEvents(sql, flush)).toEqual({ kind: "committed" });
      firstPackNo += flush.packs;
    }
    expect(await stored()).toEqual({ events: 3 * EVENTS, payloads: 3 * EVENTS, batches: 3 });
  });

  test.each(PLACES)("a pack number that is taken in the %s COPY: nothing is stored", async (_, place) => {
    const flush = flushOf(0);
    const taken = flushOf(0, { count: 1, firstPackNo: Math.floor((place / EVENTS) * flush.packs) });
    expect(await copyEvents(sql, taken)).toEqual({ kind: "committed" });
    expectRefused(await copyEvents(sql, flush), "23505");
    expect(await stored()).toEqual({ events: 1, payloads: 1, batches: 1 });
    await database.sql`truncate ats.event_pack, ats.batch`;
    await expectNothingStoredAndTheNextToWork();
  });

  test.each(PLACES)("a row that PostgreSQL refuses in the %s COPY: nothing is stored", async (_, place) => {
    const flush = flushOf(0, {}, (n) => (n === place ? { payload: '"\0"' } : {}));
    expectRefused(await copyEvents(sql, flush), NOT_IN_TEXT);
    await expectNothingStoredAndTheNextToWork();
  });

  test("an event larger than many COPYs goes through between small ones", async () => {
    const payload = JSON.stringify({ n: 10, text: "y".repeat(3_000_000) });
    const flush = flushOf(0, {}, (n) => (n === 10 ? { payload } : {}));
    expect(await copyEvents(sql, flush)).toEqual({ kind: "committed" });
    expect(await stored()).toEqual({ events: EVENTS, payloads: EVENTS, batches: 1 });
    const rows = await database.sql`select payload from ats.event where event_id = 'event-10'`;
    expect(rows.map((row) => row.payload === payload)).toEqual([true]);
  });

  test("a connection that is closed while the server waits for a lock: unknown, and nothing is stored", async () => {
    const writer = connect({ url: database.url, connectionsMax: 1, applicationName: "test flush dies" });
    const [holder] = await writer<[{ pid: number }]>`select pg_backend_pid() as pid`;
    const blocker = await database.sql.reserve();
    await blocker`begin`;
    await blocker`lock table ats.event_pack in share mode`;
    const result = copyEvents(writer, flushOf(0));
    await eventually("the flush waits for the lock", async () => {
      const [row] = await database.sql`
        select count(*)::int as waiting from pg_locks where pid = ${holder.pid} and not granted`;
      return row?.waiting > 0;
    });
    await database.sql`select pg_terminate_backend(${holder.pid}, 30000)`;
    await blocker`rollback`;
    blocker.release();
    expect((await result).kind).toBe("unknown");
    await writer.end({ timeout: 5 });
    await expectNothingStoredAndTheNextToWork();
  });
});

describe("the careful lane", () => {
  test("stores what is new of several COPYs, and says which", async () => {
    expect(await copyEvents(sql, flushOf(0))).toEqual({ kind: "committed" });
    const half = EVENTS / 2;
    const result = await insertEvents(sql, flushOf(half));
    expect(result.kind).toBe("committed");
    const fresh = result.kind === "committed" ? result.stored.map(({ eventId }) => eventId).sort() : [];
    expect(fresh).toEqual(Array.from({ length: half }, (_, n) => `event-${EVENTS + n}`).sort());
    expect(await stored()).toEqual({ events: EVENTS + half, payloads: EVENTS + half, batches: 2 });
  });

  test("packs anew with the first free number, whatever numbers the flush came with", async () => {
    const before = flushOf(0);
    expect(await copyEvents(sql, before)).toEqual({ kind: "committed" });
    const result = await insertEvents(sql, flushOf(EVENTS / 2));
    expect(result.kind === "committed" && [...result.firstFree]).toEqual([[EXECUTION_NO, before.packs]]);
    const [packs] = await database.sql`
      select count(*)::int as packs, count(distinct pack_no)::int as numbers, min(pack_no) as first, max(pack_no) as last
      from ats.event_pack`;
    const count = before.packs + Math.ceil(before.packs / 2);
    expect(packs).toEqual({ packs: count, numbers: count, first: 0, last: count - 1 });
  });

  test("a flush of two projects, of which one had nothing new, is known by its number when it comes again", async () => {
    const other = { projectNo: OTHER_PROJECT_NO, executionNo: OTHER_EXECUTION_NO };
    const old = flushOf(0, { count: 10 }, () => other);
    expect(await copyEvents(sql, old)).toEqual({ kind: "committed" });

    const buffer = new PackBuffer(1_024);
    const own = flushOf(0, { count: 10 });
    for (const { texts, receivedMs, ...place } of [...eventsOf(own.rows), ...eventsOf(old.rows)])
      buffer.appendBytes({ ...place, homeDay: HOME_DAY }, texts, receivedMs, own.batchNo);
    const flush: Flush = {
      ...own,
      rows: buffer.finish(),
      copyEnds: buffer.copyEnds,
      batches: [...own.batches, ...old.batches],
    };
    const first = await insertEvents(sql, flush);
    const again = await insertEvents(sql, flush);
    const storedBy = (result: CarefulResult) =>
      result.kind === "committed" ? result.stored.map(({ eventId }) => eventId).sort() : undefined;
    expect(storedBy(first)?.length).toBe(10);
    expect(storedBy(again)).toEqual(storedBy(first));
    const batches = await database.sql`select project_no, event_count from ats.batch order by 1`;
    expect([...batches]).toEqual([
      { project_no: PROJECT_NO, event_count: 10 },
      { project_no: OTHER_PROJECT_NO, event_count: 10 },
    ]);
  });

  test.each(PLACES)("a row that PostgreSQL refuses in the %s COPY: nothing is stored", async (_, place) => {
    const flush = flushOf(0, {}, (n) => (n === place ? { payload: '"\0"' } : {}));
    expectRefused(await insertEvents(sql, flush), NOT_IN_TEXT);
    await expectNothingStoredAndTheNextToWork();
  });
});
