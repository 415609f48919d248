import type { Sql } from "postgres";

/**
 * Which event ids of an execution are stored. The packs of its home day hold them all (`eventPack` in src/store/schema/telemetry.ts). Where
 * that day has no partition, retention may have dropped it, and packs of other days are looked at, too.
 */

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

/** Answers for every execution asked for, by its number. */
export async function readStoredIds(
  sql: Sql,
  requests: readonly IdsRequest[],
): Promise<ReadonlyMap<number, StoredIds>> {
  // The ids as JSON: the driver's own reading of arrays takes ten times as long.
  const rows = await sql.unsafe(
    `select k.execution_no::float8 as execution_no, s.next_pack_no, s.event_ids
     from unnest($1::int[], $2::bigint[], $3::int[], $4::int[]) k(project_no, execution_no, home_day, from_pack_no)
     cross join lateral (
       select coalesce(max(p.pack_no) + 1, k.from_pack_no) as next_pack_no, json_agg(p.event_ids)::text as event_ids
       from (
         select pack_no, event_ids from ats.event_pack
         where project_no = k.project_no and execution_no = k.execution_no and pack_no >= k.from_pack_no and not away
           and first_timestamp >= (date '1970-01-01' + k.home_day)::timestamp at time zone 'UTC'
           and first_timestamp < (date '1970-01-01' + k.home_day + 1)::timestamp at time zone 'UTC'
         union all
         select pack_no, event_ids from ats.event_pack
         where project_no = k.project_no and execution_no = k.execution_no and pack_no >= k.from_pack_no
           and to_regclass('ats.event_pack_' || to_char(date '1970-01-01' + k.home_day, 'YYYYMMDD')) is null
       ) p
     ) s`,
    [
      requests.map((request) => request.projectNo),
      requests.map((request) => request.executionNo),
      requests.map((request) => request.homeDay),
      requests.map((request) => request.fromPackNo),
    ],
    { prepare: true },
  );
  return new Map(
    rows.map((row) => [
      row.execution_no as number,
      {
        nextPackNo: row.next_pack_no as number,
        eventIds: row.event_ids === null ? [] : (JSON.parse(row.event_ids as string) as string[][]).flat(),
      },
    ]),
  );
}
