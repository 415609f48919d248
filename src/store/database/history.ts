import type { Sql } from "./connect.ts";
import { isNotOffered } from "./failure.ts";

/**
 * Whether the database is still the one that was asked before, and not an earlier state of it: restored from
 * a backup, or a standby that was behind when it took over. What a process has noted of rows that were lost
 * with that would be wrong for ever: numbers of executions are given out again, to others.
 *
 * A standby that had everything has another timeline too: what is noted is then forgotten without need, which
 * costs a look-up each.
 */

/**
 * Row, timeline and position of the log: a database that was made anew, another server, a copy of the files
 * of before. The position is that of what has reached the disk: what a crash undoes lies behind it.
 */
const PLACE = `
  select case when not pg_is_in_recovery() then
      (select oid from pg_database where datname = current_database()) || '/' || left(pg_walfile_name(pg_current_wal_flush_lsn()), 8)
    end as line,
    case when not pg_is_in_recovery() then (pg_current_wal_flush_lsn() - '0/0'::pg_lsn)::float8 end as position`;

export class DatabaseHistory {
  #line: string | undefined;
  #position = 0;
  #canAsk = true;

  /** Asks the database for a sign of life; true if it is not what it was. Throws when it does not answer. */
  async ask(sql: Sql): Promise<boolean> {
    if (this.#canAsk) {
      try {
        const [place] = await sql.unsafe<[{ line: string | null; position: number | null }]>(PLACE);
        return this.#note(place.line, place.position);
      } catch (error) {
        // Anything else (a database that takes no connections just now) says nothing of the next time.
        if (!isNotOffered(error)) throw error;
        this.#canAsk = false;
      }
    }
    await sql`select 1`;
    return false;
  }

  #note(line: string | null, position: number | null): boolean {
    // A standby: nothing can be written there.
    if (line === null || position === null) return false;
    const isAnother = this.#line !== undefined && (line !== this.#line || position < this.#position);
    this.#line = line;
    this.#position = position;
    return isAnother;
  }
}
