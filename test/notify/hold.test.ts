/** A receiver that says it has too much: everything that it is owed waits, not only what it refused. */
import { describe, expect, test } from "bun:test";
import { enqueueTest } from "../../src/store/webhooks/delivery-admin.ts";
import { eventually } from "../support/postgres-server.ts";
import { deliverySuite } from "./delivery-suite.ts";
import { APP_URL, deliveriesOf, fire, newWebhook, type TestWebhook, testClock } from "./fixtures.ts";

const suite = deliverySuite();

async function fireMany(webhook: TestWebhook, count: number, nowMs: number): Promise<void> {
  for (let fired = 0; fired < count; fired += 1) await fire(suite.database.sql, webhook.project, nowMs);
}

const tried = async (webhook: TestWebhook) =>
  (await deliveriesOf(suite.database.sql, webhook)).filter(({ attemptCount }) => attemptCount > 0);

async function heldUntil(webhook: TestWebhook): Promise<Date | null | undefined> {
  const [row] = await suite.database.sql<{ until: Date | null }[]>`
    select held_until as until from ats.webhook where webhook_id = ${webhook.webhookId}`;
  return row?.until;
}

/** Another webhook has been sent to since: the loop has looked, and left alone what it may not send. */
async function loopLooked(clock: () => number): Promise<void> {
  const bystander = await newWebhook(suite.database.sql, (await suite.receiving()).url);
  await fire(suite.database.sql, bystander.project, clock());
  await suite.settled(bystander, "delivered");
}

/** A webhook whose first attempt, and no other, its receiver has answered so. */
async function refusedOnce(status: number, retryAfterS: number) {
  const clock = testClock();
  const receiver = await suite.receiving((response, _request, index) => {
    if (index === 0) response.writeHead(status, { "Retry-After": String(retryAfterS) }).end();
    else response.end();
  });
  const webhook = await newWebhook(suite.database.sql, receiver.url);
  await fire(suite.database.sql, webhook.project, clock());
  suite.looping({ clock });
  await eventually("it was refused", async () => (await suite.webhookRow(webhook)).failingSince !== null);
  return { clock, receiver, webhook };
}

test("a Retry-After holds up all that a webhook is owed, then one attempt at a time goes; nothing is lost", async () => {
  const clock = testClock();
  let allowed = 0;
  let [atOnce, atOnceMost] = [0, 0];
  const receiver = await suite.receiving(async (response) => {
    atOnceMost = Math.max(atOnceMost, ++atOnce);
    await Bun.sleep(5);
    atOnce -= 1;
    if (allowed > 0) {
      allowed -= 1;
      response.end();
    } else response.writeHead(429, { "Retry-After": "30" }).end();
  });
  const webhook = await newWebhook(suite.database.sql, receiver.url);
  await fireMany(webhook, 20, clock());
  suite.looping({ clock });
  await eventually("it was refused", async () =>
    (await suite.settled(webhook, "delivering", 0)).some(({ lastOutcome }) => lastOutcome === "429"),
  );
  await loopLooked(clock);
  // What was under way when the first refusal came.
  expect((await tried(webhook)).length).toBeLessThanOrEqual(4);

  atOnceMost = 0;
  const refused = receiver.requests.length;
  allowed = 5;
  clock.advanceMs(30_000);
  await eventually("it was refused again", async () => receiver.requests.length === refused + 6);
  await loopLooked(clock);
  expect(receiver.requests).toHaveLength(refused + 6);
  expect(atOnceMost).toBe(1);

  allowed = 100;
  clock.advanceMs(3_600_000);
  await suite.settled(webhook, "delivered", 20);
});

test("a receiver that asks for hours has the rest wait a minute; the refused one as long as asked", async () => {
  const { clock, receiver, webhook } = await refusedOnce(503, 7200);
  clock.advanceMs(1_000);
  await fire(suite.database.sql, webhook.project, clock());
  clock.advanceMs(58_000);
  await loopLooked(clock);
  expect(receiver.requests).toHaveLength(1);
  clock.advanceMs(1_001);
  await suite.settled(webhook, "delivered");
  expect((await deliveriesOf(suite.database.sql, webhook))[0]).toMatchObject({ status: "pending" });
  clock.advanceMs(7_200_000);
  await suite.settled(webhook, "delivered", 2);
});

test("a test goes out all the same, and a clock that is set back does not make the wait longer", async () => {
  const { clock, receiver, webhook } = await refusedOnce(429, 60);
  await fire(suite.database.sql, webhook.project, clock() - 3_600_000);
  await enqueueTest(suite.database.sql, { webhookId: webhook.webhookId, appUrl: APP_URL, nowMs: clock() });
  await suite.settled(webhook, "delivered");
  expect(receiver.requests[1]!.headers["x-service-event"]).toBe("webhook.test");
  expect(receiver.requests).toHaveLength(2);
  clock.advanceMs(-3_600_000);
  await suite.settled(webhook, "delivered", 2);
});

test("a receiver that takes twenty a minute, and does not say so, gets all of them; few are refused", async () => {
  const clock = testClock();
  const startMs = clock();
  const taken = new Map<number, number>();
  const receiver = await suite.receiving((response) => {
    const minute = Math.floor((clock() - startMs) / 60_000);
    const count = taken.get(minute) ?? 0;
    if (count === 20) response.writeHead(429).end();
    else {
      taken.set(minute, count + 1);
      response.end();
    }
  });
  const webhook = await newWebhook(suite.database.sql, receiver.url);
  await fireMany(webhook, 60, clock());
  suite.looping({ clock });
  while ((await deliveriesOf(suite.database.sql, webhook)).some(({ status }) => status !== "delivered")) {
    clock.advanceMs(5_000);
    await loopLooked(clock);
  }
  const delivered = await deliveriesOf(suite.database.sql, webhook);
  expect(delivered.filter(({ failureCount }) => failureCount > 0).length).toBeLessThan(30);
});

test("a Retry-After beside another refusal is of the one notification alone", async () => {
  const clock = testClock();
  const receiver = await suite.receiving((response, _request, index) => {
    if (index === 0) response.writeHead(400, { "Retry-After": "30" }).end();
    else response.end();
  });
  const webhook = await newWebhook(suite.database.sql, receiver.url);
  await fireMany(webhook, 10, clock());
  suite.looping({ clock });
  await suite.settled(webhook, "delivered", 9);
});

describe("two that are refused at once", () => {
  for (const [first, second, pauseS] of [
    ["30", undefined, 30],
    ["10", "40", 40],
  ] as const) {
    test(`Retry-After ${first}, then ${second ?? "none"}: the longer pause is kept`, async () => {
      const clock = testClock();
      const answers: ((retryAfter: string | undefined) => void)[] = [];
      const receiver = await suite.receiving((response, _request, index) => {
        if (index >= 2) return void response.end();
        answers.push((retryAfter) =>
          response.writeHead(429, retryAfter === undefined ? {} : { "Retry-After": retryAfter }).end(),
        );
      });
      const webhook = await newWebhook(suite.database.sql, receiver.url);
      await fireMany(webhook, 2, clock());
      suite.looping({ clock });
      await receiver.got(2);
      answers[0]!(first);
      await suite.settled(webhook, "pending");
      answers[1]!(second);
      await suite.settled(webhook, "pending", 2);
      expect(await heldUntil(webhook)).toEqual(new Date(clock() + pauseS * 1_000));
    });
  }

  test("a pause from before the clock was set back is none to keep", async () => {
    const clock = testClock();
    const receiver = await suite.receiving((response) => response.writeHead(429).end());
    const webhook = await newWebhook(suite.database.sql, receiver.url);
    await suite.database.sql`
      update ats.webhook set held_until = ${new Date(clock() + 3_600_000)} where webhook_id = ${webhook.webhookId}`;
    await fire(suite.database.sql, webhook.project, clock());
    suite.looping({ clock });
    await eventually("it was refused", async () => (await suite.webhookRow(webhook)).failingSince !== null);
    expect(await heldUntil(webhook)).toEqual(new Date(clock() + 5_000));
  });
});
