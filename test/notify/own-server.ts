/** A migrated database on a server of the test's own, for tests that kill the server. */
import { join } from "node:path";
import { drizzle } from "drizzle-orm/postgres-js";
import { migrate } from "drizzle-orm/postgres-js/migrator";
import postgres, { type Sql } from "postgres";
import type { PostgresServer } from "../support/postgres-server.ts";

export async function migratedDatabase(
  server: PostgresServer,
  name: string,
): Promise<{ url: string; sql: Sql }> {
  const admin = postgres(server.url, { max: 1, onnotice: () => {} });
  await admin.unsafe(`create database ${name}`);
  await admin.end();
  const url = server.urlOf(name);
  const migrating = postgres(url, { max: 1, onnotice: () => {} });
  await migrate(drizzle(migrating), { migrationsFolder: join(import.meta.dir, "../../drizzle") });
  await migrating.end();
  return { url, sql: postgres(url, { max: 1, onnotice: () => {} }) };
}
