/** A database of an earlier build, with rows in it, after a start of this one. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { drizzle } from "drizzle-orm/postgres-js";
import { migrate } from "drizzle-orm/postgres-js/migrator";
import type { Sql } from "postgres";
import { type ExecutionFilter, listExecutions } from "../../src/store/dashboard/executions.ts";
import { readDeliveryHealth } from "../../src/store/dashboard/overview-health.ts";
import { connect } from "../../src/store/database/connect.ts";
import { readMigrationState } from "../../src/store/database/migrate.ts";
import { emptyDatabase, type TestDatabase } from "../support/database.ts";
import { mintProject } from "../support/projects.ts";
import { startService } from "../support/service.ts";

const MIGRATIONS = join(import.meta.dir, "../../drizzle");
const DAY = { from: "2026-03-01T00:00:00Z", to: "2026-03-02T00:00:00Z" };

let database: TestDatabase;
beforeAll(async () => {
  database = await emptyDatabase();
});
afterAll(async () => {
  await database.drop();
});

/** As the build left it whose last migration was this one. */
async function migrateUpTo(url: string, tag: string): Promise<void> {
  // Of its own: Drizzle changes how the connections that it is given write a time.
  const sql = connect({ url, connectionsMax: 1, applicationName: "test" });
  const folder = mkdtempSync(join(tmpdir(), "ats-migrations-"));
  try {
    const journal: { entries: { tag: string }[] } = JSON.parse(
      readFileSync(join(MIGRATIONS, "meta/_journal.json"), "utf8"),
    );
    const last = journal.entries.findIndex((entry) => entry.tag === tag);
    if (last === -1) throw new Error(`there is no migration ${tag}`);
    const entries = journal.entries.slice(0, last + 1);
    mkdirSync(join(folder, "meta"));
    writeFileSync(join(folder, "meta/_journal.json"), JSON.stringify({ ...journal, entries }));
    for (const entry of entries)
      copyFileSync(join(MIGRATIONS, `${entry.tag}.sql`), join(folder, `${entry.tag}.sql`));
    await migrate(drizzle(sql), { migrationsFolder: folder });
  } finally {
    await sql.end({ timeout: 5 });
    rmSync(folder, { recursive: true, force: true });
  }
}

async function indexesOf(sql: Sql, table: string): Promise<Record<string, string>> {
  const rows = await sql<{ name: string; columns: string }[]>`
    select indexname as name, regexp_replace(indexdef, '^.* USING btree ', '') as columns from pg_indexes
    where schemaname = 'ats' and tablename = ${table}`;
  return Object.fromEntries(rows.map(({ name, columns }) => [name, columns]));
}

async function fill(sql: Sql, projectNo: number): Promise<void> {
  // Many begin at the same moment: the number is the second part of the order.
  await sql`
    insert into ats.execution (project_no, execution_id, started_at, status, environment)
    select ${projectNo}, 'run-' || n, timestamptz '2026-03-01 10:00:00+00' + n / 7 * interval '1 second',
      case when n % 3 = 0 then 'crashed' else 'completed' end, '{"mode": "live"}'
    from generate_series(1, 300) n`;
  await sql`
    insert into ats.detection (project_no, execution_no, class, dedup_key, detection_id, signature, severity, rule_ids, score,
      excerpt, evidence_event_ids, detector_version, detected_at)
    select project_no, execution_no, 'tool_loop', 'key', 'det_' || execution_no, 'signature', 'high', '{r/1}', 0.5, 'excerpt', '{}',
      1, started_at
    from ats.execution where execution_no % 5 = 0`;
  await sql`
    insert into ats.webhook (project_no, webhook_id, url, secret) values (${projectNo}, 'wh_one', 'http://localhost', 'secret')`;
  await sql`
    insert into ats.delivery (project_no, delivery_id, webhook_id, event, body, status, created_at, due_at, finished_at)
    select ${projectNo}, 'dlv_' || n, 'wh_one', 'first_occurrence', '{}',
      (array['delivered', 'failed', 'cancelled'])[1 + n % 3], timestamptz '2026-03-01 10:00:00+00' + n * interval '1 minute',
      now(), now()
    from generate_series(1, 100) n`;
}

/** Every page of the list, newest and oldest first, of all and of a class, and the counts of deliveries. */
async function shown(sql: Sql, projectNo: number) {
  const pages = [];
  for (const failureClass of [null, "tool_loop"]) {
    for (const newestFirst of [true, false]) {
      const filter: ExecutionFilter = {
        statuses: null,
        ...DAY,
        sdkLanguage: null,
        sdkVersion: null,
        environment: null,
        failureClass,
        text: null,
      };
      let after = null;
      do {
        const page = await listExecutions(sql, { projectNo, filter, newestFirst, after, limit: 40 });
        pages.push(page);
        after = page.next;
      } while (after !== null);
    }
  }
  const range = {
    from: new Date(DAY.from),
    to: new Date(DAY.to),
    stepSeconds: 3_600,
    slotStep: 3_600,
  } as const;
  return { pages, deliveries: await readDeliveryHealth(sql, projectNo, range) };
}

test("from before the indexes of the lists: a start makes them, and the lists are what they were", async () => {
  const { sql } = database;
  await migrateUpTo(database.url, "0009_rollup_steps");
  const { projectNo } = await mintProject(sql);
  await fill(sql, projectNo);
  const { embedded, applied } = await readMigrationState(sql);
  expect(applied).toBe(10);
  expect(await indexesOf(sql, "execution")).toHaveProperty("execution_started_at");
  const before = await shown(sql, projectNo);
  expect(before.pages.flatMap((page) => page.items)).toHaveLength(2 * (300 + 60));
  expect(before.deliveries).toMatchObject({ delivered: 33, failed: 34, cancelled: 33 });

  const service = await startService({ databaseUrl: database.url, env: { DETECTION: "off" } });
  try {
    expect(await readMigrationState(sql)).toEqual({ embedded, applied: embedded });
    const executions = await indexesOf(sql, "execution");
    expect(executions).not.toHaveProperty("execution_started_at");
    expect(executions.execution_in_time).toBe("(project_no, started_at, execution_no)");
    expect((await indexesOf(sql, "detection")).detection_of_class).toBe("(project_no, class, execution_no)");
    expect((await indexesOf(sql, "delivery")).delivery_created).toBe("(project_no, created_at, status)");
    expect(await shown(sql, projectNo)).toEqual(before);
  } finally {
    await service.stop();
  }
});
