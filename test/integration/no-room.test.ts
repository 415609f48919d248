/** A PostgreSQL that has no room for another connection: it is there, and says so. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { clientOf } from "../support/client.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { eventBatch, newExecution, uniqueId } from "../support/fixtures.ts";
import { eventually } from "../support/postgres-server.ts";
import { mintProject } from "../support/projects.ts";
import { type Service, startService } from "../support/service.ts";

const ROLE = `no_room_${process.pid}`;
const REQUESTS = 10;
const WRITERS = ["ats ingest", "ats flush", "ats careful flush"];

let database: TestDatabase;
let service: Service;

beforeAll(async () => {
  database = await cloneDatabase();
  const [row] = await database.sql<[{ own: string }]>`select current_user as own`;
  // The limits that PostgreSQL sets do not hold for superusers.
  await database.sql.unsafe(`create role ${ROLE} login password 'of-a-test' in role ${row.own}`);
  const url = new URL(database.url);
  url.username = ROLE;
  url.password = "of-a-test";
  service = await startService({ databaseUrl: url.href, env: { DETECTION: "off" } });
});

afterAll(async () => {
  await service?.stop();
  // The days that the service made are its role's.
  await database.sql.unsafe(`reassign owned by ${ROLE} to current_user`);
  await database.sql.unsafe(`drop role ${ROLE}`);
  await database.drop();
});

test("requests are told to come back, the operator is told once and why, and what has a connection goes on", async () => {
  const { sql } = database;
  const client = clientOf(service.url, (await mintProject(sql)).key);
  const executionId = await newExecution(client);
  await sql.unsafe(`alter role ${ROLE} connection limit 0`);
  await eventually("no connection is left", async () => {
    // Again and again: one that was being opened is let in, and has no name yet.
    await sql`
      select pg_terminate_backend(pid, 5000) from pg_stat_activity
      where datname = current_database() and application_name = any(${WRITERS})`;
    const reply = await client.createExecution({ execution_id: uniqueId("warm-up"), status: "started" });
    return reply.status === 503 && refusals("an execution statement failed").length > 0;
  });
  await eventually(
    "the loss of those connections is over",
    () => linesOf(/cannot be reached/).length === linesOf(/is back/).length,
  );
  const losses = linesOf(/cannot be reached|is back/).length;
  for (let index = 0; index < REQUESTS; index++) {
    const [created, sent] = await Promise.all([
      client.createExecution({ execution_id: `no-${index}`, status: "started" }),
      client.sendEvents(eventBatch(executionId, 2)),
    ]);
    expect([created.status, sent.status]).toEqual([503, 503]);
  }
  expect(linesOf(/cannot be reached|is back/).length).toBe(losses);
  const told = [
    ...refusals("an execution statement failed"),
    ...refusals("PostgreSQL refused to store events"),
  ];
  expect(told.map((line) => String(line.reason))).toEqual(
    Array.from(told, () => expect.stringContaining("too many connections")),
  );
  expect(told.length).toBe(2);

  await sql.unsafe(`alter role ${ROLE} connection limit -1`);
  await eventually(
    "events are stored again",
    async () => (await client.sendEvents(eventBatch(executionId, 2))).status === 200,
  );
});

function linesOf(message: RegExp): Record<string, unknown>[] {
  return service.logs().filter((line) => message.test(String(line.msg))) as Record<string, unknown>[];
}

function refusals(message: string): Record<string, unknown>[] {
  return linesOf(new RegExp(`^${message}$`)).filter((line) => line.code === "53300");
}
