/**
 * Of a year of day partitions, each read of the dashboard touches those of the days in question.
 */
import { beforeAll, describe, expect, test } from "bun:test";
import type { ExecutionKey } from "../../src/store/dashboard/execution-key.ts";
import { findExecutionEvent, listExecutionEvents } from "../../src/store/dashboard/executions-events.ts";
import { readActions } from "../../src/store/dashboard/executions-graph.ts";
import {
  findExecution,
  listExecutionDetections,
  readTotals,
} from "../../src/store/dashboard/executions-record.ts";
import { listBatchShares, listStoredBatches, readShareEvents } from "../../src/store/dashboard/live.ts";
import { readFirstEvent } from "../../src/store/dashboard/settings-projects.ts";
import type { Sql } from "../../src/store/database/connect.ts";
import { lockedDays } from "../support/locked-days.ts";
import { storeEvents } from "../support/stored-packs.ts";
import { oneConnection } from "./support/one-connection.ts";

const DAYS = Array.from({ length: 30 }, (_, index) => `2026-03-${String(index + 1).padStart(2, "0")}`);
/** PostgreSQL makes a plan for any parameters, if it then makes one, at the sixth time. */
const TIMES = 8;
const CODES = { handoff: 13, others: [1, 2, 3] };

const installation = oneConnection();
let sql: Sql;
let projectNo: number;

beforeAll(async () => {
  ({ sql, projectNo } = installation);
  for (const day of DAYS) await sql`select ats.ensure_event_partition(${day}::date)`;
});

/** Stores an execution with an event on each of the days, in one batch a day; its number. */
async function store(id: string, days: readonly string[]): Promise<number> {
  const [{ no: executionNo }] = await sql<[{ no: number }]>`
    insert into ats.execution (project_no, execution_id, started_at, home_day)
    values (${projectNo}, ${id}, now(), ${days[0] ?? null}) returning execution_no::float8 as no`;
  for (const [index, day] of days.entries()) {
    const batchNo = executionNo * 100 + index;
    const event = {
      type: 1,
      sequence: index + 1,
      payload: '{"tokens_in":1}',
      receivedAt: `${day}T12:00:01Z`,
    };
    await storeEvents(sql, { projectNo, executionNo, batchNo }, [
      { ...event, id: `${id}-${index}`, timestamp: `${day}T12:00:00Z` },
    ]);
    await sql`
      insert into ats.batch (project_no, batch_no, event_count, execution_nos, first_timestamp, last_timestamp)
      values (${projectNo}, ${batchNo}, 1, ${[executionNo]}::bigint[], ${`${day}T12:00:00Z`}, ${`${day}T12:00:01Z`})`;
  }
  return executionNo;
}

/**
 * Partitions that `read` locks, in each of several transactions: the most days that any of them has,
 * `default` if it is one.
 */
async function daysLocked(read: (tx: Sql) => Promise<unknown>): Promise<string[]> {
  const locked = new Set<string>();
  for (let time = 1; time <= TIMES; time++) {
    await sql.begin(async (tx) => {
      await read(tx as unknown as Sql);
      for (const day of await lockedDays(tx)) locked.add(day);
    });
  }
  return [...locked].toSorted();
}

const keyOf = async (id: string): Promise<ExecutionKey> => (await findExecution(sql, projectNo, id))!.key;

/** What a page of one execution asks. */
const READS: Readonly<Record<string, (tx: Sql, key: ExecutionKey, id: string) => Promise<unknown>>> = {
  totals: (tx, key) => readTotals(tx, key),
  detections: (tx, key) => listExecutionDetections(tx, key),
  "a page of events": (tx, key) =>
    listExecutionEvents(tx, {
      key,
      typeCodes: null,
      from: null,
      fromSequence: null,
      backward: false,
      receivedFrom: null,
      limit: 50,
    }),
  "one event": (tx, key, id) => findExecutionEvent(tx, key, `${id}-0`),
  "its graph": (tx, key) => readActions(tx, key, CODES),
};

describe("an execution", () => {
  test("of one day is found and read from that day's partition", async () => {
    await store("one-day", ["2026-03-10"]);
    const key = await keyOf("one-day");
    expect(await daysLocked((tx) => findExecution(tx, projectNo, "one-day"))).toEqual(["20260310"]);
    for (const read of Object.values(READS)) {
      expect(await daysLocked((tx) => read(tx, key, "one-day"))).toEqual(["20260310"]);
    }
    expect((await readTotals(sql, key)).events).toBe(1);
  });

  test("of several days is found by its home day, and read from its days, also when its batches are gone", async () => {
    const executionNo = await store("three-days", ["2026-03-20", "2026-03-04", "2026-03-21"]);
    await sql`delete from ats.batch where ${executionNo}::bigint = any(execution_nos)`;
    const key = await keyOf("three-days");
    expect(await daysLocked((tx) => findExecution(tx, projectNo, "three-days"))).toEqual(["20260320"]);
    for (const read of Object.values(READS)) {
      expect(await daysLocked((tx) => read(tx, key, "three-days"))).toEqual([
        "20260304",
        "20260320",
        "20260321",
      ]);
    }
    expect((await readTotals(sql, key)).events).toBe(3);
  });

  test("with stand-ins of before, which do not tell a day, is looked for everywhere once, and read from its days", async () => {
    const executionNo = await store("old", ["2026-03-20", "2026-03-04", "2026-03-05"]);
    await sql`
      update ats.event_pack set timestamps = '{}' where execution_no = ${executionNo} and event_types = '{}' and pack_no = 1`;
    const key = await keyOf("old");
    expect((await daysLocked((tx) => findExecution(tx, projectNo, "old"))).length).toBeGreaterThan(
      DAYS.length,
    );
    for (const read of Object.values(READS)) {
      expect(await daysLocked((tx) => read(tx, key, "old"))).toEqual(["20260304", "20260305", "20260320"]);
    }
    expect((await readTotals(sql, key)).events).toBe(3);
  });

  test("of more days than a statement names is read from all between the first and the last", async () => {
    const days = DAYS.filter((_, index) => index % 2 === 0);
    await store("gaps", days);
    const key = await keyOf("gaps");
    expect((await daysLocked((tx) => readTotals(tx, key))).length).toBe(DAYS.length - 1);
    expect((await readTotals(sql, key)).events).toBe(days.length);
  });

  test("without events is read from no day", async () => {
    await store("empty", []);
    const key = await keyOf("empty");
    expect(await daysLocked((tx) => findExecution(tx, projectNo, "empty"))).toEqual([]);
    for (const read of Object.values(READS)) {
      expect(await daysLocked((tx) => read(tx, key, "empty"))).toEqual(["default"]);
    }
  });
});

test("the live tail reads the days of the batches that it shows", async () => {
  const executionNo = await store("tail", ["2026-03-28", "2026-03-29"]);
  const batchNos = (await listStoredBatches(sql, projectNo, 0))
    .map(({ batchNo }) => batchNo)
    .filter((batchNo) => Math.floor(batchNo / 100) === executionNo);
  const shares = await listBatchShares(sql, projectNo, {
    batchNos,
    sharesPerBatch: 10,
    wantedExecutionNos: [],
  });
  const request = { shares, eventsPerShare: 10, eventsMax: 10, payloadChars: 10 };
  expect(await daysLocked((tx) => readShareEvents(tx, projectNo, request))).toEqual(["20260328", "20260329"]);
  expect((await readShareEvents(sql, projectNo, request)).map((event) => event.event_id).toSorted()).toEqual([
    "tail-0",
    "tail-1",
  ]);
});

test("the first event of a project is read from its day", async () => {
  const first = await readFirstEvent(sql, projectNo);
  expect(first).toMatchObject({ received: true, execution_id: "one-day", event_id: "one-day-0" });
  expect(await daysLocked((tx) => readFirstEvent(tx, projectNo))).toEqual(["20260310"]);
});
