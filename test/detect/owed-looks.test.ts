import { afterAll, beforeAll, expect, test } from "bun:test";
import postgres, { type Sql } from "postgres";
import { batchesToReadBack, OwedLooks } from "../../src/detect/thread/owed-looks.ts";
import { ProjectCosts } from "../../src/detect/thread/quiet-projects.ts";
import { DetectionSession } from "../../src/store/detection/detection-session.ts";
import { ALL_PROJECTS } from "../../src/store/detection/project-share.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";

/** Batches that are owed are found, however late they come, and quickly, whatever somebody leaves open. */

const MINUTE_MS = 60_000;
let database: TestDatabase;
let session: DetectionSession;
let nowMs = 0;
let nextBatchNo = 1;

beforeAll(async () => {
  database = await cloneDatabase();
  session = await DetectionSession.open(database.url, ALL_PROJECTS);
});

afterAll(async () => {
  await session.close();
  await database.drop();
});

async function store(sql: postgres.ISql, storedAgo: string): Promise<number> {
  const batchNo = nextBatchNo++;
  await sql`
    insert into ats.batch (project_no, batch_no, event_count, execution_nos, stored_at)
    values (1, ${batchNo}, 1, '{1}', clock_timestamp() - ${storedAgo}::interval)`;
  return batchNo;
}

async function detect(): Promise<void> {
  await database.sql`update ats.batch set detected_at = now() where detected_at is null`;
}

async function found(looks: OwedLooks): Promise<number[]> {
  return (await looks.look(session.sql)).map(({ batchNo }) => batchNo);
}

test("what was stored since the oldest that is owed is found at each look, in order", async () => {
  const looks = new OwedLooks(new ProjectCosts(), ALL_PROJECTS, () => nowMs);
  const old = await store(database.sql, "3 hours");
  expect(await found(looks)).toEqual([old]);
  const young = await store(database.sql, "0");
  const middle = await store(database.sql, "1 hour");
  expect(await found(looks)).toEqual([old, middle, young]);
  await detect();
  expect(await found(looks)).toEqual([]);
  const next = await store(database.sql, "0");
  expect(await found(looks)).toEqual([next]);
  await detect();
});

test("what becomes visible behind that is found within a minute: a late commit, a database's clock that was set back", async () => {
  const looks = new OwedLooks(new ProjectCosts(), ALL_PROJECTS, () => nowMs);
  const stored = Promise.withResolvers<number>();
  const goOn = Promise.withResolvers<void>();
  const late = database.sql.begin(async (tx) => {
    stored.resolve(await store(tx, "2 minutes"));
    await goOn.promise;
  });
  const batchNo = await stored.promise;
  expect(await found(looks)).toEqual([]);
  goOn.resolve();
  await late;
  const setBack = await store(database.sql, "1 day");
  nowMs += MINUTE_MS;
  expect(await found(looks)).toEqual([setBack, batchNo]);
  await detect();
});

test("a commit that takes half a minute is found at once, and whoever begins to lead looks from the beginning", async () => {
  const looks = new OwedLooks(new ProjectCosts(), ALL_PROJECTS, () => nowMs);
  expect(await found(looks)).toEqual([]);
  const late = await store(database.sql, "30 seconds");
  expect(await found(looks)).toEqual([late]);
  await detect();
  expect(await found(looks)).toEqual([]);
  const old = await store(database.sql, "1 day");
  looks.startAnew();
  expect(await found(looks)).toEqual([old]);
  expect(await found(new OwedLooks(new ProjectCosts(), ALL_PROJECTS, () => nowMs))).toEqual([old]);
  await detect();
});

test("behind many that are held back others are found, each once and in order", async () => {
  const looks = new OwedLooks(new ProjectCosts(), ALL_PROJECTS, () => nowMs);
  looks.startAnew();
  // Dozens to a moment, of several projects to a batch.
  await database.sql`
    insert into ats.batch (project_no, batch_no, event_count, execution_nos, stored_at)
    select 10 + n % 3, 1000000 + n / 3, 1, '{1}', date_trunc('second', clock_timestamp()) - interval '10 seconds' + n / 100 * interval '1 microsecond'
    from generate_series(1, 6000) n`;
  const expected = await database.sql<{ no: number }[]>`
    select batch_no::float8 as no from ats.batch where detected_at is null order by stored_at, batch_no, project_no`;
  const all = expected.map(({ no }) => no);
  const isHeldBack = ({ batchNo }: { batchNo: number }) => batchNo < all[5_990]!;
  const owed = await looks.look(session.sql, isHeldBack);
  expect(owed.map(({ batchNo }) => batchNo)).toEqual(all);
  // With something else to do it reads no further.
  expect(await looks.look(session.sql)).toHaveLength(500);
  await detect();
});

test("a transaction reads back as many batches as it has time for, and one at least", () => {
  const owed = Array.from({ length: 100 }, (_, n) => ({
    projectNo: 1,
    batchNo: n,
    eventCount: 1_000,
    ageMs: 0,
    storedUs: n,
  }));
  const costs = new ProjectCosts();
  // Nothing was met of the project: its events may be of any size.
  expect(batchesToReadBack(owed, costs)).toHaveLength(1);
  expect(
    batchesToReadBack(
      owed.map((one) => ({ ...one, eventCount: 10 })),
      costs,
    ),
  ).toHaveLength(31);
  expect(
    batchesToReadBack(
      owed.map((one) => ({ ...one, eventCount: 0 })),
      costs,
    ),
  ).toHaveLength(64);
  costs.note(1, 1, 0.015);
  expect(batchesToReadBack(owed, costs)).toHaveLength(20);
  expect(
    batchesToReadBack(
      owed.map((one) => ({ ...one, eventCount: 10 })),
      costs,
    ),
  ).toHaveLength(64);
  costs.note(1, 1_000, 100);
  expect(batchesToReadBack(owed, costs)).toHaveLength(5);
  costs.note(1, 1_000, 8_000);
  expect(batchesToReadBack(owed, costs)).toEqual(owed.slice(0, 1));
});

test("batches detected while somebody's transaction is open are not read again at each look", async () => {
  // In a database of its own: the counts are of all sessions, and each tells the server of its own now and
  // then.
  const own = await cloneDatabase();
  const [other, writer] = [0, 1].map(() => postgres(own.url, { max: 1, onnotice: () => {} })) as [Sql, Sql];
  const reader = await DetectionSession.open(own.url, ALL_PROJECTS);
  await writer.unsafe("alter table ats.batch set (autovacuum_enabled = off)");
  await other.unsafe("begin isolation level repeatable read; select count(*) from ats.batch");
  await writer`
    insert into ats.batch (project_no, batch_no, event_count, execution_nos, stored_at)
    select 2, n, 1, '{1}', clock_timestamp() - (100000 - n) * interval '100 milliseconds' - interval '5 minutes'
    from generate_series(1, 20000) n`;
  await writer`update ats.batch set detected_at = now() where detected_at is null`;
  await tellCounts(writer);
  const blocksRead = async () => {
    await tellCounts(reader.sql);
    const [row] = await own.sql<[{ blocks: number }]>`
      select (heap_blks_hit + heap_blks_read + idx_blks_hit + idx_blks_read)::int as blocks
      from pg_statio_user_tables where relid = 'ats.batch'::regclass`;
    return row.blocks;
  };
  const looks = new OwedLooks(new ProjectCosts(), ALL_PROJECTS, () => nowMs);
  const counts = [await blocksRead()];
  for (let look = 0; look < 2; look++) {
    await looks.look(reader.sql);
    counts.push(await blocksRead());
  }
  await reader.close();
  await Promise.all([other.end(), writer.end()]);
  await own.drop();
  const [before, behindFirst, behindNext] = counts as [number, number, number];
  expect(behindFirst - before).toBeGreaterThan(200);
  expect(behindNext - behindFirst).toBeLessThan(20);
});

/**
 * The blocks of tables and indexes that a session has read are told to the server at once, not within
 * seconds.
 */
async function tellCounts(sql: postgres.ISql): Promise<void> {
  await sql`select pg_stat_force_next_flush()`;
  await sql`select 1`;
}
