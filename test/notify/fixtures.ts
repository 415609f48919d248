/**
 * Webhooks, notifications and a delivery loop for tests of the delivery. Time is the test's own: it stands
 * still, so that no retry is due while the machine stalls, and `clock.advanceMs` makes hours pass for the
 * loop without anybody waiting. What is fired for such a loop is fired at its time.
 */
import type { Sql } from "postgres";
import { parseNetworks } from "../../src/notify/address-guard.ts";
import { type DeliveryLoopOptions, startDeliveryLoop } from "../../src/notify/delivery-loop.ts";
import {
  enqueueFirstOccurrence,
  FIRST_OCCURRENCE_EVENT,
  type Statements,
} from "../../src/store/webhooks/deliveries.ts";
import { uniqueId } from "../support/fixtures.ts";
import { mintProject, type TestProject } from "../support/projects.ts";

export const loopback = parseNetworks(["127.0.0.0/8", "::1/128"]);
export const APP_URL = "https://app.example.com/";
export const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;

export interface TestWebhook {
  readonly webhookId: string;
  readonly project: TestProject;
}

export async function newWebhook(sql: Sql, url: string, project?: TestProject): Promise<TestWebhook> {
  const owner = project ?? (await mintProject(sql));
  const webhookId = uniqueId("wh");
  await sql`
    insert into ats.webhook (project_no, webhook_id, url, secret)
    values (${owner.projectNo}, ${webhookId}, ${url}, ${SECRET})`;
  return { webhookId, project: owner };
}

export interface Clock {
  (): number;
  advanceMs(ms: number): void;
}

export function testClock(): Clock {
  let nowMs = Date.now();
  const clock = () => nowMs;
  clock.advanceMs = (ms: number) => {
    nowMs += ms;
  };
  return clock;
}

/** What detection does in its transaction. Gives the group's id. */
export async function enqueue(tx: Statements, project: TestProject, nowMs = Date.now()): Promise<string> {
  const groupId = uniqueId("fg");
  await enqueueFirstOccurrence(tx, {
    projectNo: project.projectNo,
    kind: FIRST_OCCURRENCE_EVENT,
    groupId,
    failureClass: "prompt_injection",
    signature: "v1:00112233445566ff",
    severity: "high",
    firstSeenMs: Date.parse("2026-03-01T12:00:00.123Z"),
    appUrl: APP_URL,
    nowMs,
  });
  return groupId;
}

export async function fire(sql: Sql, project: TestProject, nowMs?: number): Promise<string> {
  return await sql.begin((tx) => enqueue(tx, project, nowMs));
}

export function startLoop(databaseUrl: string, options: Partial<DeliveryLoopOptions> = {}) {
  return startDeliveryLoop({
    databaseUrl,
    allowedNetworks: loopback,
    pollMs: 50,
    // No attempt is given up, and none taken over, by a machine that stalls.
    timeoutMs: 600_000,
    leaseMs: 3_600_000,
    random: () => 0,
    ...options,
  });
}

export interface StoredDelivery {
  deliveryId: string;
  status: string;
  attemptCount: number;
  failureCount: number;
  dueAt: Date;
  lastOutcome: string | null;
}

export async function deliveriesOf(sql: Sql, webhook: TestWebhook): Promise<StoredDelivery[]> {
  return await sql<StoredDelivery[]>`
    select delivery_id as "deliveryId", status, attempt_count as "attemptCount", failure_count as "failureCount",
      due_at as "dueAt", last_outcome as "lastOutcome"
    from ats.delivery where webhook_id = ${webhook.webhookId} order by created_at, delivery_id`;
}
