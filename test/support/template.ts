/**
 * The databases of one test run: a server, and on it a template with every migration applied, made once.
 *
 * Invariant: the migrations run exactly as a fresh installation runs them, and nothing writes to the template
 * after. Owned by test/run.ts; the test files get its names through the environment
 * (test/support/database.ts).
 */
import { join } from "node:path";
import { drizzle } from "drizzle-orm/postgres-js";
import { migrate } from "drizzle-orm/postgres-js/migrator";
import postgres from "postgres";
import { startPostgresServer } from "./postgres-server.ts";

export const SERVER_URL_VARIABLE = "ATS_TEST_SERVER_URL";
export const TEMPLATE_VARIABLE = "ATS_TEST_TEMPLATE";

export interface TestDatabases {
  environment: Record<string, string>;
  stop(): Promise<void>;
}

export function withDatabase(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.toString();
}

async function makeTemplate(serverUrl: string): Promise<string> {
  const name = `ats_test_template_${process.pid}_${Date.now().toString(36)}`;
  const admin = postgres(serverUrl, { max: 1, onnotice: () => {} });
  await admin.unsafe(`create database ${name}`);
  await admin.end();
  const sql = postgres(withDatabase(serverUrl, name), { max: 1, onnotice: () => {} });
  await migrate(drizzle(sql), { migrationsFolder: join(import.meta.dir, "../../drizzle") });
  await sql.end();
  return name;
}

async function dropTemplate(serverUrl: string, name: string): Promise<void> {
  const admin = postgres(serverUrl, { max: 1, onnotice: () => {} });
  await admin.unsafe(`drop database if exists ${name} with (force)`);
  await admin.end();
}

/**
 * `givenUrl` names a running server with the right to create databases; without it one is started for the
 * run.
 */
export async function prepareTestDatabases(givenUrl: string | undefined): Promise<TestDatabases> {
  const server = givenUrl ? undefined : await startPostgresServer();
  const url = givenUrl ?? server?.url ?? "";
  const template = await makeTemplate(url);
  return {
    environment: { [SERVER_URL_VARIABLE]: url, [TEMPLATE_VARIABLE]: template },
    stop: async () => {
      if (server) await server.stop();
      else await dropTemplate(url, template);
    },
  };
}
