/**
 * The ids of a batch that is refused were noted while it was judged: they count against the bound of ids in
 * memory.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { type IngestThread, startIngestThread } from "../support/ingest-threads.ts";
import { mintProject } from "../support/projects.ts";

let database: TestDatabase;
let thread: IngestThread;

beforeAll(async () => {
  database = await cloneDatabase();
  thread = await startIngestThread({
    databaseUrl: database.url,
    hazards: { mishap: () => undefined, delayMs: () => 0 },
    executionsMax: 10,
    idBytesMax: 1_000,
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

test("more of them than there is room for are let go", async () => {
  const { projectNo, projectId } = await mintProject(database.sql);
  const caller = { projectNo, projectId, keyId: "k", bucket: undefined };
  const receivedMs = Date.UTC(2026, 0, 1);
  await thread.executions.create({
    projectNo,
    executionId: "x",
    sdkLanguage: null,
    sdkVersion: null,
    receivedMs,
  });
  const events = Array.from({ length: 500 }, (_, sequence) => ({
    event_id: `e${sequence}`,
    execution_id: "x",
    event_type: sequence === 499 ? "no_such_type" : "checkpoint",
    sequence,
    timestamp: "2026-01-01T00:00:00Z",
    payload: {},
  }));
  expect(await thread.post(caller, events, { lenient: false, receivedMs })).toMatchObject({
    kind: "invalid",
  });
  expect(thread.registry.get(projectNo, "x")!.seen.byteLength).toBe(0);
});
