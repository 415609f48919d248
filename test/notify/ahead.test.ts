/** What goes first to one webhook: news before what is sent again, and nothing for ever behind. */
import { describe, expect, test } from "bun:test";
import { redeliver, redeliverMissed } from "../../src/store/webhooks/delivery-admin.ts";
import { mintProject } from "../support/projects.ts";
import { deliverySuite } from "./delivery-suite.ts";
import { deliveriesOf, fire, newWebhook, type TestWebhook, testClock } from "./fixtures.ts";
import type { Receiver } from "./receiver.ts";

const suite = deliverySuite();

/** Notifications that were given up a day ago. */
async function missed(webhook: TestWebhook, count: number): Promise<void> {
  await suite.database.sql`
    insert into ats.delivery (project_no, delivery_id, webhook_id, event, body, status, due_at, created_at, finished_at)
    select ${webhook.project.projectNo}::int, 'dlv_old_' || n, ${webhook.webhookId}, 'failure_group.first_occurrence', '{}', 'failed',
      now() - interval '1 day', now() - interval '1 day' + n * interval '1 microsecond', now()
    from generate_series(1, ${count}::int) n`;
}

const redeliverAll = (webhook: TestWebhook, nowMs: number) =>
  redeliverMissed(suite.database.sql, { webhookId: webhook.webhookId, nowMs });

const idsAt = (receiver: Receiver) => receiver.requests.map(({ headers }) => String(headers["webhook-id"]));
const newsAt = (receiver: Receiver) => idsAt(receiver).filter((id) => !id.startsWith("dlv_old_"));

describe("beside a redelivery of very many to the same webhook", () => {
  test("a new alarm goes ahead, and its retry too; the retries of what is redelivered do not", async () => {
    const { sql } = suite.database;
    const clock = testClock();
    const project = await mintProject(sql);
    const receiver = await suite.receiving(async (response, request, index) => {
      if (index === 10) await fire(sql, project, clock());
      const isOld = String(request.headers["webhook-id"]).startsWith("dlv_old_");
      // The news fails once; of what is old each first attempt does.
      response.statusCode = isOld ? (index < 5 ? 500 : 200) : newsAt(receiver).length === 1 ? 500 : 200;
      // A retry is due with the next request.
      clock.advanceMs(10_000);
      response.end();
    });
    const webhook = await newWebhook(sql, receiver.url, project);
    await missed(webhook, 300);
    await redeliverAll(webhook, clock());
    clock.advanceMs(1_000);
    suite.looping({ clock });
    await suite.settled(webhook, "delivered", 301);
    const ids = idsAt(receiver);
    const [news] = newsAt(receiver);
    expect(newsAt(receiver)).toEqual([news!, news!]);
    // By their times both would be the last. How many go while the news is stored, and its failure recorded,
    // hangs on the machine.
    expect(ids.indexOf(news!)).toBeLessThan(150);
    expect(ids.lastIndexOf(news!)).toBeLessThan(250);
    const again = ids.findIndex((id, place) => ids.indexOf(id) < place && id !== news);
    expect(again).toBeGreaterThan(290);
  });

  test("it finds a place though the receiver answers nothing of what is redelivered", async () => {
    const { sql } = suite.database;
    const clock = testClock();
    const receiver = await suite.receiving((response, request) => {
      if (!String(request.headers["webhook-id"]).startsWith("dlv_old_")) response.end();
    });
    const webhook = await newWebhook(sql, receiver.url);
    await missed(webhook, 50);
    await redeliverAll(webhook, clock());
    clock.advanceMs(1_000);
    suite.looping({ clock });
    await receiver.got(3);
    await fire(sql, webhook.project, clock());
    await suite.settled(webhook, "delivered");
    expect(receiver.requests).toHaveLength(4);
  });

  test("one notification that an operator sends again goes ahead, behind what is new", async () => {
    const { sql } = suite.database;
    const clock = testClock();
    const receiver = await suite.receiving();
    const webhook = await newWebhook(sql, receiver.url);
    await missed(webhook, 20);
    await redeliverAll(webhook, clock());
    expect(await redeliver(sql, { deliveryId: "dlv_old_17", nowMs: clock() })).toBe("queued");
    clock.advanceMs(1_000);
    await fire(sql, webhook.project, clock());
    suite.looping({ clock, perWebhookMax: 1 });
    await suite.settled(webhook, "delivered", 21);
    const ids = idsAt(receiver);
    expect(ids[0]).not.toStartWith("dlv_old_");
    expect(ids.slice(1, 4)).toEqual(["dlv_old_17", "dlv_old_1", "dlv_old_2"]);
  });

  test("within its project's share, a webhook with news goes before those that are redelivered to", async () => {
    const { sql } = suite.database;
    const clock = testClock();
    const receiver = await suite.receiving();
    const project = await mintProject(sql);
    const other = await newWebhook(sql, (await suite.receiving(() => {})).url, project);
    await missed(other, 10);
    await redeliverAll(other, clock());
    clock.advanceMs(1_000);
    const webhook = await newWebhook(sql, receiver.url, project);
    await sql`update ats.webhook set disabled_at = now() where webhook_id = ${other.webhookId}`;
    await fire(sql, project, clock());
    await sql`update ats.webhook set disabled_at = null where webhook_id = ${other.webhookId}`;
    suite.looping({ clock, perProjectMax: 1 });
    await suite.settled(webhook, "delivered");
    expect(await deliveriesOf(sql, other)).not.toContainEqual(
      expect.objectContaining({ status: "delivered" }),
    );
  });
});

test("news that never ends leaves every fourth place, or so, to what has waited longest", async () => {
  const { sql } = suite.database;
  const clock = testClock();
  const project = await mintProject(sql);
  const receiver = await suite.receiving(async (response) => {
    await fire(sql, project, clock());
    response.end();
  });
  const webhook = await newWebhook(sql, receiver.url, project);
  await missed(webhook, 20);
  await redeliverAll(webhook, clock());
  clock.advanceMs(1_000);
  for (let count = 0; count < 10; count += 1) await fire(sql, project, clock());
  // Drawn as if by chance: of looks that find no place free any regular turn might hit those alone.
  let drawn = 1;
  const random = () => {
    drawn = (drawn * 48_271) % 2_147_483_647;
    return drawn / 2_147_483_647;
  };
  // A webhook that fails has one place, of which nothing can be kept.
  suite.looping({ clock, perWebhookMax: 1, random });
  await receiver.got(120);
  const old = idsAt(receiver).filter((id) => id.startsWith("dlv_old_"));
  expect(old.slice(0, 5)).toEqual([1, 2, 3, 4, 5].map((n) => `dlv_old_${n}`));
});
