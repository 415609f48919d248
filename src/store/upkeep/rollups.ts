import type { Statements } from "../database/connect.ts";
import type { DetectionSql } from "../detection/detection-session.ts";

/**
 * Counts kept as events arrive, so that no page of the dashboard counts events. Each count is added to slots
 * of three lengths at once: a long range reads few rows, a short one sees every minute, and a late count
 * needs no care. Invariants: each statement adds, sorted by key, and never sets; for each length the slots
 * that are kept add up to the same. Those of detection and of executions are written in the transaction of
 * what they count, so they are exact; those of outcomes are flushed from memory
 * (src/ingest/outcome-tally.ts).
 */

/** Where slots begin: any midnight in UTC. */
export const SLOT_ORIGIN = "timestamptz '2000-01-01 00:00:00+00'";

/**
 * Lengths of slots in seconds, and for how long slots of that length are kept; the longest go with the
 * project's data.
 */
export const SLOT_STEPS = [
  { step: 60, keptMs: 48 * 3_600_000 },
  { step: 600, keptMs: 8 * 86_400_000 },
  { step: 3_600, keptMs: Number.POSITIVE_INFINITY },
] as const;
export type SlotStep = (typeof SLOT_STEPS)[number]["step"];

const EACH_STEP = `(values ${SLOT_STEPS.map(({ step }) => `(${step})`).join(", ")}) s (step)`;
const slotOf = (column: string) => `date_bin(make_interval(secs => s.step), ${column}, ${SLOT_ORIGIN})`;

export interface OutcomeCount {
  readonly projectNo: number;
  readonly keyId: string;
  /** Unix time of the slot's start, in milliseconds. */
  readonly slotMs: number;
  readonly outcome: string;
  readonly reason: string;
  readonly count: number;
  readonly lastMs: number;
}

export async function addOutcomes(sql: Statements, counts: readonly OutcomeCount[]): Promise<void> {
  if (counts.length === 0) return;
  await sql`
    insert into ats.outcome_rollup as r (project_no, step, slot_at, key_id, outcome, reason, event_count, last_at)
    select c.project_no, s.step, ${sql.unsafe(slotOf("c.slot_at"))}, c.key_id, c.outcome, c.reason, sum(c.event_count), max(c.last_at)
    from unnest(${counts.map((c) => c.projectNo)}::int[], ${counts.map((c) => iso(c.slotMs))}::timestamptz[],
      ${counts.map((c) => c.keyId)}::text[], ${counts.map((c) => c.outcome)}::text[],
      ${counts.map((c) => c.reason)}::text[], ${counts.map((c) => c.count)}::bigint[],
      ${counts.map((c) => iso(c.lastMs))}::timestamptz[])
      as c (project_no, slot_at, key_id, outcome, reason, event_count, last_at)
    cross join ${sql.unsafe(EACH_STEP)}
    group by 1, 2, 3, 4, 5, 6 order by 1, 2, 3, 4, 5, 6
    on conflict (project_no, step, slot_at, key_id, outcome, reason) do update
    set event_count = r.event_count + excluded.event_count, last_at = greatest(r.last_at, excluded.last_at)`;
}

export interface EventCount {
  readonly projectNo: number;
  readonly slotMs: number;
  readonly typeCode: number;
  readonly count: number;
  readonly tokensIn: number;
  readonly tokensOut: number;
}

/** By the leader of detection alone: its rows are fought over with nobody. */
export async function addEvents(sql: DetectionSql, counts: readonly EventCount[]): Promise<void> {
  if (counts.length === 0) return;
  await sql`
    insert into ats.event_rollup as r (project_no, step, slot_at, event_type, event_count, tokens_in, tokens_out)
    select c.project_no, s.step, ${sql.unsafe(slotOf("c.slot_at"))}, c.event_type, sum(c.event_count), sum(c.tokens_in), sum(c.tokens_out)
    from unnest(${counts.map((c) => c.projectNo)}::int[], ${counts.map((c) => iso(c.slotMs))}::timestamptz[],
      ${counts.map((c) => c.typeCode)}::smallint[], ${counts.map((c) => c.count)}::bigint[],
      ${counts.map((c) => String(c.tokensIn))}::numeric[], ${counts.map((c) => String(c.tokensOut))}::numeric[])
      as c (project_no, slot_at, event_type, event_count, tokens_in, tokens_out)
    cross join ${sql.unsafe(EACH_STEP)}
    group by 1, 2, 3, 4 order by 1, 2, 3, 4
    on conflict (project_no, step, slot_at, event_type) do update
    set event_count = r.event_count + excluded.event_count, tokens_in = r.tokens_in + excluded.tokens_in,
      tokens_out = r.tokens_out + excluded.tokens_out`;
}

export interface CountedDetection {
  readonly projectNo: number;
  readonly class: string;
  readonly severity: string;
  readonly detectedMs: number;
}

export async function addDetections(
  sql: DetectionSql,
  detections: readonly CountedDetection[],
): Promise<void> {
  if (detections.length === 0) return;
  await sql`
    insert into ats.detection_rollup as r (project_no, step, slot_at, class, severity, detection_count)
    select project_no, s.step, ${sql.unsafe(slotOf("detected_at"))}, class, severity, count(*)
    from unnest(${detections.map((d) => d.projectNo)}::int[], ${detections.map((d) => d.class)}::text[],
      ${detections.map((d) => d.severity)}::text[], ${detections.map((d) => iso(d.detectedMs))}::timestamptz[])
      as d (project_no, class, severity, detected_at)
    cross join ${sql.unsafe(EACH_STEP)}
    group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
    on conflict (project_no, step, slot_at, class, severity) do update
    set detection_count = r.detection_count + excluded.detection_count`;
}

/**
 * Moves what statements appended into the slots; the rows taken at once bound the transaction. Returns how
 * many it took.
 */
export async function gatherExecutionTally(sql: Statements, limit: number): Promise<number> {
  const [row] = await sql<[{ taken: number }]>`
    with taken as (
      delete from ats.execution_tally where ctid = any(array(select ctid from ats.execution_tally limit ${limit}))
      returning *
    ), gathered as (
      insert into ats.execution_rollup as r (project_no, step, slot_at, started, completed, crashed, started_completed,
        started_crashed, tokens_in, tokens_out)
      select project_no, s.step, ${sql.unsafe(slotOf("slot_at"))}, sum(started), sum(completed), sum(crashed), sum(started_completed),
        sum(started_crashed), sum(tokens_in), sum(tokens_out)
      from taken cross join ${sql.unsafe(EACH_STEP)} group by 1, 2, 3 order by 1, 2, 3
      on conflict (project_no, step, slot_at) do update set started = r.started + excluded.started,
        completed = r.completed + excluded.completed, crashed = r.crashed + excluded.crashed,
        started_completed = r.started_completed + excluded.started_completed,
        started_crashed = r.started_crashed + excluded.started_crashed,
        tokens_in = r.tokens_in + excluded.tokens_in, tokens_out = r.tokens_out + excluded.tokens_out
    )
    select count(*)::int as taken from taken`;
  return row.taken;
}

export const ROLLUP_TABLES = [
  "outcome_rollup",
  "event_rollup",
  "detection_rollup",
  "execution_rollup",
] as const;

/** Lets go of at most `limit` slots a roll-up that are kept no longer; answers whether that was all. */
export async function deleteOldSlots(sql: Statements, nowMs: number, limit: number): Promise<boolean> {
  let wereAll = true;
  for (const name of ROLLUP_TABLES) {
    const table = sql(`ats.${name}`);
    for (const { step, keptMs } of SLOT_STEPS) {
      if (!Number.isFinite(keptMs)) continue;
      // The second condition is the index's own: a parameter alone does not tell the planner that it applies.
      const { count } = await sql`
        delete from ${table} where ctid = any(array(
          select ctid from ${table} where step = ${step} and step < 3600 and slot_at < ${iso(nowMs - keptMs)}
          order by slot_at limit ${limit}
        ))`;
      wereAll &&= count < limit;
    }
  }
  return wereAll;
}

const iso = (ms: number) => new Date(ms).toISOString();
