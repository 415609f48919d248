/**
 * A statement whose parameters cannot be written. The driver as it is published tells that to the statement
 * under way on the same connection, whoever's it is, and waits for ever for an answer to what it never sent.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { connect, type Sql } from "../../src/store/database/connect.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";

let database: TestDatabase;
let sql: Sql;

beforeAll(async () => {
  database = await cloneDatabase();
  sql = connect({ url: database.url, connectionsMax: 1, applicationName: "unsendable" });
  // From here on its parameters are written as soon as it is asked.
  await ask(0);
});

afterAll(async () => {
  await sql.end({ timeout: 5 });
  await database.drop();
});

const ask = (ms: number) => sql<{ at: Date }[]>`select ${new Date(ms)}::timestamptz as at`.execute();

test("beside others on its connection: it alone fails", async () => {
  const before = sql<{ seven: number }[]>`select 7 as seven, pg_sleep(0.2)`.execute();
  const unsendable = ask(Number.NaN);
  const after = sql<{ one: number }[]>`select 1 as one`.execute();
  const [first, second, third] = await Promise.allSettled([before, unsendable, after]);
  expect(first).toMatchObject({ status: "fulfilled", value: [{ seven: 7 }] });
  expect(second).toMatchObject({ status: "rejected", reason: expect.any(RangeError) });
  expect(third).toMatchObject({ status: "fulfilled", value: [{ one: 1 }] });
});

test("alone: the connection is free for the next, and for who reserves it", async () => {
  await expect(ask(Number.NaN)).rejects.toThrow(RangeError);
  const session = await sql.reserve();
  const [row] = await session<[{ one: number }]>`select 1 as one`;
  expect(row.one).toBe(1);
  session.release();
});

test("in a transaction: it is rolled back, and the connection is in none", async () => {
  await ask(0);
  const transaction = sql.begin(async (tx) => {
    await tx`create table unsendable_notes (note text)`;
    await tx`select ${new Date(Number.NaN)}::timestamptz as at`;
  });
  await expect(transaction).rejects.toThrow(RangeError);
  const [row] = await sql<[{ found: boolean }]>`select to_regclass('unsendable_notes') is not null as found`;
  expect(row.found).toBe(false);
});
