import { randomBase32 } from "../random-id.ts";
import {
  type AlertPolicy,
  countFirings,
  type Fired,
  fire,
  type GroupFirings,
  type GroupRow,
  groupsToSend,
  higherSeverity,
} from "./failure-group-life.ts";
import { type GroupTx, millis } from "./failure-group-rows.ts";
import { type ActiveGroup, countActivity } from "./group-activity.ts";

/**
 * Counts firings into their groups and owes the webhooks, in the caller's transaction. Invariant: whoever
 * changes groups of a class holds that class's row of `class_alert` until the commit, and takes several in
 * the order of (project, class) — so of two writers that see the same first occurrence one sends, and neither
 * waits in a circle.
 */

export interface Occurrence {
  readonly projectNo: number;
  readonly groupId: string;
  readonly class: string;
  readonly signature: string;
  readonly severity: string;
  readonly firstSeenMs: number;
  readonly nowMs: number;
}

/** Puts the news into the outbox, in the same transaction; answers how many deliveries that makes. */
export type OweOccurrence<Tx> = (tx: Tx, occurrence: Occurrence) => Promise<number>;

interface LockedClass extends AlertPolicy {
  readonly projectNo: number;
  readonly class: string;
  lastSentMs: number | null;
}

export interface RecordedFirings {
  readonly newGroups: number;
  readonly regressedGroups: number;
  readonly deliveries: number;
}

export async function recordFirings<Tx extends GroupTx>(
  tx: Tx,
  options: { firings: readonly GroupFirings[]; nowMs: number; owe: OweOccurrence<Tx> },
): Promise<RecordedFirings> {
  const { firings, nowMs, owe } = options;
  const recorded = { newGroups: 0, regressedGroups: 0, deliveries: 0 };
  if (firings.length === 0) return recorded;
  const classes = await lockClasses(tx, firings);
  const groups = await readGroups(tx, firings);
  const touched = new Set<GroupRow>();
  const active: ActiveGroup[] = [];
  const sent: LockedClass[] = [];
  for (const locked of classes) {
    const fired: { group: GroupRow; row: GroupRow; outcome: Fired }[] = [];
    for (const each of firings) {
      if (each.projectNo !== locked.projectNo || each.class !== locked.class) continue;
      let row = groups.bySignature(each);
      if (row === undefined) {
        row = newGroup(each, nowMs);
        groups.add(row);
        recorded.newGroups++;
      }
      countFirings(row, each, nowMs);
      const group = row.mergedInto === null ? row : (groups.byId(row.projectNo, row.mergedInto) ?? row);
      const outcome = fire(group, each.count, nowMs);
      if (outcome === "regressed") recorded.regressedGroups++;
      fired.push({ group, row, outcome });
      touched.add(row).add(group);
      active.push({ projectNo: row.projectNo, groupId: row.groupId, count: each.count });
    }
    let isSent = false;
    for (const group of groupsToSend(fired, locked, locked.lastSentMs, nowMs)) {
      const rows = fired.filter((one) => one.group === group).map((one) => one.row);
      const deliveries = await owe(tx, { ...(await asShown(tx, group, rows)), nowMs });
      // Without a receiver nothing was sent, and no cooldown starts: the first receiver hears of the next
      // firing.
      if (deliveries > 0) {
        recorded.deliveries += deliveries;
        group.lastSentMs = nowMs;
        isSent = true;
      }
    }
    if (isSent) sent.push(locked);
  }
  await writeGroups(tx, [...touched]);
  await countActivity(tx, active, nowMs);
  if (sent.length > 0) {
    await tx`
      update ats.class_alert set last_sent_at = ${new Date(nowMs)}
      where (project_no, class) in (
        select * from unnest(${sent.map((one) => one.projectNo)}::int[], ${sent.map((one) => one.class)}::text[])
      )`;
  }
  return recorded;
}

/**
 * As lists show a group: as bad and as old as the worst and the oldest of all that are merged into it, of
 * which those that `fired` now are not written yet.
 */
async function asShown(tx: GroupTx, group: GroupRow, fired: readonly GroupRow[]): Promise<GroupRow> {
  const merged = await tx<Pick<GroupRow, "severity" | "firstSeenMs">[]>`
    select distinct g.severity, min(${millis(tx, "g.first_seen_at")}) over () as "firstSeenMs"
    from ats.failure_group g where g.project_no = ${group.projectNo} and g.merged_into = ${group.groupId}`;
  const family = [...fired, ...merged];
  return {
    ...group,
    severity: family.reduce((most, row) => higherSeverity(most, row.severity), group.severity),
    firstSeenMs: Math.min(group.firstSeenMs, ...family.map((row) => row.firstSeenMs)),
  };
}

/** Locks the classes' rows, making them first where there are none. A project that is gone has none. */
async function lockClasses(
  tx: GroupTx,
  keys: readonly { projectNo: number; class: string }[],
): Promise<LockedClass[]> {
  const projectNos = keys.map((key) => key.projectNo);
  const classes = keys.map((key) => key.class);
  await tx`
    insert into ats.class_alert (project_no, class)
    select distinct k.project_no, k.class
    from unnest(${projectNos}::int[], ${classes}::text[]) as k (project_no, class)
    join ats.project p on p.project_no = k.project_no
    order by 1, 2
    on conflict do nothing`;
  return await tx<LockedClass[]>`
    select a.project_no as "projectNo", a.class, p.alert_scope as scope,
      p.cooldown_seconds::float8 * 1000 as "cooldownMs", ${millis(tx, "a.last_sent_at")} as "lastSentMs"
    from ats.class_alert a join ats.project p on p.project_no = a.project_no
    where (a.project_no, a.class) in (select * from unnest(${projectNos}::int[], ${classes}::text[]))
    order by a.project_no, a.class
    for update of a`;
}

/** Locks one class of one project for an operator's change. */
export async function lockClass(tx: GroupTx, projectNo: number, failureClass: string): Promise<void> {
  await lockClasses(tx, [{ projectNo, class: failureClass }]);
}

class GroupIndex {
  readonly #bySignature = new Map<string, GroupRow>();
  readonly #byId = new Map<string, GroupRow>();

  add(row: GroupRow): void {
    this.#bySignature.set(`${row.projectNo} ${row.class} ${row.signature}`, row);
    this.#byId.set(`${row.projectNo} ${row.groupId}`, row);
  }
  bySignature(key: { projectNo: number; class: string; signature: string }): GroupRow | undefined {
    return this.#bySignature.get(`${key.projectNo} ${key.class} ${key.signature}`);
  }
  byId(projectNo: number, groupId: string): GroupRow | undefined {
    return this.#byId.get(`${projectNo} ${groupId}`);
  }
}

/** The groups of the signatures that fired, and those that they are merged into. */
async function readGroups(tx: GroupTx, firings: readonly GroupFirings[]): Promise<GroupIndex> {
  const rows = await tx<GroupRow[]>`
    with own as (
      select g.* from unnest(${firings.map((f) => f.projectNo)}::int[], ${firings.map((f) => f.class)}::text[],
        ${firings.map((f) => f.signature)}::text[]) as k (project_no, class, signature)
      join ats.failure_group g using (project_no, class, signature)
    )
    select ${groupFields(tx)} from (
      select * from own
      union
      select t.* from own join ats.failure_group t on t.project_no = own.project_no and t.group_id = own.merged_into
    ) g`;
  const index = new GroupIndex();
  for (const row of rows) index.add(row);
  return index;
}

function groupFields(tx: GroupTx) {
  return tx`
    g.project_no as "projectNo", g.group_id as "groupId", g.class, g.signature, g.severity,
    g.firing_count::float8 as "firingCount", ${millis(tx, "g.first_seen_at")} as "firstSeenMs",
    ${millis(tx, "g.last_seen_at")} as "lastSeenMs", g.sample_execution_ids as "sampleExecutionIds", g.state,
    ${millis(tx, "g.resolved_at")} as "resolvedMs", ${millis(tx, "g.regressed_at")} as "regressedMs",
    ${millis(tx, "g.ignored_until")} as "ignoredUntilMs",
    g.ignored_firings_left::float8 as "ignoredFiringsLeft", g.merged_into as "mergedInto",
    ${millis(tx, "g.last_sent_at")} as "lastSentMs", g.last_excerpt as "lastExcerpt",
    to_json(g.last_rule_ids) as "lastRuleIds"`;
}

function newGroup(firings: GroupFirings, nowMs: number): GroupRow {
  return {
    projectNo: firings.projectNo,
    groupId: `fg_${randomBase32(20)}`,
    class: firings.class,
    signature: firings.signature,
    severity: firings.severity,
    firingCount: 0,
    firstSeenMs: nowMs,
    lastSeenMs: nowMs,
    sampleExecutionIds: [],
    state: "open",
    resolvedMs: null,
    regressedMs: null,
    ignoredUntilMs: null,
    ignoredFiringsLeft: null,
    mergedInto: null,
    lastSentMs: null,
    lastExcerpt: firings.excerpt,
    lastRuleIds: firings.ruleIds,
  };
}

async function writeGroups(tx: GroupTx, rows: readonly GroupRow[]): Promise<void> {
  if (rows.length === 0) return;
  const at = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());
  const records = rows.map((row) => ({
    project_no: row.projectNo,
    group_id: row.groupId,
    class: row.class,
    signature: row.signature,
    severity: row.severity,
    firing_count: row.firingCount,
    first_seen_at: at(row.firstSeenMs),
    last_seen_at: at(row.lastSeenMs),
    sample_execution_ids: row.sampleExecutionIds,
    state: row.state,
    resolved_at: at(row.resolvedMs),
    regressed_at: at(row.regressedMs),
    ignored_until: at(row.ignoredUntilMs),
    ignored_firings_left: row.ignoredFiringsLeft,
    merged_into: row.mergedInto,
    last_sent_at: at(row.lastSentMs),
    last_excerpt: row.lastExcerpt,
    last_rule_ids: row.lastRuleIds,
  }));
  await tx`
    insert into ats.failure_group
    select * from json_populate_recordset(null::ats.failure_group, ${JSON.stringify(records)}::text::json)
    on conflict (project_no, class, signature) do update set
      severity = excluded.severity, firing_count = excluded.firing_count, last_seen_at = excluded.last_seen_at,
      sample_execution_ids = excluded.sample_execution_ids, state = excluded.state,
      regressed_at = excluded.regressed_at, ignored_until = excluded.ignored_until,
      ignored_firings_left = excluded.ignored_firings_left, last_sent_at = excluded.last_sent_at,
      last_excerpt = excluded.last_excerpt, last_rule_ids = excluded.last_rule_ids`;
}
