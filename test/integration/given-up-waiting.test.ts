/** Requests that wait for a writer while PostgreSQL stays away are told to come back, and leave nothing behind. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Caller } from "../../src/ingest/directory.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { type IngestThread, startIngestThread } from "../support/ingest-threads.ts";
import { eventually } from "../support/postgres-server.ts";
import { mintProject } from "../support/projects.ts";

let database: TestDatabase;
let thread: IngestThread;
let caller: Caller;

beforeAll(async () => {
  database = await cloneDatabase();
  const { projectNo, projectId } = await mintProject(database.sql);
  caller = { projectNo, projectId, keyId: "k", bucket: undefined };
  thread = await startIngestThread({
    databaseUrl: database.url,
    hazards: { mishap: () => undefined, delayMs: () => 0 },
    executionsMax: 10,
    idBytesMax: 1 << 20,
    flushConnections: 1,
    flushEventsMin: 1,
    flushEventsMax: 1_000,
    flushDelayMsMax: 5,
  });
});
afterAll(async () => {
  await thread.end();
  await database.drop();
});

const post = (eventId: string) =>
  thread.post(
    caller,
    [
      {
        event_id: eventId,
        execution_id: "x",
        event_type: "checkpoint",
        sequence: 1,
        timestamp: "2026-01-01T00:00:00Z",
        payload: {},
      },
    ],
    { lenient: false, receivedMs: Date.UTC(2026, 0, 1) },
  );

test("the next flush of an execution does not wait for one that was given up", async () => {
  const { projectNo } = caller;
  await thread.executions.create({
    projectNo,
    executionId: "x",
    sdkLanguage: null,
    sdkVersion: null,
    receivedMs: Date.UTC(2026, 0, 1),
  });
  const stored = { kind: "stored", accepted: 1, duplicates: 0 };
  expect(await post("first")).toMatchObject(stored);
  const lock = await database.sql.reserve();
  await lock`begin`;
  await lock`lock table ats.batch in access exclusive mode`;
  const held = post("held");
  await eventually("a flush is being written", async () => {
    const [row] = await lock`select count(*)::int as n from pg_locks where not granted`;
    return row!.n > 0;
  });
  const waiting = post("waiting");
  const known = thread.registry.get(projectNo, "x")!;
  await eventually("another waits for it", async () => known.pendingFlushes === 2);
  thread.giveUpWaiting();
  expect(await waiting).toEqual({ kind: "database_unavailable" });
  await lock`rollback`;
  lock.release();
  expect(await held).toMatchObject(stored);
  expect(await post("waiting")).toMatchObject(stored);
  expect(known.pendingFlushes).toBe(0);
});
