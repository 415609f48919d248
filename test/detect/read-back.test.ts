/**
 * What detection reads back from the store is what ingest wrote, and the connection that it came by goes on.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { orderEvents } from "../../src/detect/rows/execution-slices.ts";
import { PackCursor, type StoredEvent } from "../../src/detect/rows/pack-reader.ts";
import { eventTypeCode } from "../../src/ingest/wire/event-types.ts";
import { connect, type Sql } from "../../src/store/database/connect.ts";
import {
  type ClaimedBatch,
  type HistoryRequest,
  readBatchEvents,
  readHistory,
} from "../../src/store/detection/detection-batches.ts";
import type { DetectionSql } from "../../src/store/detection/detection-session.ts";
import { COPY_HEADER_BYTES } from "../../src/store/telemetry/pack-format.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { eventually } from "../support/postgres-server.ts";
import { type StoredFlush, Telemetry, type TestEvent } from "./support/telemetry.ts";

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
    bytesPerExecutionMax: Number.MAX_SAFE_INTEGER,
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

function eventIdsOf(rows: Uint8Array): string[] {
  const cursor = new PackCursor(rows, { unreadablePayloads: 0 });
  const ids: string[] = [];
  while (cursor.nextPack()) while (cursor.nextEvent()) ids.push(cursor.event().eventId);
  return ids;
}

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
    expect(eventIdsOf(rows)).toEqual(eventIdsOf(stored()));
    await expectAnswers();
  });

  test("a batch has the events of all its days, and no stand-ins", async () => {
    const noonMs = Date.UTC(2026, 10, 20, 12);
    const events = [-40, -1, 0, 1, 400].map((days) => ({
      execution: "wanderer",
      id: `day ${days}`,
      type: "checkpoint" as const,
      timestampMs: noonMs + days * DAY_MS,
    }));
    const { batchNo } = await telemetry.store(events);
    const [batch] = await database.sql<[ClaimedBatch]>`
      update ats.batch set detected_at = now() where batch_no = ${batchNo}
      returning project_no as "projectNo", batch_no::float8 as "batchNo", event_count as "eventCount",
        execution_nos::int[] as "executionNos", (extract(epoch from first_timestamp) * 1000)::float8 as "firstTimestampMs",
        (extract(epoch from last_timestamp) * 1000)::float8 as "lastTimestampMs"`;
    const rows = await readBatchEvents(session, telemetry.projectNo, [batch]);
    expect(eventIdsOf(rows)).toEqual(events.map(({ id }) => id));
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
    await database.sql`select pg_terminate_backend(${pid}, 30000)`;
    expect(await reading).toBeInstanceOf(Error);
    session.release();
    session = await pool.reserve();
    await expectAnswers();
  });
});

describe("a history", () => {
  const HISTORY_DAY_MS = Date.UTC(2026, 10, 20);
  const BATCHES = 12;
  const EXECUTIONS = ["one", "two"];
  /** By batch, in the order of detection. */
  const sent: TestEvent[][] = [];
  const batchNos: number[] = [];
  const executionNos = new Map<string, number>();

  beforeAll(async () => {
    for (let batch = 0; batch < BATCHES; batch++) {
      // Two requests a batch, the later one sent first; numbers that repeat; days before and after the
      // execution's home day.
      const events = [1, 0].flatMap((request) =>
        EXECUTIONS.flatMap((execution) =>
          ["b", "B", "ä", "a", "c"].map((name, n) => ({
            execution,
            id: `${name}-${batch}-${request}`,
            type: n % 3 === 0 ? ("checkpoint" as const) : ("tool_call" as const),
            sequence: 1 + (n >> 1),
            timestampMs: HISTORY_DAY_MS + ((batch % 3) - 1) * DAY_MS,
            receivedMs: HISTORY_DAY_MS + batch * 10 + request,
            payload: { batch },
          })),
        ),
      );
      const { batchNo } = await telemetry.store(events);
      sent.push(events);
      batchNos.push(batchNo);
      // Later batches were detected first.
      await database.sql`
        update ats.batch set detected_at = ${new Date(HISTORY_DAY_MS - batch * 1000)} where batch_no = ${batchNo}`;
    }
    sent.reverse();
    batchNos.reverse();
    const rows = await database.sql<{ execution_id: string; execution_no: number }[]>`
      select execution_id, execution_no::int from ats.execution`;
    for (const row of rows) executionNos.set(row.execution_id, row.execution_no);
  });

  const request = (more: Partial<HistoryRequest> = {}): HistoryRequest => ({
    projectNo: telemetry.projectNo,
    executionNos: EXECUTIONS.map((name) => executionNos.get(name)!),
    claimedBatchNos: [],
    typeCodes: [eventTypeCode("tool_call")!, eventTypeCode("checkpoint")!],
    notBeforeMs: HISTORY_DAY_MS - DAY_MS,
    eventsPerExecutionMax: 1_000,
    bytesPerExecutionMax: Number.MAX_SAFE_INTEGER,
    ...more,
  });

  const inOrder = (a: TestEvent, b: TestEvent) =>
    a.receivedMs! - b.receivedMs! ||
    a.sequence! - b.sequence! ||
    Buffer.compare(Buffer.from(a.id), Buffer.from(b.id));

  /** What was sent, by execution, in the order of detection. */
  const expected = (isWanted: (event: TestEvent, batchNo: number) => boolean, max = 1_000) =>
    EXECUTIONS.map((execution) =>
      sent
        .flatMap((events, nth) =>
          events
            .filter((event) => event.execution === execution && isWanted(event, batchNos[nth]!))
            .toSorted(inOrder)
            .map(({ id }) => id),
        )
        .slice(-max),
    );

  async function historyOf(more: Partial<HistoryRequest>): Promise<string[][]> {
    const cursor = new PackCursor(await readHistory(session, request(more)), { unreadablePayloads: 0 });
    const batches = new Map<number, Map<number, StoredEvent[]>>();
    while (cursor.nextPack()) {
      const ofExecution = batches.get(cursor.executionNo) ?? new Map<number, StoredEvent[]>();
      batches.set(cursor.executionNo, ofExecution);
      const events = ofExecution.get(cursor.batchNo) ?? [];
      ofExecution.set(cursor.batchNo, events);
      while (cursor.nextEvent()) events.push(cursor.event());
    }
    return [...batches.values()].map((ofExecution) =>
      [...ofExecution.values()].flatMap((events) => {
        orderEvents(events);
        return events.map(({ eventId }) => eventId);
      }),
    );
  }

  test("comes by execution and in the order of detection", async () => {
    expect(await historyOf({})).toEqual(expected(() => true));
  });

  test.each([1, 2, 3, 7, 9, 10, 11, 44])("has the latest %d events of each execution", async (max) => {
    expect(await historyOf({ eventsPerExecutionMax: max })).toEqual(expected(() => true, max));
  });

  test.each([1, 12, 13, 100, 999])(
    "has the latest events within %d bytes, and the one that goes beyond",
    async (max) => {
      const bytesOf = new Map(sent.flat().map(({ id, payload }) => [id, JSON.stringify(payload).length]));
      const fitting = expected(() => true).map((ids) => {
        let behind = 0;
        return ids
          .toReversed()
          .filter((id) => {
            behind += bytesOf.get(id)!;
            return behind - bytesOf.get(id)! < max;
          })
          .toReversed();
      });
      expect(fitting[0]!.length).toBeLessThan(sent.flat().length / EXECUTIONS.length);
      expect(await historyOf({ bytesPerExecutionMax: max })).toEqual(fitting);
    },
  );

  test("has the types asked for", async () => {
    const isCheckpoint = ({ type }: TestEvent) => type === "checkpoint";
    const typeCodes = [eventTypeCode("checkpoint")!];
    expect(await historyOf({ typeCodes })).toEqual(expected(isCheckpoint));
    expect(await historyOf({ typeCodes, eventsPerExecutionMax: 5 })).toEqual(expected(isCheckpoint, 5));
    expect(await historyOf({ typeCodes: [eventTypeCode("egress")!] })).toEqual([]);
  });

  test("leaves out what is being detected, what is still owed and days too early", async () => {
    const claimedBatchNos = batchNos.slice(2, 4);
    expect(await historyOf({ claimedBatchNos })).toEqual(expected((_, no) => !claimedBatchNos.includes(no)));
    expect(await historyOf({ notBeforeMs: HISTORY_DAY_MS + 1 })).toEqual(
      expected(({ timestampMs }) => timestampMs! >= HISTORY_DAY_MS),
    );
    const owed = batchNos.at(-1)!;
    const [batch] = await database.sql<[{ detected_at: Date }]>`
      select detected_at from ats.batch where batch_no = ${owed}`;
    await database.sql`update ats.batch set detected_at = null where batch_no = ${owed}`;
    expect(await historyOf({})).toEqual(expected((_, no) => no !== owed));
    await database.sql`update ats.batch set detected_at = ${batch.detected_at} where batch_no = ${owed}`;
  });
});
