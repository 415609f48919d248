import { sql } from "drizzle-orm";
import {
  check,
  foreignKey,
  index,
  integer,
  primaryKey,
  real,
  smallint,
  text,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import { moment, wide } from "./columns.ts";
import { ats } from "./namespace.ts";
import { project } from "./project.ts";

/**
 * One firing of a failure class. Its key is what makes a replayed or resent event the same firing; the group
 * that it counts into is found by (project_no, class, signature).
 */
export const detection = ats.table(
  "detection",
  {
    projectNo: integer("project_no").notNull(),
    executionNo: wide("execution_no").notNull(),
    class: text("class").notNull(),
    dedupKey: text("dedup_key").notNull(),
    /** `det_` and 20 characters. */
    detectionId: text("detection_id").notNull(),
    signature: text("signature").notNull(),
    severity: text("severity").notNull(),
    ruleIds: text("rule_ids").array().notNull(),
    score: real("score").notNull(),
    /** Redacted by the detector; never a raw secret. */
    excerpt: text("excerpt").notNull(),
    /** The event that fired it; null when a status change or the clock did. */
    eventId: text("event_id"),
    evidenceEventIds: text("evidence_event_ids").array().notNull(),
    detectorVersion: integer("detector_version").notNull(),
    detectedAt: moment("detected_at").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.projectNo, t.executionNo, t.class, t.dedupKey] }),
    uniqueIndex("detection_id").on(t.projectNo, t.detectionId),
    index("detection_recent").on(t.projectNo, t.detectedAt),
    // Which executions a class fired in.
    index("detection_of_class").on(t.projectNo, t.class, t.executionNo),
    index("detection_of_group").on(t.projectNo, t.class, t.signature, t.detectedAt),
  ],
);

/**
 * A failure group: (project, class, signature). A merged group keeps its row and its own counters as an
 * alias, and what it stands for is read as the sum over the group and its aliases — so unmerging loses
 * nothing.
 */
export const failureGroup = ats.table(
  "failure_group",
  {
    projectNo: integer("project_no")
      .notNull()
      .references(() => project.projectNo, { onDelete: "cascade" }),
    /** `fg_` and 20 characters. */
    groupId: text("group_id").notNull(),
    class: text("class").notNull(),
    signature: text("signature").notNull(),
    /** The highest that ever fired. */
    severity: text("severity").notNull(),
    firingCount: wide("firing_count").notNull(),
    firstSeenAt: moment("first_seen_at").notNull(),
    lastSeenAt: moment("last_seen_at").notNull(),
    /** Client's ids of up to ten executions in which it fired, the first ones. */
    sampleExecutionIds: text("sample_execution_ids").array().notNull(),
    state: text("state").notNull().default("open"),
    /** When it was last resolved; kept after a regression. */
    resolvedAt: moment("resolved_at"),
    /** When it last fired after having been resolved. */
    regressedAt: moment("regressed_at"),
    /** Ignored until this moment; null with `ignored_firings_left` null: until somebody says otherwise. */
    ignoredUntil: moment("ignored_until"),
    /** Ignored for that many firings more. */
    ignoredFiringsLeft: wide("ignored_firings_left"),
    /** The group that this one counts into. Never a merged group itself. */
    mergedInto: text("merged_into"),
    /** When a webhook about this very group was last owed. */
    lastSentAt: moment("last_sent_at"),
    /** Of its latest firing, redacted by the detector: what lists show and searches look through. */
    lastExcerpt: text("last_excerpt").notNull().default(""),
    lastRuleIds: text("last_rule_ids").array().notNull().default([]),
    /**
     * When somebody last did something with it; detection never writes here. Who looks at an older one acts
     * on what is no more.
     */
    actedAt: moment("acted_at"),
    /** That person's e-mail address; null for an operator command. */
    actedBy: text("acted_by"),
  },
  (t) => [
    primaryKey({ columns: [t.projectNo, t.groupId] }),
    uniqueIndex("failure_group_identity").on(t.projectNo, t.class, t.signature),
    index("failure_group_recent").on(t.projectNo, t.lastSeenAt),
    index("failure_group_aliases").on(t.projectNo, t.mergedInto).where(sql`${t.mergedInto} is not null`),
    foreignKey({
      name: "failure_group_merged_into",
      columns: [t.projectNo, t.mergedInto],
      foreignColumns: [t.projectNo, t.groupId],
    }),
    check("failure_group_state_values", sql`${t.state} in ('open', 'resolved', 'ignored')`),
    check("failure_group_severity_values", sql`${t.severity} in ('low', 'medium', 'high', 'critical')`),
  ],
);

/**
 * Firings of a group by time, counted as they are stored: charts over any range read these and never
 * `detection`. Counted on the row that fired, an alias too, like `firing_count`. Steps:
 * src/store/groups/group-activity.ts.
 */
export const groupActivity = ats.table(
  "group_activity",
  {
    projectNo: integer("project_no").notNull(),
    groupId: text("group_id").notNull(),
    /** Length of the slot in seconds. */
    step: integer("step").notNull(),
    slotAt: moment("slot_at").notNull(),
    firingCount: wide("firing_count").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.projectNo, t.groupId, t.step, t.slotAt] }),
    index("group_activity_short").on(t.slotAt).where(sql`${t.step} = 300`),
    foreignKey({
      name: "group_activity_group_fk",
      columns: [t.projectNo, t.groupId],
      foreignColumns: [failureGroup.projectNo, failureGroup.groupId],
    }).onDelete("cascade"),
  ],
);

/**
 * When the last webhook for a class went into the outbox: the cooldown's clock in scope `class`, and its
 * lock.
 */
export const classAlert = ats.table(
  "class_alert",
  {
    projectNo: integer("project_no")
      .notNull()
      .references(() => project.projectNo, { onDelete: "cascade" }),
    class: text("class").notNull(),
    lastSentAt: moment("last_sent_at"),
  },
  (t) => [primaryKey({ columns: [t.projectNo, t.class] })],
);

/** What a detector remembers about a project across executions. */
export const detectorMemory = ats.table(
  "detector_memory",
  {
    projectNo: integer("project_no")
      .notNull()
      .references(() => project.projectNo, { onDelete: "cascade" }),
    class: text("class").notNull(),
    key: text("key").notNull(),
    /** JSON text. */
    value: text("value").notNull(),
    updatedAt: moment("updated_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.projectNo, t.class, t.key] })],
);

/**
 * Calls during which the detection thread hung and had to be ended: after two, that class is skipped for that
 * execution of that batch (batch_no 0: a tick). Kept here so that another process taking over knows it too.
 */
export const detectionHang = ats.table(
  "detection_hang",
  {
    projectNo: integer("project_no").notNull(),
    batchNo: wide("batch_no").notNull(),
    executionNo: wide("execution_no").notNull(),
    class: text("class").notNull(),
    hangCount: smallint("hang_count").notNull(),
    lastHungAt: moment("last_hung_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.projectNo, t.batchNo, t.executionNo, t.class] })],
);
