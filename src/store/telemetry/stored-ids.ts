import type { Sql } from "postgres";
import { isTableMissing } from "../database/failure.ts";

/**
 * Which event ids of an execution are stored. The packs of its home day hold them all (`eventPack` in
 * src/store/schema/telemetry.ts). Where that day has no partition, retention may have dropped it, and packs
 * of every day are looked at.
 *
 * The partition is named in the statement: of the table by its key PostgreSQL plans a statement for every day
 * that is kept, some 0.1 ms each, before it finds that it needs one.
 */

const ALL_DAYS = "ats.event_pack";

export interface IdsRequest {
  readonly projectNo: number;
  readonly executionNo: number;
  /** Days since 1970-01-01 (UTC). */
  readonly homeDay: number;
  /** Packs with a lower number are known already. */
  readonly fromPackNo: number;
}

export interface StoredIds {
  /** Of packs from `fromPackNo` on. */
  readonly eventIds: readonly string[];
  /** The first number that is free. */
  readonly nextPackNo: number;
}

/**
 * Returns an entry for every execution asked for, by its number. Not in a transaction, which would not
 * outlive a day without a partition.
 */
export async function readStoredIds(
  sql: Sql,
  requests: readonly IdsRequest[],
): Promise<ReadonlyMap<number, StoredIds>> {
  const found = new Map<number, StoredIds>();
  for (const [homeDay, ofDay] of Map.groupBy(requests, (request) => request.homeDay)) {
    const rows = await readFrom(sql, partitionOf(homeDay), ofDay).catch((error: unknown) => {
      // A day may have no partition of its own.
      if (!isTableMissing(error)) throw error;
      return readFrom(sql, ALL_DAYS, ofDay);
    });
    for (const row of rows) found.set(row.execution_no, storedIdsOf(row));
  }
  return found;
}

interface IdsRow {
  readonly execution_no: number;
  readonly next_pack_no: number;
  /** JSON of lists, one a pack: the driver's own reading of arrays takes ten times as long. */
  readonly event_ids: string | null;
}

function storedIdsOf(row: IdsRow): StoredIds {
  const eventIds = row.event_ids === null ? [] : (JSON.parse(row.event_ids) as string[][]).flat();
  return { nextPackNo: row.next_pack_no, eventIds };
}

async function readFrom(
  sql: Sql,
  table: string,
  requests: readonly IdsRequest[],
): Promise<readonly IdsRow[]> {
  return await sql.unsafe<IdsRow[]>(
    `select k.execution_no::float8 as execution_no, s.next_pack_no, s.event_ids
     from unnest($1::int[], $2::bigint[], $3::int[]) k(project_no, execution_no, from_pack_no)
     cross join lateral (
       select coalesce(max(p.pack_no) + 1, k.from_pack_no) as next_pack_no, json_agg(p.event_ids)::text as event_ids
       from ${table} p
       where p.project_no = k.project_no and p.execution_no = k.execution_no and p.pack_no >= k.from_pack_no
     ) s`,
    [
      requests.map((request) => request.projectNo),
      requests.map((request) => request.executionNo),
      requests.map((request) => request.fromPackNo),
    ],
    { prepare: true },
  );
}

/** An execution whose row is locked. */
export interface LockedExecution {
  readonly projectNo: number;
  readonly executionNo: number;
  /** Days since 1970-01-01 (UTC). */
  readonly homeDay: number;
  /** Whether that day has a partition of its own. */
  readonly hasPartition: boolean;
}

export interface FoundIds {
  readonly executionNo: number;
  /** The first pack number that is free. */
  readonly firstFree: number;
  /** Those of the ids asked for that are stored. */
  readonly eventIds: readonly string[];
}

/** Which of the ids each of the executions has stored. In a transaction. */
export async function findStoredIds(
  sql: Sql,
  executions: readonly LockedExecution[],
  eventIds: readonly string[],
): Promise<FoundIds[]> {
  const found: FoundIds[] = [];
  const tableOf = (one: LockedExecution) => (one.hasPartition ? partitionOf(one.homeDay) : ALL_DAYS);
  for (const [table, ofTable] of Map.groupBy(executions, tableOf)) {
    const rows = await sql.unsafe<{ execution_no: number; first_free: number; event_ids: string[] | null }[]>(
      `select k.execution_no::float8 as execution_no, s.first_free, s.event_ids
       from unnest($1::int[], $2::bigint[]) k(project_no, execution_no)
       cross join lateral (
         select coalesce(max(p.pack_no) + 1, 0) as first_free,
           array_agg(i.event_id) filter (where i.event_id is not null) as event_ids
         from ${table} p
         left join lateral (select id as event_id from unnest(p.event_ids) id where id = any($3::text[])) i on true
         where p.project_no = k.project_no and p.execution_no = k.execution_no
       ) s`,
      [ofTable.map((one) => one.projectNo), ofTable.map((one) => one.executionNo), eventIds as string[]],
    );
    for (const { execution_no, first_free, event_ids } of rows)
      found.push({ executionNo: execution_no, firstFree: first_free, eventIds: event_ids ?? [] });
  }
  return found;
}

/** As `ats.ensure_event_partition` names it. */
function partitionOf(epochDay: number): string {
  const day = new Date(epochDay * 86_400_000).toISOString();
  return `ats.event_pack_${day.slice(0, day.indexOf("T")).replaceAll("-", "")}`;
}
