import type { ReservedSql, Sql, TransactionSql } from "postgres";

/** What a list of groups is asked for by: `regressed` is the part of `open` that had been resolved. */
export const GROUP_LIST_STATES = ["open", "regressed", "resolved", "ignored"] as const;
export type GroupListState = (typeof GROUP_LIST_STATES)[number];

/** Operators find a merged group too, which counts into another and is in no other list. */
export const GROUP_ADMIN_STATES = [...GROUP_LIST_STATES, "merged"] as const;
export type GroupAdminState = (typeof GROUP_ADMIN_STATES)[number];

/** A connection in a transaction: a reserved one, or the driver's own. */
export type GroupTx = ReservedSql | TransactionSql;

/** Milliseconds since 1970 of a timestamp column, as a JavaScript number. */
export function millis(sql: GroupTx | Sql, column: string) {
  return sql`floor(extract(epoch from ${sql(column)}) * 1000)::float8`;
}

/**
 * Whether the group `g` is open again after it had been resolved: till it is resolved anew. To ignore it for
 * a while mends nothing, so it is regressed still when that is over.
 */
export function isRegressed(sql: GroupTx | Sql) {
  return sql`(g.state = 'open' and g.regressed_at is not null
    and g.regressed_at >= coalesce(g.resolved_at, g.regressed_at))`;
}
