/** What errors of a real PostgreSQL mean: each is what its name says and nothing else. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { connect } from "../../src/store/database/connect.ts";
import * as failure from "../../src/store/database/failure.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await cloneDatabase();
  await database.sql`create table public.numbers (number int primary key check (number < 10))`;
  await database.sql`insert into public.numbers values (1)`;
});
afterAll(() => database.drop());

const { codeOf: _, loggableReason: __, ...meanings } = failure;

test.each([
  ["select * from public.nothing", ["isSchemaMissing", "isTableMissing"]],
  ["create table nowhere.numbers ()", ["isSchemaMissing"]],
  ["create table public.numbers ()", ["isTableThere"]],
  ["insert into public.numbers values (1)", ["isKeyTaken"]],
  ["insert into public.numbers values (10)", ["isRowAtFault"]],
  ["insert into public.numbers values (null)", ["isRowAtFault"]],
  ["select 1 / 0", ["isRowAtFault"]],
  ["do $$ begin raise exception 'refused'; end $$", ["isRowAtFault"]],
  ["set statement_timeout = 1; select pg_sleep(10)", ["isCancelled"]],
  ["select no_such_function()", ["isNotOffered"]],
  ["set transaction read only; create table public.more ()", ["isClosedForWrites"]],
  ["select pg_terminate_backend(pg_backend_pid())", ["isConnectionLoss", "isOutOfReach", "isWithoutSession"]],
  ["select ;;; from", []],
])("%s: %j", async (statement, expected) => {
  expect(await meaningsOf(statement)).toEqual(expected);
});

test("a lock that others hold", async () => {
  const holder = await database.sql.reserve();
  try {
    await holder`begin`;
    await holder`lock table public.numbers`;
    expect(await meaningsOf("set lock_timeout = 1; drop table public.numbers")).toEqual(["isLockConflict"]);
  } finally {
    await holder`rollback`;
    holder.release();
  }
});

/** In a session of its own, which may be lost. */
async function meaningsOf(statement: string): Promise<string[]> {
  const sql = connect({ url: database.url, connectionsMax: 1, applicationName: "ats test" });
  try {
    const error: unknown = await sql.unsafe(statement).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    return Object.entries(meanings)
      .filter(([, isMeant]) => isMeant(error))
      .map(([name]) => name);
  } finally {
    await sql.end({ timeout: 1 });
  }
}
