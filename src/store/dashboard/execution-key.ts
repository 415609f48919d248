import type { Sql } from "../database/connect.ts";

/** What the reads of an execution's events need: which rows are its own, and in which partitions they lie. */
export interface ExecutionKey {
  readonly projectNo: number;
  readonly executionNo: number;
  /** First moment of the only day with events; null where they lie on several, or nobody knows. */
  readonly onlyDay: string | null;
}

/** The execution's own rows of `ats.event e`, claims left out. */
export function ownEvents(sql: Sql, { projectNo, executionNo, onlyDay }: ExecutionKey) {
  const inTime =
    onlyDay === null
      ? sql``
      : sql`and e."timestamp" >= ${onlyDay}::text::timestamptz
          and e."timestamp" < ${onlyDay}::text::timestamptz + interval '1 day'`;
  return sql`e.project_no = ${projectNo} and e.execution_no = ${executionNo}::bigint
    and e.event_type > 0 ${inTime}`;
}
