/**
 * Connections that fall silent one by one, while PostgreSQL answers on all others and holds theirs for open:
 * what waits on them goes on within seconds, is done once, and leaves no lock behind.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Sql } from "postgres";
import type { Receiver } from "../notify/receiver.ts";
import { type Client, clientOf } from "../support/client.ts";
import { newExecution } from "../support/fixtures.ts";
import { batchesOf, sendUntilStored } from "../support/load.ts";
import { eventually } from "../support/postgres-server.ts";
import { mintProject } from "../support/projects.ts";
import type { Service } from "../support/service.ts";
import { type ServiceBehindWay, startServiceBehindWay } from "../support/service-behind-way.ts";
import type { WayToPostgres } from "../support/way-to-postgres.ts";

const TEST_MS_MAX = 180_000;
let behind: ServiceBehindWay;
let way: WayToPostgres;
let sql: Sql;
let service: Service;
let client: Client;
let receiver: Receiver;
let crash: ServiceBehindWay["crash"];

beforeAll(async () => {
  behind = await startServiceBehindWay({ FLUSH_CONNECTIONS: "1" });
  ({ way, sql, service, client, receiver, crash } = behind);
});
afterAll(async () => await behind?.stop());

/** Until each crash was detected, once, and its webhook has come, at least once. */
async function told(): Promise<void> {
  const crashes = async () => {
    const [row] = await sql<[{ crashed: number; detected: number }]>`
      select (select count(*) from ats.execution where status = 'crashed')::int as crashed,
        (select count(*) from ats.detection where class = 'execution_crash')::int as detected`;
    return row;
  };
  await eventually("all webhooks have come", async () => {
    const ofCrashes = receiver.requests.filter(({ body }) => body.includes('"execution_crash"'));
    const sent = new Set(ofCrashes.map((request) => request.headers["webhook-id"]));
    return sent.size === (await crashes()).crashed;
  });
  const { crashed, detected } = await crashes();
  expect(detected).toBe(crashed);
}

/** What the server still holds of the sessions that were silenced. */
async function sessionsOf(name: string): Promise<number[]> {
  const rows = await sql<
    { pid: number }[]
  >`select pid from pg_stat_activity where application_name = ${name}`;
  return rows.map(({ pid }) => pid);
}

async function storedCount(run: string): Promise<number> {
  const [row] = await sql<
    [{ count: number }]
  >`select count(*)::int as count from events where execution_id = ${run}`;
  return row.count;
}

for (const { what, bytes } of [
  { what: "before a flush", bytes: 0 },
  { what: "in the middle of a flush, whose transaction stays open", bytes: 20_000 },
])
  test(
    `that of the flushes, ${what}`,
    async () => {
      const run = await newExecution(client);
      const [before, after] = batchesOf(run, 2, 200);
      expect((await client.sendEvents(before!)).status).toBe(200);
      const silenced = await sessionsOf("ats flush");
      expect(way.silence("ats flush", bytes)).toBe(silenced.length);
      await sendUntilStored(() => client, after!);
      expect(await storedCount(run)).toBe(400);
      await eventually("the server has ended the session", async () =>
        (await sessionsOf("ats flush")).every((pid) => !silenced.includes(pid)),
      );
    },
    TEST_MS_MAX,
  );

test(
  "that of the flushes, after the commit: its answer is found",
  async () => {
    const run = await newExecution(client);
    const [before, after] = batchesOf(run, 2, 20);
    expect((await client.sendEvents(before!)).status).toBe(200);
    const locked = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const holding = sql.begin(async (tx) => {
      await tx`lock table ats.event_pack in share mode`;
      locked.resolve();
      await release.promise;
    });
    await locked.promise;
    const sent = client.sendEvents(after!).catch(() => undefined);
    await eventually("the flush waits in the server", async () => {
      const [row] = await sql<[{ waiting: number }]>`
        select count(*)::int as waiting from pg_stat_activity
        where application_name = 'ats flush' and wait_event_type = 'Lock'`;
      return row.waiting === 1;
    });
    expect(way.silence("ats flush")).toBeGreaterThan(0);
    release.resolve();
    await holding;
    await sent;
    const { accepted, duplicates } = await sendUntilStored(() => client, after!);
    expect(accepted + duplicates).toBe(20);
    expect(await storedCount(run)).toBe(40);
  },
  TEST_MS_MAX,
);

test(
  "those of keys and executions",
  async () => {
    expect(way.silence("ats ingest")).toBeGreaterThan(0);
    const minted = await mintProject(sql);
    const other = clientOf(service.url, minted.key);
    await eventually("a new key is known", async () => (await other.sendEvents([])).status === 200);
    await eventually("an execution is made", async () => (await crash().catch(() => 0)) === 200);
  },
  TEST_MS_MAX,
);

test(
  "those of detection and of webhooks",
  async () => {
    expect(await crash()).toBe(200);
    await told();
    expect(way.silence("ats-detection")).toBe(1);
    expect(way.silence("ats notify")).toBeGreaterThan(0);
    expect(await crash()).toBe(200);
    await told();
  },
  TEST_MS_MAX,
);

test(
  "those of the dashboard",
  async () => {
    const session = async () => (await client.request("GET", "/app/api/session")).status;
    await eventually("the dashboard is there", async () => (await session()) === 200);
    expect(way.silence("ats dashboard")).toBeGreaterThan(0);
    await eventually("the dashboard answers", async () => (await session()) === 200);
  },
  TEST_MS_MAX,
);

test(
  "a statement that takes its time is left alone",
  async () => {
    const run = await newExecution(client);
    const [first, second] = batchesOf(run, 2, 20);
    expect((await client.sendEvents(first!)).status).toBe(200);
    const closedBefore = closings();
    const held = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const holding = sql.begin(async (tx) => {
      await tx`lock table ats.event_pack in share mode`;
      held.resolve();
      await release.promise;
    });
    await held.promise;
    const sent = client.sendEvents(second!);
    // For so long that a silent one is closed.
    await eventually("the flush has waited in the server", async () => {
      const [row] = await sql<[{ waiting: number }]>`
        select count(*)::int as waiting from pg_stat_activity where application_name = 'ats flush'
          and wait_event_type = 'Lock' and now() - query_start > interval '7 seconds'`;
      return row.waiting === 1;
    });
    release.resolve();
    await holding;
    expect((await sent).json).toEqual({ accepted: 20, duplicates: 0 });
    expect(closings()).toBe(closedBefore);
  },
  TEST_MS_MAX,
);

function closings(): number {
  return service.logs().filter((line) => /answers no more/.test(String(line.msg))).length;
}
