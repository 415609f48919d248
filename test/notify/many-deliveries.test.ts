/**
 * Webhooks with more deliveries than one statement should touch: what locks them, or takes the time that a
 * statement has, goes in steps.
 */
import { expect, test } from "bun:test";
import { disableWebhook, redeliverMissed } from "../../src/store/webhooks/delivery-admin.ts";
import { deleteWebhook } from "../../src/store/webhooks/webhooks.ts";
import { eventually } from "../support/postgres-server.ts";
import { deliverySuite } from "./delivery-suite.ts";
import { fire, newWebhook, type TestWebhook } from "./fixtures.ts";
import { statuses } from "./receiver.ts";

const suite = deliverySuite();
const MANY = 12_000;

/** A statement that changes more rows than this fails. */
const STEP_MAX = 5_000;

async function refusingMany(work: () => Promise<void>): Promise<void> {
  const { sql } = suite.database;
  await sql.unsafe(`
    create function refuse_many() returns trigger language plpgsql as $$
    begin
      if (select count(*) from changed) > ${STEP_MAX} then raise 'too many deliveries at once'; end if;
      return null;
    end $$;
    create trigger few_updated after update on ats.delivery referencing new table as changed
      for each statement execute function refuse_many();
    create trigger few_deleted after delete on ats.delivery referencing old table as changed
      for each statement execute function refuse_many();`);
  try {
    await work();
  } finally {
    await sql`drop function refuse_many cascade`;
  }
}

async function owe(webhook: TestWebhook, count: number, finishedMs: number | null = null): Promise<void> {
  const finishedAt = finishedMs === null ? null : new Date(finishedMs);
  await suite.database.sql`
    insert into ats.delivery (project_no, delivery_id, webhook_id, event, body, status, due_at, created_at, finished_at)
    select ${webhook.project.projectNo}::int, ${webhook.webhookId} || '_' || n, ${webhook.webhookId},
      'failure_group.first_occurrence', '{}', ${finishedAt === null ? "pending" : "delivered"},
      now() + interval '1 day', now(), ${finishedAt}::timestamptz
    from generate_series(1, ${count}::int) n`;
}

async function countOf(webhook: TestWebhook, status: string): Promise<number> {
  const [row] = await suite.database.sql<[{ count: number }]>`
    select count(*)::int as count from ats.delivery
    where webhook_id = ${webhook.webhookId} and status = ${status}`;
  return row.count;
}

test("410 disables a webhook that is owed a great deal, and all of it is cancelled", async () => {
  const receiver = await suite.receiving(statuses(410));
  const webhook = await newWebhook(suite.database.sql, receiver.url);
  await owe(webhook, MANY);
  await fire(suite.database.sql, webhook.project);
  await refusingMany(async () => {
    suite.looping();
    await suite.settled(webhook, "failed");
    await eventually("all is cancelled", async () => (await countOf(webhook, "cancelled")) === MANY);
  });
  expect((await suite.webhookRow(webhook)).disabledReason).toBe("the receiver answered 410 Gone");
});

test("an operator's disabling and deletion take steps", async () => {
  const { sql } = suite.database;
  const webhook = await newWebhook(sql, "http://127.0.0.1:9/hook");
  await owe(webhook, MANY);
  const disabling = { webhookId: webhook.webhookId, reason: "moved", otherwise: "", nowMs: Date.now() };
  await refusingMany(async () => {
    expect(await disableWebhook(sql, disabling)).toEqual({ reason: "moved", wasDisabled: false });
    expect(await countOf(webhook, "cancelled")).toBe(MANY);
    expect((await deleteWebhook(sql, webhook.webhookId)).ok).toBe(true);
  });
  expect(await countOf(webhook, "cancelled")).toBe(0);
  expect((await deleteWebhook(sql, webhook.webhookId)).ok).toBe(false);
});

test("all that was given up or cancelled is redelivered in steps, in the order of its making", async () => {
  const { sql } = suite.database;
  const webhook = await newWebhook(sql, "http://127.0.0.1:9/hook");
  await owe(webhook, MANY);
  const nowMs = Date.now() + 1_000;
  await sql`
    update ats.delivery set status = 'cancelled', finished_at = now(),
      created_at = created_at - substring(delivery_id from '[0-9]+$')::int / 2 * interval '1 microsecond'
    where webhook_id = ${webhook.webhookId}`;
  await refusingMany(async () => {
    expect(await redeliverMissed(sql, { webhookId: webhook.webhookId, nowMs })).toEqual({
      queued: MANY,
      next: null,
    });
  });
  expect(await countOf(webhook, "pending")).toBe(MANY);
  const [row] = await sql<[{ places: number; misplaced: number; first: Date }]>`
    select count(distinct due_at)::int as places, min(due_at) as first,
      (count(*) filter (where by_making <> by_due))::int as misplaced
    from (
      select due_at, row_number() over (order by created_at, delivery_id) as by_making,
        row_number() over (order by due_at) as by_due
      from ats.delivery where webhook_id = ${webhook.webhookId}
    ) d`;
  expect(row).toEqual({ places: MANY, misplaced: 0, first: new Date(nowMs) });
});

test("the log is pruned soon after the start, and goes on until nothing old is left", async () => {
  const webhook = await newWebhook(suite.database.sql, "http://127.0.0.1:9/hook");
  await owe(webhook, 3_000, Date.now() - 2 * 86_400_000);
  suite.looping({ retentionDays: 1, pruneEveryMs: 50 });
  await eventually("all old ones are gone", async () => (await countOf(webhook, "delivered")) === 0);
});
