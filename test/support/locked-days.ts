import type { Statements } from "../../src/store/database/connect.ts";

/**
 * The days (YYYYMMDD, or `default`) whose partitions the transaction under way has planned for, in order.
 * What PostgreSQL plans for it locks until the transaction ends, whatever it prunes later while a statement
 * runs.
 */
export async function lockedDays(tx: Statements): Promise<string[]> {
  const rows = await tx<{ day: string }[]>`
    select substring(c.relname from '^event_pack_(.*)$') as day from pg_locks l join pg_class c on c.oid = l.relation
    where l.pid = pg_backend_pid() and c.relkind = 'r' and c.relname like 'event\\_pack\\_%' order by 1`;
  return rows.map(({ day }) => day);
}
