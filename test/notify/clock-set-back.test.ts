/**
 * A clock that ran days ahead and was set right: what it put off is not due only when those days are over.
 */
import { expect, test } from "bun:test";
import { eventually } from "../support/postgres-server.ts";
import { deliverySuite } from "./delivery-suite.ts";
import { deliveriesOf, fire, newWebhook, testClock } from "./fixtures.ts";
import { statuses } from "./receiver.ts";

const suite = deliverySuite();
const DAYS_MS = 3 * 86_400_000;

test("an attempt broken off by a kill, a retry and a notification that waits are sent", async () => {
  const { sql } = suite.database;
  const clock = testClock();
  const receiver = await suite.receiving(statuses(500, 200));
  const webhook = await newWebhook(sql, receiver.url);
  await fire(sql, webhook.project, clock());
  const ahead = suite.looping({ clock });
  await eventually("it has failed", async () => (await suite.webhookRow(webhook)).failingSince !== null);
  await ahead.stop();
  for (let count = 0; count < 2; count += 1) await fire(sql, webhook.project, clock());
  await sql`
    update ats.delivery set status = 'delivering', attempt_count = 1
    where delivery_id = (select delivery_id from ats.delivery where attempt_count = 0 limit 1)`;
  clock.advanceMs(-DAYS_MS);
  suite.looping({ clock, recallEveryMs: 50 });
  await suite.settled(webhook, "delivered", 3);
});

test("what a retry or a lease may be ahead stays where it is", async () => {
  const { sql } = suite.database;
  const clock = testClock();
  const receiver = await suite.receiving((response, _request, index) => {
    if (index === 0) response.writeHead(500, { "Retry-After": "99999999" }).end();
  });
  const webhook = await newWebhook(sql, receiver.url);
  for (let count = 0; count < 2; count += 1) await fire(sql, webhook.project, clock());
  const other = await newWebhook(sql, (await suite.receiving()).url);
  suite.looping({ clock, recallEveryMs: 50, leaseMs: 9_000, perWebhookMax: 1 });
  await receiver.got(2);
  const dueAt = async () =>
    (await deliveriesOf(sql, webhook)).map((delivery) => delivery.dueAt.getTime() - clock());
  const before = await dueAt();
  expect(before.toSorted((left, right) => left - right)).toEqual([9_000, 36_000_000]);
  for (let count = 0; count < 3; count += 1) {
    await fire(sql, other.project, clock());
    await suite.settled(other, "delivered", count + 1);
  }
  expect(await dueAt()).toEqual(before);
});
