import { connect, type Sql } from "./connect.ts";

/**
 * Whether the service can run on a database, asked before anything is written to it. Invariant: what would
 * fail later, under load and in words about something else, is refused here in words about its cause.
 */

const SERVER_VERSION_MIN = 150_000;

export type ServerCheck =
  | {
      readonly ok: true;
      /** Settings of the server by which it may lose what it has committed, as `name=value`. */
      readonly unsafe: readonly string[];
      /**
       * Connections that this role may have at once, those of others included where the limit is not the
       * role's own.
       */
      readonly connectionsMax: number;
    }
  | { readonly ok: false; readonly detail: string };

/**
 * It may be promoted, or opened for writes, in a moment: that is waited for like for a server that is away.
 */
export class DatabaseReadOnly extends Error {
  override readonly name = "DatabaseReadOnly";
}

interface Server {
  readonly number: number;
  readonly version: string;
  readonly encoding: string;
  readonly standby: boolean;
  readonly readOnly: boolean;
  readonly unsafe: readonly string[];
  readonly connectionsMax: number;
}

/** `sql` is a pool of one connection. */
export async function checkServer(sql: Sql, url: string): Promise<ServerCheck> {
  const [server] = await sql<[Server]>`
    select current_setting('server_version_num')::int as number, current_setting('server_version') as version,
      current_setting('server_encoding') as encoding, pg_is_in_recovery() as standby,
      current_setting('transaction_read_only') = 'on' as "readOnly",
      (select coalesce(json_agg(name || '=off'), '[]')
        from unnest(array['fsync', 'full_page_writes', 'synchronous_commit']) as name
        where current_setting(name) = 'off') as unsafe,
      (select least(
          nullif(d.datconnlimit, -1), nullif(r.rolconnlimit, -1),
          current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
            - coalesce(current_setting('reserved_connections', true), '0')::int)
        from pg_database d, pg_roles r
        where d.datname = current_database() and r.rolname = current_user) as "connectionsMax"`;
  if (server.number < SERVER_VERSION_MIN)
    return refused(`PostgreSQL ${server.version} is too old: the service needs PostgreSQL 15 or newer`);
  if (server.encoding !== "UTF8")
    return refused(
      `The database has the encoding ${server.encoding}, and the service needs UTF8: create database … encoding 'UTF8' template template0`,
    );
  if (await sessionsAreShared(sql, url))
    return refused(
      "The database is behind a pooler that shares its sessions between clients (transaction or statement mode): the service needs session mode, or a direct connection",
    );
  if (server.standby) throw new DatabaseReadOnly("it is a standby, which takes no writes");
  if (server.readOnly) throw new DatabaseReadOnly("it is read-only (default_transaction_read_only)");
  return { ok: true, unsafe: server.unsafe, connectionsMax: server.connectionsMax };
}

function refused(detail: string): ServerCheck {
  return { ok: false, detail };
}

/**
 * Locks, prepared statements and notices belong to a session. A pooler that lends sessions gives the one that
 * was used last to the next who asks, and while that one is in a transaction another to the first.
 */
async function sessionsAreShared(first: Sql, url: string): Promise<boolean> {
  const pidOf = async (sql: Pick<Sql, "unsafe">) => {
    // Not prepared: that would be refused in words about prepared statements.
    const [row] = await sql.unsafe<[{ pid: string }]>("select pg_backend_pid() as pid").simple();
    return Number(row.pid);
  };
  const second = connect({ url, connectionsMax: 1, applicationName: "ats check", fetchTypes: false });
  try {
    const before = await pidOf(first);
    return await second.begin(async (tx) => {
      const other = await pidOf(tx);
      return other === before || (await pidOf(first)) !== before;
    });
  } finally {
    await second.end({ timeout: 5 });
  }
}
