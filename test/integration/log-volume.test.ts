/**
 * A database that answers but takes no writes: every request is told 503, the operator is told once, and why.
 */
import { expect, test } from "bun:test";
import { eventBatch, newExecution } from "../support/fixtures.ts";
import { eventually } from "../support/postgres-server.ts";
import { testSuite } from "../support/suite.ts";

const suite = testSuite();
const requests = 20;

test("forty refused requests are one line for each kind, with the server's reason", async () => {
  const { sql, name } = suite.database;
  const executionId = await newExecution(suite.client);
  await sql.unsafe(`alter database ${name} set default_transaction_read_only = on`);
  await sql`
    select pg_terminate_backend(pid, 5000) from pg_stat_activity
    where datname = current_database() and application_name like 'ats%'`;
  await eventually("the service has connections again", async () => {
    const reply = await suite.client.createExecution({ execution_id: "warm-up", status: "started" });
    return reply.status === 503 && linesOf("an execution statement failed").some(isReadOnly);
  });
  for (let index = 0; index < requests; index++) {
    const created = await suite.client.createExecution({ execution_id: `no-${index}`, status: "started" });
    expect(created.status).toBe(503);
    expect((await suite.client.sendEvents(eventBatch(executionId, 2))).status).toBe(503);
  }
  const executions = linesOf("an execution statement failed").filter(isReadOnly);
  const events = linesOf("PostgreSQL refused to store events").filter(isReadOnly);
  expect([executions.length, events.length]).toEqual([1, 1]);
  expect(String(executions[0]?.reason)).toContain("read-only transaction");
  expect(String(events[0]?.reason)).toContain("read-only transaction");
  await sql.unsafe(`alter database ${name} reset default_transaction_read_only`);
});

function linesOf(message: string): Record<string, unknown>[] {
  return suite.service.logs().filter((line) => line.msg === message) as Record<string, unknown>[];
}

function isReadOnly(line: Record<string, unknown>): boolean {
  return line.code === "25006";
}
