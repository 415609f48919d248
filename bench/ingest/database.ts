/**
 * The bench's own connection to the service's PostgreSQL: counts rows, checkpoints, makes and drops the
 * ceiling's database, finds the postmaster's process. Used between the timed phases, never inside one.
 */
import { connect, type Sql } from "../../src/store/database/connect.ts";
import { readProcessStat } from "./process-stat.ts";

export class BenchDatabase {
  private readonly sql: Sql;

  constructor(private readonly url: string) {
    this.sql = connect({ url, connectionsMax: 1, applicationName: "bench" });
  }

  async version(): Promise<string> {
    const [row] = await this.sql<{ server_version: string }[]>`show server_version`;
    return row?.server_version ?? "unknown";
  }

  async settings(): Promise<Record<string, string>> {
    const rows = await this.sql<{ name: string; setting: string }[]>`
      select name, current_setting(name) as setting from pg_settings
      where name in ('shared_buffers', 'max_wal_size', 'fsync', 'synchronous_commit', 'wal_compression',
        'wal_level', 'full_page_writes', 'commit_delay')
      order by name`;
    return Object.fromEntries(rows.map(({ name, setting }) => [name, setting]));
  }

  /** The postmaster's pid, when PostgreSQL runs on this machine: the parent of our own backend. */
  async postmasterPid(): Promise<number | undefined> {
    const [row] = await this.sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
    const backend = row === undefined ? undefined : readProcessStat(row.pid);
    return backend?.name.startsWith("postgres") ? backend.parentPid : undefined;
  }

  /** Rows of the project as SQL users see them. */
  async eventRows(projectId: string): Promise<number> {
    const [row] = await this.sql<
      { rows: string }[]
    >`select count(*) as rows from events where project_id = ${projectId}`;
    return Number(row?.rows);
  }

  /**
   * So that no phase pays for what an earlier one left to be detected or written. Throws when detection does
   * not catch up.
   */
  async settle(options: { readonly detection: "on" | "off"; readonly secondsMax: number }): Promise<void> {
    const endMs = performance.now() + options.secondsMax * 1000;
    while (options.detection === "on" && (await this.owedBatches()) > 0) {
      if (performance.now() > endMs) throw new Error(`detection did not catch up in ${options.secondsMax} s`);
      await Bun.sleep(100);
    }
    await this.checkpoint();
  }

  async checkpoint(): Promise<void> {
    await this.sql`checkpoint`;
  }

  private async owedBatches(): Promise<number> {
    const [row] = await this.sql<{ owed: number }[]>`
      select count(*)::int as owed from ats.batch where detected_at is null`;
    return row?.owed ?? 0;
  }

  /** Age of the oldest batch that detection owes, in seconds; undefined when it owes none. */
  async oldestOwedSeconds(): Promise<number | undefined> {
    const [row] = await this.sql<{ seconds: number | null }[]>`
      select extract(epoch from clock_timestamp() - min(stored_at))::float8 as seconds
      from ats.batch where detected_at is null`;
    return row?.seconds ?? undefined;
  }

  async hasDetection(executionId: string): Promise<boolean> {
    const rows = await this.sql`
      select from ats.detection d join ats.execution x using (project_no, execution_no)
      where x.execution_id = ${executionId} limit 1`;
    return rows.length > 0;
  }

  /** An empty database beside the service's; answers its URL. */
  async createCeilingDatabase(): Promise<{ name: string; url: string }> {
    const name = `bench_ceiling_${process.pid}_${Date.now().toString(36)}`;
    await this.sql`create database ${this.sql(name)}`;
    const url = new URL(this.url);
    url.pathname = `/${name}`;
    return { name, url: url.href };
  }

  async dropDatabase(name: string): Promise<void> {
    await this.sql`drop database if exists ${this.sql(name)} with (force)`;
  }

  async end(): Promise<void> {
    await this.sql.end({ timeout: 5 });
  }
}
