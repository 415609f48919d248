/**
 * Starts, drains and threads: twenty starts at once, SIGTERM in mid-request, half-sent bodies, two HTTP
 * threads.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { clientOf } from "../support/client.ts";
import { cloneDatabase, emptyDatabase, type TestDatabase } from "../support/database.ts";
import { eventBatch, eventBody, newExecution } from "../support/fixtures.ts";
import { batchesOf, inParallel, tryBatch } from "../support/load.ts";
import { eventually } from "../support/postgres-server.ts";
import { mintProject, type TestProject } from "../support/projects.ts";
import { openRaw, requestHead } from "../support/raw-http.ts";
import { type Service, startService } from "../support/service.ts";

let database: TestDatabase;
let project: TestProject;
const started: Service[] = [];

async function start(env: Record<string, string> = {}): Promise<Service> {
  const service = await startService({ databaseUrl: database.url, env });
  started.push(service);
  return service;
}

beforeAll(async () => {
  database = await cloneDatabase();
  project = await mintProject(database.sql);
});

afterAll(async () => {
  await Promise.all(started.map((service) => service.stop()));
  await database?.drop();
});

describe("SIGTERM", () => {
  test("in mid-load: every batch is stored or refused, what was acknowledged is stored, exit code 0", async () => {
    const service = await start();
    const client = clientOf(service.url, project.key);
    const run = await newExecution(client);
    const acknowledged: string[] = [];
    const load = inParallel(24, batchesOf(run, 400, 40), async (batch) => {
      const reply = await tryBatch(client, batch);
      if (reply?.status === 200) acknowledged.push(...batch.map((event) => event.event_id));
      else if (reply !== undefined) expect(reply.status).toBe(503);
    });
    await eventually("some batches are answered", () => acknowledged.length > 1_000);
    expect(await service.sigterm()).toEqual({ code: 0, signal: null });
    await load;
    const rows = await database.sql<
      { event_id: string }[]
    >`select event_id from events where execution_id = ${run}`;
    const stored = new Set(rows.map((row) => row.event_id));
    expect(acknowledged.filter((id) => !stored.has(id))).toEqual([]);
  });

  test("with half a body on the wire does not wait for the other half beyond the deadline", async () => {
    const service = await start({ DRAIN_TIMEOUT_S: "2" });
    const connection = await openRaw(service.port);
    await connection.write(requestHead("POST", "/events", project.key, { "content-length": 1_000 }));
    await connection.write('[{"event_id":');
    await Bun.sleep(100);
    expect(await service.sigterm()).toEqual({ code: 0, signal: null });
    connection.destroy();
  });

  test("idle: exit code 0, and nobody is left in the database", async () => {
    const service = await start();
    expect(await service.sigterm()).toEqual({ code: 0, signal: null });
  });
});

describe("clients that do not finish", () => {
  test("half-sent bodies, lying lengths and bad chunks store nothing and hinder nobody", async () => {
    const service = await start();
    const client = clientOf(service.url, project.key);
    const run = await newExecution(client);
    const body = JSON.stringify(eventBatch(run, 3));
    const head = (headers: Record<string, string | number>) =>
      requestHead("POST", "/events", project.key, headers);
    const sent = [
      head({ "content-length": body.length }) + body.slice(0, -5),
      head({ "content-length": body.length + 10 }) + body,
      `${head({ "transfer-encoding": "chunked" })}${body.length.toString(16)}\r\n${body}\r\n`,
      `${head({ "transfer-encoding": "chunked" })}zz\r\nno chunk\r\n0\r\n\r\n`,
      "POST /events HTTP/1.1\r\nhost: x\r\nauthorization: Bear",
      "\u0000\u0001\u0002 garbage\r\n\r\n",
    ];
    const connections = await Promise.all(
      Array.from({ length: 60 }, async (_, index) => {
        const connection = await openRaw(service.port);
        await connection.write(sent[index % sent.length]!);
        return connection;
      }),
    );
    expect((await client.sendEvents([eventBody(run)])).json).toEqual({ accepted: 1, duplicates: 0 });
    for (const connection of connections) connection.destroy();
    await Bun.sleep(200);
    expect((await client.sendEvents([eventBody(run)])).json).toEqual({ accepted: 1, duplicates: 0 });
    const rows = await database.sql`select 1 from events where execution_id = ${run}`;
    expect(rows.length).toBe(2);
  });

  test("a length shorter than the body takes the declared part as the body", async () => {
    const service = await start();
    const run = await newExecution(clientOf(service.url, project.key));
    const body = JSON.stringify([eventBody(run)]);
    const connection = await openRaw(service.port);
    await connection.write(
      requestHead("POST", "/events", project.key, { "content-length": body.length - 4 }) + body,
    );
    expect(await connection.status()).toBe(400);
    connection.destroy();
  });
});

test("twenty starts at once on one empty database: one migrates, all serve", async () => {
  const empty = await emptyDatabase();
  const services = await Promise.all(
    Array.from({ length: 20 }, () => startService({ databaseUrl: empty.url, startDeadlineMs: 150_000 })),
  );
  // Twenty starts stall a machine, and whoever got no answer for 3 s says so until there is one.
  for (const { url } of services) {
    const status = async () => (await clientOf(url, undefined).request("GET", "/ready")).status;
    await eventually(`${url} is ready`, async () => (await status()) === 200);
  }
  const applied = await empty.sql`select hash from drizzle.__drizzle_migrations`;
  await Promise.all(services.map((service) => service.stop()));
  expect(new Set(applied.map((row) => row.hash)).size).toBe(applied.length);
  await empty.drop();
}, 180_000);

test("two replicas store the same batches exactly once between them", async () => {
  const replicas = await Promise.all([start(), start()]);
  const clients = replicas.map(({ url }) => clientOf(url, project.key));
  const run = await newExecution(clients[0]!);
  const batches = batchesOf(run, 60, 20);
  let accepted = 0;
  await inParallel(12, [...batches, ...batches, ...batches], async (batch) => {
    const replies = await Promise.all(clients.map((client) => client.sendEvents(batch)));
    for (const reply of replies) {
      expect(reply.status).toBe(200);
      accepted += Number(reply.json?.accepted);
    }
  });
  const rows = await database.sql`select 1 from events where execution_id = ${run}`;
  expect({ accepted, rows: rows.length }).toEqual({ accepted: 1_200, rows: 1_200 });
});

test("two HTTP threads serve one port and share one bucket", async () => {
  const limited = await mintProject(database.sql, { rateBurst: 60, ratePerSecond: 1 });
  const service = await start({ HTTP_THREADS: "2" });
  const client = clientOf(service.url, limited.key);
  const begun = performance.now();
  // Connections of their own, so that the kernel spreads them over both threads.
  const replies = await Promise.all(
    Array.from({ length: 300 }, () => client.sendEvents("{", { connection: "close" })),
  );
  const elapsedS = (performance.now() - begun) / 1000;
  const admitted = replies.filter((reply) => reply.status === 400).length;
  expect(admitted + replies.filter((reply) => reply.status === 429).length).toBe(300);
  expect(admitted).toBeWithin(60, Math.ceil(60 + elapsedS) + 1);
  const wide = clientOf(service.url, project.key);
  const run = await newExecution(wide);
  const batch = eventBatch(run, 20);
  const sends = await Promise.all(
    Array.from({ length: 20 }, () => wide.sendEvents(batch, { connection: "close" })),
  );
  expect(sends.map((reply) => reply.status)).toEqual(sends.map(() => 200));
  expect(sends.reduce((sum, reply) => sum + Number(reply.json?.accepted), 0)).toBe(20);
});
