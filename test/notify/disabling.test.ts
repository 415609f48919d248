import { describe, expect, test } from "bun:test";
import { disableWebhook } from "../../src/store/webhooks/delivery-admin.ts";
import { eventually } from "../support/postgres-server.ts";
import { deliverySuite } from "./delivery-suite.ts";
import { deliveriesOf, fire, newWebhook, testClock } from "./fixtures.ts";
import { statuses } from "./receiver.ts";

const suite = deliverySuite();

describe("giving a webhook up", () => {
  test("410 disables it at once and cancels what else is owed", async () => {
    const receiver = await suite.receiving(statuses(410));
    const webhook = await newWebhook(suite.database.sql, receiver.url);
    const clock = testClock();
    for (let count = 0; count < 5; count += 1)
      await fire(suite.database.sql, webhook.project, clock() + count);
    // Not due for an hour, and yet nothing that is owed any longer.
    await suite.database.sql`
      update ats.delivery set due_at = ${new Date(clock() + 3_600_000)}
      where delivery_id = ${(await deliveriesOf(suite.database.sql, webhook))[4]!.deliveryId}`;
    const loop = suite.looping({ clock, perWebhookMax: 1 });
    await suite.settled(webhook, "cancelled", 4);
    await eventually("they are counted", () => loop.metrics().cancelled === 4);
    const all = await deliveriesOf(suite.database.sql, webhook);
    expect(all[0]).toMatchObject({ status: "failed", lastOutcome: "410" });
    expect(receiver.requests).toHaveLength(1);
    expect(await suite.webhookRow(webhook)).toMatchObject({
      disabledReason: "the receiver answered 410 Gone",
    });
    await fire(suite.database.sql, webhook.project);
    expect(await deliveriesOf(suite.database.sql, webhook)).toHaveLength(5);
  });

  test("several 410 at once are one webhook disabled, told and counted once", async () => {
    const answers: (() => void)[] = [];
    const receiver = await suite.receiving((response) => {
      answers.push(() => response.writeHead(410).end());
    });
    const webhook = await newWebhook(suite.database.sql, receiver.url);
    for (let count = 0; count < 4; count += 1) await fire(suite.database.sql, webhook.project);
    const told: string[] = [];
    const loop = suite.looping({ log: (_level, _fields, message) => told.push(message) });
    await receiver.got(4);
    for (const answer of answers) answer();
    await eventually("all are counted", () => loop.metrics().failed === 4);
    expect(loop.metrics().webhooksDisabled).toBe(1);
    expect(told).toEqual(["notify: webhook disabled"]);
  });

  test("what a disabled webhook was owed is counted as cancelled, what was under way too", async () => {
    const clock = testClock();
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    const receiver = await suite.receiving(async (response) => {
      await answered;
      response.writeHead(500).end();
    });
    const webhook = await newWebhook(suite.database.sql, receiver.url);
    await fire(suite.database.sql, webhook.project, clock());
    const loop = suite.looping({ clock });
    await receiver.got(1);
    const { webhookId } = webhook;
    const disabling = { webhookId, reason: "by hand", otherwise: "by nobody", nowMs: clock() };
    await disableWebhook(suite.database.sql, disabling);
    answer();
    await suite.settled(webhook, "cancelled");
    await eventually("it has ended", () => loop.metrics().inFlight === 0);
    expect(loop.metrics()).toMatchObject({ cancelled: 1, failed: 0 });
  });

  test("five days of nothing but failure disable it, and not a day less", async () => {
    const clock = testClock();
    const receiver = await suite.receiving(statuses(500));
    const webhook = await newWebhook(suite.database.sql, receiver.url);
    suite.looping({ clock });
    const dayMs = 86_400_000;
    const failAllDay = async () => {
      await fire(suite.database.sql, webhook.project, clock());
      for (let attempts = 1; ; attempts += 1) {
        await eventually("the attempt is recorded, or the webhook given up", async () => {
          const delivery = (await deliveriesOf(suite.database.sql, webhook)).at(-1)!;
          return delivery.failureCount === attempts && delivery.status !== "delivering";
        });
        const delivery = (await deliveriesOf(suite.database.sql, webhook)).at(-1)!;
        if (delivery.status !== "pending" || attempts === 6) return;
        clock.advanceMs(Math.max(0, delivery.dueAt.getTime() - clock()));
      }
    };
    // Six attempts take less than eight hours; the seventh of each day's delivery is then due on the next.
    for (let day = 0; day < 5; day += 1) {
      await failAllDay();
      expect((await suite.webhookRow(webhook)).disabledAt).toBeNull();
      await suite.database.sql`
        update ats.delivery set status = 'failed', finished_at = now()
        where webhook_id = ${webhook.webhookId} and finished_at is null`;
      const failingSince = (await suite.webhookRow(webhook)).failingSince!.getTime();
      clock.advanceMs(failingSince + (day + 1) * dayMs - clock());
    }
    await failAllDay();
    expect(await suite.webhookRow(webhook)).toMatchObject({
      disabledReason: "nothing but failures for 5 days",
    });
    expect((await suite.webhookRow(webhook)).disabledAt).not.toBeNull();
    expect((await deliveriesOf(suite.database.sql, webhook)).at(-1)).toMatchObject({
      status: "failed",
      failureCount: 4,
    });
  });

  test("what was owed to a webhook disabled by hand is cancelled, not sent", async () => {
    const receiver = await suite.receiving();
    const webhook = await newWebhook(suite.database.sql, receiver.url);
    await fire(suite.database.sql, webhook.project);
    await suite.database
      .sql`update ats.webhook set disabled_at = now() where webhook_id = ${webhook.webhookId}`;
    suite.looping();
    await suite.settled(webhook, "cancelled");
    expect(receiver.requests).toHaveLength(0);
  });
});
