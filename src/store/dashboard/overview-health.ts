import type { Sql } from "../database/connect.ts";
import { isDetectionLed } from "../detection/detection-session.ts";
import { SLOT_ORIGIN } from "../upkeep/rollups.ts";
import { TEST_EVENT } from "../webhooks/deliveries.ts";
import { inRange, type SlotRange } from "./overview.ts";
import { FAILED_LATELY } from "./settings-webhooks.ts";

/** How taking in, detecting and delivering go, for the health section of the overview. */

/** One outcome of the events that were sent. */
export interface OutcomeTotals {
  readonly accepted: number;
  readonly duplicate: number;
  readonly rejected: number;
  readonly limited: number;
  readonly shed: number;
}

export interface ReasonCount {
  readonly outcome: string;
  readonly reason: string;
  readonly count: number;
}

export interface KeyHealth extends OutcomeTotals {
  readonly key_id: string;
  readonly name: string | null;
  readonly hint: string;
  readonly revoked_at: Date | null;
  readonly last_used_at: Date | null;
}

export interface IngestHealth {
  readonly totals: OutcomeTotals;
  readonly reasons: readonly ReasonCount[];
  readonly keys: readonly KeyHealth[];
  readonly last_event_at: Date | null;
}

/** Keys told apart at most, those with the most events first; the totals count all. */
const KEYS_MAX = 200;
/** How far back the last event is looked for beyond the range. */
const LOOK_BACK = "48 hours";

const OUTCOMES = ["accepted", "duplicate", "rejected", "limited", "shed"] as const;

interface OutcomeCount {
  readonly key_id: string;
  readonly outcome: keyof OutcomeTotals;
  readonly reason: string;
  readonly count: number;
}

export async function readIngestHealth(sql: Sql, projectNo: number, range: SlotRange): Promise<IngestHealth> {
  const [counts, last] = await Promise.all([
    // Read once: totals, reasons and keys are sums of these few.
    sql<OutcomeCount[]>`
      select key_id, outcome, reason, sum(event_count::float8) as count from ats.outcome_rollup
      where ${inRange(sql, projectNo, range)} group by 1, 2, 3`,
    readLastEventAt(sql, projectNo, range),
  ]);
  const byKey = Map.groupBy(counts, ({ key_id }) => key_id);
  return {
    totals: totalsOf(counts),
    reasons: reasonsOf(counts),
    keys: await readKeys(sql, projectNo, new Map([...byKey].map(([keyId, of]) => [keyId, totalsOf(of)]))),
    last_event_at: last,
  };
}

/** Of the latest hour in which an event was accepted. */
async function readLastEventAt(sql: Sql, projectNo: number, range: SlotRange): Promise<Date | null> {
  const accepted = sql`project_no = ${projectNo} and step = 3600 and outcome = 'accepted'`;
  const [row] = await sql<[{ at: Date | null }]>`
    select max(last_at) as at from ats.outcome_rollup where ${accepted} and slot_at = (
      select slot_at from ats.outcome_rollup where ${accepted}
        and slot_at >= date_bin('1 hour', least(${range.from}::timestamptz, now() - ${LOOK_BACK}::interval), ${sql.unsafe(SLOT_ORIGIN)})
      order by slot_at desc limit 1
    )`;
  return row.at;
}

async function readKeys(
  sql: Sql,
  projectNo: number,
  totals: ReadonlyMap<string, OutcomeTotals>,
): Promise<KeyHealth[]> {
  const all = [...totals.values()].map((of) => OUTCOMES.reduce((sum, outcome) => sum + of[outcome], 0));
  const keys = await sql<Omit<KeyHealth, keyof OutcomeTotals>[]>`
    select k.key_id, k.name, k.hint, k.revoked_at, k.last_used_at
    from ats.api_key k
    left join unnest(${[...totals.keys()]}::text[], ${all}::float8[]) as c (key_id, count) on c.key_id = k.key_id
    where k.project_no = ${projectNo} and (k.revoked_at is null or c.key_id is not null)
    order by c.count desc nulls last, k.created_at, k.key_id
    limit ${KEYS_MAX}`;
  return keys.map((key) => ({ ...key, ...(totals.get(key.key_id) ?? totalsOf([])) }));
}

function totalsOf(counts: readonly OutcomeCount[]): OutcomeTotals {
  const totals = { accepted: 0, duplicate: 0, rejected: 0, limited: 0, shed: 0 };
  for (const { outcome, count } of counts) totals[outcome] += count;
  return totals;
}

/** By outcome, of each the most frequent first. */
function reasonsOf(counts: readonly OutcomeCount[]): ReasonCount[] {
  const reasons = new Map<string, { outcome: string; reason: string; count: number }>();
  for (const { outcome, reason, count } of counts) {
    if (reason === "") continue;
    const name = `${outcome} ${reason}`;
    const known = reasons.get(name);
    if (known === undefined) reasons.set(name, { outcome, reason, count });
    else known.count += count;
  }
  const order = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
  return [...reasons.values()].sort(
    (a, b) => order(a.outcome, b.outcome) || b.count - a.count || order(a.reason, b.reason),
  );
}

export interface DetectionHealth {
  /** Some process detects. Without one, events have no type in the counts until there is. */
  readonly running: boolean;
  /** Age of the project's oldest batch that detection owes. */
  readonly lag_seconds: number;
  readonly owed_batches: number;
  readonly owed_events: number;
  /** The backlog of the whole service is so long that not all of it was looked at. */
  readonly owed_at_least: boolean;
}

/**
 * Owed batches looked at, of all projects: what is owed has no index by project, and is nearly always next to
 * nothing.
 */
const OWED_LOOKED_AT_MAX = 20_000;

export async function readDetectionHealth(sql: Sql, projectNo: number): Promise<DetectionHealth> {
  const [running, [owed]] = await Promise.all([
    isDetectionLed(sql),
    sql<[Omit<DetectionHealth, "running">]>`
      select coalesce(extract(epoch from clock_timestamp() - min(stored_at) filter (where own)), 0)::float8 as lag_seconds,
        (count(*) filter (where own))::int as owed_batches,
        coalesce(sum(event_count) filter (where own), 0)::float8 as owed_events,
        count(*) = ${OWED_LOOKED_AT_MAX} as owed_at_least
      from (
        select stored_at, event_count, project_no = ${projectNo} as own from ats.batch
        where detected_at is null order by stored_at limit ${OWED_LOOKED_AT_MAX}
      ) owed`,
  ]);
  return { running, ...owed };
}

export interface DeliveryHealth {
  /** Deliveries owed since the start of the range, by what became of them; tests do not count. */
  readonly delivered: number;
  readonly failed: number;
  readonly cancelled: number;
  /** Still owed, whenever they began. */
  readonly pending: number;
  /** Failing: the latest try failed, or one of the last minutes. */
  readonly webhooks: { readonly enabled: number; readonly disabled: number; readonly failing: number };
}

export async function readDeliveryHealth(
  sql: Sql,
  projectNo: number,
  range: SlotRange,
): Promise<DeliveryHealth> {
  const [[done], [owed], [webhooks]] = await Promise.all([
    sql<[Pick<DeliveryHealth, "delivered" | "failed" | "cancelled">]>`
      select (count(*) filter (where status = 'delivered'))::int as delivered,
        (count(*) filter (where status = 'failed'))::int as failed,
        (count(*) filter (where status = 'cancelled'))::int as cancelled
      from ats.delivery
      where project_no = ${projectNo} and created_at >= ${range.from} and created_at < ${range.to}
        and event <> ${TEST_EVENT}`,
    sql<[{ pending: number }]>`
      select count(*)::int as pending from ats.delivery where project_no = ${projectNo} and finished_at is null`,
    sql<[DeliveryHealth["webhooks"]]>`
      select (count(*) filter (where disabled_at is null))::int as enabled,
        (count(*) filter (where disabled_at is not null))::int as disabled,
        (count(*) filter (where disabled_at is null
          and (failing_since is not null or last_failed_at > now() - ${FAILED_LATELY}::interval)))::int as failing
      from ats.webhook where project_no = ${projectNo}`,
  ]);
  return { ...done, ...owed, webhooks: { ...webhooks } };
}
