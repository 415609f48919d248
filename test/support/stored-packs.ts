/**
 * Events stored by SQL, packed as the service packs them (src/store/telemetry/pack-buffer.ts): what came
 * together and lies on one day goes together, a long event stands alone, and what lies on another day than
 * its execution's home day has a stand-in there. Packs are numbered on from those that are stored.
 */
import type { Sql, TransactionSql } from "postgres";

export interface StoredEvent {
  readonly id: string;
  /** Code of its type (src/ingest/wire/event-types.ts). */
  readonly type: number;
  readonly sequence: number;
  /** In UTC, ISO 8601. */
  readonly timestamp: string;
  readonly payload: string;
  readonly receivedAt: string;
}

export interface PackOwner {
  readonly projectNo: number;
  readonly executionNo: number;
  readonly batchNo: number;
}

const PACK_EVENTS_MAX = 30;
const PACK_BYTES_MAX = 3_500;

export async function storeEvents(
  sql: Sql | TransactionSql,
  owner: PackOwner,
  events: readonly StoredEvent[],
): Promise<void> {
  for (const pack of packsOf(events)) await storePack(sql, owner, pack);
}

function packsOf(events: readonly StoredEvent[]): StoredEvent[][] {
  const packs: StoredEvent[][] = [];
  let bytes = 0;
  for (const event of events) {
    const last = packs.at(-1);
    const size = Buffer.byteLength(event.payload) + Buffer.byteLength(event.id);
    const fits =
      last !== undefined &&
      last.length < PACK_EVENTS_MAX &&
      bytes + size <= PACK_BYTES_MAX &&
      dayOf(last[0]!) === dayOf(event) &&
      last[0]!.receivedAt === event.receivedAt;
    bytes = fits ? bytes + size : size;
    if (fits) last.push(event);
    else packs.push([event]);
  }
  return packs;
}

const dayOf = ({ timestamp }: StoredEvent) => timestamp.slice(0, 10);

async function storePack(sql: Sql | TransactionSql, owner: PackOwner, events: StoredEvent[]): Promise<void> {
  const { projectNo, executionNo, batchNo } = owner;
  await sql`
    with pack as (
      select ${projectNo}::int as project_no, ${executionNo}::bigint as execution_no,
        coalesce((select max(p.pack_no) + 1 from ats.event_pack p
          where p.project_no = ${projectNo} and p.execution_no = ${executionNo}), 0) as pack_no,
        coalesce(x.home_day <> ${dayOf(events[0]!)}::text::date, false) as away, x.home_day,
        (select min(each) from unnest(${events.map((event) => event.timestamp)}::text[]::timestamptz[]) each) as first,
        ${events[0]!.receivedAt}::text::timestamptz as received_at, ${batchNo}::bigint as batch_no,
        ${events.map((event) => event.id)}::text[] as event_ids
      from ats.execution x where x.project_no = ${projectNo} and x.execution_no = ${executionNo}
    )
    insert into ats.event_pack
    select project_no, execution_no, pack_no, away, first, received_at, batch_no, event_ids,
      ${events.map((event) => event.type)}::smallint[], ${events.map((event) => event.sequence)}::int[],
      ${events.map((event) => event.timestamp)}::text[]::timestamptz[], ${events.map((event) => event.payload)}::text[]
    from pack
    union all
    select project_no, execution_no, pack_no, false, home_day::timestamp at time zone 'UTC', received_at, batch_no, event_ids,
      '{}', '{}', array[first], '{}'
    from pack where away`;
}
