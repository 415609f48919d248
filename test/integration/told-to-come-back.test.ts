/**
 * Requests that are told to come back while PostgreSQL stays away leave nothing behind, and each event of
 * theirs is counted.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { UNKNOWN_ANSWER_MS } from "../../src/ingest/commit/group-commit.ts";
import type { Caller } from "../../src/ingest/directory.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { type IngestThread, type Mishap, startIngestThread } from "../support/ingest-threads.ts";
import { eventually } from "../support/postgres-server.ts";
import { mintProject } from "../support/projects.ts";

let database: TestDatabase;
let thread: IngestThread;
let caller: Caller;
/** What becomes of the next calls to PostgreSQL, and how long the first of them takes. */
const ahead: { mishap: Mishap; delayMs: number }[] = [];

beforeAll(async () => {
  database = await cloneDatabase();
  const { projectNo, projectId } = await mintProject(database.sql);
  caller = { projectNo, projectId, keyId: "k", bucket: undefined };
  thread = await startIngestThread({
    databaseUrl: database.url,
    hazards: { mishap: () => ahead.shift()?.mishap, delayMs: () => ahead[0]?.delayMs ?? 0 },
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

const create = (executionId: string) =>
  thread.executions.create({
    projectNo: caller.projectNo,
    executionId,
    sdkLanguage: null,
    sdkVersion: null,
    receivedMs: Date.UTC(2026, 0, 1),
  });

const post = (executionId: string, eventId: string) =>
  thread.post(
    caller,
    [
      {
        event_id: eventId,
        execution_id: executionId,
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
  await create("x");
  const stored = { kind: "stored", accepted: 1, duplicates: 0 };
  expect(await post("x", "first")).toMatchObject(stored);
  const lock = await database.sql.reserve();
  await lock`begin`;
  await lock`lock table ats.batch in access exclusive mode`;
  const held = post("x", "held");
  await eventually("a flush is being written", async () => {
    const [row] = await lock`select count(*)::int as n from pg_locks where not granted`;
    return row!.n > 0;
  });
  const waiting = post("x", "waiting");
  const known = thread.registry.get(projectNo, "x")!;
  await eventually("another waits for it", async () => known.pendingFlushes === 2);
  thread.giveUpWaiting();
  expect(await waiting).toEqual({ kind: "database_unavailable" });
  await lock`rollback`;
  lock.release();
  expect(await held).toMatchObject(stored);
  expect(await post("x", "waiting")).toMatchObject(stored);
  expect(known.pendingFlushes).toBe(0);
});

test("an event that was told 503 before its flush was refused has an outcome all the same", async () => {
  await create("y");
  const refused = { mishap: { kind: "refused", code: "25006" }, delayMs: 0 } as const;
  // The claim of its day is lost; asked again, it is answered after the request was, and refused for good.
  ahead.push({ mishap: { kind: "lost" }, delayMs: 0 }, { ...refused, delayMs: UNKNOWN_ANSWER_MS + 500 });
  ahead.push(refused, refused);
  expect(await post("y", "only")).toEqual({ kind: "database_unavailable" });
  expect(thread.outcomes().shed ?? 0).toBe(1);
  await thread.drained();
  expect([ahead.length, thread.outcomes().shed]).toEqual([0, 2]);
});
