import type { Statements } from "./connect.ts";
import { type MigrationState, readMigrationState } from "./migrate.ts";

/** What an operator asks first. Cheap on a database of any size: sizes and estimates, no counting of rows. */
export interface DatabaseStatus {
  readonly server_version: string;
  readonly migrations: MigrationState;
  readonly size_bytes: number;
  /** Day partitions of the events, the default one not counted. */
  readonly partitions: number;
  /** Furthest day with a partition, null while there is none. */
  readonly partitions_until: string | null;
}

export async function readDatabaseStatus(sql: Statements): Promise<DatabaseStatus> {
  const [row] = await sql<[Omit<DatabaseStatus, "migrations">]>`
    select current_setting('server_version') as server_version,
      pg_database_size(current_database())::float8 as size_bytes,
      count(p.relname)::int as partitions,
      to_char(max(to_date(right(p.relname, 8), 'YYYYMMDD')), 'YYYY-MM-DD') as partitions_until
    from (select c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'ats' and c.relkind = 'r' and c.relname ~ '^event_pack_[0-9]{8}$') p`;
  return { ...row, migrations: await readMigrationState(sql) };
}
