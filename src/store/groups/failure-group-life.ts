/**
 * The life of a failure group and the rule that says when the world hears of it. Pure: rows in, changed rows
 * and a choice out.
 *
 *              fires                      fires: regressed, sends again
 *   (none) ───────────▶ open ◀──────────────────────────── resolved
 *                       │  ▲ ▲                               ▲
 *                       │  │ └── fires after its time/count ─┼─ ignored
 *                       │  └─────────── reopen ──────────────┤   ▲
 *                       ├────────── resolve ─────────────────┘   │
 *                       └────────── ignore ──────────────────────┘
 *
 * Invariants: an ignored group sends nothing. A regression sends, cooldown or not. Else scope `class` sends
 * the first firing of the class and the first after the cooldown since the last send; scope `group` says so
 * of each group. An ignore that has run out makes the group open again and sends only if that rule says so.
 */

export const SEVERITIES = ["low", "medium", "high", "critical"] as const;
export type GroupSeverity = (typeof SEVERITIES)[number];
export type GroupState = "open" | "resolved" | "ignored";

export const SAMPLE_EXECUTIONS_MAX = 10;

export interface GroupRow {
  readonly projectNo: number;
  readonly groupId: string;
  readonly class: string;
  readonly signature: string;
  severity: GroupSeverity;
  /** Its own firings; those of groups merged into it are counted on their rows. */
  firingCount: number;
  firstSeenMs: number;
  lastSeenMs: number;
  sampleExecutionIds: string[];
  state: GroupState;
  resolvedMs: number | null;
  regressedMs: number | null;
  ignoredUntilMs: number | null;
  ignoredFiringsLeft: number | null;
  mergedInto: string | null;
  lastSentMs: number | null;
  /** Of the latest firing of its own signature. */
  lastExcerpt: string;
  lastRuleIds: readonly string[];
}

/** New firings of one signature, taken together. */
export interface GroupFirings {
  readonly projectNo: number;
  readonly class: string;
  readonly signature: string;
  readonly count: number;
  readonly severity: GroupSeverity;
  readonly executionIds: readonly string[];
  /** Of the last of them. */
  readonly excerpt: string;
  readonly ruleIds: readonly string[];
}

export function higherSeverity(a: GroupSeverity, b: GroupSeverity): GroupSeverity {
  return SEVERITIES.indexOf(a) >= SEVERITIES.indexOf(b) ? a : b;
}

/** Adds firings to the row of their own signature, which may be an alias. */
export function countFirings(row: GroupRow, firings: GroupFirings, nowMs: number): void {
  row.firingCount += firings.count;
  row.severity = higherSeverity(row.severity, firings.severity);
  row.lastSeenMs = Math.max(row.lastSeenMs, nowMs);
  row.lastExcerpt = firings.excerpt;
  row.lastRuleIds = firings.ruleIds;
  for (const executionId of firings.executionIds) {
    if (row.sampleExecutionIds.length >= SAMPLE_EXECUTIONS_MAX) break;
    if (!row.sampleExecutionIds.includes(executionId)) row.sampleExecutionIds.push(executionId);
  }
}

export type Fired = "silent" | "firing" | "regressed";

/** Moves the group that counts (never an alias) through its life. */
export function fire(group: GroupRow, count: number, nowMs: number): Fired {
  if (group.state === "open") return "firing";
  if (group.state === "resolved") {
    group.state = "open";
    // Resolved by the database's clock, which may be ahead of this one: whatever it says, this came after.
    group.regressedMs = Math.max(nowMs, (group.resolvedMs ?? nowMs) + 1);
    return "regressed";
  }
  if (group.ignoredUntilMs !== null) {
    if (nowMs < group.ignoredUntilMs) return "silent";
  } else if (group.ignoredFiringsLeft !== null) {
    group.ignoredFiringsLeft -= count;
    if (group.ignoredFiringsLeft >= 0) return "silent";
  } else {
    return "silent";
  }
  group.state = "open";
  group.ignoredUntilMs = null;
  group.ignoredFiringsLeft = null;
  return "firing";
}

/**
 * A last send so far in the future was dated by a clock that has been set back since: replicas' clocks differ
 * by less.
 */
const CLOCKS_APART_MS = 60_000;

export interface AlertPolicy {
  readonly scope: "class" | "group";
  readonly cooldownMs: number;
}

/** Of the groups of one class that fired together, in the order in which they did: which to send. */
export function groupsToSend(
  fired: readonly { readonly group: GroupRow; readonly outcome: Fired }[],
  policy: AlertPolicy,
  classLastSentMs: number | null,
  nowMs: number,
): GroupRow[] {
  const isDue = (lastSentMs: number | null) =>
    lastSentMs === null || nowMs - lastSentMs >= policy.cooldownMs || lastSentMs - nowMs > CLOCKS_APART_MS;
  const chosen = new Set(fired.filter(({ outcome }) => outcome === "regressed").map(({ group }) => group));
  const firing = fired.filter(({ group, outcome }) => outcome === "firing" && !chosen.has(group));
  if (policy.scope === "group") {
    for (const { group } of firing) if (isDue(group.lastSentMs)) chosen.add(group);
  } else if (chosen.size === 0 && firing[0] !== undefined && isDue(classLastSentMs)) {
    chosen.add(firing[0].group);
  }
  return [...chosen];
}
