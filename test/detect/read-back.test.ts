/** What detection reads back from the store is what ingest wrote, and the connection that it came by goes on. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { connect, type Sql } from "../../src/store/database/connect.ts";
import {
  type ClaimedBatch,
  type HistoryRequest,
  readBatchEvents,
  readHistory,
} from "../../src/store/detection/detection-batches.ts";
import type { DetectionSql } from "../../src/store/detection/detection-session.ts";
import { COPY_HEADER_BYTES } from "../../src/store/telemetry/pack-buffer.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { eventually } from "../support/postgres-server.ts";
import { type StoredFlush, Telemetry } from "./support/telemetry.ts";

/** Some 900 kB of rows: many times what a stream holds before it stops its socket. */
const EVENTS = 3_000;
const TRAILER_BYTES = 2;
const DAY_MS = 86_400_000;

let database: TestDatabase;
let telemetry: Telemetry;
let pool: Sql;
let session: DetectionSql;
let flush: StoredFlush;
let batches: ClaimedBatch[];
let history: HistoryRequest;

beforeAll(async () => {
  database = await cloneDatabase();
  const [project] = await database.sql<[{ project_no: number }]>`
    insert into ats.project (project_id, name) values ('p', 'p') returning project_no`;
  telemetry = new Telemetry(database, project.project_no);
  flush = await telemetry.store(
    Array.from({ length: EVENTS }, (_, n) => ({
      execution: "x",
      id: `event-${String(n).padStart(5, "0")}`,
      type: "checkpoint" as const,
      payload: { n, text: "ü".repeat(100) },
      sequence: n,
    })),
  );
  const [{ execution_no }] = await database.sql<[{ execution_no: number }]>`
    select execution_no::int from ats.execution`;
  await database.sql`update ats.batch set detected_at = now()`;
  batches = [
    {
      projectNo: telemetry.projectNo,
      batchNo: flush.batchNo,
      eventCount: EVENTS,
      executionNos: [execution_no],
      firstTimestampMs: Date.now() - DAY_MS,
      lastTimestampMs: Date.now() + DAY_MS,
    },
  ];
  history = {
    projectNo: telemetry.projectNo,
    executionNos: [execution_no],
    claimedBatchNos: [],
    typeCodes: Array.from({ length: 16 }, (_, n) => n + 1),
    notBeforeMs: 0,
    eventsPerExecutionMax: EVENTS,
  };
  pool = connect({ url: database.url, connectionsMax: 1, applicationName: "read back" });
  session = await pool.reserve();
});
afterAll(async () => {
  session?.release();
  await pool?.end({ timeout: 5 });
  await telemetry?.end();
  await database?.drop();
});

const stored = () => Buffer.from(flush.rows.subarray(COPY_HEADER_BYTES, flush.rows.length - TRAILER_BYTES));

/** Seconds of work for the server. */
const heavy = (): HistoryRequest => ({
  ...history,
  executionNos: Array.from({ length: 200 }, () => history.executionNos[0]!),
});

async function expectAnswers(): Promise<void> {
  const rows = await session<{ one: number }[]>`select 1 as one`;
  expect(rows[0]?.one).toBe(1);
}

describe("reading back", () => {
  test("a batch comes back byte for byte, again and again on one connection", async () => {
    for (let time = 0; time < 3; time++) {
      const rows = Buffer.from(await readBatchEvents(session, telemetry.projectNo, batches));
      expect(rows.equals(stored())).toBe(true);
      await expectAnswers();
    }
  });

  test("nothing found is no bytes", async () => {
    const none = batches.map((batch) => ({ ...batch, batchNo: flush.batchNo + 1 }));
    expect((await readBatchEvents(session, telemetry.projectNo, none)).length).toBe(0);
    await expectAnswers();
  });

  test("a history has the same events, in order", async () => {
    const rows = await readHistory(session, history);
    expect(rows.length).toBe(stored().length);
    await expectAnswers();
  });

  test("the server gives up in the middle: told by its code, and the connection goes on", async () => {
    await session`set statement_timeout = 100`;
    await expect(readHistory(session, heavy())).rejects.toMatchObject({ code: "57014" });
    await session`set statement_timeout = 0`;
    await expectAnswers();
  });

  test("the connection is closed in the middle: it fails, and the next holder gets another", async () => {
    const [{ pid }] = await session<[{ pid: number }]>`select pg_backend_pid() as pid`;
    const reading = readHistory(session, heavy()).catch((error: unknown) => error);
    await eventually("the server reads", async () => {
      const [row] =
        await database.sql`select state = 'active' as active from pg_stat_activity where pid = ${pid}`;
      return row?.active === true;
    });
    await database.sql`select pg_terminate_backend(${pid}, 5000)`;
    expect(await reading).toBeInstanceOf(Error);
    session.release();
    session = await pool.reserve();
    await expectAnswers();
  });
});
