import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Notifier, startNotifier } from "../../src/notify/notifier.ts";
import { type CliRun, runCli } from "../cli/run-cli.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { eventually } from "../support/postgres-server.ts";
import { deliveriesOf, fire, newWebhook, type TestWebhook } from "./fixtures.ts";
import { type Receiver, startReceiver, statuses } from "./receiver.ts";

/** How commands write every moment in JSON. */
const UTC_MS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

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

const cli = (...args: string[]): Promise<CliRun> =>
  runCli(args, { DATABASE_URL: database.url, APP_URL: "https://app.example.com" });

/**
 * Until its first attempt has failed. The next, due five seconds later, is put off: commands may take as long
 * on a busy machine.
 */
async function firstTryFailed(webhook: TestWebhook): Promise<void> {
  await eventually("it was tried, and is owed again", async () => {
    const put = await database.sql`
      update ats.delivery set due_at = due_at + interval '1 hour'
      where webhook_id = ${webhook.webhookId} and status = 'pending' and attempt_count > 0 returning 1`;
    return put.length === 1;
  });
}

test("an operator tests a webhook, sees the log, redelivers, and enables it again after it was disabled", async () => {
  const webhook = await newWebhook(database.sql, receiver.url);
  const project = webhook.project.projectId;

  const tested = await cli("webhook", "test", webhook.webhookId, "--json");
  expect(tested).toMatchObject({ code: 0, stderr: "" });
  expect(JSON.parse(tested.stdout)).toMatchObject({ event: "webhook.test", status: "delivered" });

  const groupId = await fire(database.sql, webhook.project);
  await eventually("both are delivered", async () =>
    (await deliveriesOf(database.sql, webhook)).every((delivery) => delivery.status === "delivered"),
  );
  const listed = await cli("delivery", "list", "--project", project, "--status", "delivered", "--json");
  expect(listed.code).toBe(0);
  const [news, probe] = JSON.parse(listed.stdout);
  expect(news).toMatchObject({
    project_id: project,
    webhook_id: webhook.webhookId,
    event: "failure_group.first_occurrence",
    failure_group_id: groupId,
    created_at: expect.stringMatching(UTC_MS),
    attempts: [
      {
        attempt: 1,
        started_at: expect.stringMatching(UTC_MS),
        status_code: 200,
        error_class: null,
        response_excerpt: "noted",
      },
    ],
  });
  expect(probe.event).toBe("webhook.test");
  const table = await cli("delivery", "list", "--project", project);
  expect(table.stdout.split("\n")[0]!.split(/ {2,}/)).toEqual([
    "ID",
    "WEBHOOK",
    "ABOUT",
    "GROUP",
    "STATUS",
    "ATTEMPTS",
    "LAST",
    "CREATED",
    "NEXT ATTEMPT",
  ]);

  const complete = await cli("webhook", "redeliver", webhook.webhookId);
  expect(complete).toMatchObject({ code: 0, stdout: "Nothing was given up or cancelled.\n", stderr: "" });

  // The receiver now answers 410: the redelivery arrives, and the webhook is disabled by it.
  const redelivered = await cli("delivery", "redeliver", news.id, "--json");
  expect(redelivered.code).toBe(0);
  expect(JSON.parse(redelivered.stdout).id).toBe(news.id);
  await receiver.got(3);
  expect(receiver.requests[2]!.headers["webhook-id"]).toBe(news.id);
  await eventually("it has failed", async () =>
    (await deliveriesOf(database.sql, webhook)).some((delivery) => delivery.status === "failed"),
  );
  const refused = await cli("delivery", "redeliver", news.id);
  expect(refused).toMatchObject({ code: 1, stdout: "" });
  expect(refused.stderr).toContain("disabled");

  const enabled = await cli("webhook", "enable", webhook.webhookId, "--json");
  expect(JSON.parse(enabled.stdout)).toEqual({ id: webhook.webhookId, enabled: true });
  const missed = await cli("webhook", "redeliver", webhook.webhookId, "--json");
  expect(JSON.parse(missed.stdout)).toEqual({ id: webhook.webhookId, queued: 1 });
  await eventually("it is refused and the webhook disabled once more", async () => {
    const again = await cli("webhook", "redeliver", webhook.webhookId);
    return again.code === 1 && again.stderr.includes("disabled");
  });
  expect((await cli("webhook", "enable", webhook.webhookId)).code).toBe(0);
  const failing = await cli("webhook", "test", webhook.webhookId);
  expect(failing).toMatchObject({ code: 1, stdout: "" });
  expect(failing.stderr).toContain("410");
  // A script learns as much of a failure as of a success.
  const told = await cli("webhook", "test", webhook.webhookId, "--json");
  expect(told.code).toBe(1);
  expect(JSON.parse(told.stdout)).toMatchObject({ status: "failed", attempts: [{ status_code: 410 }] });
});

test("a receiver in a private network is refused with the reason and the way out", async () => {
  const webhook = await newWebhook(database.sql, "http://10.1.2.3/hook");
  const tested = await cli("webhook", "test", webhook.webhookId);
  expect(tested).toMatchObject({ code: 1, stdout: "" });
  expect(tested.stderr).toMatch(/address_refused.*a private address.*WEBHOOK_ALLOWED_NETWORKS/);
});

test("lists say since when a webhook fails, and what each notification is about", async () => {
  const webhook = await newWebhook(database.sql, "http://127.0.0.1:1/");
  const project = webhook.project.projectId;
  const groupId = await fire(database.sql, webhook.project);
  await firstTryFailed(webhook);
  const webhooks = (await cli("webhook", "list", "--project", project)).stdout;
  expect(webhooks).toMatch(/FAILING SINCE[^\n]*\n\S+ +\S+ +\S+ +20\S+Z +20\S+Z +- +- +-/);
  const deliveries = (await cli("delivery", "list", "--project", project)).stdout;
  expect(deliveries).toMatch(new RegExp(`prompt_injection +${groupId} +pending`));
});

test("a list says until when a webhook is sent nothing because its receiver asked for a pause", async () => {
  const busy = await startReceiver((response) => {
    response.writeHead(429, { "Retry-After": "3600" }).end();
  });
  const webhook = await newWebhook(database.sql, busy.url);
  const { projectId } = webhook.project;
  const listed = async (): Promise<{ held_until: string | null }[]> =>
    JSON.parse((await cli("webhook", "list", "--project", projectId, "--json")).stdout);
  expect(await listed()).toMatchObject([{ held_until: null }]);
  await fire(database.sql, webhook.project);
  await firstTryFailed(webhook);
  await database.sql`update ats.webhook set held_until = now() + interval '50 s' where webhook_id = ${webhook.webhookId}`;
  const [held] = await listed();
  expect(held?.held_until).toMatch(UTC_MS);
  const table = (await cli("webhook", "list", "--project", projectId)).stdout;
  expect(table).toMatch(/FAILING SINCE +HELD UNTIL[^\n]*\n\S+ +\S+ +\S+ +20\S+Z +20\S+Z +20\S+Z +- +-/);
  // Over, or of a clock that was set back: it holds nothing up.
  for (const moment of ["-1 s", "2 minutes"]) {
    await database.sql`
      update ats.webhook set held_until = now() + ${moment}::interval where webhook_id = ${webhook.webhookId}`;
    expect(await listed()).toMatchObject([{ held_until: null }]);
  }
  await busy.close();
});

test("an operator disables a webhook: it is sent nothing more, what it was owed is cancelled, and a reason is shown", async () => {
  const webhook = await newWebhook(database.sql, "http://127.0.0.1:1/");
  const project = webhook.project.projectId;
  await fire(database.sql, webhook.project);
  await firstTryFailed(webhook);
  const disabled = await cli("webhook", "disable", webhook.webhookId, "--reason", "receiver moves", "--json");
  const asked = { id: webhook.webhookId, enabled: false };
  expect(JSON.parse(disabled.stdout)).toEqual({ ...asked, disabled_reason: "receiver moves" });
  const [cancelled] = await deliveriesOf(database.sql, webhook);
  expect(cancelled!.status).toBe("cancelled");
  // Again: the reason stands until another is given.
  const again = await cli("webhook", "disable", webhook.webhookId);
  expect(again).toMatchObject({
    code: 0,
    stdout: `${webhook.webhookId} was disabled already. Its reason is: receiver moves\n`,
  });
  const listed = async () =>
    JSON.parse((await cli("webhook", "list", "--project", project, "--json")).stdout) as [
      { disabled_reason: string; disabled_at: string },
    ];
  const [{ disabled_reason, disabled_at }] = await listed();
  expect(disabled_reason).toBe("receiver moves");
  expect((await cli("webhook", "disable", webhook.webhookId, "--reason", "it was stolen")).code).toBe(0);
  expect(await listed()).toMatchObject([{ disabled_reason: "it was stolen", disabled_at }]);

  const shown = await cli("delivery", "show", cancelled!.deliveryId);
  expect(shown.stdout).toMatch(/status +cancelled[\s\S]*ATTEMPT +STARTED[\s\S]*\n1 .*connect/);
  const json = JSON.parse((await cli("delivery", "show", cancelled!.deliveryId, "--json")).stdout);
  expect(json).toMatchObject({
    webhook_id: webhook.webhookId,
    attempts: [{ attempt: 1, error_class: "connect" }],
  });
});

test("deliveries are listed by when they were created, both ends included", async () => {
  const webhook = await newWebhook(database.sql, "http://127.0.0.1:9/hook");
  await database.sql`
    insert into ats.delivery (project_no, delivery_id, webhook_id, event, body, status, due_at, created_at, finished_at)
    select ${webhook.project.projectNo}::int, 'dlv_at_' || n, ${webhook.webhookId}, 'failure_group.first_occurrence', '{}', 'failed',
      now(), timestamptz '2026-01-01T00:00:00.0005Z' + n * interval '1 hour', now()
    from generate_series(0, 2) n`;
  const listed = async (...args: string[]) => {
    const run = await cli("delivery", "list", "--project", webhook.project.projectId, ...args, "--json");
    return run.json<{ id: string }[]>().map(({ id }) => id);
  };
  // As it is shown, to the millisecond.
  expect(await listed("--until", "2026-01-01T01:00:00.000Z")).toEqual(["dlv_at_1", "dlv_at_0"]);
  expect(await listed("--since", "2026-01-01T01:00:00Z", "--until", "2026-01-01T02:30:00+01:00")).toEqual([
    "dlv_at_1",
  ]);
});

test("an operator deletes a webhook, and is told what goes with it", async () => {
  const webhook = await newWebhook(database.sql, "http://127.0.0.1:1/");
  await fire(database.sql, webhook.project);
  await firstTryFailed(webhook);
  const deleted = await cli("webhook", "delete", webhook.webhookId);
  expect(deleted).toMatchObject({
    code: 0,
    stdout: `Deleted ${webhook.webhookId} with its delivery log (deliveries: 1, of them still to be sent: 1).\n`,
  });
  expect(await deliveriesOf(database.sql, webhook)).toEqual([]);
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
    ["webhook", "redeliver"],
    ["webhook", "disable"],
    ["webhook", "disable", webhook.webhookId, "--reason", " "],
    ["webhook", "disable", webhook.webhookId, "--reason", "a\u001b[31mred one"],
    ["delivery", "show"],
  ];
  for (const args of usage) expect([args, (await cli(...args)).code]).toEqual([args, 2]);
  const absent = [
    ["delivery", "list", "--project", "proj_none"],
    ["delivery", "redeliver", "dlv_none"],
    ["webhook", "test", "wh_none"],
    ["webhook", "enable", "wh_none"],
    ["webhook", "redeliver", "wh_none"],
    ["webhook", "disable", "wh_none"],
    ["delivery", "show", "dlv_none"],
  ];
  for (const args of absent) expect([args, (await cli(...args)).code]).toEqual([args, 1]);
  expect((await cli("delivery", "list", "--project", project)).stdout).toBe("No deliveries.\n");
});

test("a redelivery of very many says how far it is, beside its answer", async () => {
  const webhook = await newWebhook(database.sql, "http://127.0.0.1:9/hook");
  await database.sql`
    insert into ats.delivery (project_no, delivery_id, webhook_id, event, body, status, due_at, created_at, finished_at)
    select ${webhook.project.projectNo}::int, 'dlv_many_' || n, ${webhook.webhookId}, 'failure_group.first_occurrence', '{}', 'failed',
      now(), now() - n * interval '1 second', now()
    from generate_series(1, 45000) n`;
  const run = await cli("webhook", "redeliver", webhook.webhookId, "--json");
  expect(run.json<{ queued: number }>().queued).toBe(45_000);
  expect(run.stderr.trim().split("\n")).toEqual(["20000 queued so far …", "40000 queued so far …"]);
});

test("what a receiver answers does not steer the operator's terminal, as JSON neither", async () => {
  const answer = "\u009b31mred\u001b[31m \u202ebackwards\u007f";
  const hostile = await startReceiver((response) => response.end(answer));
  const webhook = await newWebhook(database.sql, hostile.url);
  const tested = await cli("webhook", "test", webhook.webhookId, "--json");
  const delivery = JSON.parse(tested.stdout) as { id: string; attempts: { response_excerpt: string }[] };
  expect(delivery.attempts[0]!.response_excerpt).toBe(answer);
  for (const run of [tested, await cli("delivery", "show", delivery.id)]) {
    expect(run.code).toBe(0);
    expect(run.stdout).toContain("backwards");
    expect(run.stdout).not.toMatch(/[[\p{Cc}\p{Bidi_Control}]--\n]/v);
  }
  await hostile.close();
});
