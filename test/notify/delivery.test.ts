import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { parseNetworks } from "../../src/notify/address-guard.ts";
import type { DeliveryLoop, DeliveryLoopOptions } from "../../src/notify/delivery-loop.ts";
import { enqueueTest, findDelivery, listDeliveries, redeliver } from "../../src/store/delivery-admin.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { eventually, freePort } from "../support/postgres-server.ts";
import { mintProject } from "../support/projects.ts";
import { APP_URL, deliveriesOf, enqueue, fire, newWebhook, SECRET, startLoop, type TestWebhook, testClock } from "./fixtures.ts";
import { type Answer, type Receiver, startReceiver, statuses } from "./receiver.ts";

let database: TestDatabase;
const receivers: Receiver[] = [];
const loops: DeliveryLoop[] = [];

beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database.drop());
afterEach(async () => {
  await Promise.all(loops.splice(0).map((loop) => loop.stop()));
  await Promise.all(receivers.splice(0).map((receiver) => receiver.close()));
  // A test's leftovers are nobody else's work.
  await database.sql`delete from ats.delivery`;
});

async function receiving(answer?: Answer): Promise<Receiver> {
  const receiver = await startReceiver(answer);
  receivers.push(receiver);
  return receiver;
}

function looping(options: Partial<DeliveryLoopOptions> = {}): DeliveryLoop {
  const loop = startLoop(database.url, options);
  loops.push(loop);
  return loop;
}

async function settled(webhook: TestWebhook, status: string, count = 1) {
  await eventually(`${count} deliveries are ${status}`, async () => {
    const found = await deliveriesOf(database.sql, webhook);
    return found.filter((delivery) => delivery.status === status).length === count;
  });
  return await deliveriesOf(database.sql, webhook);
}

async function webhookRow(webhook: TestWebhook) {
  const [row] = await database.sql<
    { disabledAt: Date | null; disabledReason: string | null; failingSince: Date | null }[]
  >`
    select disabled_at as "disabledAt", disabled_reason as "disabledReason", failing_since as "failingSince"
    from ats.webhook where webhook_id = ${webhook.webhookId}`;
  return row!;
}

describe("a delivery", () => {
  test("is the interface's request, signed over its exact bytes", async () => {
    const receiver = await receiving();
    const webhook = await newWebhook(database.sql, receiver.url);
    const groupId = await fire(database.sql, webhook.project);
    looping();
    const [request] = await receiver.got(1);
    expect(request!.method).toBe("POST");
    expect(JSON.parse(request!.body)).toEqual({
      event: "failure_group.first_occurrence",
      project_id: webhook.project.projectId,
      failure_group: {
        id: groupId,
        class: "prompt_injection",
        signature: "v1:00112233445566ff",
        first_seen_at: "2026-03-01T12:00:00.123Z",
        severity: "high",
      },
      playbook_url: "https://app.example.com/app/playbooks/prompt_injection",
    });
    const [delivery] = await settled(webhook, "delivered");
    const { headers, body } = request!;
    expect(headers["content-type"]).toBe("application/json");
    expect(headers["x-service-event"]).toBe("failure_group.first_occurrence");
    expect(headers["webhook-id"]).toBe(delivery!.deliveryId);
    const hex = createHmac("sha256", SECRET).update(body).digest("hex");
    expect(headers["x-service-signature"]).toBe(`sha256=${hex}`);
    const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
    const base64 = createHmac("sha256", Buffer.alloc(32, 7)).update(signed).digest("base64");
    expect(headers["webhook-signature"]).toBe(`v1,${base64}`);
  });

  test("is owed to every webhook of the project that is enabled then, and to no other", async () => {
    const receiver = await receiving();
    const project = await mintProject(database.sql);
    const first = await newWebhook(database.sql, `${receiver.url}?first`, project);
    const second = await newWebhook(database.sql, `${receiver.url}?second`, project);
    const disabled = await newWebhook(database.sql, `${receiver.url}?disabled`, project);
    await database.sql`update ats.webhook set disabled_at = now() where webhook_id = ${disabled.webhookId}`;
    const stranger = await newWebhook(database.sql, `${receiver.url}?stranger`);
    await fire(database.sql, project);
    const late = await newWebhook(database.sql, `${receiver.url}?late`, project);
    looping();
    await settled(first, "delivered");
    await settled(second, "delivered");
    for (const none of [disabled, stranger, late]) expect(await deliveriesOf(database.sql, none)).toEqual([]);
    expect(receiver.requests.map((request) => request.path).sort()).toEqual(["/hook?first", "/hook?second"]);
  });

  test("does not exist when the transaction that found the group rolls back", async () => {
    const webhook = await newWebhook(database.sql, "http://127.0.0.1:9/");
    const broken = database.sql.begin(async (tx) => {
      await enqueue(tx, webhook.project);
      throw new Error("detection failed");
    });
    await expect(broken).rejects.toThrow("detection failed");
    expect(await deliveriesOf(database.sql, webhook)).toEqual([]);
  });

  test("that meets a 500 comes again on schedule under the same id, and clears the webhook's failing", async () => {
    const clock = testClock();
    const receiver = await receiving(statuses(500, 200));
    const webhook = await newWebhook(database.sql, receiver.url);
    await fire(database.sql, webhook.project);
    looping({ clock });
    await receiver.got(1);
    const [failed] = await settled(webhook, "pending");
    await eventually("the failure is recorded", async () => (await webhookRow(webhook)).failingSince !== null);
    expect(failed!.dueAt.getTime()).toBeGreaterThan(clock());
    expect(failed!.dueAt.getTime()).toBeLessThanOrEqual(clock() + 5_000);
    clock.advanceMs(5_000);
    const [first, second] = await receiver.got(2);
    expect(second!.headers["webhook-id"]).toBe(first!.headers["webhook-id"]!);
    expect(second!.body).toBe(first!.body);
    await settled(webhook, "delivered");
    expect((await webhookRow(webhook)).failingSince).toBeNull();
    const record = await findDelivery(database.sql, failed!.deliveryId);
    expect(record!.attempts.map((attempt) => attempt.status_code)).toEqual([500, 200]);
    expect(record!.attempts[0]!.response_excerpt).toBe("noted");
    expect(record!.attempts[0]!.error_class).toBe("status");
    expect(record!.attempts[0]!.remote_address).toBe("127.0.0.1");
  });

  test("is tried eight times in all, then failed; the log names neither secret nor signature", async () => {
    const clock = testClock();
    const receiver = await receiving(statuses(503));
    const webhook = await newWebhook(database.sql, receiver.url);
    await fire(database.sql, webhook.project);
    looping({ clock });
    for (let tries = 1; tries <= 8; tries += 1) {
      await receiver.got(tries);
      await eventually("the try is recorded", async () => {
        const [delivery] = await deliveriesOf(database.sql, webhook);
        return delivery!.failureCount === tries;
      });
      clock.advanceMs(10 * 3_600_000);
    }
    const [delivery] = await settled(webhook, "failed");
    expect(receiver.requests).toHaveLength(8);
    expect(new Set(receiver.requests.map((request) => request.headers["webhook-id"])).size).toBe(1);
    const log = JSON.stringify(await findDelivery(database.sql, delivery!.deliveryId));
    expect(log).not.toContain(SECRET);
    for (const request of receiver.requests) {
      expect(log).not.toContain(String(request.headers["x-service-signature"]));
      expect(log).not.toContain(String(request.headers["webhook-signature"]));
    }
  });

  test("waits as long as Retry-After asks, in seconds or until a date", async () => {
    const clock = testClock();
    const inAnHour = new Date(Date.now() + 3_600_000).toUTCString();
    for (const [header, leastMs] of [
      ["120", 120_000],
      [inAnHour, 3_590_000],
    ] as const) {
      const receiver = await receiving((response) =>
        response.writeHead(429, { "Retry-After": header }).end(),
      );
      const webhook = await newWebhook(database.sql, receiver.url);
      const loop = looping({ clock });
      await fire(database.sql, webhook.project);
      await receiver.got(1);
      const [delivery] = await settled(webhook, "pending");
      expect(delivery!.lastOutcome).toBe("429");
      expect(delivery!.dueAt.getTime() - clock()).toBeGreaterThan(leastMs - 10_000);
      expect(delivery!.dueAt.getTime() - clock()).toBeLessThanOrEqual(leastMs + 10_000);
      await loop.stop();
    }
  });

  test("to a receiver that is not there, redirects, or lies in a private network is a failure that is retried", async () => {
    const target = await receiving();
    const redirecting = await receiving((response) => response.writeHead(301, { Location: target.url }).end());
    for (const [url, outcome] of [
      [`http://127.0.0.1:${await freePort()}/`, "connect"],
      [redirecting.url, "301"],
      ["http://10.0.0.1/", "address_refused"],
      ["http://hook.invalid/", "dns"],
    ] as const) {
      const webhook = await newWebhook(database.sql, url);
      await fire(database.sql, webhook.project);
      const loop = looping();
      await eventually(`${url} has failed`, async () => {
        const [delivery] = await deliveriesOf(database.sql, webhook);
        return delivery!.status === "pending" && delivery!.lastOutcome === outcome;
      });
      await loop.stop();
    }
    expect(target.requests).toHaveLength(0);
  });

  test("to loopback is refused where no network is allowed", async () => {
    const receiver = await receiving();
    const webhook = await newWebhook(database.sql, `http://localhost:${receiver.port}/`);
    await fire(database.sql, webhook.project);
    looping({ allowedNetworks: parseNetworks([]) });
    await eventually("it is refused", async () => {
      return (await deliveriesOf(database.sql, webhook))[0]!.lastOutcome === "address_refused";
    });
    expect(receiver.requests).toHaveLength(0);
  });

  test("to a webhook deleted in the middle leaves nothing behind", async () => {
    const answers: (() => void)[] = [];
    const receiver = await receiving((response) => answers.push(() => response.end()));
    const webhook = await newWebhook(database.sql, receiver.url);
    await fire(database.sql, webhook.project);
    const loop = looping();
    await receiver.got(1);
    await database.sql`delete from ats.webhook where webhook_id = ${webhook.webhookId}`;
    for (const answer of answers) answer();
    await eventually("the try has ended", () => loop.metrics().inFlight === 0);
    expect(await deliveriesOf(database.sql, webhook)).toEqual([]);
    expect(loop.metrics().databaseErrors).toBe(0);
  });
});

describe("many at once", () => {
  test("a receiver that never answers delays no other", async () => {
    const slow = await receiving(() => {});
    const fast = await receiving();
    const project = await mintProject(database.sql);
    const slowWebhook = await newWebhook(database.sql, slow.url, project);
    const fastWebhook = await newWebhook(database.sql, fast.url, project);
    for (let count = 0; count < 40; count += 1) await fire(database.sql, project);
    const loop = looping({ attemptsMax: 8, perWebhookMax: 4 });
    await settled(fastWebhook, "delivered", 40);
    const waiting = await deliveriesOf(database.sql, slowWebhook);
    expect(waiting.filter((delivery) => delivery.status === "delivering")).toHaveLength(4);
    expect(waiting.filter((delivery) => delivery.status === "pending")).toHaveLength(36);
    expect(loop.metrics().inFlight).toBe(4);
  });

  test("two workers share the work and send each delivery once", async () => {
    const receiver = await receiving((response) => setTimeout(() => response.end(), 5));
    const webhooks: TestWebhook[] = [];
    for (let count = 0; count < 5; count += 1) webhooks.push(await newWebhook(database.sql, receiver.url));
    for (let count = 0; count < 100; count += 1) await fire(database.sql, webhooks[count % 5]!.project);
    const [left, right] = [looping(), looping()];
    for (const webhook of webhooks) await settled(webhook, "delivered", 20);
    expect(receiver.requests).toHaveLength(100);
    expect(new Set(receiver.requests.map((request) => request.headers["webhook-id"])).size).toBe(100);
    expect(left.metrics().delivered + right.metrics().delivered).toBe(100);
  });

  test("a try that outlasts its lease is renewed, not taken over by another worker", async () => {
    const receiver = await receiving((response) => setTimeout(() => response.end(), 2_000));
    const webhook = await newWebhook(database.sql, receiver.url);
    await fire(database.sql, webhook.project);
    looping({ leaseMs: 600 });
    looping({ leaseMs: 600 });
    const [delivery] = await settled(webhook, "delivered");
    expect(receiver.requests).toHaveLength(1);
    expect(delivery!.attemptCount).toBe(1);
  });

  test("stopping hands back what is under way, and it comes again from another worker at once", async () => {
    const receiver = await receiving((response, _request, index) => {
      if (index > 0) response.end();
    });
    const webhook = await newWebhook(database.sql, receiver.url);
    await fire(database.sql, webhook.project);
    const first = looping({ leaseMs: 3_600_000 });
    await receiver.got(1);
    await first.stop();
    looping();
    await settled(webhook, "delivered");
    const [before, after] = receiver.requests;
    expect(after!.headers["webhook-id"]).toBe(before!.headers["webhook-id"]!);
  });

  test("draining ends what is under way and begins nothing more", async () => {
    const answers: (() => void)[] = [];
    const receiver = await receiving((response) => answers.push(() => response.end()));
    const webhook = await newWebhook(database.sql, receiver.url);
    await fire(database.sql, webhook.project);
    const loop = looping();
    await receiver.got(1);
    const drained = loop.drain();
    await fire(database.sql, webhook.project);
    for (const answer of answers) answer();
    await drained;
    expect((await deliveriesOf(database.sql, webhook)).map((delivery) => delivery.status)).toEqual([
      "delivered",
      "pending",
    ]);
  });
});

describe("giving a webhook up", () => {
  test("410 disables it at once and cancels what else is owed", async () => {
    const receiver = await receiving(statuses(410));
    const webhook = await newWebhook(database.sql, receiver.url);
    const clock = testClock();
    for (let count = 0; count < 5; count += 1) await fire(database.sql, webhook.project, clock() + count);
    looping({ clock, perWebhookMax: 1 });
    await settled(webhook, "cancelled", 4);
    const all = await deliveriesOf(database.sql, webhook);
    expect(all[0]).toMatchObject({ status: "failed", lastOutcome: "410" });
    expect(receiver.requests).toHaveLength(1);
    expect(await webhookRow(webhook)).toMatchObject({ disabledReason: "the receiver answered 410 Gone" });
    await fire(database.sql, webhook.project);
    expect(await deliveriesOf(database.sql, webhook)).toHaveLength(5);
  });

  test("five days of nothing but failure disable it, and not a day less", async () => {
    const clock = testClock();
    const receiver = await receiving(statuses(500));
    const webhook = await newWebhook(database.sql, receiver.url);
    looping({ clock });
    const dayMs = 86_400_000;
    const failAllDay = async () => {
      await fire(database.sql, webhook.project, clock());
      for (let tries = 1; ; tries += 1) {
        await eventually("the try is recorded, or the webhook given up", async () => {
          const delivery = (await deliveriesOf(database.sql, webhook)).at(-1)!;
          return delivery.failureCount === tries && delivery.status !== "delivering";
        });
        const delivery = (await deliveriesOf(database.sql, webhook)).at(-1)!;
        if (delivery.status !== "pending" || tries === 6) return;
        clock.advanceMs(Math.max(0, delivery.dueAt.getTime() - clock()));
      }
    };
    // Six tries take less than eight hours; the seventh of each day's delivery is then due on the next.
    for (let day = 0; day < 5; day += 1) {
      await failAllDay();
      expect((await webhookRow(webhook)).disabledAt).toBeNull();
      await database.sql`
        update ats.delivery set status = 'failed', finished_at = now()
        where webhook_id = ${webhook.webhookId} and finished_at is null`;
      const failingSince = (await webhookRow(webhook)).failingSince!.getTime();
      clock.advanceMs(failingSince + (day + 1) * dayMs - clock());
    }
    await failAllDay();
    expect(await webhookRow(webhook)).toMatchObject({ disabledReason: "nothing but failures for 5 days" });
    expect((await webhookRow(webhook)).disabledAt).not.toBeNull();
    expect((await deliveriesOf(database.sql, webhook)).at(-1)).toMatchObject({ status: "failed", failureCount: 4 });
  });

  test("what was owed to a webhook disabled by hand is cancelled, not sent", async () => {
    const receiver = await receiving();
    const webhook = await newWebhook(database.sql, receiver.url);
    await fire(database.sql, webhook.project);
    await database.sql`update ats.webhook set disabled_at = now() where webhook_id = ${webhook.webhookId}`;
    looping();
    await settled(webhook, "cancelled");
    expect(receiver.requests).toHaveLength(0);
  });
});

describe("rotation", () => {
  test("during the overlap both secrets verify the standard header, afterwards only the new one", async () => {
    const clock = testClock();
    const receiver = await receiving();
    const webhook = await newWebhook(database.sql, receiver.url);
    const fresh = `whsec_${Buffer.alloc(32, 9).toString("base64")}`;
    await database.sql`
      update ats.webhook set previous_secret = secret, secret = ${fresh},
        previous_secret_until = ${new Date(clock() + 86_400_000)}
      where webhook_id = ${webhook.webhookId}`;
    looping({ clock });
    const signatures = (index: number) => {
      const { headers, body } = receiver.requests[index]!;
      const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
      const of = (fill: number) =>
        `v1,${createHmac("sha256", Buffer.alloc(32, fill)).update(signed).digest("base64")}`;
      return { sent: String(headers["webhook-signature"]).split(" "), fresh: of(9), previous: of(7) };
    };
    await fire(database.sql, webhook.project, clock());
    await receiver.got(1);
    const during = signatures(0);
    expect(during.sent).toEqual([during.fresh, during.previous]);
    const hex = createHmac("sha256", fresh).update(receiver.requests[0]!.body).digest("hex");
    expect(receiver.requests[0]!.headers["x-service-signature"]).toBe(`sha256=${hex}`);
    clock.advanceMs(86_400_001);
    await fire(database.sql, webhook.project, clock());
    await receiver.got(2);
    const after = signatures(1);
    expect(after.sent).toEqual([after.fresh]);
  });
});

describe("chat platforms", () => {
  for (const [host, key] of [
    ["hooks.slack.com", "attachments"],
    ["discord.com", "embeds"],
    ["ptb.discordapp.com", "embeds"],
  ] as const) {
    test(`${host} gets its own format, signed as it is sent`, async () => {
      const receiver = await receiving();
      const webhook = await newWebhook(database.sql, `http://${host}:${receiver.port}/api/webhooks/1/token`);
      await fire(database.sql, webhook.project);
      looping({ resolve: async () => [{ address: "127.0.0.1", family: 4 }] });
      const [request] = await receiver.got(1);
      expect(JSON.parse(request!.body)[key]).toHaveLength(1);
      const hex = createHmac("sha256", SECRET).update(request!.body).digest("hex");
      expect(request!.headers["x-service-signature"]).toBe(`sha256=${hex}`);
      await settled(webhook, "delivered");
    });
  }
});

describe("operators", () => {
  test("a test notification says that it is one, is tried once, and does not count against the webhook", async () => {
    const receiver = await receiving(statuses(200, 500));
    const webhook = await newWebhook(database.sql, receiver.url);
    looping();
    const input = { webhookId: webhook.webhookId, appUrl: APP_URL, nowMs: Date.now() };
    const id = await enqueueTest(database.sql, input);
    const [request] = await receiver.got(1);
    expect(request!.headers["webhook-id"]).toBe(id!);
    expect(request!.headers["x-service-event"]).toBe("webhook.test");
    expect(JSON.parse(request!.body)).toMatchObject({
      event: "webhook.test",
      test: true,
      project_id: webhook.project.projectId,
      failure_group: { class: "prompt_injection" },
    });
    await settled(webhook, "delivered");
    await enqueueTest(database.sql, input);
    await settled(webhook, "failed");
    expect((await webhookRow(webhook)).failingSince).toBeNull();
    expect(await enqueueTest(database.sql, { ...input, webhookId: "wh_none" })).toBeNull();
  });

  test("a disabled webhook can be tested, and stays disabled", async () => {
    const receiver = await receiving();
    const webhook = await newWebhook(database.sql, receiver.url);
    await database.sql`update ats.webhook set disabled_at = now() where webhook_id = ${webhook.webhookId}`;
    looping();
    await enqueueTest(database.sql, { webhookId: webhook.webhookId, appUrl: APP_URL, nowMs: Date.now() });
    await settled(webhook, "delivered");
    expect((await webhookRow(webhook)).disabledAt).not.toBeNull();
  });

  test("a redelivery is the same body under the same id, and starts the schedule anew", async () => {
    const receiver = await receiving(statuses(200, 500, 200));
    const clock = testClock();
    const webhook = await newWebhook(database.sql, receiver.url);
    await fire(database.sql, webhook.project);
    looping({ clock });
    const [delivered] = await settled(webhook, "delivered");
    expect(await redeliver(database.sql, { deliveryId: delivered!.deliveryId, nowMs: clock() })).toBe("queued");
    await receiver.got(2);
    const [again] = await settled(webhook, "pending");
    expect(again!.failureCount).toBe(1);
    clock.advanceMs(6_000);
    await receiver.got(3);
    await settled(webhook, "delivered");
    const [first, second, third] = receiver.requests;
    expect(second!.headers["webhook-id"]).toBe(first!.headers["webhook-id"]!);
    expect([second!.body, third!.body]).toEqual([first!.body, first!.body]);
    const record = await findDelivery(database.sql, delivered!.deliveryId);
    expect(record!.attempts.map((attempt) => attempt.attempt)).toEqual([1, 2, 3]);
  });

  test("a redelivery is refused for what is not there, is under way, or has a disabled webhook", async () => {
    const receiver = await receiving(() => {});
    const webhook = await newWebhook(database.sql, receiver.url);
    await fire(database.sql, webhook.project);
    const loop = looping();
    await receiver.got(1);
    const [delivery] = await deliveriesOf(database.sql, webhook);
    const again = () => redeliver(database.sql, { deliveryId: delivery!.deliveryId, nowMs: Date.now() });
    expect(await again()).toBe("in_progress");
    await loop.stop();
    await database.sql`update ats.webhook set disabled_at = now() where webhook_id = ${webhook.webhookId}`;
    expect(await again()).toBe("webhook_disabled");
    expect(await redeliver(database.sql, { deliveryId: "dlv_none", nowMs: 0 })).toBe("not_found");
  });

  test("the list shows one project, newest first, by status and webhook", async () => {
    const receiver = await receiving();
    const project = await mintProject(database.sql);
    const first = await newWebhook(database.sql, receiver.url, project);
    const second = await newWebhook(database.sql, receiver.url, project);
    const stranger = await newWebhook(database.sql, receiver.url);
    await fire(database.sql, project, Date.now() - 2_000);
    await fire(database.sql, project, Date.now() - 1_000);
    await fire(database.sql, stranger.project);
    const list = (filter: { status?: string; webhookId?: string; limit?: number }) =>
      listDeliveries(database.sql, {
        projectId: project.projectId,
        status: filter.status ?? null,
        webhookId: filter.webhookId ?? null,
        limit: filter.limit ?? 50,
      });
    const all = (await list({}))!;
    expect(all).toHaveLength(4);
    expect(all.every((delivery) => delivery.project_id === project.projectId)).toBe(true);
    expect(all[0]!.created_at.getTime()).toBeGreaterThan(all[3]!.created_at.getTime());
    expect((await list({ webhookId: second.webhookId }))!.map((delivery) => delivery.webhook_id)).toEqual([
      second.webhookId,
      second.webhookId,
    ]);
    expect(await list({ status: "delivered" })).toEqual([]);
    expect(await list({ limit: 1 })).toHaveLength(1);
    looping();
    await settled(first, "delivered", 2);
    expect((await list({ status: "delivered", webhookId: first.webhookId }))!).toHaveLength(2);
    const unknown = { projectId: "proj_none", status: null, webhookId: null, limit: 1 };
    expect(await listDeliveries(database.sql, unknown)).toBeNull();
  });
});
