import type { ReservedSql } from "postgres";
import { LOCK_CLASS, LOCK_UPKEEP } from "../database/advisory-locks.ts";
import type { Sql } from "../database/connect.ts";
import { isLockConflict } from "../database/failure.ts";
import { deleteOldHangs } from "../detection/detection-hangs.ts";
import { deleteOldActivity } from "../groups/group-activity.ts";
import {
  deleteIdleGroups,
  findLastKept,
  GROUPS_KEPT_MAX,
  listCrowdedClasses,
} from "../groups/group-limit.ts";
import { ROLLUP_TABLES } from "./rollups.ts";

/**
 * Deletes what is older than its project keeps it, and what nobody needs any more. Invariants: one process a
 * database at a time (a session's advisory lock); small statements with pauses between them, each its own
 * transaction; an event is kept for a day at least after it came, whatever its clock says, and until
 * detection has seen it. A failure is told and the next round goes on where this one ended, because nothing
 * but the rows themselves says what is left.
 */

const DAY_MS = 86_400_000;
/**
 * How long a batch that was detected is kept: the state of an execution is rebuilt from events whose batch is
 * still there, so one that pauses for longer is taken up without what came before.
 */
const BATCHES_KEPT_DAYS = 7;
const ROWS_MAX = 5_000;
/** Of up to some dozens of events each. */
const PACKS_MAX = 1_000;
const EXECUTIONS_MAX = 500;
const PAUSE_MS = 20;
/** The longest time that a drop may wait for readers, holding up writers. */
const DROP_LOCK_MS = 250;
const DROP_TRIES_MAX = 8;

export interface Pruned {
  /** False: another process was at it. */
  readonly led: boolean;
  readonly partitions: number;
  readonly events: number;
  readonly executions: number;
  readonly batches: number;
  /** Failure groups let go, by the class that had too many. */
  readonly groups: readonly GroupsLetGo[];
}

export interface GroupsLetGo {
  readonly projectId: string;
  readonly class: string;
  readonly count: number;
}

export interface PruneOptions {
  readonly sql: Sql;
  readonly nowMs: number;
  /** Failure groups of a class of a project that are kept. */
  readonly groupsKeptMax?: number;
  /** Asked between statements: a round under way ends early. */
  readonly isStopping?: () => boolean;
}

interface KeptProject {
  readonly projectNo: number;
  /** The start of the first UTC day that is kept. */
  readonly cutoff: Date;
}

const NOTHING: Pruned = { led: false, partitions: 0, events: 0, executions: 0, batches: 0, groups: [] };

export async function prune(options: PruneOptions): Promise<Pruned> {
  const { sql } = options;
  const session = await sql.reserve();
  try {
    const [lock] = await session<[{ granted: boolean }]>`
      select pg_try_advisory_lock(${LOCK_CLASS}, ${LOCK_UPKEEP}) as granted`;
    if (!lock.granted) return NOTHING;
    try {
      // Every statement here has an index; a partition without statistics would be walked whole for each
      // execution.
      await session`set enable_seqscan = off`;
      return await new Round(session, options).run();
    } finally {
      await session`reset enable_seqscan`;
      await session`select pg_advisory_unlock(${LOCK_CLASS}, ${LOCK_UPKEEP})`;
    }
  } finally {
    session.release();
  }
}

class Round {
  readonly #sql: ReservedSql;
  readonly #nowMs: number;
  readonly #isStopping: () => boolean;
  readonly #groupsKeptMax: number;

  constructor(sql: ReservedSql, options: PruneOptions) {
    this.#sql = sql;
    this.#nowMs = options.nowMs;
    this.#isStopping = options.isStopping ?? (() => false);
    this.#groupsKeptMax = options.groupsKeptMax ?? GROUPS_KEPT_MAX;
  }

  async run(): Promise<Pruned> {
    const all = await this.#sql<{ projectNo: number; days: number | null }[]>`
      select project_no as "projectNo", retention_days as days from ats.project order by project_no`;
    const kept = all.flatMap(({ projectNo, days }) =>
      days === null ? [] : [{ projectNo, cutoff: this.#dayBefore(days) }],
    );
    const partitions =
      kept.length > 0 && kept.length === all.length
        ? await this.#dropDays(new Date(Math.min(...kept.map(({ cutoff }) => cutoff.getTime()))))
        : 0;
    let events = 0;
    let executions = 0;
    for (const project of kept) {
      events += await this.#deleteEvents(project);
      executions += await this.#deleteExecutions(project);
      await this.#deleteRollups(project);
    }
    const batchesBefore = new Date(this.#nowMs - BATCHES_KEPT_DAYS * DAY_MS);
    const batches = await this.#deleteBatches(batchesBefore);
    await this.#repeat(() => deleteOldHangs(this.#sql, batchesBefore, ROWS_MAX));
    await this.#repeat(() => deleteOldActivity(this.#sql, this.#nowMs, ROWS_MAX));
    const groups = await this.#deleteGroups();
    return { led: true, partitions, events, executions, batches, groups };
  }

  #dayBefore(days: number): Date {
    return new Date(Math.floor((this.#nowMs - days * DAY_MS) / DAY_MS) * DAY_MS);
  }

  /**
   * Whole days that no project keeps; a day that got events lately, or is still owed, waits for a later
   * round.
   */
  async #dropDays(cutoff: Date): Promise<number> {
    let dropped = 0;
    for (const { table, low, high } of await this.#days(cutoff)) {
      if (this.#isStopping()) break;
      const [recent] = await this.#sql<[{ found: boolean }]>`
        select exists (
          select from ats.batch
          where (detected_at is null or detected_at > ${new Date(this.#nowMs - DAY_MS)})
            and first_timestamp < ${high} and last_timestamp >= ${low}
        ) as found`;
      if (!recent.found && (await this.#drop(table))) dropped += 1;
    }
    return dropped;
  }

  async #days(cutoff: Date): Promise<{ table: string; low: Date; high: Date }[]> {
    const rows = await this.#sql<{ table: string; low: Date; high: Date }[]>`
      select c.relname as table, d.low, d.low + interval '24 hours' as high
      from pg_inherits i join pg_class c on c.oid = i.inhrelid
      cross join lateral (
        select to_date(right(c.relname, 8), 'YYYYMMDD')::timestamp at time zone 'UTC' as low
        where c.relname ~ '^event_pack_[0-9]{8}$'
      ) d
      where i.inhparent = 'ats.event_pack'::regclass and d.low < ${cutoff}
      order by c.relname`;
    return rows.map((row) => ({ ...row }));
  }

  async #drop(table: string): Promise<boolean> {
    for (let tries = 1; tries <= DROP_TRIES_MAX && !this.#isStopping(); tries += 1) {
      try {
        await this.#sql.unsafe(
          `begin; set local lock_timeout = '${DROP_LOCK_MS}ms'; drop table ats.${table}; commit`,
        );
        return true;
      } catch (error) {
        await this.#sql`rollback`.catch(() => undefined);
        if (!isLockConflict(error)) throw error;
        await Bun.sleep(PAUSE_MS * tries * 5);
      }
    }
    return false;
  }

  /**
   * Whole packs, as each lies on one day. Stand-ins stay as long as their execution: they hold the ids and
   * the numbers of packs that may be kept for longer than its home day.
   */
  async #deleteEvents({ projectNo, cutoff }: KeptProject): Promise<number> {
    const arrivedBefore = new Date(this.#nowMs - DAY_MS);
    const tables = [...(await this.#days(cutoff)).map(({ table }) => table), "event_pack_default"];
    let deleted = 0;
    for (const table of tables) {
      const packs = this.#sql(`ats.${table}`);
      await this.#repeat(async () => {
        const [gone] = await this.#sql<[{ count: number; events: number }]>`
          with gone as (
            delete from ${packs} where ctid = any(array(
              select ctid from ${packs}
              where project_no = ${projectNo} and first_timestamp < ${cutoff} and received_at < ${arrivedBefore}
                and event_types <> '{}'
                and not exists (
                  select from ats.batch b
                  where b.project_no = ${projectNo} and b.batch_no = ${packs}.batch_no and b.detected_at is null
                )
              limit ${PACKS_MAX}
            )) returning cardinality(event_types) as events
          )
          select count(*)::int as count, coalesce(sum(events), 0)::float8 as events from gone`;
        deleted += gone.events;
        return gone;
      }, PACKS_MAX);
    }
    return deleted;
  }

  /**
   * Executions that began before the cutoff, did not end after it (those that never told their end among
   * them) and have no event left, with their stand-ins and with what was detected in them. Asked of the index
   * of each partition: `offset 0` keeps the planner from joining whole partitions.
   */
  async #deleteExecutions({ projectNo, cutoff }: KeptProject): Promise<number> {
    let deleted = 0;
    let after: { at: string; no: string } = { at: "-infinity", no: "0" };
    while (!this.#isStopping()) {
      const sql = this.#sql;
      const candidates = await sql<{ no: string; at: string; isLast: boolean }[]>`
        select execution_no::text as no, started_at::text as at from ats.execution
        where project_no = ${projectNo} and started_at < ${cutoff}
          and (started_at, execution_no) > (${after.at}::text::timestamptz, ${after.no}::bigint)
          and (finished_at is null or finished_at < ${cutoff})
        order by started_at, execution_no limit ${EXECUTIONS_MAX}`;
      const last = candidates.at(-1);
      if (last === undefined) break;
      after = last;
      const [row] = await sql<[{ gone: number }]>`
        with gone as (
          delete from ats.execution x
          where x.project_no = ${projectNo} and x.execution_no = any(${candidates.map(({ no }) => no)}::bigint[])
            and (x.finished_at is null or x.finished_at < ${cutoff})
            and not exists (
              select from ats.event_pack p
              where p.project_no = x.project_no and p.execution_no = x.execution_no and p.event_types <> '{}' offset 0
            )
          returning x.execution_no
        ), unclaimed as (
          delete from ats.event_pack p
          where p.project_no = ${projectNo} and p.execution_no = any(array(select execution_no from gone))
        ), undetected as (
          delete from ats.detection d using gone
          where d.project_no = ${projectNo} and d.execution_no = gone.execution_no
        )
        select count(*)::int as gone from gone`;
      deleted += row.gone;
      await Bun.sleep(PAUSE_MS);
    }
    return deleted;
  }

  async #deleteRollups({ projectNo, cutoff }: KeptProject): Promise<void> {
    for (const name of [...ROLLUP_TABLES, "group_activity"]) {
      const table = this.#sql(`ats.${name}`);
      await this.#repeat(
        () => this.#sql`
          delete from ${table} where ctid = any(array(
            select ctid from ${table} where project_no = ${projectNo} and slot_at < ${cutoff} limit ${ROWS_MAX}
          ))`,
      );
    }
  }

  async #deleteBatches(before: Date): Promise<number> {
    return await this.#repeat(
      () => this.#sql`
        delete from ats.batch where ctid = any(array(
          select ctid from ats.batch where detected_at < ${before} order by detected_at limit ${ROWS_MAX}
        ))`,
    );
  }

  async #deleteGroups(): Promise<GroupsLetGo[]> {
    const gone: GroupsLetGo[] = [];
    for (const crowded of await listCrowdedClasses(this.#sql, this.#groupsKeptMax)) {
      const lastKept = await findLastKept(this.#sql, crowded, this.#groupsKeptMax);
      if (lastKept === null) continue;
      const count = await this.#repeat(() => deleteIdleGroups(this.#sql, crowded, lastKept), 1);
      if (count > 0) gone.push({ projectId: crowded.projectId, class: crowded.class, count });
    }
    return gone;
  }

  /** Until a statement finds less than it may take. */
  async #repeat(
    statement: () => PromiseLike<{ readonly count: number }>,
    countMax: number = ROWS_MAX,
  ): Promise<number> {
    let total = 0;
    while (!this.#isStopping()) {
      const { count } = await statement();
      total += count;
      if (count < countMax) break;
      await Bun.sleep(PAUSE_MS);
    }
    return total;
  }
}
