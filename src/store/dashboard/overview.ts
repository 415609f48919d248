import type { Sql } from "../database/connect.ts";
import type { SlotStep } from "../upkeep/rollups.ts";

/**
 * What the overview of a project counts over a range, from the roll-ups alone. A range is whole slots of one
 * length, and reads those only (src/dashboard/api/slot-range.ts chooses it).
 */

export interface SlotRange {
  readonly from: Date;
  readonly to: Date;
  readonly stepSeconds: number;
  /** Length of the slots to read: the longest that divides the step. */
  readonly slotStep: SlotStep;
}

/**
 * The numbers of one series: `values[i]` counts in step `steps[i]` of the range, a step may come more than
 * once.
 */
export interface Series {
  readonly name: string;
  readonly steps: readonly number[];
  readonly values: readonly number[];
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

/**
 * A row a series and not a row a step: fewer to send and to read. Sums are made of doubles, exact up to 2^53:
 * adding up bigints makes a numeric of each sum. What is summed is grouped by slot, which costs less than
 * working out the step of each row.
 */
export async function readSeries(sql: Sql, projectNo: number, range: SlotRange): Promise<Series[]> {
  const within = inRange(sql, projectNo, range);
  const step = sql`floor(date_part('epoch', slot_at - ${range.from}::timestamptz) / ${range.stepSeconds}::int)::int`;
  const [executions, events, outcomes, detections] = await Promise.all([
    sql<{ steps: number[] | null; started: number[]; completed: number[]; crashed: number[] }[]>`
      select array_agg(${step}) as steps, array_agg(started::float8) as started,
        array_agg(completed::float8) as completed, array_agg(crashed::float8) as crashed
      from ${executionCounts(sql, projectNo, range)}`,
    // Hardly a slot has two rows of a type: nothing is gained by summing them first.
    sql<
      {
        type: string;
        steps: number[];
        events: number[];
        tokens_in: number[] | null;
        tokens_out: number[] | null;
      }[]
    >`
      select ats.event_type_name(event_type) as type, array_agg(${step}) as steps,
        array_agg(event_count::float8) as events,
        case when max(tokens_in) > 0 then array_agg(tokens_in::float8) end as tokens_in,
        case when max(tokens_out) > 0 then array_agg(tokens_out::float8) end as tokens_out
      from ats.event_rollup where ${within} group by event_type`,
    sql<Series[]>`
      select 'outcomes.' || outcome as name, array_agg(${step}) as steps, array_agg(value) as values from (
        select outcome, slot_at, sum(event_count::float8) as value
        from ats.outcome_rollup where ${within} group by 1, 2
      ) s group by outcome`,
    sql<Series[]>`
      select 'detections.' || severity as name, array_agg(${step}) as steps, array_agg(value) as values from (
        select severity, slot_at, sum(detection_count::float8) as value
        from ats.detection_rollup where ${within} group by 1, 2
      ) s group by severity`,
  ]);
  const series: Series[] = [...outcomes, ...detections];
  const add = (name: string, steps: readonly number[], values: readonly number[] | null) => {
    if (values !== null) series.push({ name, steps, values });
  };
  for (const { steps, started, completed, crashed } of executions) {
    if (steps === null) continue;
    add("executions.started", steps, started);
    add("executions.completed", steps, completed);
    add("executions.crashed", steps, crashed);
  }
  for (const { type, steps, events: counts, tokens_in, tokens_out } of events) {
    add(`events.${type}`, steps, counts);
    add("tokens.in", steps, tokens_in);
    add("tokens.out", steps, tokens_out);
  }
  return series;
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
      select ats.event_type_name(event_type) as event_type, count, tokens_in, tokens_out from (
        select event_type, sum(event_count::float8) as count, sum(tokens_in::float8) as tokens_in,
          sum(tokens_out::float8) as tokens_out
        from ats.event_rollup where ${within} group by 1
      ) t order by 2 desc, 1`,
    sql<ClassCount[]>`
      select class, severity, sum(detection_count::float8) as count
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
