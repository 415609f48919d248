/**
 * A flush goes to PostgreSQL as several COPYs in one statement, none of whose answers is waited for. All of it is stored or nothing,
 * wherever in it the fault is, and the connection is good for the next flush.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { RowBuffer } from "../../src/ingest/row-encoder.ts";
import { connect, type Sql } from "../../src/store/database/connect.ts";
import { codeOf } from "../../src/store/database/failure.ts";
import {
  type CarefulResult,
  type CopyResult,
  copyEvents,
  type Flush,
  insertEvents,
} from "../../src/store/telemetry/event-copy.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { eventually } from "../support/postgres-server.ts";

const PROJECT_NO = 7;
const EXECUTION_NO = 70;
/** Some 290 bytes each: eight COPYs and the start of a ninth. */
const EVENTS = 2_000;
/** An event in one of the COPYs of a flush. */
const PLACES: [string, number][] = [
  ["first", 1],
  ["middle", EVENTS / 2],
  ["last", EVENTS - 1],
];
/** SQLSTATE of a text with U+0000. */
const NOT_IN_TEXT = "22021";

let database: TestDatabase;
let sql: Sql;
let lastBatchNo = 2 ** 52;

beforeAll(async () => {
  database = await cloneDatabase();
  sql = connect({ url: database.url, connectionsMax: 1, applicationName: "test flush" });
  await database.sql`
    insert into ats.project (project_no, project_id, name) overriding system value values (${PROJECT_NO}, 'p', 'p')`;
  await database.sql`
    insert into ats.execution (project_no, execution_no, execution_id, home_day, started_at)
    values (${PROJECT_NO}, ${EXECUTION_NO}, 'x', '2026-01-01', now())`;
});
afterAll(async () => {
  await sql.end({ timeout: 5 });
  await database.drop();
});
afterEach(async () => {
  await database.sql`truncate ats.event, ats.batch`;
});

/** Events numbered from `first` on; `change` may spoil one, by its place in the flush. */
function flushOf(
  first: number,
  count = EVENTS,
  change: (n: number) => { eventId?: string; payload?: string } = () => ({}),
): Flush {
  const batchNo = ++lastBatchNo;
  const buffer = new RowBuffer(1_024);
  for (let n = 0; n < count; n++) {
    buffer.append(
      {
        projectNo: PROJECT_NO,
        executionNo: EXECUTION_NO,
        eventId: `event-${first + n}`,
        typeCode: 1,
        sequence: n,
        seconds: 820_454_400,
        micros: n,
        payload: JSON.stringify({ n: first + n, text: "x".repeat(180) }),
        ...change(n),
      },
      Date.now(),
      batchNo,
    );
  }
  return {
    batchNo,
    rows: buffer.finish(),
    copyEnds: buffer.copyEnds,
    batches: [
      {
        projectNo: PROJECT_NO,
        eventCount: count,
        executionNos: [EXECUTION_NO],
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

describe("the fast road", () => {
  test("stores each row once and as it was", async () => {
    for (const first of [0, EVENTS, 2 * EVENTS]) {
      expect(await copyEvents(sql, flushOf(first))).toEqual({ kind: "committed" });
    }
    expect(await stored()).toEqual({ events: 3 * EVENTS, payloads: 3 * EVENTS, batches: 3 });
  });

  test.each(PLACES)("a duplicate in the %s COPY: nothing is stored", async (_, place) => {
    const flush = flushOf(0, EVENTS, (n) => (n === place ? { eventId: "event-0" } : {}));
    expectRefused(await copyEvents(sql, flush), "23505");
    await expectNothingStoredAndTheNextToWork();
  });

  test.each(PLACES)("a row that PostgreSQL refuses in the %s COPY: nothing is stored", async (_, place) => {
    const flush = flushOf(0, EVENTS, (n) => (n === place ? { payload: '"\0"' } : {}));
    expectRefused(await copyEvents(sql, flush), NOT_IN_TEXT);
    await expectNothingStoredAndTheNextToWork();
  });

  test("an event larger than many COPYs goes through between small ones", async () => {
    const payload = JSON.stringify({ n: 10, text: "y".repeat(3_000_000) });
    const flush = flushOf(0, EVENTS, (n) => (n === 10 ? { payload } : {}));
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
    await blocker`lock table ats.event in share mode`;
    const result = copyEvents(writer, flushOf(0));
    await eventually("the flush waits for the lock", async () => {
      const [row] = await database.sql`
        select count(*)::int as waiting from pg_locks where pid = ${holder.pid} and not granted`;
      return row?.waiting > 0;
    });
    await database.sql`select pg_terminate_backend(${holder.pid}, 5000)`;
    await blocker`rollback`;
    blocker.release();
    expect((await result).kind).toBe("unknown");
    await writer.end({ timeout: 5 });
    await expectNothingStoredAndTheNextToWork();
  });
});

describe("the careful road", () => {
  test("stores what is new of several COPYs, and says which", async () => {
    expect(await copyEvents(sql, flushOf(0))).toEqual({ kind: "committed" });
    const half = EVENTS / 2;
    const result = await insertEvents(sql, flushOf(half));
    expect(result.kind).toBe("committed");
    const fresh = result.kind === "committed" ? result.stored.map(({ eventId }) => eventId).sort() : [];
    expect(fresh).toEqual(Array.from({ length: half }, (_, n) => `event-${EVENTS + n}`).sort());
    expect(await stored()).toEqual({ events: EVENTS + half, payloads: EVENTS + half, batches: 2 });
  });

  test.each(PLACES)("a row that PostgreSQL refuses in the %s COPY: nothing is stored", async (_, place) => {
    const flush = flushOf(0, EVENTS, (n) => (n === place ? { payload: '"\0"' } : {}));
    expectRefused(await insertEvents(sql, flush), NOT_IN_TEXT);
    await expectNothingStoredAndTheNextToWork();
  });
});
