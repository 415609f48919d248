/**
 * Upkeep that PostgreSQL refuses while claims are answered: the database is not away, and deliveries go on.
 */
import { expect, test } from "bun:test";
import { eventually } from "../support/postgres-server.ts";
import { deliverySuite } from "./delivery-suite.ts";
import { fire, newWebhook } from "./fixtures.ts";
import { statuses } from "./receiver.ts";

const suite = deliverySuite();

test("it is told once, by its name and code, and nothing is said of a database that does not answer", async () => {
  const { sql } = suite.database;
  await sql`
    create function ats.refuse() returns trigger language plpgsql as $$ begin raise exception 'kept'; end $$`;
  await sql`
    create trigger refuse before delete on ats.delivery for each row execute function ats.refuse()`;
  const receiver = await suite.receiving(statuses(200, 200));
  const webhook = await newWebhook(sql, receiver.url);
  await fire(sql, webhook.project);
  const told: Record<string, unknown>[] = [];
  const loop = suite.looping({
    // What has finished is old enough at once.
    retentionDays: -1,
    pruneEveryMs: 20,
    log: (_, fields, message) => told.push({ message, ...fields }),
  });
  await suite.settled(webhook, "delivered");
  await eventually("pruning was refused again and again", () => loop.metrics().databaseErrors >= 5);
  await fire(sql, webhook.project);
  await suite.settled(webhook, "delivered", 2);
  expect(told).toEqual([
    expect.objectContaining({ message: "notify: a task failed", task: "prune", code: "P0001" }),
  ]);
  await sql`drop trigger refuse on ats.delivery`;
});
