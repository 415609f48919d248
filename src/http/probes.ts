import type { MigrationState } from "../store/database/migrate.ts";

/**
 * GET /health and GET /ready. Liveness touches nothing; readiness asks the database on a connection of its
 * own, so that a probe never queues behind ingest, and gives up after READY_TIMEOUT_MS.
 */

const SERVICE_NAME = "agent-telemetry-service";
const READY_TIMEOUT_MS = 2_000;

export function health(version: string): Record<string, unknown> {
  return { ok: true, service: SERVICE_NAME, version, time: new Date().toISOString() };
}

export interface Readiness {
  readonly code: "ok" | "not_ready";
  readonly body: Record<string, unknown>;
}

/**
 * `readMigrations` answers the migrations of the build and of the database, or "schema_unreadable" when the
 * database answers but its record of migrations does not; it rejects when the database cannot be reached.
 */
export async function readiness(
  version: string,
  readMigrations: () => Promise<MigrationState | "schema_unreadable">,
): Promise<Readiness> {
  const about = { service: SERVICE_NAME, version };
  const time = new Date().toISOString();
  let state: MigrationState | "schema_unreadable";
  try {
    state = await within(READY_TIMEOUT_MS, readMigrations());
  } catch {
    const checks = { database: "unreachable", schema: "unknown" };
    return { code: "not_ready", body: { ok: false, ...about, checks, reason: "database_unreachable", time } };
  }
  if (state === "schema_unreadable") {
    const checks = { database: "ok", schema: "unreadable" };
    return { code: "not_ready", body: { ok: false, ...about, checks, reason: "schema_unreadable", time } };
  }
  const migrations = { embedded: state.embedded, applied: state.applied };
  if (state.applied < state.embedded) {
    const checks = { database: "ok", schema: "behind" };
    return {
      code: "not_ready",
      body: { ok: false, ...about, checks, migrations, reason: "schema_behind", time },
    };
  }
  return {
    code: "ok",
    body: { ok: true, ...about, checks: { database: "ok", schema: "ok" }, migrations, time },
  };
}

async function within<T>(limitMs: number, work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    return await Promise.race([
      work,
      new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new Error("timed out")), limitMs);
      }),
    ]);
  } finally {
    clearTimeout(timer);
  }
}
