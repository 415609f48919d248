import type { Sql } from "../database/connect.ts";

/**
 * Days of events, as partitions have them: in UTC, counted from 1970-01-01. A statement about packs names its
 * days as constants, because PostgreSQL leaves a partition out of the plan only then. Bounds that it learns
 * while running, from a join or from `now()`, spare the reading but not the planning, which takes 0.1 to 0.2
 * ms a partition (docs/MEASUREMENTS.md).
 */
export interface DayRange {
  readonly firstDay: number;
  /** Belongs to it. */
  readonly lastDay: number;
}

const DAY_S = 86_400;
/** Ranges of one statement; where there were more, all that lies between the first and the last is read. */
const RANGES_MAX = 8;

/**
 * Whether the pack `p` lies on one of the days. Parameters of `to_timestamp` are constants in a plan, those
 * cast from text are not.
 */
export function onDays(sql: Sql, days: readonly DayRange[]) {
  const ranges = joined(days);
  // Of `false` PostgreSQL makes no less of a plan than of all partitions.
  if (ranges.length === 0) return sql`p.first_timestamp = '-infinity'`;
  return sql`(${ranges
    .map(
      ({ firstDay, lastDay }) => sql`p.first_timestamp >= to_timestamp(${firstDay * DAY_S}::float8)
        and p.first_timestamp < to_timestamp(${(lastDay + 1) * DAY_S}::float8)`,
    )
    .reduce((all, range) => sql`${all} or ${range}`)})`;
}

/**
 * Has a statement planned for its own days each time. Of one that it keeps prepared, PostgreSQL makes a plan
 * for any parameters at the sixth execution, which is one of all partitions: it takes as long as it would
 * without days, and stays in memory even where it is not used. Other statements gain from being prepared, so
 * this is not a setting of the connection.
 */
export function plannedEachTime<Query>(query: Query): Query {
  // What the driver asks a query for; it has no other way to say so of one that is written as a template.
  (query as { options: { prepare?: boolean } }).options.prepare = false;
  return query;
}

/** The same days in as few ranges as there are gaps between them. */
function joined(days: readonly DayRange[]): DayRange[] {
  const ranges: { firstDay: number; lastDay: number }[] = [];
  for (const { firstDay, lastDay } of days.toSorted((a, b) => a.firstDay - b.firstDay)) {
    const last = ranges.at(-1);
    if (last !== undefined && firstDay <= last.lastDay + 1) last.lastDay = Math.max(last.lastDay, lastDay);
    else ranges.push({ firstDay, lastDay });
  }
  if (ranges.length <= RANGES_MAX) return ranges;
  return [{ firstDay: ranges[0]!.firstDay, lastDay: ranges.at(-1)!.lastDay }];
}

/** The day of a moment, for `DayRange`. */
export function dayOf(sql: Sql, moment: string) {
  return sql`floor(extract(epoch from ${sql(moment)}) / ${sql.unsafe(String(DAY_S))})::int`;
}
