import { expect, test } from "bun:test";
import { type StartedCursor, scanStarted } from "../../src/store/detection/detection-executions.ts";
import { DetectionSession } from "../../src/store/detection/detection-session.ts";
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
  const session = await DetectionSession.open(suite.database.url);
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
