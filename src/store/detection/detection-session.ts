import type { ReservedSql } from "postgres";
import { LOCK_CLASS, LOCK_DETECTION, LOCK_DETECTION_FURTHER } from "../database/advisory-locks.ts";
import { connect, type Sql } from "../database/connect.ts";
import { isConnectionLoss } from "../database/failure.ts";
import { ALL_PROJECTS, type ProjectShare, SLOTS, slotsOf } from "./project-share.ts";

/**
 * The one connection that a detection thread works through. It carries the leadership of the thread's share
 * of the projects — session advisory locks, one a slot, of each of which a database grants one — together
 * with the transactions, so that whoever loses the one loses the other: a dead process's locks, locks on rows
 * and open transaction end with its connection, and the next in line takes over.
 *
 * Invariant: a transaction only runs on the very server session that holds the locks. The driver opens a new
 * session behind one's back when the old one is lost; every transaction therefore starts by asking which
 * session it is in.
 *
 * Commits are asynchronous: a crash of PostgreSQL may undo the last ones, whole. Then their batches are owed
 * again, and the session is gone, so nothing in memory survives that the store does not know.
 */

const LOCK_TIMEOUT_MS = 10_000;
const STATEMENT_TIMEOUT_MS = 60_000;

export type DetectionSql = ReservedSql;

export class SessionLost extends Error {
  override readonly name = "SessionLost";
}

/**
 * True if every project is looked after: asked of the locks, so it is true exactly as long as the connections
 * of those who hold them live.
 */
export async function isDetectionLed(sql: Sql): Promise<boolean> {
  const [row] = await sql<[{ led: boolean }]>`
    select count(*) = ${SLOTS} as led from pg_locks
    where locktype = 'advisory' and granted and classid = ${LOCK_CLASS} and objid = any(${locksOf(ALL_PROJECTS)}::oid[])
      and objsubid = 2 and database = (select oid from pg_database where datname = current_database())`;
  return row.led;
}

const locksOf = (share: ProjectShare) =>
  slotsOf(share).map((slot) => (slot === 0 ? LOCK_DETECTION : LOCK_DETECTION_FURTHER + slot));

export class DetectionSession {
  readonly #pool: Sql;
  readonly #sql: ReservedSql;
  readonly #locks: readonly number[];
  readonly backendPid: number;
  #isLeader = false;

  private constructor(pool: Sql, sql: ReservedSql, backendPid: number, share: ProjectShare) {
    this.#pool = pool;
    this.#sql = sql;
    this.#locks = locksOf(share);
    this.backendPid = backendPid;
  }

  static async open(databaseUrl: string, share: ProjectShare): Promise<DetectionSession> {
    const pool = connect({
      url: databaseUrl,
      connectionsMax: 1,
      applicationName: "ats-detection",
      connectTimeoutS: 5,
      lockTimeoutMs: LOCK_TIMEOUT_MS,
      statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    });
    try {
      const sql = await pool.reserve();
      await sql`set synchronous_commit = off`;
      // Every statement of detection has an index. Before a new day's partition is analysed the planner takes
      // it for empty and walks it whole for each execution: 80 ms instead of 1.
      await sql`set enable_seqscan = off`;
      const [row] = await sql<[{ pid: number }]>`select pg_backend_pid() as pid`;
      return new DetectionSession(pool, sql, row.pid, share);
    } catch (error) {
      void pool.end({ timeout: 0 }).catch(() => undefined);
      throw error;
    }
  }

  /** For statements outside a transaction. */
  get sql(): DetectionSql {
    return this.#sql;
  }

  get isLeader(): boolean {
    return this.#isLeader;
  }

  /**
   * True if this session now leads its share of the projects: it holds the locks of all slots or of none.
   * Another may hold some of them for as long as it lives.
   */
  async tryLead(): Promise<boolean> {
    if (this.#isLeader) return true;
    const held: number[] = [];
    for (const lock of this.#locks) {
      const [row] = await this.#sql<[{ granted: boolean; pid: number }]>`
        select pg_try_advisory_lock(${LOCK_CLASS}, ${lock}) as granted, pg_backend_pid() as pid`;
      this.#check(row.pid);
      if (!row.granted) break;
      held.push(lock);
    }
    this.#isLeader = held.length === this.#locks.length;
    if (!this.#isLeader && held.length > 0)
      await this.#sql`select pg_advisory_unlock(${LOCK_CLASS}, lock) from unnest(${held}::int[]) as l (lock)`;
    return this.#isLeader;
  }

  /** Runs `work` in a transaction; whatever it throws rolls everything back and is thrown on. */
  async transaction<T>(work: (sql: DetectionSql) => Promise<T>): Promise<T> {
    const sql = this.#sql;
    const [, rows] = await sql.unsafe<[unknown, [{ pid: number }]]>("begin; select pg_backend_pid() as pid");
    try {
      this.#check(rows[0].pid);
      const result = await work(sql);
      await sql`commit`;
      return result;
    } catch (error) {
      if (!isConnectionLoss(error)) await sql`rollback`.catch(() => undefined);
      throw error;
    }
  }

  /** Ends a session left behind by a thread that hangs: its locks would keep the new one waiting for ever. */
  async endSession(backendPid: number): Promise<void> {
    await this.#sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where pid = ${backendPid} and application_name = 'ats-detection' and datname = current_database()`;
  }

  async close(): Promise<void> {
    this.#isLeader = false;
    await this.#pool.end({ timeout: 0 }).catch(() => undefined);
  }

  #check(pid: number): void {
    if (pid !== this.backendPid)
      throw new SessionLost("the connection to PostgreSQL was lost and opened anew");
  }
}
