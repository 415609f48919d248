import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Notifier, startNotifier } from "../../src/notify/notifier.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { eventually } from "../support/postgres-server.ts";
import { deliveriesOf, fire, newWebhook } from "./fixtures.ts";
import { type Receiver, startReceiver, statuses } from "./receiver.ts";

let database: TestDatabase;
let notifier: Notifier;
let receiver: Receiver;

beforeAll(async () => {
  database = await cloneDatabase();
  notifier = startNotifier({ databaseUrl: database.url, allowedNetworks: ["127.0.0.0/8"] });
  receiver = await startReceiver(statuses(200, 200, 410));
});
afterAll(async () => {
  await notifier.stop();
  await receiver.close();
  await database.drop();
});

async function cli(...args: string[]): Promise<{ exitCode: number; stdout: string; stderr: string }> {
  const child = Bun.spawn([process.execPath, `${import.meta.dir}/../../src/cli/main.ts`, ...args], {
    env: { ...process.env, DATABASE_URL: database.url, APP_URL: "https://app.example.com" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [stdout, stderr] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { exitCode: await child.exited, stdout, stderr };
}

test("an operator tests a webhook, sees the log, redelivers, and enables it again after it was disabled", async () => {
  const webhook = await newWebhook(database.sql, receiver.url);
  const project = webhook.project.projectId;

  const tested = await cli("webhook", "test", webhook.webhookId, "--json");
  expect(tested).toMatchObject({ exitCode: 0, stderr: "" });
  expect(JSON.parse(tested.stdout)).toMatchObject({ event: "webhook.test", status: "delivered" });

  const groupId = await fire(database.sql, webhook.project);
  await eventually("both are delivered", async () =>
    (await deliveriesOf(database.sql, webhook)).every((delivery) => delivery.status === "delivered"),
  );
  const listed = await cli("delivery", "list", "--project", project, "--status", "delivered", "--json");
  expect(listed.exitCode).toBe(0);
  const [news, probe] = JSON.parse(listed.stdout);
  expect(news).toMatchObject({
    project_id: project,
    webhook_id: webhook.webhookId,
    event: "failure_group.first_occurrence",
    failure_group_id: groupId,
    attempts: [{ attempt: 1, status_code: 200, error_class: null, response_excerpt: "noted" }],
  });
  expect(probe.event).toBe("webhook.test");

  // The receiver now answers 410: the redelivery arrives, and the webhook is disabled by it.
  const redelivered = await cli("delivery", "redeliver", news.id, "--json");
  expect(redelivered.exitCode).toBe(0);
  expect(JSON.parse(redelivered.stdout).id).toBe(news.id);
  await receiver.got(3);
  expect(receiver.requests[2]!.headers["webhook-id"]).toBe(news.id);
  await eventually("it has failed", async () =>
    (await deliveriesOf(database.sql, webhook)).some((delivery) => delivery.status === "failed"),
  );
  const refused = await cli("delivery", "redeliver", news.id);
  expect(refused).toMatchObject({ exitCode: 1, stdout: "" });
  expect(refused.stderr).toContain("disabled");

  const enabled = await cli("webhook", "enable", webhook.webhookId, "--json");
  expect(JSON.parse(enabled.stdout)).toEqual({ id: webhook.webhookId, enabled: true });
  const failing = await cli("webhook", "test", webhook.webhookId);
  expect(failing).toMatchObject({ exitCode: 1, stdout: "" });
  expect(failing.stderr).toContain("410");
});

test("what is typed wrongly is told apart from what is not there", async () => {
  const webhook = await newWebhook(database.sql, receiver.url);
  const project = webhook.project.projectId;
  const usage = [
    ["delivery", "list"],
    ["delivery", "list", "--project", project, "--status", "lost"],
    ["delivery", "list", "--project", project, "--limit", "0"],
    ["delivery", "redeliver"],
    ["webhook", "test"],
  ];
  for (const args of usage) expect([args, (await cli(...args)).exitCode]).toEqual([args, 2]);
  const absent = [
    ["delivery", "list", "--project", "proj_none"],
    ["delivery", "redeliver", "dlv_none"],
    ["webhook", "test", "wh_none"],
    ["webhook", "enable", "wh_none"],
  ];
  for (const args of absent) expect([args, (await cli(...args)).exitCode]).toEqual([args, 1]);
  expect((await cli("delivery", "list", "--project", project)).stdout).toBe("No deliveries.\n");
});
