import { describe, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { parseNetworks } from "../../src/notify/address-guard.ts";
import { findDelivery } from "../../src/store/webhooks/delivery-admin.ts";
import { overviewApi } from "../dashboard/overview-api.ts";
import { eventually } from "../support/postgres-server.ts";
import { mintProject } from "../support/projects.ts";
import { deliverySuite } from "./delivery-suite.ts";
import { deliveriesOf, enqueue, fire, newWebhook, SECRET, testClock } from "./fixtures.ts";
import { statuses } from "./receiver.ts";

const suite = deliverySuite();

describe("a delivery", () => {
  test("is the interface's request, signed over its exact bytes", async () => {
    const receiver = await suite.receiving();
    const webhook = await newWebhook(suite.database.sql, receiver.url);
    const groupId = await fire(suite.database.sql, webhook.project);
    suite.looping();
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
    const [delivery] = await suite.settled(webhook, "delivered");
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

  test("is begun on the database's notice, without waiting for the poll", async () => {
    const receiver = await suite.receiving();
    const webhook = await newWebhook(suite.database.sql, receiver.url);
    suite.looping({ pollMs: 3_600_000 });
    await eventually("somebody listens", async () => {
      const [row] = await suite.database.sql<{ listening: boolean }[]>`
        select exists (select from pg_stat_activity where datname = current_database()
          and application_name = 'ats listen ats_deliveries' and state = 'idle' and query ilike 'listen%')
          as listening`;
      return row!.listening;
    });
    await fire(suite.database.sql, webhook.project);
    await receiver.got(1);
    await suite.settled(webhook, "delivered");
  });

  test("is owed to every webhook of the project that is enabled then, and to no other", async () => {
    const receiver = await suite.receiving();
    const project = await mintProject(suite.database.sql);
    const first = await newWebhook(suite.database.sql, `${receiver.url}?first`, project);
    const second = await newWebhook(suite.database.sql, `${receiver.url}?second`, project);
    const disabled = await newWebhook(suite.database.sql, `${receiver.url}?disabled`, project);
    await suite.database
      .sql`update ats.webhook set disabled_at = now() where webhook_id = ${disabled.webhookId}`;
    const stranger = await newWebhook(suite.database.sql, `${receiver.url}?stranger`);
    await fire(suite.database.sql, project);
    const late = await newWebhook(suite.database.sql, `${receiver.url}?late`, project);
    suite.looping();
    await suite.settled(first, "delivered");
    await suite.settled(second, "delivered");
    for (const none of [disabled, stranger, late])
      expect(await deliveriesOf(suite.database.sql, none)).toEqual([]);
    expect(receiver.requests.map((request) => request.path).sort()).toEqual(["/hook?first", "/hook?second"]);
  });

  test("does not exist when the transaction that found the group rolls back", async () => {
    const webhook = await newWebhook(suite.database.sql, "http://127.0.0.1:9/");
    const broken = suite.database.sql.begin(async (tx) => {
      await enqueue(tx, webhook.project);
      throw new Error("detection failed");
    });
    await expect(broken).rejects.toThrow("detection failed");
    expect(await deliveriesOf(suite.database.sql, webhook)).toEqual([]);
  });

  test("that meets a 500 comes again on schedule under the same id, and clears the webhook's failing", async () => {
    const clock = testClock();
    const receiver = await suite.receiving(statuses(500, 200));
    const webhook = await newWebhook(suite.database.sql, receiver.url);
    await fire(suite.database.sql, webhook.project, clock());
    suite.looping({ clock });
    await receiver.got(1);
    const [failed] = await suite.settled(webhook, "pending");
    await eventually(
      "the failure is recorded",
      async () => (await suite.webhookRow(webhook)).failingSince !== null,
    );
    expect(failed!.dueAt.getTime()).toBe(clock() + 5_000);
    clock.advanceMs(5_000);
    const [first, second] = await receiver.got(2);
    expect(second!.headers["webhook-id"]).toBe(first!.headers["webhook-id"]!);
    expect(second!.body).toBe(first!.body);
    await suite.settled(webhook, "delivered");
    expect((await suite.webhookRow(webhook)).failingSince).toBeNull();
    // On the overview it has failures for some minutes more: one that comes and goes would flicker there.
    const { projectId, projectNo } = webhook.project;
    const webhooks = async () =>
      (await overviewApi(suite.database.sql).health(projectId)).deliveries.webhooks;
    expect(await webhooks()).toMatchObject({ failing: 1 });
    await suite.database.sql`
      update ats.webhook set last_failed_at = now() - interval '5 minutes' where project_no = ${projectNo}`;
    expect(await webhooks()).toMatchObject({ failing: 0 });
    const record = await findDelivery(suite.database.sql, failed!.deliveryId);
    expect(record!.attempts.map((attempt) => attempt.status_code)).toEqual([500, 200]);
    expect(record!.attempts[0]!.response_excerpt).toBe("noted");
    expect(record!.attempts[0]!.error_class).toBe("status");
    expect(record!.attempts[0]!.remote_address).toBe("127.0.0.1");
  });

  test("is tried eight times in all, then failed; the log names neither secret nor signature", async () => {
    const clock = testClock();
    const receiver = await suite.receiving(statuses(503));
    const webhook = await newWebhook(suite.database.sql, receiver.url);
    await fire(suite.database.sql, webhook.project, clock());
    suite.looping({ clock });
    for (let attempts = 1; attempts <= 8; attempts += 1) {
      await receiver.got(attempts);
      await eventually("the attempt is recorded", async () => {
        const [delivery] = await deliveriesOf(suite.database.sql, webhook);
        return delivery!.failureCount === attempts;
      });
      clock.advanceMs(10 * 3_600_000);
    }
    const [delivery] = await suite.settled(webhook, "failed");
    expect(receiver.requests).toHaveLength(8);
    expect(new Set(receiver.requests.map((request) => request.headers["webhook-id"])).size).toBe(1);
    const log = JSON.stringify(await findDelivery(suite.database.sql, delivery!.deliveryId));
    expect(log).not.toContain(SECRET);
    for (const request of receiver.requests) {
      expect(log).not.toContain(String(request.headers["x-service-signature"]));
      expect(log).not.toContain(String(request.headers["webhook-signature"]));
    }
  });

  test("waits as long as Retry-After asks, in seconds or until a date", async () => {
    const clock = testClock();
    const inAnHour = new Date(clock() + 3_600_000);
    inAnHour.setMilliseconds(0);
    for (const [header, dueMs] of [
      ["120", clock() + 120_000],
      [inAnHour.toUTCString(), inAnHour.getTime()],
    ] as const) {
      const receiver = await suite.receiving((response) =>
        response.writeHead(429, { "Retry-After": header }).end(),
      );
      const webhook = await newWebhook(suite.database.sql, receiver.url);
      const loop = suite.looping({ clock });
      await fire(suite.database.sql, webhook.project, clock());
      await receiver.got(1);
      const [delivery] = await suite.settled(webhook, "pending");
      expect(delivery!.lastOutcome).toBe("429");
      expect(delivery!.dueAt.getTime()).toBe(dueMs);
      await loop.stop();
    }
  });

  test("to a receiver that is not there, redirects, or lies in a private network is a failure that is retried", async () => {
    const target = await suite.receiving();
    const redirecting = await suite.receiving((response) =>
      response.writeHead(301, { Location: target.url }).end(),
    );
    for (const [url, outcome] of [
      ["http://127.0.0.1:1/", "connect"],
      [redirecting.url, "301"],
      ["http://10.0.0.1/", "address_refused"],
      ["http://hook.invalid/", "dns"],
    ] as const) {
      const webhook = await newWebhook(suite.database.sql, url);
      await fire(suite.database.sql, webhook.project);
      const loop = suite.looping();
      await eventually(`${url} has failed`, async () => {
        const [delivery] = await deliveriesOf(suite.database.sql, webhook);
        return delivery!.status === "pending" && delivery!.lastOutcome === outcome;
      });
      await loop.stop();
    }
    expect(target.requests).toHaveLength(0);
  });

  test("whose 2xx breaks off shows why it failed; another status that breaks off shows itself", async () => {
    for (const [status, outcome] of [
      [200, "connection_lost"],
      [500, "500"],
    ] as const) {
      const receiver = await suite.receiving((response) => {
        response.writeHead(status, { "Content-Length": "50" });
        response.write("half", () => response.destroy());
      });
      const webhook = await newWebhook(suite.database.sql, receiver.url);
      await fire(suite.database.sql, webhook.project);
      suite.looping();
      await eventually("it has failed", async () => {
        return (await deliveriesOf(suite.database.sql, webhook))[0]!.failureCount === 1;
      });
      expect((await deliveriesOf(suite.database.sql, webhook))[0]).toMatchObject({ lastOutcome: outcome });
    }
  });

  test("to loopback is refused where no network is allowed", async () => {
    const receiver = await suite.receiving();
    const webhook = await newWebhook(suite.database.sql, `http://localhost:${receiver.port}/`);
    await fire(suite.database.sql, webhook.project);
    suite.looping({ allowedNetworks: parseNetworks([]) });
    await eventually("it is refused", async () => {
      return (await deliveriesOf(suite.database.sql, webhook))[0]!.lastOutcome === "address_refused";
    });
    expect(receiver.requests).toHaveLength(0);
  });

  test("to a webhook deleted in the middle leaves nothing behind", async () => {
    const answers: (() => void)[] = [];
    const receiver = await suite.receiving((response) => answers.push(() => response.end()));
    const webhook = await newWebhook(suite.database.sql, receiver.url);
    await fire(suite.database.sql, webhook.project);
    const loop = suite.looping();
    await receiver.got(1);
    await suite.database.sql`delete from ats.webhook where webhook_id = ${webhook.webhookId}`;
    for (const answer of answers) answer();
    await eventually("the attempt has ended", () => loop.metrics().inFlight === 0);
    expect(await deliveriesOf(suite.database.sql, webhook)).toEqual([]);
    expect(loop.metrics().databaseErrors).toBe(0);
  });
});

describe("rotation", () => {
  test("during the overlap both secrets verify the standard header, afterwards only the new one", async () => {
    const clock = testClock();
    const receiver = await suite.receiving();
    const webhook = await newWebhook(suite.database.sql, receiver.url);
    const fresh = `whsec_${Buffer.alloc(32, 9).toString("base64")}`;
    await suite.database.sql`
      update ats.webhook set previous_secret = secret, secret = ${fresh},
        previous_secret_until = ${new Date(clock() + 86_400_000)}
      where webhook_id = ${webhook.webhookId}`;
    suite.looping({ clock });
    const signatures = (index: number) => {
      const { headers, body } = receiver.requests[index]!;
      const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
      const of = (fill: number) =>
        `v1,${createHmac("sha256", Buffer.alloc(32, fill)).update(signed).digest("base64")}`;
      return { sent: String(headers["webhook-signature"]).split(" "), fresh: of(9), previous: of(7) };
    };
    await fire(suite.database.sql, webhook.project, clock());
    await receiver.got(1);
    const during = signatures(0);
    expect(during.sent).toEqual([during.fresh, during.previous]);
    const hex = createHmac("sha256", fresh).update(receiver.requests[0]!.body).digest("hex");
    expect(receiver.requests[0]!.headers["x-service-signature"]).toBe(`sha256=${hex}`);
    clock.advanceMs(86_400_001);
    await fire(suite.database.sql, webhook.project, clock());
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
      const receiver = await suite.receiving();
      const webhook = await newWebhook(
        suite.database.sql,
        `http://${host}:${receiver.port}/api/webhooks/1/token`,
      );
      await fire(suite.database.sql, webhook.project);
      suite.looping({ resolve: async () => [{ address: "127.0.0.1", family: 4 }] });
      const [request] = await receiver.got(1);
      expect(JSON.parse(request!.body)[key]).toHaveLength(1);
      const hex = createHmac("sha256", SECRET).update(request!.body).digest("hex");
      expect(request!.headers["x-service-signature"]).toBe(`sha256=${hex}`);
      await suite.settled(webhook, "delivered");
    });
  }
});
