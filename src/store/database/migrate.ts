import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { DrizzleQueryError } from "drizzle-orm";
import { drizzle } from "drizzle-orm/postgres-js";
import { migrate } from "drizzle-orm/postgres-js/migrator";
import { LOCK_MIGRATION } from "./advisory-locks.ts";
import { connect, type Sql, type Statements } from "./connect.ts";
import { checkServer, type ServerCheck } from "./server-check.ts";

/**
 * Brings the database to the schema of this build. Invariant: one process migrates at a time — an advisory
 * lock, held on a connection of its own, makes the others wait, and they then find nothing left to do. Each
 * run is one transaction: a failure leaves the schema as it was, and the start fails.
 */

const migrationsFolder = fileURLToPath(new URL("../../../drizzle", import.meta.url));
const journal: { entries: readonly unknown[] } = JSON.parse(
  readFileSync(`${migrationsFolder}/meta/_journal.json`, "utf8"),
);

export interface MigrationState {
  /** Migrations this build brings. */
  readonly embedded: number;
  /** Migrations the database has; more than `embedded` when a newer build was here. */
  readonly applied: number;
}

export type MigrateResult =
  | (Extract<ServerCheck, { ok: true }> & { readonly before: number; readonly after: number })
  | Extract<ServerCheck, { ok: false }>;

/** Throws DatabaseReadOnly when it takes no writes now. */
export async function migrateDatabase(options: { readonly url: string }): Promise<MigrateResult> {
  const sql = connect({
    url: options.url,
    connectionsMax: 1,
    applicationName: "ats migrate",
    fetchTypes: false,
  });
  try {
    const checked = await checkServer(sql, options.url);
    if (!checked.ok) return checked;
    await sql`select pg_advisory_lock(${LOCK_MIGRATION})`;
    const before = (await readMigrationState(sql)).applied;
    if (before < journal.entries.length) await applyMigrations(sql);
    return { ...checked, before, after: Math.max(before, journal.entries.length) };
  } finally {
    // Ending the session frees the lock, also after a failure.
    await sql.end({ timeout: 5 });
  }
}

/**
 * Throws the driver's error: Drizzle's own, around it, has neither the code that tells a lost connection nor
 * the server's words.
 */
async function applyMigrations(sql: Sql): Promise<void> {
  try {
    await migrate(drizzle(sql), { migrationsFolder });
  } catch (error) {
    throw error instanceof DrizzleQueryError ? (error.cause ?? error) : error;
  }
}

/** For /ready and the operator. Throws when the database cannot be asked. */
export async function readMigrationState(sql: Statements): Promise<MigrationState> {
  const [found] = await sql<[{ present: boolean }]>`
    select to_regclass('drizzle.__drizzle_migrations') is not null as present`;
  if (!found.present) return { embedded: journal.entries.length, applied: 0 };
  const [counted] = await sql<[{ applied: number }]>`
    select count(*)::int as applied from drizzle.__drizzle_migrations`;
  return { embedded: journal.entries.length, applied: counted.applied };
}
