import type { Statements } from "../connect.ts";

/** A moment as the dashboard's API writes it: ISO 8601, UTC, milliseconds. */
export function isoTime(sql: Statements, column: string) {
  return sql`to_char(${sql(column)} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}
