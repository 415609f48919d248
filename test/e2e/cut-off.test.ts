/**
 * Connections on which nobody answers any more, though PostgreSQL does: all that waits on them goes on within
 * seconds, not when TCP gives up.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { clientOf } from "../support/client.ts";
import { newExecution } from "../support/fixtures.ts";
import { batchesOf, sendUntilStored } from "../support/load.ts";
import { eventually } from "../support/postgres-server.ts";
import { mintProject } from "../support/projects.ts";
import { type ServiceBehindWay, startServiceBehindWay } from "../support/service-behind-way.ts";

let behind: ServiceBehindWay;

beforeAll(async () => {
  behind = await startServiceBehindWay({ HTTP_THREADS: "2" });
});
afterAll(async () => await behind?.stop());

test("events, executions, keys, detection, webhooks and the dashboard find the way again", async () => {
  const { way, sql, service, client, receiver, crash } = behind;
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
