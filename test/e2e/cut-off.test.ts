/** Connections on which nobody answers any more, though PostgreSQL does: all that waits on them goes on within seconds, not when TCP gives up. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import postgres, { type Sql } from "postgres";
import { newWebhook } from "../notify/fixtures.ts";
import { type Receiver, startReceiver } from "../notify/receiver.ts";
import { type Client, clientOf } from "../support/client.ts";
import { newExecution, uniqueId } from "../support/fixtures.ts";
import { batchesOf, sendUntilStored } from "../support/load.ts";
import { eventually, type PostgresServer, startPostgresServer } from "../support/postgres-server.ts";
import { mintProject, type TestProject } from "../support/projects.ts";
import { type Service, startService } from "../support/service.ts";
import { openWay, type WayToPostgres } from "../support/way-to-postgres.ts";

let server: PostgresServer;
let way: WayToPostgres;
let sql: Sql;
let service: Service;
let project: TestProject;
let client: Client;
let receiver: Receiver;

beforeAll(async () => {
  server = await startPostgresServer();
  way = await openWay(server.port);
  sql = postgres(server.url, { max: 2, onnotice: () => {} });
  service = await startService({
    databaseUrl: `postgres://postgres@127.0.0.1:${way.port}/postgres`,
    env: { DETECTION: "on", HTTP_THREADS: "2", WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8" },
  });
  project = await mintProject(sql);
  await sql`update ats.project set alert_scope = 'group' where project_no = ${project.projectNo}`;
  receiver = await startReceiver();
  await newWebhook(sql, receiver.url, project);
  client = clientOf(service.url, project.key);
  await eventually("the key is known", async () => (await client.sendEvents([])).status === 200);
});

afterAll(async () => {
  await service?.stop();
  await receiver?.close();
  await way?.close();
  await sql?.end({ timeout: 1 });
  await server?.stop();
});

async function crash(): Promise<number> {
  const run = await newExecution(client);
  const signature = `sha256:${uniqueId("stack")}`;
  return (await client.patchExecution(run, { status: "crashed", crash_signature: signature })).status;
}

test("events, executions, keys, detection, webhooks and the dashboard find the way again", async () => {
  expect(await crash()).toBe(200);
  await receiver.got(1);
  const session = () => client.request("GET", "/app/api/session");
  await eventually("the dashboard is there", async () => (await session()).status === 200);
  const run = await newExecution(client);
  const [before, after] = batchesOf(run, 2, 20);
  expect((await client.sendEvents(before!)).status).toBe(200);

  expect(way.cut()).toBeGreaterThan(5);

  const minted = await mintProject(sql);
  await sendUntilStored(() => client, after!);
  await eventually("an execution crashes", async () => (await crash().catch(() => 0)) === 200);
  await receiver.got(2);
  const other = clientOf(service.url, minted.key);
  await eventually("a new key is known", async () => (await other.sendEvents([])).status === 200);
  await eventually("the dashboard answers", async () => (await session()).status === 200);
  const rows = await sql`select count(*)::int as count from events where execution_id = ${run}`;
  expect(rows[0]?.count).toBe(40);
}, 120_000);
