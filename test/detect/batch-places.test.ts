import { afterAll, beforeAll, expect, test } from "bun:test";
import { ReadBack } from "../../src/detect/thread/read-back.ts";
import { type ClaimedBatch, readBatchEvents } from "../../src/store/detection/detection-batches.ts";
import { DetectionSession } from "../../src/store/detection/detection-session.ts";
import { ALL_PROJECTS } from "../../src/store/detection/project-share.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { mintProject } from "../support/projects.ts";

/** A batch of a long execution is read back whole, and without a walk over all of its packs. */

const PACKS = 30_000;
/** Of the long execution; as many of the short one go with each. */
const PACKS_A_BATCH = 3;
let database: TestDatabase;
let session: DetectionSession;
let projectNo: number;
let executionNos: number[];

beforeAll(async () => {
  database = await cloneDatabase();
  session = await DetectionSession.open(database.url, ALL_PROJECTS);
  const { sql } = database;
  ({ projectNo } = await mintProject(sql));
  const rows = await sql<{ no: number }[]>`
    insert into ats.execution (project_no, execution_id, started_at, home_day)
    select ${projectNo}, name, now(), date '2026-11-20' from unnest(array['long', 'short']) name returning execution_no::float8 as no`;
  executionNos = rows.map(({ no }) => no);
  const [long, short] = executionNos;
  // Every seventh pack lies on another day and has a stand-in; batches overtake one another now and then.
  await sql`
    insert into ats.event_pack
    select ${projectNo}::int, p.execution_no, p.pack_no, p.kind = 'away', case when p.kind = 'away' then p.day else timestamptz '2026-11-20' end,
      now(), p.batch_no, array['e' || p.pack_no], case when p.kind = 'stand-in' then '{}' else '{2}'::smallint[] end,
      case when p.kind = 'stand-in' then '{}' else '{1}'::int[] end, array[p.day],
      case when p.kind = 'stand-in' then '{}' else '{"{}"}'::text[] end
    from (
      select x.execution_no, n as pack_no, b.batch_no, k.kind, timestamptz '2026-11-20' + (n % 3) * interval '1 day' as day
      from (values (${long!}::bigint, ${PACKS}::int), (${short!}::bigint, 300)) x (execution_no, packs)
      cross join lateral generate_series(0, x.packs - 1) n
      cross join lateral (select case n % 60 when 6 then n / ${PACKS_A_BATCH}::int - 5 else n / ${PACKS_A_BATCH}::int end + 1000 as batch_no) b
      cross join lateral unnest(case when n % 7 = 0 and n % 3 > 0 then array['away', 'stand-in'] else array['here'] end) k (kind)
    ) p`;
  await sql.unsafe("analyze ats.event_pack");
});
afterAll(async () => {
  await session?.close();
  await database?.drop();
});

async function batchesFrom(batchNo: number, count: number): Promise<ClaimedBatch[]> {
  const sql = await database.sql.reserve();
  const batches = await sql<ClaimedBatch[]>`
    select project_no as "projectNo", batch_no::float8 as "batchNo", sum(cardinality(event_types))::int as "eventCount",
      array_agg(distinct execution_no)::int[] as "executionNos", (extract(epoch from min(first_timestamp)) * 1000)::float8 as "firstTimestampMs",
      (extract(epoch from max(first_timestamp)) * 1000)::float8 as "lastTimestampMs"
    from ats.event_pack where project_no = ${projectNo} and batch_no between ${batchNo} and ${batchNo + count - 1} and event_types <> '{}'
    group by 1, 2 order by 2`;
  // What this has read is not to be counted later.
  await sql`select pg_stat_force_next_flush()`;
  await sql`select 1`;
  sql.release();
  return batches;
}

const joined = (parts: Map<number, Uint8Array>) => Buffer.concat([...parts.values()]);
const LAST = 1_000 + PACKS / PACKS_A_BATCH - 1;

test.each([
  ["the last", LAST, 1],
  ["some of the last", LAST - 63, 64],
  ["some before the last window", LAST - 1_000, 64],
  ["some of the middle", 6_000, 10],
  ["the first, with those of a short execution", 1_000, 64],
])("%s come as they are stored, wherever others were found before", async (_, batchNo, count) => {
  const batches = await batchesFrom(batchNo, count);
  expect(batches).toHaveLength(count);
  const whole = Buffer.from(await readBatchEvents(session.sql, projectNo, batches));
  for (const elsewhere of [null, LAST, 6_000, 1_000]) {
    const readBack = new ReadBack();
    if (elsewhere !== null) await readBack.read(session.sql, projectNo, await batchesFrom(elsewhere, 1));
    for (let times = 0; times < 2; times++) {
      const parts = await readBack.read(session.sql, projectNo, batches);
      expect([...parts.keys()]).toEqual(batches.map((batch) => batch.batchNo));
      expect(joined(parts).equals(whole)).toBe(true);
    }
  }
});

test("a batch of which an event is missing comes without it", async () => {
  const [batch] = await batchesFrom(6_000, 1);
  const lost = { ...batch!, eventCount: batch!.eventCount + 1 };
  const whole = Buffer.from(await readBatchEvents(session.sql, projectNo, [lost]));
  expect(whole.length).toBeGreaterThan(0);
  expect(joined(await new ReadBack().read(session.sql, projectNo, [lost])).equals(whole)).toBe(true);
});

test("the last packs are read, and those of a backlog one behind the other, not all of them", async () => {
  const last = await batchesFrom(LAST, 1);
  const walked = await blocksOf(() => readBatchEvents(session.sql, projectNo, last));
  expect(await blocksOf(() => new ReadBack().read(session.sql, projectNo, last))).toBeLessThan(walked / 5);
  const readBack = new ReadBack();
  await readBack.read(session.sql, projectNo, await batchesFrom(6_000, 64));
  for (let batchNo = 6_064; batchNo < 6_500; batchNo += 64) {
    const next = await batchesFrom(batchNo, 64);
    expect(await blocksOf(() => readBack.read(session.sql, projectNo, next))).toBeLessThan(walked / 5);
  }
});

/** Blocks of packs and their indexes that the session of detection reads. */
async function blocksOf(work: () => Promise<unknown>): Promise<number> {
  const read = async () => {
    await session.sql`select pg_stat_force_next_flush()`;
    await session.sql`select 1`;
    const [row] = await database.sql<[{ blocks: number }]>`
      select sum(heap_blks_hit + heap_blks_read + idx_blks_hit + idx_blks_read)::int as blocks
      from pg_statio_user_tables where relname like 'event_pack%'`;
    return row.blocks;
  };
  const before = await read();
  await work();
  return (await read()) - before;
}
