/**
 * A fresh database for a test file, cloned from the migrated template of the run.
 *
 * Invariant: no two files share a database, and a file that leaves connections open fails: a leaked pool in a
 * test is a leaked pool in the service. Call `cloneDatabase()` in a `beforeAll`, `drop()` in the `afterAll`.
 */
import postgres, { type Sql } from "postgres";
import { sessionSettings } from "../../src/store/database/session-settings.ts";
import { eventually } from "./postgres-server.ts";
import { SERVER_URL_VARIABLE, TEMPLATE_VARIABLE, withDatabase } from "./template.ts";

export interface TestDatabase {
  readonly url: string;
  readonly name: string;
  /**
   * A small pool for the test's own questions, set as the sessions of the service are; closed by `drop()`.
   */
  readonly sql: Sql;
  /** Drops the database; throws when anybody but `sql` is still connected after a grace. */
  drop(graceMs?: number): Promise<void>;
}

let cloneCount = 0;

function required(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: start the tests with \`bun run test [path]\``);
  return value;
}

function testServerUrl(): string {
  return required(SERVER_URL_VARIABLE);
}

async function createDatabase(template: string): Promise<TestDatabase> {
  const serverUrl = testServerUrl();
  cloneCount += 1;
  const name = `ats_test_${process.pid}_${cloneCount}_${Date.now().toString(36)}`;
  const admin = postgres(serverUrl, { max: 1, onnotice: () => {} });
  await admin.unsafe(`create database ${name} template ${template}`);
  const url = withDatabase(serverUrl, name);
  const sql = postgres(url, { max: 3, onnotice: () => {}, settings: sessionSettings({}) });

  async function connectionsLeft(): Promise<number> {
    const rows = await admin`
      select count(*)::int as left from pg_stat_activity where datname = ${name} and backend_type = 'client backend'`;
    return rows[0]?.left ?? 0;
  }

  async function drop(graceMs = 30_000): Promise<void> {
    await sql.end({ timeout: 5 });
    try {
      await eventually(
        `no connection is left on the test's database`,
        async () => (await connectionsLeft()) === 0,
        graceMs,
      );
    } finally {
      await admin.unsafe(`drop database if exists ${name} with (force)`);
      await admin.end();
    }
  }
  return { url, name, sql, drop };
}

/** A database with every migration applied. */
export function cloneDatabase(): Promise<TestDatabase> {
  return createDatabase(required(TEMPLATE_VARIABLE));
}

/** A database with nothing in it, for what happens at a first start. */
export function emptyDatabase(): Promise<TestDatabase> {
  return createDatabase("template0");
}
