import type { ReservedSql, Sql, TransactionSql } from "postgres";

/** A connection in a transaction: a reserved one, or the driver's own. */
export type GroupTx = ReservedSql | TransactionSql;

/** Milliseconds since 1970 of a timestamp column, as a JavaScript number. */
export function millis(sql: GroupTx | Sql, column: string) {
  return sql`floor(extract(epoch from ${sql(column)}) * 1000)::float8`;
}
