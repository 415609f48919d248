/**
 * A webhook that is changed while an attempt is under way: what the attempt comes to is judged by what the
 * webhook is then.
 */
import { describe, expect, test } from "bun:test";
import { enableWebhook } from "../../src/store/webhooks/delivery-admin.ts";
import { moveWebhook } from "../../src/store/webhooks/webhooks.ts";
import { eventually } from "../support/postgres-server.ts";
import { deliverySuite } from "./delivery-suite.ts";
import { deliveriesOf, fire, newWebhook, type TestWebhook, testClock } from "./fixtures.ts";
import { statuses } from "./receiver.ts";

const suite = deliverySuite();

/** A webhook with one attempt under way, which is answered when the test says so. */
async function attemptUnderWay(prepare: (webhook: TestWebhook) => Promise<unknown> = async () => {}) {
  const clock = testClock();
  const { promise: answered, resolve: answer } = Promise.withResolvers<[number, Record<string, string>?]>();
  const receiver = await suite.receiving(async (response) => {
    response.writeHead(...(await answered)).end();
  });
  const webhook = await newWebhook(suite.database.sql, receiver.url);
  await fire(suite.database.sql, webhook.project, clock());
  await prepare(webhook);
  suite.looping({ clock });
  await receiver.got(1);
  const recorded = () =>
    eventually("the attempt is recorded", async () => {
      const [delivery] = await deliveriesOf(suite.database.sql, webhook);
      return delivery?.status !== "delivering";
    });
  return { clock, webhook, answer, recorded };
}

async function moved(webhook: TestWebhook, answer = statuses(200)) {
  const receiver = await suite.receiving(answer);
  await moveWebhook(suite.database.sql, webhook.webhookId, { url: receiver.url });
  return receiver;
}

describe("the address is changed", () => {
  test("a 410 of the old one disables nothing, and the new one is sent the notification by its schedule", async () => {
    const { clock, webhook, answer, recorded } = await attemptUnderWay();
    const receiver = await moved(webhook);
    answer([410, { "Retry-After": "7200" }]);
    await recorded();
    expect(await suite.webhookRow(webhook)).toMatchObject({ disabledAt: null, failingSince: null });
    const [delivery] = await deliveriesOf(suite.database.sql, webhook);
    expect(delivery).toMatchObject({ status: "pending", failureCount: 1, dueAt: new Date(clock() + 5_000) });
    clock.advanceMs(5_000);
    await suite.settled(webhook, "delivered");
    expect(receiver.requests).toHaveLength(1);
  });

  test("a pause that the old one asks for does not hold up the new one", async () => {
    const { clock, webhook, answer, recorded } = await attemptUnderWay();
    const receiver = await moved(webhook);
    answer([429, { "Retry-After": "60" }]);
    await recorded();
    await fire(suite.database.sql, webhook.project, clock());
    await receiver.got(1);
  });

  test("a success of the old one does not clear the failing of the new one", async () => {
    const { clock, webhook, answer } = await attemptUnderWay();
    await moved(webhook, statuses(500));
    await fire(suite.database.sql, webhook.project, clock());
    await eventually(
      "the new one fails",
      async () => (await suite.webhookRow(webhook)).failingSince !== null,
    );
    answer([200]);
    await suite.settled(webhook, "delivered");
    expect((await suite.webhookRow(webhook)).failingSince).not.toBeNull();
  });
});

test("five days of failure that ended while the attempt was under way do not disable the webhook", async () => {
  const { webhook, answer, recorded } = await attemptUnderWay(async ({ webhookId }) => {
    await suite.database.sql`
      update ats.webhook set failing_since = now() - interval '6 days' where webhook_id = ${webhookId}`;
    await suite.database.sql`update ats.delivery set failure_count = 3 where webhook_id = ${webhookId}`;
  });
  await enableWebhook(suite.database.sql, webhook.webhookId);
  answer([500]);
  await recorded();
  expect((await suite.webhookRow(webhook)).disabledAt).toBeNull();
  expect((await deliveriesOf(suite.database.sql, webhook))[0]).toMatchObject({ status: "pending" });
});
