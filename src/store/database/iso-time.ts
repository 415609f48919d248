import type { Fragment } from "postgres";
import type { Statements } from "./connect.ts";

/** Format of a moment as the ingest interface writes it too: ISO 8601, UTC, microseconds. */
export const MOMENT = 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"';

export function isoMicros(sql: Statements, moment: Fragment) {
  return sql`to_char(${moment} at time zone 'utc', ${MOMENT})`;
}

/** A moment as the dashboard's API writes it: ISO 8601, UTC, milliseconds. */
export function isoTime(sql: Statements, moment: Fragment) {
  return sql`to_char(${moment} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}
