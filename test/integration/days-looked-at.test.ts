/**
 * Which days a statement on the path of events touches: PostgreSQL plans, and locks, a partition for every
 * day that is kept, unless it can tell from the statement alone that one is enough. With a year of days that
 * is 50 ms and more each time.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { ReservedSql } from "postgres";
import { readBatchEvents, readHistory } from "../../src/store/detection/detection-batches.ts";
import { findStoredIds, readStoredIds } from "../../src/store/telemetry/stored-ids.ts";
import { Telemetry } from "../detect/support/telemetry.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { lockedDays } from "../support/locked-days.ts";
import { mintProject } from "../support/projects.ts";

const DAY_MS = 86_400_000;
const DAYS = 30;
const NOW_MS = Date.now();
const TODAY = Math.floor(NOW_MS / DAY_MS);
const dayOf = (epochDay: number) => new Date(epochDay * DAY_MS).toISOString().slice(0, 10);
const partitionDay = (epochDay: number) => dayOf(epochDay).replaceAll("-", "");

let database: TestDatabase;
let telemetry: Telemetry;
let execution: { projectNo: number; executionNo: number };
let batchNo: number;

beforeAll(async () => {
  database = await cloneDatabase();
  await database.sql`
    select ats.ensure_event_partition(day::date)
    from generate_series(${dayOf(TODAY - DAYS)}::date, ${dayOf(TODAY)}::date, interval '1 day') day`;
  telemetry = new Telemetry(database, (await mintProject(database.sql)).projectNo);
  const stored = await telemetry.store([
    { execution: "x", id: "e1", type: "tool_call", timestampMs: NOW_MS },
  ]);
  batchNo = stored.batchNo;
  await database.sql`update ats.batch set detected_at = now()`;
  const [row] = await database.sql<{ projectNo: number; executionNo: number }[]>`
    select project_no as "projectNo", execution_no::float8 as "executionNo" from ats.execution`;
  execution = row!;
});

afterAll(async () => {
  await telemetry.end();
  await database.drop();
});

/** The days that a transaction has planned for after the work. */
async function daysLockedBy(work: (sql: ReservedSql) => Promise<unknown>): Promise<string[]> {
  const sql = await database.sql.reserve();
  try {
    await sql`begin`;
    await work(sql);
    return await lockedDays(sql);
  } finally {
    await sql`rollback`;
    sql.release();
  }
}

test("the ids of an execution are read from its home day", async () => {
  const request = { ...execution, homeDay: TODAY, fromPackNo: 0 };
  const touched = await daysLockedBy(async (sql) => {
    const found = await readStoredIds(sql, [request]);
    expect(found.get(execution.executionNo)).toEqual({ nextPackNo: 1, eventIds: ["e1"] });
  });
  expect(touched).toEqual([partitionDay(TODAY)]);
});

test("without a partition for the home day they are read from every day", async () => {
  const request = { ...execution, homeDay: TODAY + 400, fromPackNo: 0 };
  const found = await readStoredIds(database.sql, [request, { ...request, homeDay: TODAY }]);
  expect(found.get(execution.executionNo)).toEqual({ nextPackNo: 1, eventIds: ["e1"] });
});

test("duplicates are looked for on the home day, without a partition on every day", async () => {
  const find = (hasPartition: boolean) =>
    daysLockedBy(async (sql) => {
      const found = await findStoredIds(sql, [{ ...execution, homeDay: TODAY, hasPartition }], ["e1", "e2"]);
      expect(found).toEqual([{ executionNo: execution.executionNo, firstFree: 1, eventIds: ["e1"] }]);
    });
  expect(await find(true)).toEqual([partitionDay(TODAY)]);
  expect((await find(false)).length).toBeGreaterThan(DAYS);
});

test("detection reads a batch back from its days", async () => {
  const batch = {
    projectNo: execution.projectNo,
    batchNo,
    eventCount: 1,
    executionNos: [execution.executionNo],
    firstTimestampMs: NOW_MS,
    lastTimestampMs: NOW_MS,
  };
  const touched = await daysLockedBy(async (sql) => {
    expect((await readBatchEvents(sql, execution.projectNo, [batch])).length).toBeGreaterThan(0);
  });
  expect(touched).toEqual([partitionDay(TODAY)]);
});

test("detection reads the history of an execution from the days asked for", async () => {
  const touched = await daysLockedBy(async (sql) => {
    const packs = await readHistory(sql, {
      projectNo: execution.projectNo,
      executionNos: [execution.executionNo],
      claimedBatchNos: [],
      typeCodes: [1, 2, 3, 4],
      notBeforeMs: NOW_MS - DAY_MS,
      eventsPerExecutionMax: 10,
      bytesPerExecutionMax: 1_000_000,
    });
    expect(packs.length).toBeGreaterThan(0);
  });
  expect(touched).toEqual([partitionDay(TODAY - 1), partitionDay(TODAY), "default"]);
});
