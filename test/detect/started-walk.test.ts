import { beforeAll, describe, expect, test } from "bun:test";
import {
  type DueRule,
  type StartedCursor,
  scanDue,
  scanStarted,
} from "../../src/store/detection/detection-executions.ts";
import { DetectionSession } from "../../src/store/detection/detection-session.ts";
import { ALL_PROJECTS } from "../../src/store/detection/project-share.ts";
import { eventually } from "../support/postgres-server.ts";
import { mintProject } from "../support/projects.ts";
import { detectionSuite } from "./support/detection-suite.ts";

/** Runs that are still open are met one and all, whatever number of projects they are spread over. */

const suite = detectionSuite();
const DAY_MS = 86_400_000;

/** Every third is open. Numbered in the order of their start, three to a millisecond. */
async function storeRuns(projectNo: number, count: number): Promise<void> {
  await suite.database.sql`
    insert into ats.execution (project_no, execution_id, status, started_at, finished_at)
    select ${projectNo}::int, 'run-' || n, case when n % 3 = 0 then 'started' else 'completed' end,
      date_trunc('hour', now()) - interval '1 hour' + n / 3 * interval '1 millisecond',
      case when n % 3 > 0 then now() end
    from generate_series(1, ${count}::int) n order by n`;
}

test("a walk in steps meets each open run once, in order", async () => {
  const { sql } = suite.database;
  const projectNos: number[] = [];
  for (const count of [5, 0, 40, 1, 41, 3]) {
    const { projectNo } = await mintProject(sql);
    projectNos.push(projectNo);
    await storeRuns(projectNo, count);
  }
  const expected = await sql<{ no: number }[]>`
    select execution_no::float8 as no from ats.execution
    where project_no = any(${projectNos}::int[]) and status = 'started' order by project_no, started_at, execution_no`;
  const session = await DetectionSession.open(suite.database.url, ALL_PROJECTS);
  for (const [scannedMax, startedMax] of [
    [10, 1_000],
    [40, 1_000],
    [1_000, 7],
    [1_000, 1_000],
  ] as const) {
    const met: number[] = [];
    let after: StartedCursor | null = null;
    do {
      const place: StartedCursor | null = after;
      const left = place === null ? projectNos : projectNos.slice(projectNos.indexOf(place.projectNo));
      const oldestMs = Date.now() - DAY_MS;
      const scan = { projectNos: left, after: place, oldestMs, scannedMax, startedMax };
      const { started, next } = await scanStarted(session.sql, scan);
      met.push(...started.map(({ executionNo }) => executionNo));
      after = next;
    } while (after !== null);
    expect(met).toEqual(expected.map(({ no }) => no));
  }
  await session.close();
});

test("ticks meet the open runs of hundreds of projects", async () => {
  const { sql } = suite.database;
  await sql`
    insert into ats.project (project_id, name) select 'many-' || n, 'many' from generate_series(1, 300) n`;
  await sql`
    insert into ats.execution (project_no, execution_id, started_at)
    select project_no, 'open', now() from ats.project where name = 'many'`;
  const [row] = await sql<[{ open: number }]>`
    select count(*)::int as open from ats.execution where status = 'started'`;
  const detection = suite.start({ limits: { tickEveryMs: 20 } });
  await eventually("all are held", () => detection.metrics().executionsHeld === row.open);
});

describe("runs of which a rule may let something fire", () => {
  const MINUTE_MS = 60_000;
  const nowMs = Date.now();
  const ago = (minutes: number) => new Date(nowMs - minutes * MINUTE_MS);
  let projectNo: number;

  /** By pack number: minutes ago, and sequence numbers. */
  async function storeRun(
    name: string,
    run: {
      started: number;
      heard?: readonly number[];
      numbers?: readonly (readonly number[])[];
      away?: boolean;
      status?: string;
      home?: Date;
      fired?: [string, number, string?];
    },
  ): Promise<void> {
    const { sql } = suite.database;
    const home = (run.home ?? new Date(nowMs)).toISOString().slice(0, 10);
    const [row] = await sql<[{ no: number }]>`
      insert into ats.execution (project_no, execution_id, status, started_at, home_day)
      values (${projectNo}, ${name}, ${run.status ?? "started"}, ${ago(run.started)}, ${home}::text::date)
      returning execution_no::float8 as no`;
    for (const [packNo, heard] of (run.heard ?? []).entries())
      await sql`
        insert into ats.event_pack
        select ${projectNo}::int, ${row.no}::bigint, ${packNo}::int, false, ${home}::text::date::timestamp at time zone 'UTC',
          ${ago(heard)}::timestamptz, 1, '{e}', case when ${run.away ?? false} then '{}' else '{1}'::smallint[] end,
          case when ${run.away ?? false} then '{}' else ${run.numbers?.[packNo] ?? [1]}::int[] end, array[now()],
          case when ${run.away ?? false} then '{}' else '{x}'::text[] end`;
    if (run.fired === undefined) return;
    const [failureClass, minutes, dedupKey = "k"] = run.fired;
    await sql`
      insert into ats.detection values (${projectNo}, ${row.no}, ${failureClass}, ${dedupKey}, ${name}, 's', 'low', '{}', 1, '', null, '{}', 1,
        ${ago(minutes)})`;
  }

  beforeAll(async () => {
    ({ projectNo } = await mintProject(suite.database.sql));
    await storeRun("silent", { started: 30, heard: [25, 20] });
    await storeRun("heard of", { started: 30, heard: [25, 1] });
    await storeRun("silent, its last event of another day", { started: 30, heard: [25, 20], away: true });
    await storeRun("heard of, by an event of another day", { started: 30, heard: [25, 1], away: true });
    await storeRun("without events", { started: 30 });
    await storeRun("young, without events", { started: 1 });
    await storeRun("ended", { started: 90, heard: [20], status: "completed" });
    await storeRun("fired since", { started: 30, heard: [20], fired: ["silence", 5] });
    await storeRun("fired before the latest event", { started: 30, heard: [28, 20], fired: ["silence", 25] });
    await storeRun("heard of, long", { started: 90, heard: [1] });
    await storeRun("heard of, long, fired", { started: 90, heard: [1], fired: ["length", 20] });
    await storeRun("heard of, long, the other fired", { started: 90, heard: [1], fired: ["silence", 20] });
    await storeRun("of a clock that is years away", { started: 30, heard: [20], home: new Date(0) });
    const heard = [1, 1];
    const named = async (
      name: string,
      numbers: readonly (readonly number[])[],
      fired?: [string, number, string],
    ) => await storeRun(name, { started: 3, heard, numbers, ...(fired === undefined ? {} : { fired }) });
    await named("whole, out of order, one twice", [
      [4, 5, 2],
      [1, 3, 3, 6],
    ]);
    await named("whole, from 0", [[0, 1], [2]]);
    await named("a number missing between packs", [
      [1, 2],
      [4, 5],
    ]);
    await named("a number missing within one", [[1, 2, 4], [5]]);
    await named("the first missing", [[2, 3], [4]]);
    await named("one missing and one twice", [
      [1, 2],
      [2, 4],
    ]);
    await named("no two neighbours", [[10, 20], [30]]);
    await named("one missing, and fired", [[1, 2], [4]], ["gaps", 1, "gap"]);
    await named("one missing, and another firing", [[1, 2], [4]], ["gaps", 0, "reused"]);
    await storeRun("some on another day", { started: 3, heard: [1], away: true });
  });

  const silence = (): DueRule => ({
    projectNo,
    class: "silence",
    since: "latest_event",
    beforeMs: ago(10).getTime(),
    gapKey: null,
  });
  const length = (): DueRule => ({
    ...silence(),
    class: "length",
    since: "start",
    beforeMs: ago(60).getTime(),
  });
  const gaps = (): DueRule => ({
    ...silence(),
    class: "gaps",
    since: "start",
    beforeMs: nowMs,
    gapKey: "gap",
  });
  const quiet = [
    "silent",
    "silent, its last event of another day",
    "without events",
    "fired before the latest event",
    "of a clock that is years away",
  ];
  const missing = [
    "silent, its last event of another day",
    "heard of, by an event of another day",
    "a number missing between packs",
    "a number missing within one",
    "the first missing",
    "one missing and one twice",
    "one missing, and another firing",
    "some on another day",
  ];
  const long = ["heard of, long", "heard of, long, the other fired"];

  test.each([
    ["silence", () => [silence()], quiet],
    ["length", () => [length()], long],
    ["both", () => [silence(), length()], [...quiet, ...long]],
    ["gaps", () => [gaps()], missing],
    ["none", () => [], []],
  ] as const)("are named one and all, in steps: %s", async (_, rules, names) => {
    const expected = await suite.database.sql<{ no: number }[]>`
      select execution_no::float8 as no from ats.execution
      where project_no = ${projectNo} and execution_id = any(${names as readonly string[] as string[]}::text[])
      order by started_at, execution_no`;
    const session = await DetectionSession.open(suite.database.url, ALL_PROJECTS);
    for (const scannedMax of [1, 2, 3, 100]) {
      const met: number[] = [];
      let after: StartedCursor | null = null;
      do {
        const scan = { projectNos: [projectNo], after, oldestMs: nowMs - DAY_MS, scannedMax, rules: rules() };
        const { due, next } = await scanDue(session.sql, scan);
        met.push(...due.map(({ executionNo }) => executionNo));
        after = next as StartedCursor | null;
      } while (after !== null);
      expect(met).toEqual(expected.map(({ no }) => no));
    }
    await session.close();
  });
});
