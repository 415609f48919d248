/**
 * What keeps the attempts under way from being sent by another replica too, while PostgreSQL is there and
 * slow.
 */
import { expect, test } from "bun:test";
import { eventually } from "../support/postgres-server.ts";
import { deliverySuite } from "./delivery-suite.ts";
import { deliveriesOf, fire, newWebhook, testClock } from "./fixtures.ts";

const suite = deliverySuite();

/** Claims and records of failures wait for PostgreSQL meanwhile. Renewals have no need of webhooks. */
async function whileWebhooksAreLocked(work: () => Promise<void>): Promise<void> {
  await suite.database.sql.begin(async (tx) => {
    await tx`lock table ats.webhook in access exclusive mode`;
    await work();
  });
}

/** The processes of PostgreSQL in which statements of the loop wait for a lock. */
async function waiting(query: string): Promise<number[]> {
  const rows = await suite.database.sql<{ pid: number }[]>`
    select pid from pg_stat_activity
    where datname = current_database() and application_name = 'ats notify' and wait_event_type = 'Lock'
      and query like ${`%${query}%`}`;
  return rows.map(({ pid }) => pid);
}

test("leases are renewed while claims, and what is to be recorded, wait in PostgreSQL", async () => {
  const { sql } = suite.database;
  const clock = testClock();
  const leaseMs = 6_000;
  const slow = await newWebhook(sql, (await suite.receiving(() => {})).url);
  await fire(sql, slow.project, clock());
  const answers: (() => void)[] = [];
  const failing = await suite.receiving((response) => {
    answers.push(() => response.writeHead(500).end());
  });
  // More than there are connections.
  for (let count = 0; count < 6; count += 1) {
    await fire(sql, (await newWebhook(sql, failing.url)).project, clock());
  }
  const loop = suite.looping({ clock, leaseMs });
  await failing.got(6);
  await suite.settled(slow, "delivering");
  await whileWebhooksAreLocked(async () => {
    for (const answer of answers) answer();
    await eventually("records wait", async () => (await waiting("for no key update")).length > 0);
    for (let renewed = 0; renewed < 3; renewed += 1) {
      clock.advanceMs(leaseMs / 2);
      await eventually("the lease is renewed", async () => {
        const [delivery] = await deliveriesOf(sql, slow);
        return delivery?.dueAt.getTime() === clock() + leaseMs;
      });
    }
  });
  await loop.stop();
  expect(await deliveriesOf(sql, slow)).toEqual([
    expect.objectContaining({ status: "pending", attemptCount: 1 }),
  ]);
});

test("a claim that PostgreSQL breaks off is told as such; the database is not away for it", async () => {
  const { sql } = suite.database;
  const webhook = await newWebhook(sql, (await suite.receiving()).url);
  await fire(sql, webhook.project);
  const told: Record<string, unknown>[] = [];
  await whileWebhooksAreLocked(async () => {
    suite.looping({ log: (_, fields, message) => told.push({ message, ...fields }) });
    await eventually("a claim waits", async () => (await waiting("with recursive owed")).length > 0);
    const [pid] = await waiting("with recursive owed");
    await sql`select pg_cancel_backend(${pid!}::int)`;
    await eventually("it is told", () => told.length > 0);
  });
  await suite.settled(webhook, "delivered");
  expect(told).toEqual([
    expect.objectContaining({ message: "notify: a task failed", task: "claim", code: "57014" }),
  ]);
});

test("a statement is broken off long before a lease ends", async () => {
  const { sql } = suite.database;
  await sql`create table ats.seen_timeout (timeout interval)`;
  await sql`
    create function ats.see_timeout() returns trigger language plpgsql as $$
    begin insert into ats.seen_timeout values (current_setting('statement_timeout')::interval); return null; end $$`;
  await sql`
    create trigger see_timeout after update on ats.delivery for each statement execute function ats.see_timeout()`;
  const webhook = await newWebhook(sql, (await suite.receiving()).url);
  await fire(sql, webhook.project);
  suite.looping({ leaseMs: 9_000 });
  await suite.settled(webhook, "delivered");
  await sql`drop trigger see_timeout on ats.delivery`;
  const seen = await sql<{ inTime: boolean }[]>`
    select timeout > interval '0' and 2 * timeout < interval '9 s' as "inTime" from ats.seen_timeout`;
  expect(new Set(seen.map(({ inTime }) => inTime))).toEqual(new Set([true]));
});
