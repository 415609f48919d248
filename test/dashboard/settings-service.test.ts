/**
 * What the settings' API promises about the running service: keys that open and close it, webhooks that it
 * sends.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Receiver, startReceiver } from "../notify/receiver.ts";
import { clientOf } from "../support/client.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { eventBody, newExecution } from "../support/fixtures.ts";
import { eventually } from "../support/postgres-server.ts";
import { type Service, startService } from "../support/service.ts";
import { type Call, settingsApi } from "./settings-api.ts";

/** A revoked key may be taken for so long. */
const REVOKED_AFTER_MS = 2_000;

let database: TestDatabase;
let service: Service;
let receiver: Receiver;
let owner: Call;

beforeAll(async () => {
  database = await cloneDatabase();
  owner = settingsApi(database.sql)("owner");
  receiver = await startReceiver();
  // The receiver's loopback address may be reached; that of the next test, also loopback, may not.
  service = await startService({
    databaseUrl: database.url,
    env: { WEBHOOK_ALLOWED_NETWORKS: "127.0.0.1/32" },
  });
});
afterAll(async () => {
  await service.stop();
  await receiver.close();
  await database.drop();
});

async function newProject(): Promise<string> {
  const created = await owner("POST", "/projects", {
    name: "test",
    rate_burst: 1_000,
    rate_per_second: 1_000,
  });
  return `/projects/${created.json.project_id}`;
}

async function finished(path: string) {
  let delivery = (await owner("GET", path)).json;
  await eventually("the delivery is finished", async () => {
    delivery = (await owner("GET", path)).json;
    return delivery.finished_at !== null;
  });
  return delivery;
}

test("a new key opens the service, its first event is told, and revoked it is refused within 2 s", async () => {
  const project = await newProject();
  expect((await owner("GET", `${project}/first-event`)).json).toEqual({
    received: false,
    execution_id: null,
    event_id: null,
    received_at: null,
  });
  const { id, key } = (await owner("POST", `${project}/keys`, { name: "first" })).json;
  const client = clientOf(service.url, key);
  await eventually(
    "the key is known",
    async () => (await client.request("PATCH", "/executions/none")).status !== 401,
  );
  const executionId = await newExecution(client);
  expect((await owner("GET", `${project}/first-event`)).json.received).toBe(false);
  const event = eventBody(executionId);
  expect((await client.sendEvents([event])).status).toBe(200);
  const first = (await owner("GET", `${project}/first-event`)).json;
  expect([first.received, first.execution_id, first.event_id]).toEqual([true, executionId, event.event_id]);
  expect(Date.now() - Date.parse(first.received_at)).toBeLessThan(60_000);
  await client.sendEvents([eventBody(executionId, { sequence: 2 })]);
  expect((await owner("GET", `${project}/first-event`)).json).toEqual(first);
  await eventually(
    "the last event is told",
    async () => (await owner("GET", project)).json.last_event_at !== null,
  );

  await owner("POST", `${project}/keys/${id}/revoke`);
  await eventually(
    "the revoked key is refused",
    async () => (await client.sendEvents([eventBody(executionId)])).status === 401,
    REVOKED_AFTER_MS,
  );
});

test("a test notification arrives, and its log holds the request and the answer, but no signature", async () => {
  const project = await newProject();
  const webhook = (await owner("POST", `${project}/webhooks`, { url: receiver.url })).json;
  const path = `${project}/webhooks/${webhook.id}`;
  const { delivery_id } = (await owner("POST", `${path}/test`)).json;
  const delivery = await finished(`${path}/deliveries/${delivery_id}`);
  const [request] = await receiver.got(1);
  expect(delivery.status).toBe("delivered");
  expect(delivery.request_body).toBe(request!.body);
  expect(delivery.attempts[0]).toMatchObject({
    status_code: 200,
    response_excerpt: "noted",
    remote_address: "127.0.0.1",
  });
  const headers = delivery.attempts[0].request_headers;
  expect(headers["webhook-id"]).toBe(delivery_id);
  for (const [name, value] of Object.entries<string>(headers)) {
    expect([name, request!.headers[name.toLowerCase()]]).toEqual([name, value]);
  }
  expect(JSON.stringify(delivery)).not.toContain(String(request!.headers["webhook-signature"]));
  expect(JSON.stringify(delivery)).not.toContain(webhook.secret);

  expect((await owner("POST", `${path}/deliveries/${delivery_id}/redeliver`)).status).toBe(202);
  await receiver.got(2);
  expect((await finished(`${path}/deliveries/${delivery_id}`)).attempts.length).toBe(2);
});

test("a private address is refused by the sending, whatever it looks like", async () => {
  const project = await newProject();
  for (const url of [
    "http://127.0.0.2:9/",
    "http://[::ffff:10.0.0.1]/",
    "http://2130706434/",
    "http://169.254.169.254/",
  ]) {
    const webhook = (await owner("POST", `${project}/webhooks`, { url })).json;
    const path = `${project}/webhooks/${webhook.id}`;
    const { delivery_id } = (await owner("POST", `${path}/test`)).json;
    const delivery = await finished(`${path}/deliveries/${delivery_id}`);
    expect([url, delivery.status, delivery.attempts[0].error_class]).toEqual([
      url,
      "failed",
      "address_refused",
    ]);
  }
});

test("when a key was last used is noted, at the latest when the service stops", async () => {
  const project = await newProject();
  const { key } = (await owner("POST", `${project}/keys`, {})).json;
  const own = await startService({ databaseUrl: database.url });
  const executionId = await newExecution(clientOf(own.url, key));
  await own.stop();
  expect(executionId).not.toBe("");
  const [used] = (await owner("GET", `${project}/keys`)).json.items;
  expect(Date.parse(used.last_used_at)).toBeGreaterThan(Date.parse(used.created_at));
});
