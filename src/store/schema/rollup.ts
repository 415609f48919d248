import { sql } from "drizzle-orm";
import { index, integer, numeric, type PgColumn, primaryKey, smallint, text } from "drizzle-orm/pg-core";
import { moment, wide } from "./columns.ts";
import { ats } from "./namespace.ts";

const count = (name: string) => wide(name).notNull().default(0);
/**
 * What clients say that they used: a sum of any length, so that a silly one cannot overflow and stop the
 * rest.
 */
const tokens = (name: string) => numeric(name).notNull().default("0");

/** Seconds that a slot lasts (src/store/upkeep/rollups.ts). Each count stands in one slot of each length. */
const step = () => integer("step").notNull();

/** For letting go of short slots, of all projects at once. */
const short = (name: string, stepColumn: PgColumn, slotAt: PgColumn) =>
  index(name).on(stepColumn, slotAt).where(sql`${stepColumn} < 3600`);

/** What became of the events that were sent, by key. Slots by the time of the request. */
export const outcomeRollup = ats.table(
  "outcome_rollup",
  {
    projectNo: integer("project_no").notNull(),
    step: step(),
    slotAt: moment("slot_at").notNull(),
    keyId: text("key_id").notNull(),
    /** accepted, duplicate, rejected, limited, shed. */
    outcome: text("outcome").notNull(),
    /** Of rejected and shed; empty with the others. */
    reason: text("reason").notNull(),
    eventCount: count("event_count"),
    /** The last request counted here. */
    lastAt: moment("last_at").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.projectNo, t.step, t.slotAt, t.keyId, t.outcome, t.reason] }),
    short("outcome_rollup_short", t.step, t.slotAt),
  ],
);

/** Stored events by type, written in the transaction that detects them. Slots by `received_at`. */
export const eventRollup = ats.table(
  "event_rollup",
  {
    projectNo: integer("project_no").notNull(),
    step: step(),
    slotAt: moment("slot_at").notNull(),
    eventType: smallint("event_type").notNull(),
    eventCount: count("event_count"),
    tokensIn: tokens("tokens_in"),
    tokensOut: tokens("tokens_out"),
  },
  (t) => [
    primaryKey({ columns: [t.projectNo, t.step, t.slotAt, t.eventType] }),
    short("event_rollup_short", t.step, t.slotAt),
  ],
);

/** Detections, written in their transaction. Slots by `detected_at`. */
export const detectionRollup = ats.table(
  "detection_rollup",
  {
    projectNo: integer("project_no").notNull(),
    step: step(),
    slotAt: moment("slot_at").notNull(),
    class: text("class").notNull(),
    severity: text("severity").notNull(),
    detectionCount: count("detection_count"),
  },
  (t) => [
    primaryKey({ columns: [t.projectNo, t.step, t.slotAt, t.class, t.severity] }),
    short("detection_rollup_short", t.step, t.slotAt),
  ],
);

const executionCounts = () => ({
  /** Started in this slot. */
  started: count("started"),
  /** Came to an end in this slot. */
  completed: count("completed"),
  crashed: count("crashed"),
  /** Of those started in this slot, how many have come to which end by now. */
  startedCompleted: count("started_completed"),
  startedCrashed: count("started_crashed"),
  /** Totals reported by those that came to an end in this slot. */
  tokensIn: tokens("tokens_in"),
  tokensOut: tokens("tokens_out"),
});

/**
 * Changes of executions, appended by the very statement that makes them: no row is shared, so writers never
 * wait for each other. Moved into `execution_rollup` every minute; whoever reads adds the two.
 */
export const executionTally = ats.table(
  "execution_tally",
  { projectNo: integer("project_no").notNull(), slotAt: moment("slot_at").notNull(), ...executionCounts() },
  (t) => [index("execution_tally_slot").on(t.projectNo, t.slotAt)],
);

export const executionRollup = ats.table(
  "execution_rollup",
  {
    projectNo: integer("project_no").notNull(),
    step: step(),
    slotAt: moment("slot_at").notNull(),
    ...executionCounts(),
  },
  (t) => [
    primaryKey({ columns: [t.projectNo, t.step, t.slotAt] }),
    short("execution_rollup_short", t.step, t.slotAt),
  ],
);
