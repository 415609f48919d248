/**
 * How much a page of executions reads. A planner that knows nothing of a table, after a restore say, would
 * read and sort all of a project for 50 rows; the list leaves it the index in order of time as the only way,
 * in the transaction that reads.
 */
import { beforeAll, expect, test } from "bun:test";
import {
  type ExecutionFilter,
  listExecutions,
  readExecutionFacets,
} from "../../src/store/dashboard/executions.ts";
import type { Sql } from "../../src/store/database/connect.ts";
import { NO_FILTER } from "./support/no-filter.ts";
import { oneConnection } from "./support/one-connection.ts";

const EXECUTIONS = 30_000;
const LIMIT = 50;

const installation = oneConnection();
let sql: Sql;
let projectNo: number;

beforeAll(async () => {
  ({ sql, projectNo } = installation);
  await sql`alter table ats.execution set (autovacuum_enabled = off)`;
  await sql`
    insert into ats.execution (project_no, execution_id, started_at, status)
    select ${projectNo}, 'run-' || n, timestamptz '2026-03-01 00:00:00+00' + n * interval '1 second',
      case when n % 2 = 0 then 'completed' else 'started' end
    from generate_series(1, ${EXECUTIONS}::int) n`;
});

/** Rows and index entries of `ats.execution` that `read` went through. */
async function entriesRead(read: () => Promise<unknown>): Promise<number> {
  const count = async () => {
    await sql`select pg_stat_force_next_flush()`;
    const [row] = await sql<[{ read: number }]>`
      select (t.seq_tup_read + coalesce(t.idx_tup_fetch, 0) + i.read)::float8 as read
      from pg_stat_user_tables t
      join (select relid, sum(idx_tup_read) as read from pg_stat_user_indexes group by 1) i using (relid)
      where t.relid = 'ats.execution'::regclass`;
    return row.read;
  };
  const before = await count();
  await read();
  return (await count()) - before;
}

const list = (filter: Partial<ExecutionFilter>, newestFirst = true) =>
  listExecutions(sql, {
    projectNo,
    filter: { ...NO_FILTER, ...filter },
    newestFirst,
    after: null,
    limit: LIMIT,
  });

/** PostgreSQL makes a plan for any parameters, if it then makes one, at the sixth time. */
const TIMES = 8;
/** Two entries of two indexes a row of the page, and the row before or behind it. */
const PAGE_READS_MAX = 5 * (LIMIT + 1);
const RANGE = { from: "2026-03-01T00:00:00Z", to: "2026-03-02T00:00:00Z" };

for (const [what, filter, newestFirst, readsMax] of [
  ["newest first", {}, true, PAGE_READS_MAX],
  ["oldest first", {}, false, PAGE_READS_MAX],
  ["of a range of time", RANGE, true, PAGE_READS_MAX],
  // Every other one is.
  ["completed", { statuses: ["completed"] }, true, 2 * PAGE_READS_MAX],
] as const) {
  test(`a page of executions ${what} reads about as many as it shows, whatever the planner knows`, async () => {
    for (let time = 1; time <= TIMES; time++)
      expect(await entriesRead(() => list(filter, newestFirst))).toBeLessThanOrEqual(readsMax);
  });
}

test("what there is to filter by is read from the latest alone", async () => {
  for (let time = 1; time <= TIMES; time++)
    expect(await entriesRead(() => readExecutionFacets(sql, projectNo))).toBeLessThan(EXECUTIONS / 2);
});

test("what the list tells the planner ends with its transaction", async () => {
  await list({});
  const [settings] = await sql`
    select current_setting('enable_sort') as sort, current_setting('enable_seqscan') as seq,
      current_setting('enable_bitmapscan') as bitmap`;
  expect(settings).toEqual({ sort: "on", seq: "on", bitmap: "on" });
});
