/** GET /health and GET /ready, with the schema and the database in every state they can be in. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import postgres, { type Sql } from "postgres";
import { type Client, clientOf, type Reply, refusal } from "../support/client.ts";
import { eventBody, executionBody, newExecution } from "../support/fixtures.ts";
import { scrape, total } from "../support/metrics.ts";
import { eventually, type PostgresServer, startPostgresServer } from "../support/postgres-server.ts";
import { mintProject } from "../support/projects.ts";
import { rateHeadersOf } from "../support/rate-headers.ts";
import { openRaw } from "../support/raw-http.ts";
import { type Service, startService } from "../support/service.ts";

const journal = JSON.parse(
  readFileSync(join(import.meta.dir, "../../drizzle/meta/_journal.json"), "utf8"),
) as { entries: unknown[] };
const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

let server: PostgresServer;
let sql: Sql;
let service: Service;
let anonymous: Client;
let client: Client;

beforeAll(async () => {
  server = await startPostgresServer();
  service = await startService({ databaseUrl: server.url });
  sql = postgres(server.url, { max: 1, onnotice: () => {} });
  const project = await mintProject(sql);
  anonymous = clientOf(service.url, undefined);
  client = clientOf(service.url, project.key);
});

afterAll(async () => {
  await service?.stop();
  await sql?.end({ timeout: 1 });
  await server?.stop();
});

const ready = (): Promise<Reply> => anonymous.request("GET", "/ready");

async function readyWithin(status: number): Promise<Reply> {
  await eventually(`/ready is ${status}`, async () => (await ready()).status === status);
  return ready();
}

test("/health: ok, service, version, time, and nothing else", async () => {
  const reply = await anonymous.request("GET", "/health");
  expect(reply.status).toBe(200);
  expect(reply.headers.get("content-type")).toMatch(/^application\/json\b/);
  expect(reply.json).toEqual({
    ok: true,
    service: expect.any(String),
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    time: expect.stringMatching(moment),
  });
  expect(Math.abs(Date.parse(String(reply.json?.time)) - Date.now())).toBeLessThan(60_000);
});

test("HEAD on a probe is the answer without a body", async () => {
  for (const path of ["/health", "/ready"]) {
    const reply = await anonymous.request("HEAD", path);
    expect({ status: reply.status, text: reply.text }).toEqual({ status: 200, text: "" });
  }
});

test("/health asked twice at once on one connection is answered twice", async () => {
  const connection = await openRaw(service.port);
  const ask = "GET /health HTTP/1.1\r\nHost: a.b\r\n";
  await connection.write(`${ask}\r\n${ask}Connection: close\r\n\r\n`);
  await connection.closed();
  expect(connection.received().match(/HTTP\/1\.1 200/g)).toHaveLength(2);
});

test("/ready: every check ok, and the migrations counted", async () => {
  const reply = await ready();
  expect(reply.status).toBe(200);
  const count = journal.entries.length;
  expect(reply.json).toEqual({
    ok: true,
    service: expect.any(String),
    version: expect.any(String),
    checks: { database: "ok", schema: "ok" },
    migrations: { embedded: count, applied: count },
    time: expect.stringMatching(moment),
  });
});

describe("the schema", () => {
  test("of a newer build is ready", async () => {
    await sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('newer', 99999999999999)`;
    const reply = await ready();
    await sql`delete from drizzle.__drizzle_migrations where hash = 'newer'`;
    expect(reply.status).toBe(200);
    const count = journal.entries.length;
    expect(reply.json?.migrations).toEqual({ embedded: count, applied: count + 1 });
  });

  test("behind: 503 schema_behind with both counts, counted as not_ready and for as long as it took", async () => {
    const before = await scrape(anonymous);
    const removed = await sql`
      delete from drizzle.__drizzle_migrations where id = (select max(id) from drizzle.__drizzle_migrations)
      returning hash, created_at`;
    const reply = await ready();
    await sql`insert into drizzle.__drizzle_migrations ${sql(removed[0]!)}`;
    expect(reply.status).toBe(503);
    const count = journal.entries.length;
    expect(reply.json).toMatchObject({
      ok: false,
      checks: { database: "ok" },
      migrations: { embedded: count, applied: count - 1 },
      reason: "schema_behind",
      time: expect.stringMatching(moment),
    });
    const after = await scrape(anonymous);
    const grown = (name: string, labels: Record<string, string>) =>
      total(after, name, labels) - total(before, name, labels);
    const counted = (code: string) => grown("ats_http_requests_total", { route: "other", code });
    // What reads the metrics is counted after it was read.
    expect({ not_ready: counted("not_ready"), ok: counted("ok") }).toEqual({ not_ready: 1, ok: 1 });
    expect(grown("ats_http_request_duration_seconds_sum", { route: "other" })).toBeGreaterThan(0);
    expect((await ready()).status).toBe(200);
  });

  test("unreadable: 503 schema_unreadable, no migrations, no driver text", async () => {
    await sql`alter table drizzle.__drizzle_migrations rename to hidden_away`;
    await sql`create view drizzle.__drizzle_migrations as select id from drizzle.hidden_away where 1 / (id - id) = 1`;
    const reply = await ready();
    await sql`drop view drizzle.__drizzle_migrations`;
    await sql`alter table drizzle.hidden_away rename to __drizzle_migrations`;
    expect(reply.status).toBe(503);
    expect(reply.json).toMatchObject({ ok: false, checks: { database: "ok" }, reason: "schema_unreadable" });
    expect(reply.json).not.toHaveProperty("migrations");
    expect(reply.text).not.toMatch(/division|relation|column|drizzle/);
  });
});

describe("the database gone", () => {
  test("503 on /ready and on every call, 200 on /health, and recovery by itself", async () => {
    const run = await newExecution(client);
    await server.kill();
    const down = await readyWithin(503);
    expect(down.json).toMatchObject({
      ok: false,
      checks: { database: "unreachable", schema: "unknown" },
      reason: "database_unreachable",
      time: expect.stringMatching(moment),
    });
    expect(down.json).not.toHaveProperty("migrations");
    expect(down.text).not.toMatch(/ECONN|connect|127\.0\.0\.1|postgres:/i);

    const calls = [
      () => client.createExecution(executionBody()),
      () => client.patchExecution(run, { status: "completed" }),
      () => client.sendEvents([eventBody(run)]),
      () => client.sendEvents([eventBody("never-created")]),
    ];
    for (const call of calls) {
      const reply = await call();
      expect(refusal(reply)).toBe("503 database_unavailable");
      expect(reply.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
      expect(reply.text).not.toMatch(/ECONN|127\.0\.0\.1|terminat/i);
      rateHeadersOf(reply);
    }
    expect(refusal(await client.sendEvents("{"))).toBe("400 invalid_json");
    expect((await anonymous.request("GET", "/health")).status).toBe(200);

    await server.start();
    await readyWithin(200);
    await eventually(
      "events are taken again",
      async () => (await client.sendEvents([eventBody(run)])).status === 200,
    );
    expect((await client.patchExecution(run, { status: "completed" })).json?.status).toBe("completed");
  });
});
