/**
 * What the overview says against what was sent to a running service: every count, of two projects and of two
 * keys.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Client, clientOf } from "../support/client.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { eventBatch, eventBody, eventOfType, newExecution } from "../support/fixtures.ts";
import { eventually } from "../support/postgres-server.ts";
import { mintKey, mintProject, type TestProject } from "../support/projects.ts";
import { type Service, startService } from "../support/service.ts";
import { overviewApi, sumOf } from "./overview-api.ts";

let database: TestDatabase;
let service: Service;
let project: TestProject;
let narrow: TestProject;
let second: { keyId: string; key: string };
const from = new Date(Date.now() - 3_600_000).toISOString();

beforeAll(async () => {
  database = await cloneDatabase();
  project = await mintProject(database.sql);
  second = await mintKey(database.sql, project.projectNo);
  narrow = await mintProject(database.sql, { rateBurst: 5, ratePerSecond: 1 });
  service = await startService({ databaseUrl: database.url, env: { DETECTION: "on" } });
});

afterAll(async () => {
  await database.drop();
});

async function send(client: Client, events: readonly unknown[], status: number, headers = {}): Promise<void> {
  const reply = await client.sendEvents(events, headers);
  if (reply.status !== status) throw new Error(`${reply.status} and not ${status}: ${reply.text}`);
}

test("counts are what was sent, for each key, each project and each type, also while the service runs", async () => {
  const first = clientOf(service.url, project.key);
  const other = clientOf(service.url, second.key);
  const run = await newExecution(first);
  const crashed = await newExecution(first);
  await newExecution(other);

  const batch = eventBatch(run, 30);
  await send(first, batch, 200);
  await send(first, batch.slice(0, 12), 200);
  await send(first, [...eventBatch(run, 2), { ...eventBody(run), sequence: -1 }], 400);
  await send(first, [eventBody(run), { ...eventBody(run), sequence: -1 }], 207, {
    prefer: "handling=lenient",
  });
  await send(first, [eventBody("never-created")], 404);
  await send(first, eventBatch(run, 4), 400, { "x-service-schema-version": "9" });
  await send(other, [{ ...eventBody(run), project_id: "proj_other" }], 403);
  await send(other, eventBatch(run, 1_001), 413);
  const calls = Array.from({ length: 7 }, () =>
    eventOfType("llm_call", { execution_id: run, payload: { model: "m", tokens_in: 100, tokens_out: 11 } }),
  );
  await send(other, [...calls, eventOfType("checkpoint", { execution_id: run })], 200);
  await first.patchExecution(run, { status: "completed", total_tokens_in: 700, total_tokens_out: 77 });
  await first.patchExecution(crashed, { status: "crashed" });

  const limited = clientOf(service.url, narrow.key);
  const narrowRun = await newExecution(limited);
  let limitedEvents = 0;
  for (let i = 0; i < 12; i += 1) {
    const reply = await limited.sendEvents(eventBatch(narrowRun, 3));
    if (reply.status === 429) limitedEvents += 3;
  }
  expect(limitedEvents).toBeGreaterThan(0);

  const api = overviewApi(database.sql);
  await eventually("detection has seen everything and outcomes are flushed", async () => {
    const health = await api.health(project.projectId, { from });
    return health.detection.owed_batches === 0 && health.ingest.totals.accepted === 39;
  });
  expect((await api.series(project.projectId, { from })).event_types_available).toBe(true);
  await service.stop();

  const health = await api.health(project.projectId, { from });
  expect(health.ingest.totals).toEqual({ accepted: 39, duplicate: 12, rejected: 1_011, limited: 0, shed: 0 });
  expect(health.ingest.reasons).toEqual([
    { outcome: "rejected", reason: "batch_too_large", count: 1_001 },
    { outcome: "rejected", reason: "unsupported_schema_version", count: 4 },
    { outcome: "rejected", reason: "batch_rejected", count: 2 },
    { outcome: "rejected", reason: "invalid_event", count: 2 },
    { outcome: "rejected", reason: "execution_not_found", count: 1 },
    { outcome: "rejected", reason: "project_mismatch", count: 1 },
  ]);
  const keys = new Map(health.ingest.keys.map((key) => [key.key_id, key]));
  expect(keys.get(project.keyId)).toMatchObject({
    accepted: 31,
    duplicate: 12,
    rejected: 9,
    hint: project.key.slice(-4),
  });
  expect(keys.get(second.keyId)).toMatchObject({ accepted: 8, duplicate: 0, rejected: 1_002 });
  expect(Date.now() - Date.parse(health.ingest.last_event_at!)).toBeLessThan(3_600_000);
  expect(health.detection).toMatchObject({ running: false, owed_batches: 0, owed_events: 0, lag_seconds: 0 });

  const totals = await api.totals(project.projectId, { from });
  expect(totals.executions).toEqual({ started: 3, running: 1, completed: 1, crashed: 1 });
  expect(totals.events).toEqual({
    total: 39,
    by_type: [
      { event_type: "tool_call", count: 31 },
      { event_type: "llm_call", count: 7 },
      { event_type: "checkpoint", count: 1 },
    ],
  });
  expect(totals.tokens).toEqual({ in: 700, out: 77 });
  const [rows] = await database.sql`
    select count(*)::int as n from ats.event where project_no = ${project.projectNo}`;
  expect(rows!.n).toBe(39);
  const detected = await database.sql<{ n: number }[]>`
    select count(*)::int as n from ats.detection where project_no = ${project.projectNo}`;
  expect(sumOf(totals.detections.map(({ count }) => count))).toBe(detected[0]!.n);

  const series = await api.series(project.projectId, { from });
  expect(series.step_seconds).toBe(60);
  expect(series.event_types_available).toBe(false);
  expect(
    Object.fromEntries(Object.entries(series.series).map(([name, values]) => [name, sumOf(values)])),
  ).toMatchObject({
    "executions.started": 3,
    "executions.completed": 1,
    "executions.crashed": 1,
    "events.tool_call": 31,
    "events.llm_call": 7,
    "tokens.in": 700,
    "outcomes.accepted": 39,
    "outcomes.rejected": 1_011,
  });

  const theirs = await api.health(narrow.projectId, { from });
  expect(theirs.ingest.totals).toMatchObject({
    accepted: 36 - limitedEvents,
    limited: limitedEvents,
    rejected: 0,
  });
  expect(theirs.ingest.keys.map((key) => key.key_id)).toEqual([narrow.keyId]);
  expect((await api.totals(narrow.projectId, { from })).executions.started).toBe(1);
}, 180_000);
