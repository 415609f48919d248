import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { findExecution, readTotals } from "../../src/store/dashboard/executions-record.ts";
import { prune } from "../../src/store/upkeep/retention.ts";
import { earlierClock } from "../../src/store/upkeep/upkeep.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { mintProject, type TestProject } from "../support/projects.ts";
import { storeEvents } from "../support/stored-packs.ts";

/** What a round of retention deletes, and what it leaves alone. */

const DAY = 86_400_000;
const now = Date.now();
const ago = (days: number) => new Date(now - days * DAY);
const dayOf = (moment: Date) => moment.toISOString().slice(0, 10);
const tableOf = (moment: Date) => `event_pack_${dayOf(moment).replaceAll("-", "")}`;

let database: TestDatabase;
let keeps: TestProject;
let week: TestProject;
let batchNo = 1;

beforeAll(async () => {
  database = await cloneDatabase();
});

afterAll(async () => {
  await database.drop();
});

beforeEach(async () => {
  const { sql } = database;
  await sql`truncate ats.event_pack, ats.execution, ats.detection, ats.batch, ats.execution_rollup, ats.outcome_rollup`;
  const days = await sql<{ name: string }[]>`
    select inhrelid::regclass::text as name from pg_inherits
    where inhparent = 'ats.event_pack'::regclass and inhrelid <> 'ats.event_pack_default'::regclass`;
  for (const { name } of days) await sql`drop table ${sql(name)}`;
  await sql`delete from ats.project`;
  keeps = await mintProject(sql);
  week = await mintProject(sql);
  await sql`update ats.project set retention_days = 7 where project_no = ${week.projectNo}`;
});

interface Made {
  readonly project: TestProject;
  readonly startedDaysAgo: number;
  /** Days ago of each pack of events. */
  readonly events: readonly number[];
  readonly eventsEach?: number;
  readonly receivedDaysAgo?: number;
  readonly isOwed?: boolean;
}

/**
 * An execution with its events, a detection, and one detected batch for each pack. Its home day is the day on
 * which it started.
 */
async function execution(made: Made): Promise<string> {
  const { sql } = database;
  const { projectNo } = made.project;
  batchNo += 1;
  const [row] = await sql`
    insert into ats.execution (project_no, execution_id, started_at, home_day)
    values (${projectNo}, ${`x${batchNo}`}, ${ago(made.startedDaysAgo)}, ${dayOf(ago(made.startedDaysAgo))})
    returning execution_no`;
  const executionNo = row!.execution_no as string;
  for (const daysAgo of made.events) {
    await sql`select ats.ensure_event_partition(${dayOf(ago(daysAgo))}::date)`;
    const receivedAt = ago(made.receivedDaysAgo ?? daysAgo);
    batchNo += 1;
    await storeEvents(
      sql,
      { projectNo, executionNo: Number(executionNo), batchNo },
      Array.from({ length: made.eventsEach ?? 1 }, (_, place) => ({
        id: `e${batchNo}-${place}`,
        type: 1,
        sequence: 1 + place,
        timestamp: ago(daysAgo).toISOString(),
        payload: "{}",
        receivedAt: receivedAt.toISOString(),
      })),
    );
    await sql`
      insert into ats.batch (project_no, batch_no, event_count, execution_nos, first_timestamp, last_timestamp,
        stored_at, detected_at)
      values (${projectNo}, ${batchNo}, 1, array[${executionNo}::bigint], ${ago(daysAgo)}, ${ago(daysAgo)}, ${receivedAt},
        ${made.isOwed ? null : receivedAt})`;
  }
  await sql`
    insert into ats.detection (project_no, execution_no, class, dedup_key, detection_id, signature, severity, rule_ids,
      score, excerpt, evidence_event_ids, detector_version, detected_at)
    values (${projectNo}, ${executionNo}, 'tool_loop', 'k', ${`det_${batchNo}`}, 's', 'low', '{}', 1, '', '{}', 1, now())`;
  return executionNo;
}

/** Packs of an execution and stand-ins of packs, by number: `away` beside those that lie on another day. */
async function packsOf(executionNo: string): Promise<string[]> {
  const rows = await database.sql<{ pack: string }[]>`
    select concat_ws(' ', pack_no, case when away then 'away' when event_types = '{}' then 'stand-in' end) as pack
    from ats.event_pack where execution_no = ${executionNo} order by pack_no, away`;
  return rows.map(({ pack }) => pack);
}

async function left(
  project: TestProject,
): Promise<{ events: number; executions: number; detections: number }> {
  const [row] = await database.sql<[{ events: number; executions: number; detections: number }]>`
    select (select count(*)::int from ats.event where project_no = ${project.projectNo}) as events,
      (select count(*)::int from ats.execution where project_no = ${project.projectNo}) as executions,
      (select count(*)::int from ats.detection where project_no = ${project.projectNo}) as detections`;
  return { ...row };
}

const round = (nowMs = now) => prune({ sql: database.sql, nowMs });

async function hasTable(table: string): Promise<boolean> {
  const [row] = await database.sql`select to_regclass(${`ats.${table}`}) is not null as found`;
  return row!.found as boolean;
}

describe("a project that keeps a week beside one that keeps everything", () => {
  test("loses what is older, pack by pack, and the other loses nothing", async () => {
    for (const project of [keeps, week]) {
      await execution({ project, startedDaysAgo: 40, events: [40, 39] });
      await execution({ project, startedDaysAgo: 40, events: [40, 2] });
      await execution({ project, startedDaysAgo: 3, events: [3, 3, 3] });
      await execution({ project, startedDaysAgo: 20, events: [] });
    }
    expect(await round()).toMatchObject({ led: true, partitions: 0, events: 3, executions: 2 });
    expect(await left(week)).toEqual({ events: 4, executions: 2, detections: 2 });
    expect(await left(keeps)).toEqual({ events: 7, executions: 4, detections: 4 });
    expect(await round()).toMatchObject({ events: 0, executions: 0 });
  });

  test("keeps what came within a day, whatever its clock says, and what detection owes", async () => {
    await execution({ project: week, startedDaysAgo: 30, events: [30], receivedDaysAgo: 0.5 });
    await execution({ project: week, startedDaysAgo: 30, events: [30], isOwed: true });
    await round();
    expect(await left(week)).toEqual({ events: 2, executions: 2, detections: 2 });
    await database.sql`update ats.batch set detected_at = now()`;
    await round(now + DAY);
    expect(await left(week)).toEqual({ events: 0, executions: 0, detections: 0 });
  });

  test("an execution that ended lately stays, though its events are gone", async () => {
    await execution({ project: week, startedDaysAgo: 30, events: [30] });
    await database.sql`update ats.execution set status = 'completed', finished_at = ${ago(1)}`;
    await round();
    expect(await left(week)).toEqual({ events: 0, executions: 1, detections: 1 });
  });

  test("events of stray clocks in the default partition go, too", async () => {
    const executionNo = Number(await execution({ project: week, startedDaysAgo: 30, events: [] }));
    await storeEvents(database.sql, { projectNo: week.projectNo, executionNo, batchNo: 1 }, [
      {
        id: "stray",
        type: 1,
        sequence: 1,
        timestamp: "1999-01-01T00:00:00.000Z",
        payload: "{}",
        receivedAt: ago(30).toISOString(),
      },
    ]);
    expect(await left(week)).toMatchObject({ events: 1, executions: 1 });
    expect(await round()).toMatchObject({ events: 1, executions: 1 });
    expect(await packsOf(String(executionNo))).toEqual([]);
  });

  test("packs go whole, and what is told is how many events they held", async () => {
    await execution({ project: week, startedDaysAgo: 30, events: [30, 29], eventsEach: 70 });
    expect(await left(week)).toMatchObject({ events: 140 });
    expect(await round()).toMatchObject({ events: 140, executions: 1 });
    expect(await left(week)).toEqual({ events: 0, executions: 0, detections: 0 });
    const [row] = await database.sql`select count(*)::int as packs from ats.event_pack`;
    expect(row!.packs).toBe(0);
  });

  test("a stand-in is no event and stays as long as its execution, though its pack or its home day goes before", async () => {
    // The packs of an event that came late for an old day, and of one that is still kept.
    const kept = await execution({ project: week, startedDaysAgo: 10, events: [10, 20, 2] });
    const gone = await execution({ project: week, startedDaysAgo: 10, events: [20] });
    const begunLately = await execution({ project: week, startedDaysAgo: 3, events: [3, 20] });
    expect(await packsOf(kept)).toEqual(["0", "1 stand-in", "1 away", "2 stand-in", "2 away"]);
    expect(await round()).toMatchObject({ events: 4, executions: 1 });
    expect(await packsOf(kept)).toEqual(["1 stand-in", "2 stand-in", "2 away"]);
    expect(await packsOf(gone)).toEqual([]);
    expect(await packsOf(begunLately)).toEqual(["0", "1 stand-in"]);
    expect(await left(week)).toEqual({ events: 2, executions: 2, detections: 2 });
    expect(await round(now + 10 * DAY)).toMatchObject({ events: 2, executions: 2 });
    expect([...(await packsOf(kept)), ...(await packsOf(begunLately))]).toEqual([]);
  });

  test("roll-ups go with it", async () => {
    for (const project of [keeps, week]) {
      for (const daysAgo of [1, 30]) {
        await database.sql`
          insert into ats.execution_rollup (project_no, step, slot_at, started) values (${project.projectNo}, 3600, ${ago(daysAgo)}, 1)`;
      }
    }
    await round();
    const slots = await database.sql`
      select project_no, count(*)::int as n from ats.execution_rollup group by 1 order by 1`;
    expect(slots.map((row) => row.n)).toEqual([2, 1]);
  });
});

describe("when every project has a retention", () => {
  test("days older than the longest are dropped whole, but not one that got events lately", async () => {
    await database.sql`update ats.project set retention_days = 20 where project_no = ${keeps.projectNo}`;
    await execution({ project: keeps, startedDaysAgo: 50, events: [50, 10] });
    await execution({ project: week, startedDaysAgo: 45, events: [45], receivedDaysAgo: 0.2 });
    const [old, recent, imported] = [ago(50), ago(10), ago(45)].map(tableOf);
    expect(await round()).toMatchObject({ partitions: 1 });
    expect([await hasTable(old!), await hasTable(recent!), await hasTable(imported!)]).toEqual([
      false,
      true,
      true,
    ]);
    expect(await left(keeps)).toEqual({ events: 1, executions: 1, detections: 1 });
    expect(await round(now + 1.5 * DAY)).toMatchObject({ partitions: 1 });
    expect(await hasTable(imported!)).toBe(false);
  });

  test("the stand-ins of a home day go with it, the packs of later days stay until theirs goes", async () => {
    await database.sql`update ats.project set retention_days = 7`;
    const executionNo = await execution({ project: keeps, startedDaysAgo: 9, events: [9, 5, 5] });
    expect(await packsOf(executionNo)).toEqual(["0", "1 stand-in", "1 away", "2 stand-in", "2 away"]);
    expect(await round()).toMatchObject({ partitions: 1, events: 0, executions: 0 });
    expect(await packsOf(executionNo)).toEqual(["1 away", "2 away"]);
    expect(await left(keeps)).toEqual({ events: 2, executions: 1, detections: 1 });
    // Nothing on the home day says that there are others: they are found all the same.
    const [{ id }] = await database.sql<[{ id: string }]>`
      select execution_id as id from ats.execution where execution_no = ${executionNo}`;
    const { key } = (await findExecution(database.sql, keeps.projectNo, id))!;
    expect((await readTotals(database.sql, key)).events).toBe(2);
    expect(await round(now + 5 * DAY)).toMatchObject({ partitions: 1, executions: 1 });
    expect(await packsOf(executionNo)).toEqual([]);
  });

  test("a reader of the day holds up the drop, not the writers: it is left for a later round", async () => {
    await database.sql`update ats.project set retention_days = 7`;
    await execution({ project: keeps, startedDaysAgo: 60, events: [60] });
    const table = tableOf(ago(60));
    const reader = await database.sql.reserve();
    try {
      await reader`begin`;
      await reader`select count(*) from ${reader(`ats.${table}`)}`;
      expect(await round()).toMatchObject({ led: true, partitions: 0 });
      expect(await hasTable(table)).toBe(true);
    } finally {
      await reader`rollback`;
      reader.release();
    }
    expect(await round()).toMatchObject({ partitions: 1 });
  });
});

test("batches detected more than a week ago go, owed ones and later ones stay", async () => {
  await execution({ project: keeps, startedDaysAgo: 9, events: [9, 6] });
  await execution({ project: keeps, startedDaysAgo: 9, events: [9], isOwed: true });
  expect(await round()).toMatchObject({ events: 0, batches: 1 });
  const [row] = await database.sql`select count(*)::int as n from ats.batch`;
  expect(row!.n).toBe(2);
});

test("calls that hung go once their batch is gone and a week has passed", async () => {
  const { sql } = database;
  await execution({ project: keeps, startedDaysAgo: 9, events: [9, 8] });
  await execution({ project: keeps, startedDaysAgo: 9, events: [9], isOwed: true });
  await sql`truncate ats.detection_hang`;
  await sql`
    insert into ats.detection_hang (project_no, batch_no, execution_no, class, hang_count, last_hung_at)
    select project_no, batch_no, 1, case when detected_at is null then 'owed' else 'gone' end, 2, ${ago(9)}::timestamptz from ats.batch
    union all select ${keeps.projectNo}, batch_no, 1, format('%s days ago', days), 2, ${new Date(now)}::timestamptz - days * interval '1 day'
    from (values (0), (-1)) of (batch_no), (values (6), (8)) before (days)`;
  await round();
  const left = await sql<{ of: string }[]>`
    select format('%s %s', class, least(batch_no, 1)) as of from ats.detection_hang order by 1`;
  expect(left.map((row) => row.of)).toEqual(["6 days ago -1", "6 days ago 0", "owed 1"]);
});

test("one process at a time", async () => {
  const other = await database.sql.reserve();
  try {
    await other`select pg_advisory_lock(6386803, 2)`;
    expect((await round()).led).toBe(false);
    await other`select pg_advisory_unlock(6386803, 2)`;
    expect((await round()).led).toBe(true);
  } finally {
    other.release();
  }
});

test("a round that is told to stop leaves the rest for the next", async () => {
  await execution({ project: week, startedDaysAgo: 30, events: [30, 29] });
  expect(await prune({ sql: database.sql, nowMs: now, isStopping: () => true })).toMatchObject({
    events: 0,
    executions: 0,
  });
  expect(await round()).toMatchObject({ events: 2, executions: 1 });
});

test("of the service's clock and the database's, the earlier one says what is old", async () => {
  const databaseNowMs = await earlierClock(database.sql, Number.POSITIVE_INFINITY);
  expect(Math.abs(databaseNowMs - Date.now())).toBeLessThan(DAY);
  const behindMs = now - 400 * DAY;
  expect(await earlierClock(database.sql, behindMs)).toBe(behindMs);
  expect(await earlierClock(database.sql, now + 400 * DAY)).toBeLessThan(now + DAY);
});
