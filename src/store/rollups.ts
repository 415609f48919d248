import type { Statements } from "./connect.ts";
import type { DetectionSql } from "./detection-session.ts";

/**
 * Counts kept as events arrive, so that no page of the dashboard counts events. Invariants: each statement adds, sorted
 * by key, and never sets; a row of the last two days stands for a minute, an older one for the hour that it begins.
 * Those of detection and of executions are written in the transaction of what they count, so they are exact; those of
 * outcomes are flushed from memory (src/ingest/outcome-tally.ts).
 */

/** Where slots begin: any midnight in UTC. */
export const SLOT_ORIGIN = "timestamptz '2000-01-01 00:00:00+00'";

/** Slots of a minute are folded into those of an hour when that hour has been over for so long. */
export const MINUTES_KEPT_MS = 48 * 3_600_000;

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
  const sorted = counts.toSorted(
    (a, b) =>
      a.projectNo - b.projectNo ||
      a.slotMs - b.slotMs ||
      order(a.keyId, b.keyId) ||
      order(a.outcome, b.outcome) ||
      order(a.reason, b.reason),
  );
  await sql`
    insert into ats.outcome_rollup as r (project_no, slot_at, key_id, outcome, reason, event_count, last_at)
    select * from unnest(${sorted.map((c) => c.projectNo)}::int[], ${sorted.map((c) => iso(c.slotMs))}::timestamptz[],
      ${sorted.map((c) => c.keyId)}::text[], ${sorted.map((c) => c.outcome)}::text[],
      ${sorted.map((c) => c.reason)}::text[], ${sorted.map((c) => c.count)}::bigint[],
      ${sorted.map((c) => iso(c.lastMs))}::timestamptz[])
    on conflict (project_no, slot_at, key_id, outcome, reason) do update
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
    insert into ats.event_rollup as r (project_no, slot_at, event_type, event_count, tokens_in, tokens_out)
    select * from unnest(${counts.map((c) => c.projectNo)}::int[], ${counts.map((c) => iso(c.slotMs))}::timestamptz[],
      ${counts.map((c) => c.typeCode)}::smallint[], ${counts.map((c) => c.count)}::bigint[],
      ${counts.map((c) => String(c.tokensIn))}::numeric[], ${counts.map((c) => String(c.tokensOut))}::numeric[])
    on conflict (project_no, slot_at, event_type) do update
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
    insert into ats.detection_rollup as r (project_no, slot_at, class, severity, detection_count)
    select project_no, date_bin('1 minute', detected_at, ${sql.unsafe(SLOT_ORIGIN)}), class, severity, count(*)
    from unnest(${detections.map((d) => d.projectNo)}::int[], ${detections.map((d) => d.class)}::text[],
      ${detections.map((d) => d.severity)}::text[], ${detections.map((d) => iso(d.detectedMs))}::timestamptz[])
      as d (project_no, class, severity, detected_at)
    group by 1, 2, 3, 4 order by 1, 2, 3, 4
    on conflict (project_no, slot_at, class, severity) do update
    set detection_count = r.detection_count + excluded.detection_count`;
}

/** Moves what statements appended into the slots; the rows taken at once bound the transaction. Answers how many it took. */
export async function gatherExecutionTally(sql: Statements, limit: number): Promise<number> {
  const [row] = await sql<[{ taken: number }]>`
    with taken as (
      delete from ats.execution_tally where ctid = any(array(select ctid from ats.execution_tally limit ${limit}))
      returning *
    ), gathered as (
      insert into ats.execution_rollup as r
      select project_no, slot_at, sum(started), sum(completed), sum(crashed), sum(started_completed),
        sum(started_crashed), sum(tokens_in), sum(tokens_out)
      from taken group by project_no, slot_at order by project_no, slot_at
      on conflict (project_no, slot_at) do update set started = r.started + excluded.started,
        completed = r.completed + excluded.completed, crashed = r.crashed + excluded.crashed,
        started_completed = r.started_completed + excluded.started_completed,
        started_crashed = r.started_crashed + excluded.started_crashed,
        tokens_in = r.tokens_in + excluded.tokens_in, tokens_out = r.tokens_out + excluded.tokens_out
    )
    select count(*)::int as taken from taken`;
  return row.taken;
}

/** The roll-ups: the key of a slot's row beside project and slot, and what is added up. */
const ROLLUPS = [
  {
    table: "outcome_rollup",
    key: ["key_id", "outcome", "reason"],
    sums: ["event_count"],
    latest: ["last_at"],
  },
  {
    table: "event_rollup",
    key: ["event_type"],
    sums: ["event_count", "tokens_in", "tokens_out"],
    latest: [],
  },
  { table: "detection_rollup", key: ["class", "severity"], sums: ["detection_count"], latest: [] },
  {
    table: "execution_rollup",
    key: [],
    sums: [
      "started",
      "completed",
      "crashed",
      "started_completed",
      "started_crashed",
      "tokens_in",
      "tokens_out",
    ],
    latest: [],
  },
] as const;

export const ROLLUP_TABLES = ROLLUPS.map(({ table }) => table);

/** Folds the minutes of one hour that is long over; answers false when there is none. A late count makes its hour come up again. */
export async function foldOneHour(sql: Statements, nowMs: number): Promise<boolean> {
  const before = iso(nowMs - MINUTES_KEPT_MS);
  let foldedAny = false;
  for (const { table, key, sums, latest } of ROLLUPS) {
    const isMinute = `slot_at <> date_bin('1 hour', slot_at, ${SLOT_ORIGIN})`;
    const hour = `date_bin('1 hour', slot_at, ${SLOT_ORIGIN})`;
    const columns = ["project_no", "slot_at", ...key, ...sums, ...latest].join(", ");
    const group = ["project_no", hour, ...key].join(", ");
    const rows = await sql.unsafe(
      `with due as (
         select ${hour} as hour from ats.${table}
         where ${isMinute} and slot_at < date_bin('1 hour', $1::timestamptz, ${SLOT_ORIGIN}) order by slot_at limit 1
       ), gone as (
         delete from ats.${table} using due
         where slot_at > due.hour and slot_at < due.hour + interval '1 hour' and ${isMinute}
         returning ${table}.*
       ), folded as (
         insert into ats.${table} as r (${columns})
         select ${group}${sums.map((name) => `, sum(${name})`).join("")}${latest.map((name) => `, max(${name})`).join("")}
         from gone group by ${group} order by ${group}
         on conflict (${["project_no", "slot_at", ...key].join(", ")}) do update set
           ${[...sums.map((name) => `${name} = r.${name} + excluded.${name}`), ...latest.map((name) => `${name} = greatest(r.${name}, excluded.${name})`)].join(", ")}
       )
       select hour from due`,
      [before],
    );
    foldedAny ||= rows.length > 0;
  }
  return foldedAny;
}

const iso = (ms: number) => new Date(ms).toISOString();
const order = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
