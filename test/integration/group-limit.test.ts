import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { prune } from "../../src/store/upkeep/retention.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { eventually } from "../support/postgres-server.ts";
import { mintProject, type TestProject } from "../support/projects.ts";

/** How many failure groups of a class are kept, and which go. */

const now = Date.now();
let database: TestDatabase;
let project: TestProject;

beforeAll(async () => {
  database = await cloneDatabase();
});

afterAll(async () => {
  await database.drop();
});

beforeEach(async () => {
  await database.sql`delete from ats.project`;
  project = await mintProject(database.sql);
});

interface Made {
  readonly class?: string;
  readonly state?: string;
  readonly mergedInto?: string;
  readonly in?: TestProject;
}

/** A group that fired last so many minutes ago, named by that. */
async function group(minutesAgo: number, made: Made = {}): Promise<string> {
  const id = `fg_${minutesAgo}`;
  await database.sql`
    insert into ats.failure_group (project_no, group_id, class, signature, severity, firing_count, first_seen_at,
      last_seen_at, sample_execution_ids, state, merged_into)
    values (${(made.in ?? project).projectNo}, ${id}, ${made.class ?? "execution_crash"}, ${`v1:${minutesAgo}`}, 'high', 1,
      ${new Date(now - minutesAgo * 60_000)}, ${new Date(now - minutesAgo * 60_000)}, '{}', ${made.state ?? "open"},
      ${made.mergedInto ?? null})`;
  return id;
}

async function left(of: TestProject = project): Promise<string[]> {
  const rows = await database.sql<{ id: string }[]>`
    select group_id as id from ats.failure_group where project_no = ${of.projectNo} order by last_seen_at desc`;
  return rows.map(({ id }) => id);
}

const round = () => prune({ sql: database.sql, nowMs: now, groupsKeptMax: 3 });

test("of more groups than are kept, those that fired longest ago go, resolved or open", async () => {
  await group(5);
  await group(4, { state: "resolved" });
  const kept = [await group(1), await group(2), await group(3)];
  const { groups } = await round();
  expect(await left()).toEqual(kept);
  expect(groups).toEqual([{ projectId: project.projectId, class: "execution_crash", count: 2 }]);
  expect((await round()).groups).toEqual([]);
});

test("classes and projects are counted apart", async () => {
  const other = await mintProject(database.sql);
  for (const minutes of [1, 2, 3]) await group(minutes);
  for (const minutes of [11, 12]) await group(minutes, { class: "tool_loop" });
  for (const minutes of [21, 22]) await group(minutes, { in: other });
  expect((await round()).groups).toEqual([]);
  expect(await left()).toHaveLength(5);
  expect(await left(other)).toHaveLength(2);
});

test("ignored groups, merged ones and those that they are merged into stay and do not count", async () => {
  const said = [await group(9, { state: "ignored" }), await group(8)];
  said.push(await group(7, { mergedInto: "fg_8" }));
  for (const minutes of [4, 5, 6]) await group(minutes);
  const newest = [await group(1), await group(2), await group(3)];
  await round();
  expect((await left()).toSorted()).toEqual([...said, ...newest].toSorted());
});

test("more than one statement's worth goes in one round, with their firings by time", async () => {
  const { projectNo } = project;
  await database.sql`
    insert into ats.failure_group (project_no, group_id, class, signature, severity, firing_count, first_seen_at,
      last_seen_at, sample_execution_ids)
    select ${projectNo}, 'fg_' || n, 'execution_crash', 'v1:' || n, 'high', 1, now(), now() - n * interval '1 second', '{}'
    from generate_series(1, 1200) as n`;
  await database.sql`
    insert into ats.group_activity (project_no, group_id, step, slot_at, firing_count)
    select project_no, group_id, 3600, date_trunc('hour', now()), 1 from ats.failure_group`;
  const { groups } = await round();
  expect(groups).toEqual([{ projectId: project.projectId, class: "execution_crash", count: 1197 }]);
  expect(await left()).toEqual(["fg_1", "fg_2", "fg_3"]);
  const [activity] = await database.sql`select count(*)::int as count from ats.group_activity`;
  expect(activity?.count).toBe(3);
});

test("a first occurrence under way holds up the deletion, not the other way round for long", async () => {
  for (const minutes of [1, 2, 3, 4]) await group(minutes);
  await database.sql`insert into ats.class_alert (project_no, class) values (${project.projectNo}, 'execution_crash')`;
  const writer = await database.sql.reserve();
  await writer`begin`;
  await writer`select from ats.class_alert where project_no = ${project.projectNo} for update`;
  // The group that is to go is chosen; then the writer counts into it and commits: it is the newest then.
  const pruning = round();
  await eventually("the deletion waits", async () => {
    const waiting = await database.sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    return waiting.length === 1;
  });
  await writer`update ats.failure_group set last_seen_at = now() + interval '1 minute' where group_id = 'fg_4'`;
  await writer`commit`;
  writer.release();
  await pruning;
  expect(await left()).toEqual(["fg_4", "fg_1", "fg_2", "fg_3"]);
  await round();
  expect(await left()).toEqual(["fg_4", "fg_1", "fg_2"]);
});
