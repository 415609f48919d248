import type { Sql } from "../connect.ts";
import type { SlotStep } from "../rollups.ts";

/**
 * What the overview of a project counts over a range, from the roll-ups alone. A range is whole slots of one length, and
 * reads those only (src/dashboard/api/slot-range.ts chooses it).
 */

export interface SlotRange {
  readonly from: Date;
  readonly to: Date;
  readonly stepSeconds: number;
  /** Length of the slots to read: the longest that divides the step. */
  readonly slotStep: SlotStep;
}

/** One number of one series in one step; what is absent is 0. */
export interface SeriesPoint {
  /** Which step from the start of the range. */
  readonly step: number;
  readonly series: string;
  readonly value: number;
}

const inTime = (sql: Sql, projectNo: number, range: SlotRange) =>
  sql`project_no = ${projectNo} and slot_at >= ${range.from} and slot_at < ${range.to}`;

/** The rows of a roll-up. */
export const inRange = (sql: Sql, projectNo: number, range: SlotRange) =>
  sql`${inTime(sql, projectNo, range)} and step = ${range.slotStep}`;

const COUNTS = "slot_at, started, completed, crashed, started_completed, started_crashed";

/** Roll-up and what was not yet gathered into it. */
const executionCounts = (sql: Sql, projectNo: number, range: SlotRange) => sql`
  (select ${sql.unsafe(COUNTS)} from ats.execution_rollup where ${inRange(sql, projectNo, range)}
   union all
   select ${sql.unsafe(COUNTS)} from ats.execution_tally where ${inTime(sql, projectNo, range)}) counts`;

export async function readSeries(sql: Sql, projectNo: number, range: SlotRange): Promise<SeriesPoint[]> {
  const within = inRange(sql, projectNo, range);
  const step = sql`floor(date_part('epoch', slot_at - ${range.from}::timestamptz) / ${range.stepSeconds}::int)::int`;
  const parts = await Promise.all([
    sql<SeriesPoint[]>`
      select step, series, value from (
        select ${step} as step, sum(started)::float8 as started, sum(completed)::float8 as completed,
          sum(crashed)::float8 as crashed
        from ${executionCounts(sql, projectNo, range)} group by 1
      ) s
      cross join lateral (values ('executions.started', started), ('executions.completed', completed),
        ('executions.crashed', crashed)) v (series, value)
      where value > 0`,
    sql<SeriesPoint[]>`
      select step, series, value from (
        select ${step} as step, ats.event_type_name(event_type) as type, sum(event_count)::float8 as events,
          sum(tokens_in)::float8 as tokens_in, sum(tokens_out)::float8 as tokens_out
        from ats.event_rollup where ${within} group by 1, event_type
      ) s
      cross join lateral (values ('events.' || type, events), ('tokens.in', tokens_in), ('tokens.out', tokens_out))
        v (series, value)
      where value > 0`,
    sql<SeriesPoint[]>`
      select ${step} as step, 'outcomes.' || outcome as series, sum(event_count)::float8 as value
      from ats.outcome_rollup where ${within} group by 1, 2`,
    sql<SeriesPoint[]>`
      select ${step} as step, 'detections.' || severity as series, sum(detection_count)::float8 as value
      from ats.detection_rollup where ${within} group by 1, 2`,
  ]);
  return parts.flat();
}

export interface Totals {
  /** Started in the range, and what became of them by now. */
  readonly executions: {
    readonly started: number;
    readonly running: number;
    readonly completed: number;
    readonly crashed: number;
  };
  readonly events: { readonly total: number; readonly by_type: readonly TypeCount[] };
  readonly tokens: { readonly in: number; readonly out: number };
  readonly detections: readonly ClassCount[];
}

export interface TypeCount {
  readonly event_type: string;
  readonly count: number;
}

export interface ClassCount {
  readonly class: string;
  readonly severity: string;
  readonly count: number;
}

export async function readTotals(sql: Sql, projectNo: number, range: SlotRange): Promise<Totals> {
  const within = inRange(sql, projectNo, range);
  const [[executions], types, detections] = await Promise.all([
    sql<[{ started: number; completed: number; crashed: number }]>`
      select coalesce(sum(started), 0)::float8 as started, coalesce(sum(started_completed), 0)::float8 as completed,
        coalesce(sum(started_crashed), 0)::float8 as crashed
      from ${executionCounts(sql, projectNo, range)}`,
    sql<(TypeCount & { tokens_in: number; tokens_out: number })[]>`
      select ats.event_type_name(event_type) as event_type, sum(event_count)::float8 as count,
        sum(tokens_in)::float8 as tokens_in, sum(tokens_out)::float8 as tokens_out
      from ats.event_rollup where ${within} group by 1 order by 2 desc, 1`,
    sql<ClassCount[]>`
      select class, severity, sum(detection_count)::float8 as count
      from ats.detection_rollup where ${within} group by 1, 2 order by 3 desc, 1, 2`,
  ]);
  const { started, completed, crashed } = executions;
  const sum = (of: (type: (typeof types)[number]) => number) =>
    types.reduce((all, type) => all + of(type), 0);
  return {
    executions: { started, running: Math.max(0, started - completed - crashed), completed, crashed },
    events: {
      total: sum((type) => type.count),
      by_type: types.map(({ event_type, count }) => ({ event_type, count })),
    },
    tokens: { in: sum((type) => type.tokens_in), out: sum((type) => type.tokens_out) },
    detections: [...detections],
  };
}

/** Groups that ask for attention: open ones, a merged one counting into the group that it was merged into. */
export interface OpenGroups {
  readonly low: number;
  readonly medium: number;
  readonly high: number;
  readonly critical: number;
  /** Of all these, how many had been resolved before. */
  readonly regressed: number;
}

export async function readOpenGroups(sql: Sql, projectNo: number): Promise<OpenGroups> {
  const [row] = await sql<[OpenGroups]>`
    select (count(*) filter (where rank = 1))::int as low, (count(*) filter (where rank = 2))::int as medium,
      (count(*) filter (where rank = 3))::int as high, (count(*) filter (where rank = 4))::int as critical,
      (count(*) filter (where regressed))::int as regressed
    from (
      select max(array_position(array['low', 'medium', 'high', 'critical'], severity)) as rank,
        bool_or(merged_into is null and state = 'open') as open,
        bool_or(merged_into is null and regressed_at is not null
          and (resolved_at is null or regressed_at >= resolved_at)) as regressed
      from ats.failure_group where project_no = ${projectNo}
      group by coalesce(merged_into, group_id)
    ) g where open`;
  return row;
}

/** Nothing was ever sent: no execution, and not even something refused. */
export async function isProjectEmpty(sql: Sql, projectNo: number): Promise<boolean> {
  const [row] = await sql<[{ empty: boolean }]>`
    select not exists(select from ats.execution where project_no = ${projectNo})
      and not exists(select from ats.outcome_rollup where project_no = ${projectNo}) as empty`;
  return row.empty;
}
