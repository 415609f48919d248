/**
 * kill -9 of the service and of PostgreSQL in mid-load: what was acknowledged is stored, and resending ends
 * in exactly once.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import postgres, { type Sql } from "postgres";
import { type Client, clientOf } from "../support/client.ts";
import { newExecution } from "../support/fixtures.ts";
import { batchesOf, idsOf, inParallel, sendUntilStored, tryBatch } from "../support/load.ts";
import { eventually, type PostgresServer, startPostgresServer } from "../support/postgres-server.ts";
import { mintProject, type TestProject } from "../support/projects.ts";
import { type Service, startService } from "../support/service.ts";

/** How the service tells of a statement that it had to give up after its time. */
const GIVEN_UP = /took longer than|no answer for 10000 ms/;

let server: PostgresServer;
let sql: Sql;
let project: TestProject;
let service: Service;
let client: Client;

beforeAll(async () => {
  server = await startPostgresServer();
  sql = postgres(server.url, { max: 2, onnotice: () => {} });
  service = await startService({ databaseUrl: server.url });
  project = await mintProject(sql);
  client = clientOf(service.url, project.key);
});

afterAll(async () => {
  await service?.stop();
  await sql?.end({ timeout: 1 });
  await server?.stop();
});

async function storedIds(runs: readonly string[]): Promise<string[]> {
  const rows = await sql<
    { event_id: string }[]
  >`select event_id from events where execution_id = any(${runs})`;
  return rows.map((row) => row.event_id).sort();
}

const EXECUTIONS = 100;

/**
 * A strike in mid-load, everything sent until acknowledged: the rows are the events, each once. The
 * executions get their first events one after the other, so that the strike also meets claims of home days.
 */
async function strikeAndResend(strike: () => Promise<void>): Promise<void> {
  const runs = await Promise.all(Array.from({ length: EXECUTIONS }, () => newExecution(client)));
  const batches = runs.flatMap((run) => batchesOf(run, 4, 50));
  let answered = 0;
  let struck: Promise<void> | undefined;
  await inParallel(32, batches, async (batch) => {
    await sendUntilStored(() => client, batch);
    answered += 1;
    if (answered === 80) struck = strike();
  });
  await struck;
  expect(await storedIds(runs)).toEqual(idsOf(batches));
  const again = await sendUntilStored(() => client, batches[0]!);
  expect(again).toMatchObject({ accepted: 0, duplicates: 50 });
  // Nobody was answered only because a timer ran out: a connection that closes tells whoever waits for it.
  expect(service.output()).not.toMatch(GIVEN_UP);
}

describe("the service killed", () => {
  test("no acknowledged event is lost", async () => {
    const run = await newExecution(client);
    const acknowledged: string[] = [];
    const load = inParallel(16, batchesOf(run, 300, 50), async (batch) => {
      const reply = await tryBatch(client, batch);
      if (reply?.status === 200) acknowledged.push(...batch.map((event) => event.event_id));
    });
    await eventually("some batches are answered", () => acknowledged.length > 2_000);
    await service.sigkill();
    await load;
    const stored = new Set(await storedIds([run]));
    expect(acknowledged.filter((id) => !stored.has(id))).toEqual([]);
    service = await startService({ databaseUrl: server.url });
    client = clientOf(service.url, project.key);
  });

  test("in mid-load, started again, resent: exactly once", async () => {
    await strikeAndResend(async () => {
      await service.sigkill();
      service = await startService({ databaseUrl: server.url });
      client = clientOf(service.url, project.key);
    });
  });
});

describe("PostgreSQL killed", () => {
  test("in mid-load, started again, resent: exactly once, and the service recovers by itself", async () => {
    const pid = service.pid;
    await strikeAndResend(async () => {
      await server.kill();
      await Bun.sleep(300);
      await server.start();
    });
    expect(service.pid).toBe(pid);
    expect((await client.request("GET", "/ready")).status).toBe(200);
  });

  test("twice in a row", async () => {
    await strikeAndResend(async () => {
      for (let round = 0; round < 2; round += 1) {
        await server.kill();
        await server.start();
        await Bun.sleep(200);
      }
    });
  });

  test("the backends alone terminated, again and again: exactly once", async () => {
    await strikeAndResend(async () => {
      for (let round = 0; round < 10; round += 1) {
        await sql`select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()
          and backend_type = 'client backend'`.catch(() => {});
        await Bun.sleep(40);
      }
    });
  });
});
