import { sql } from "drizzle-orm";
import {
  bigserial,
  boolean,
  date,
  index,
  integer,
  json,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import { moment, wide } from "./columns.ts";
import { ats } from "./namespace.ts";

/**
 * One run of an agent. `execution_no` stands for (project, execution_id) in every pack of events: 8 bytes,
 * not two texts.
 */
export const execution = ats.table(
  "execution",
  {
    projectNo: integer("project_no").notNull(),
    executionNo: bigserial("execution_no", { mode: "number" }).notNull(),
    executionId: text("execution_id").notNull(),
    status: text("status").notNull().default("started"),
    sdkLanguage: text("sdk_language"),
    sdkVersion: text("sdk_version"),
    durationMs: wide("duration_ms"),
    totalTokensIn: wide("total_tokens_in"),
    totalTokensOut: wide("total_tokens_out"),
    crashSignature: text("crash_signature"),
    /** The first `environment_declaration` by arrival: `{mode, declared_by?, note?}`. */
    environment: json("environment"),
    /**
     * UTC day of the first event stored; the partition of this day arbitrates event identity
     * (docs/ARCHITECTURE.md).
     */
    homeDay: date("home_day"),
    startedAt: moment("started_at").notNull(),
    finishedAt: moment("finished_at"),
  },
  (t) => [
    primaryKey({ columns: [t.projectNo, t.executionNo] }),
    uniqueIndex("execution_identity").on(t.projectNo, t.executionId),
    // The whole order of the dashboard's list, so that nothing is sorted, and what walks it need not read the
    // rows.
    index("execution_in_time").on(t.projectNo, t.startedAt, t.executionNo),
    // What the dashboard searches by. A column that only a crash sets: completing an execution writes to no
    // index.
    index("execution_crash_signature")
      .on(t.projectNo, sql`(${t.crashSignature} collate "C")`)
      .where(sql`${t.crashSignature} is not null`),
  ],
);

/**
 * Up to some dozens of events of one execution that came in one request and lie on one UTC day: a row costs
 * PostgreSQL the same whether it holds one or thirty (docs/MEASUREMENTS.md). Readers take events one by one
 * from the view `ats.event`. Partitioned by day of `first_timestamp` in the migration (Drizzle cannot say
 * so), with a unique index on (project_no, execution_no, pack_no, away) made for each partition by
 * `ats.ensure_event_partition`.
 *
 * `pack_no` counts the packs of an execution from 0 without a gap, and is how two writers of the same events
 * find out about each other (docs/ARCHITECTURE.md). Its index on the execution's home day decides: a pack of
 * another day is `away` and has a stand-in there, a row with the same number and ids, and no events. Its
 * `timestamps` hold the first timestamp of its pack, and so tell on which day that lies; those of packs
 * stored before stand-ins told it are empty.
 */
export const eventPack = ats.table("event_pack", {
  projectNo: integer("project_no").notNull(),
  executionNo: wide("execution_no").notNull(),
  packNo: integer("pack_no").notNull(),
  away: boolean("away").notNull(),
  /** Of the earliest event; midnight of the home day in a stand-in. */
  firstTimestamp: moment("first_timestamp").notNull(),
  receivedAt: moment("received_at").notNull(),
  batchNo: wide("batch_no").notNull(),
  eventIds: text("event_ids").array().notNull(),
  /**
   * Codes of src/ingest/wire/event-types.ts. The arrays go side by side; these four hold no event in a
   * stand-in.
   */
  eventTypes: smallint("event_types").array().notNull(),
  sequences: integer("sequences").array().notNull(),
  timestamps: moment("timestamps").array().notNull(),
  /** JSON text, already validated by the service: PostgreSQL need not parse it again on the way in. */
  payloads: text("payloads").array().notNull(),
});

/** What one flush stored for one project; `detected_at` null says that detection still owes it. */
export const batch = ats.table(
  "batch",
  {
    projectNo: integer("project_no").notNull(),
    batchNo: wide("batch_no").notNull(),
    /** Events stored with this batch_no; 0 for a batch of execution updates. */
    eventCount: integer("event_count").notNull(),
    /** The executions touched: how a reader finds the events through the index of packs. */
    executionNos: wide("execution_nos").array().notNull(),
    firstTimestamp: moment("first_timestamp"),
    lastTimestamp: moment("last_timestamp"),
    storedAt: moment("stored_at").notNull().default(sql`clock_timestamp()`),
    detectedAt: moment("detected_at"),
  },
  (t) => [
    primaryKey({ columns: [t.projectNo, t.batchNo] }),
    index("batch_owed").on(t.storedAt).where(sql`${t.detectedAt} is null`),
    // The live tail's.
    index("batch_stored").on(t.projectNo, t.storedAt).where(sql`${t.eventCount} > 0`),
    index("batch_detected").on(t.detectedAt).where(sql`${t.detectedAt} is not null`),
  ],
);
