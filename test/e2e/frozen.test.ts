/**
 * A PostgreSQL that keeps its connections and answers nothing: callers are told so, and nothing is lost or
 * doubled once it goes on.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import postgres, { type Sql } from "postgres";
import { type Client, clientOf, type Reply } from "../support/client.ts";
import { newExecution } from "../support/fixtures.ts";
import { batchesOf, idsOf, inParallel, sendUntilStored, tryBatch } from "../support/load.ts";
import { eventually, type PostgresServer, startPostgresServer } from "../support/postgres-server.ts";
import { mintProject } from "../support/projects.ts";
import { type Service, startService } from "../support/service.ts";

let server: PostgresServer;
let sql: Sql;
let service: Service;
let client: Client;

beforeAll(async () => {
  server = await startPostgresServer();
  sql = postgres(server.url, { max: 2, onnotice: () => {} });
  service = await startService({ databaseUrl: server.url });
  const project = await mintProject(sql);
  client = clientOf(service.url, project.key);
});

afterAll(async () => {
  server?.thaw();
  await service?.stop();
  await sql?.end({ timeout: 1 });
  await server?.stop();
});

test("503 to everybody who waits, /health throughout, and exactly once after it goes on", async () => {
  const run = await newExecution(client);
  const before = batchesOf(run, 5, 20);
  for (const batch of before) expect((await client.sendEvents(batch)).status).toBe(200);

  server.freeze();
  const during = batchesOf(run, 60, 20);
  const replies: (Reply | undefined)[] = [];
  // More than the connections that flush: some wait for a writer, and must not wait for ever.
  await inParallel(30, during, async (batch) => {
    replies.push(await tryBatch(client, batch));
    expect((await client.request("GET", "/health")).status).toBe(200);
  });
  expect(replies.map((reply) => [reply?.status, reply?.json])).toEqual(
    during.map(() => [503, expect.objectContaining({ code: "database_unavailable" })]),
  );
  expect((await client.request("GET", "/ready")).status).toBe(503);

  server.thaw();
  for (const batch of during) await sendUntilStored(() => client, batch);
  const rows = await sql<{ event_id: string }[]>`select event_id from events where execution_id = ${run}`;
  expect(rows.map((row) => row.event_id).sort()).toEqual(idsOf([...before, ...during]));
  expect((await client.request("GET", "/ready")).status).toBe(200);
});

test("a silence is noticed although nobody asks, and then everybody is told at once", async () => {
  const available = async () =>
    /^ats_database_available (\d)$/m.exec((await client.request("GET", "/metrics")).text)?.[1];
  const run = await newExecution(client);
  expect(await available()).toBe("1");
  const session = () => client.request("GET", "/app/api/session");
  await eventually("the dashboard is there", async () => (await session()).status === 200);
  server.freeze();
  const waiting = session();
  await eventually("the silence is noticed", async () => (await available()) === "0");
  expect(reasonsOfLoss().at(-1)).toBe("no answer for 3000 ms");
  const [batch] = batchesOf(run, 1, 20);
  const reply = await tryBatch(client, batch!);
  expect([reply?.status, reply?.json]).toEqual([
    503,
    expect.objectContaining({ code: "database_unavailable" }),
  ]);
  for (const told of [await waiting, await session()]) {
    expect([told.status, told.json?.code]).toEqual([503, "database_unavailable"]);
  }
  server.thaw();
  await sendUntilStored(() => client, batch!);
  expect(await available()).toBe("1");
  expect((await session()).status).toBe(200);
});

test("whoever reads the log is told why the database cannot be reached", async () => {
  const { length } = reasonsOfLoss();
  const run = await newExecution(client);
  const [batch] = batchesOf(run, 1, 1);
  await server.kill();
  await tryBatch(client, batch!);
  await eventually("the loss is noticed", () => reasonsOfLoss().length > length);
  await server.start();
  await sendUntilStored(() => client, batch!);
  expect(reasonsOfLoss()).toEqual(Array.from(reasonsOfLoss(), () => expect.any(String)));
});

function reasonsOfLoss(): unknown[] {
  return service.logs().flatMap(({ msg, reason }) => (/cannot be reached/.test(String(msg)) ? [reason] : []));
}
