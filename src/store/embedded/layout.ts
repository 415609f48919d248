import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * What lies in DATA_DIR, shared by the service, which writes it, and the operator commands, which read it.
 *
 *     service.lock        held by the running service
 *     postgres/           the cluster
 *     postgres.json       port and socket directory of the last start
 *     postgres.password   the superuser's password, 0600
 *     postgres.log        the server's own log
 *     init-…/             a cluster being made; a leftover of a start that was killed is removed by the next
 */
export interface Layout {
  readonly dataDir: string;
  readonly lock: string;
  readonly cluster: string;
  readonly endpoint: string;
  readonly password: string;
  readonly log: string;
}

export function layoutOf(dataDir: string): Layout {
  return {
    dataDir,
    lock: join(dataDir, "service.lock"),
    cluster: join(dataDir, "postgres"),
    endpoint: join(dataDir, "postgres.json"),
    password: join(dataDir, "postgres.password"),
    log: join(dataDir, "postgres.log"),
  };
}

export const userName = "postgres";
export const databaseName = "ats";

export interface Endpoint {
  readonly port: number;
  readonly socketDir: string;
}

/** null when there was no start yet, or the file is damaged: both mean that a port has to be chosen. */
export function readEndpoint(layout: Layout): Endpoint | null {
  try {
    const read: unknown = JSON.parse(readFileSync(layout.endpoint, "utf8"));
    if (typeof read !== "object" || read === null || !("port" in read) || !("socketDir" in read)) return null;
    const { port, socketDir } = read;
    return Number.isInteger(port) && typeof socketDir === "string" ? { port: Number(port), socketDir } : null;
  } catch {
    return null;
  }
}

/**
 * Whole or not at all, and not again what stands there: a server that comes back on a full disk needs no room
 * for it.
 */
export function noteEndpoint(layout: Layout, { port, socketDir }: Endpoint): void {
  const standing = readEndpoint(layout);
  if (standing?.port === port && standing.socketDir === socketDir) return;
  writeFileSync(`${layout.endpoint}.new`, `${JSON.stringify({ port, socketDir })}\n`, { mode: 0o644 });
  renameSync(`${layout.endpoint}.new`, layout.endpoint);
}

/** For any client. */
export function tcpUrl(endpoint: Endpoint, password: string, database: string): string {
  return `postgres://${userName}:${encodeURIComponent(password)}@127.0.0.1:${endpoint.port}/${database}`;
}

/** For the service itself: a UNIX socket costs less than TCP. libpq reads this form too. */
export function socketUrl(endpoint: Endpoint, password: string, database: string): string {
  const directory = encodeURIComponent(endpoint.socketDir);
  return `postgres://${userName}:${encodeURIComponent(password)}@localhost:${endpoint.port}/${database}?host=${directory}`;
}
