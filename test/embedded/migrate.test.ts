import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { connect } from "../../src/store/database/connect.ts";
import { migrateDatabase, readMigrationState } from "../../src/store/database/migrate.ts";
import { untilReachable } from "../../src/store/database/until-reachable.ts";
import { ensurePartitions } from "../../src/store/upkeep/partitions.ts";
import { emptyDatabase, type TestDatabase } from "../support/database.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await emptyDatabase();
});
afterAll(async () => {
  await database.drop();
});

test("twenty starts at once on an empty database: one migrates, all go on", async () => {
  const before = await readMigrationState(database.sql);
  expect(before.applied).toBe(0);
  const results = await Promise.all(Array.from({ length: 20 }, () => migrateDatabase({ url: database.url })));
  const migrated = results.filter((result) => result.ok && result.before === 0);
  expect(migrated).toHaveLength(1);
  expect(results.every((result) => result.ok && result.after === before.embedded)).toBe(true);
  expect(await readMigrationState(database.sql)).toEqual({
    embedded: before.embedded,
    applied: before.embedded,
  });
});

describe("a migration that fails in a statement of its own", () => {
  let broken: TestDatabase;
  beforeEach(async () => {
    broken = await emptyDatabase();
  });
  afterEach(async () => {
    await broken.drop();
  });

  test("because the database went away: the step of the start is done again", async () => {
    const holder = connect({ url: broken.url, connectionsMax: 1, applicationName: "test" });
    const release = Promise.withResolvers<void>();
    const made = Promise.withResolvers<void>();
    // Not committed, so the migration's own "create schema if not exists" neither sees it nor can go on.
    const held = holder.begin(async (tx) => {
      await tx`create schema drizzle`;
      made.resolve();
      await release.promise;
    });
    await made.promise;
    let told = 0;
    const migrated = untilReachable(() => migrateDatabase({ url: broken.url }), {
      url: broken.url,
      timeoutS: 60,
      onRetry: () => {
        told += 1;
        release.resolve();
      },
    });
    const cut = async () =>
      await broken.sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'ats migrate'
          and wait_event_type = 'Lock' and query ilike 'create schema%'`;
    while ((await cut()).count === 0) await Bun.sleep(10);
    expect(await migrated).toMatchObject({ ok: true, before: 0 });
    expect(told).toBe(1);
    await held;
    await holder.end();
  });

  test("because the server refuses it: the server's words, with their code", async () => {
    await broken.sql`create schema ats`;
    const failure = await migrateDatabase({ url: broken.url }).catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: "PostgresError", code: "42P06" });
    expect(await readMigrationState(broken.sql)).toMatchObject({ applied: 0 });
  });
});

test("partitions: yesterday to the last day ahead, once, by several at a time, across a month's end", async () => {
  const nowMs = Date.parse("2024-02-28T23:59:59Z");
  const sql = connect({ url: database.url, connectionsMax: 5, applicationName: "test" });
  const ensure = () => ensurePartitions({ sql, daysAhead: 2, nowMs });
  const made = await Promise.all([ensure(), ensure(), ensure()]);
  expect(made.reduce((sum, count) => sum + count, 0)).toBe(4);
  expect(await ensure()).toBe(0);
  const names = await sql<{ name: string }[]>`
    select relname as name from pg_class where relname like 'event\\_pack\\_2024%' and relkind = 'r' order by 1`;
  expect(names.map(({ name }) => name)).toEqual([
    "event_pack_20240227",
    "event_pack_20240228",
    "event_pack_20240229",
    "event_pack_20240301",
  ]);
  await sql.end();
});

test("partitions: a reader that holds the default partition delays them but does not fail them", async () => {
  const sql = connect({ url: database.url, connectionsMax: 2, applicationName: "test" });
  const nowMs = Date.parse("2023-05-05T12:00:00Z");
  const reader = connect({ url: database.url, connectionsMax: 1, applicationName: "test" });
  const reads = Promise.withResolvers<void>();
  const held = reader.begin(async (tx) => {
    await tx`select count(*) from ats.event_pack_default`;
    reads.resolve();
    await tx`select pg_sleep(1.2)`;
  });
  await reads.promise;
  expect(await ensurePartitions({ sql, daysAhead: 0, nowMs })).toBe(2);
  await held;
  await Promise.all([sql.end(), reader.end()]);
});
