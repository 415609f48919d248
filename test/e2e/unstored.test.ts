/**
 * Events that a database does not take are no silence of their runs: a real service whose events cannot be
 * stored.
 */
import { expect, test } from "bun:test";
import { eventBatch, newExecution } from "../support/fixtures.ts";
import { scrape, total } from "../support/metrics.ts";
import { eventually } from "../support/postgres-server.ts";
import { testSuite } from "../support/suite.ts";

const suite = testSuite({ env: { DETECTION: "on" } });

test("silence counts from the last moment at which nothing could be stored, with nothing due meanwhile", async () => {
  const { sql } = suite.database;
  const { client, anonymous } = suite;
  const executionId = await newExecution(client);
  expect((await client.sendEvents(eventBatch(executionId, 1))).status).toBe(200);
  const upSince = async () => total(await scrape(anonymous), "ats_detection_up_since_timestamp_seconds");
  await eventually("detection leads", async () => {
    const figures = await scrape(anonymous);
    return total(figures, "ats_detection_leader") === 1;
  });
  const before = await upSince();
  expect(Math.abs(before - Date.now() / 1000)).toBeLessThan(600);
  await sql.unsafe(`
    create function ats.be_full() returns trigger language plpgsql as $$
    begin raise exception 'no space left on device' using errcode = '53100'; end $$;
    create trigger be_full before insert on ats.event_pack for each row execute function ats.be_full()`);
  await eventually("it counts anew", async () => {
    expect((await client.sendEvents(eventBatch(executionId, 1))).status).toBe(503);
    return (await upSince()) > before;
  });
  await sql.unsafe("drop function ats.be_full cascade");
  await eventually(
    "events are stored again",
    async () => (await client.sendEvents(eventBatch(executionId, 1))).status === 200,
  );
});
