import postgres from "postgres";
import { readDatabaseUrl } from "./database-url.ts";
import { codeOf, isConnectionLoss } from "./failure.ts";
import { watchSocket } from "./open-sockets.ts";
import { sessionSettings } from "./session-settings.ts";

/**
 * The one place that turns a database URL into a pool. Invariant: a connection made here never writes to the
 * console (notices go to `onNotice` or nowhere) and names itself in pg_stat_activity. The caller owns the
 * pool and ends it; a connection that is lost is opened again by the driver on the next statement.
 */

export type Sql = postgres.Sql;
/** A pool or a transaction: for statements that do not care. */
export type Statements = postgres.ISql;

export interface ConnectOptions {
  /** postgres://… as libpq reads it: database-url.ts. */
  readonly url: string;
  readonly connectionsMax: number;
  readonly applicationName: string;
  readonly connectTimeoutS?: number;
  readonly statementTimeoutMs?: number;
  readonly lockTimeoutMs?: number;
  /** Memory of one sort or hash before it goes to disk; the server's own setting if not given. */
  readonly workMemMb?: number;
  readonly idleTimeoutS?: number;
  /**
   * A connection is kept until it is lost. Otherwise the driver ends each at an age of 30 to 60 minutes, and
   * opens it anew with the next statement.
   */
  readonly keepsConnections?: boolean;
  /** Off saves a query a connection; arrays are then neither read nor written. */
  readonly fetchTypes?: boolean;
  readonly onNotice?: (message: string) => void;
  /** A connection of the pool was lost or ended. */
  readonly onClose?: () => void;
}

export function connect(options: ConnectOptions): Sql {
  const { url, ...target } = readDatabaseUrl(options.url);
  return postgres(url, {
    ...target,
    max: options.connectionsMax,
    connect_timeout: options.connectTimeoutS ?? 10,
    // The driver's own back-off grows to 20 s; whoever holds a pool decides when to ask again.
    backoff: () => 0.05,
    ...(options.idleTimeoutS === undefined ? {} : { idle_timeout: options.idleTimeoutS }),
    ...(options.keepsConnections === true ? { max_lifetime: null } : {}),
    fetch_types: options.fetchTypes ?? true,
    onnotice: (notice) => options.onNotice?.(notice.message ?? ""),
    onclose: () => options.onClose?.(),
    onsocket: watchSocket,
    settings: sessionSettings(options),
    connection: { application_name: options.applicationName },
  });
}

/**
 * A failure to reach the database in the driver's words, which hold no password; null for any other error.
 */
export function connectionFailure(error: unknown): string | null {
  if (!(error instanceof Error) || !isConnectionLoss(error)) return null;
  return error.message === "" ? (codeOf(error) ?? "") : error.message;
}
