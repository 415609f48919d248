import { type Column, type SQL, sql } from "drizzle-orm";
import { check, integer, jsonb, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core";
import { ALERT_SCOPES, PROJECT_DEFAULTS, PROJECT_RANGES } from "../projects/project-bounds.ts";
import { bytea, moment } from "./columns.ts";
import { ats } from "./namespace.ts";

/** Raw: a check of a table takes no parameters. */
const within = (column: Column, { min, max }: { readonly min: number; readonly max: number }): SQL =>
  sql`${column} between ${sql.raw(`${min} and ${max}`)}`;

/**
 * A tenant. `project_no` is the narrow key that every other table leads with; `project_id` is the public
 * name.
 */
export const project = ats.table(
  "project",
  {
    projectNo: integer("project_no").primaryKey().generatedAlwaysAsIdentity(),
    projectId: text("project_id").notNull().unique(),
    name: text("name").notNull(),
    /** Bucket capacity, in tokens. */
    rateBurst: integer("rate_burst").notNull().default(PROJECT_DEFAULTS.rateBurst),
    /** Bucket refill, in tokens per second. */
    ratePerSecond: integer("rate_per_second").notNull().default(PROJECT_DEFAULTS.ratePerSecond),
    cooldownSeconds: integer("cooldown_seconds").notNull().default(PROJECT_DEFAULTS.cooldownSeconds),
    alertScope: text("alert_scope").notNull().default(PROJECT_DEFAULTS.alertScope),
    /** Per class: `{enabled?, thresholds?, allow?}`; an absent class runs with its defaults. */
    detectorSettings: jsonb("detector_settings").notNull().default({}),
    /** Days that events, ended executions and what was found in them are kept; null: for ever. */
    retentionDays: integer("retention_days"),
    createdAt: moment("created_at").notNull().defaultNow(),
  },
  (t) => [
    check("project_rate_burst_range", within(t.rateBurst, PROJECT_RANGES.rateBurst)),
    check("project_rate_per_second_range", within(t.ratePerSecond, PROJECT_RANGES.ratePerSecond)),
    check("project_cooldown_range", within(t.cooldownSeconds, PROJECT_RANGES.cooldownSeconds)),
    check(
      "project_alert_scope_values",
      sql`${t.alertScope} in (${sql.raw(ALERT_SCOPES.map((scope) => `'${scope}'`).join(", "))})`,
    ),
    check("project_retention_range", within(t.retentionDays, PROJECT_RANGES.retentionDays)),
  ],
);

/**
 * A bearer key. Only its SHA-256 is stored: the raw key has 160 random bits, so a plain hash cannot be
 * guessed back.
 */
export const apiKey = ats.table(
  "api_key",
  {
    projectNo: integer("project_no")
      .notNull()
      .references(() => project.projectNo, { onDelete: "cascade" }),
    keyId: text("key_id").notNull(),
    keyHash: bytea("key_hash").notNull(),
    /** The last four characters, to tell keys apart in a list. */
    hint: text("hint").notNull(),
    name: text("name"),
    createdAt: moment("created_at").notNull().defaultNow(),
    revokedAt: moment("revoked_at"),
    lastUsedAt: moment("last_used_at"),
  },
  (t) => [
    primaryKey({ columns: [t.projectNo, t.keyId] }),
    uniqueIndex("api_key_key_id").on(t.keyId),
    uniqueIndex("api_key_key_hash").on(t.keyHash),
  ],
);

/** One row, bumped by triggers on project and api_key: what the in-memory directory polls and listens for. */
export const directoryVersion = ats.table("directory_version", {
  only: integer("only").primaryKey().default(1),
  version: integer("version").notNull().default(0),
});

/** A receiver of failure-group notifications. Its secret signs the bodies, so it is stored as it is. */
export const webhook = ats.table(
  "webhook",
  {
    projectNo: integer("project_no")
      .notNull()
      .references(() => project.projectNo, { onDelete: "cascade" }),
    webhookId: text("webhook_id").notNull(),
    url: text("url").notNull(),
    secret: text("secret").notNull(),
    /** The secret before the last rotation, signed with as well until `previous_secret_until`. */
    previousSecret: text("previous_secret"),
    previousSecretUntil: moment("previous_secret_until"),
    createdAt: moment("created_at").notNull().defaultNow(),
    disabledAt: moment("disabled_at"),
    disabledReason: text("disabled_reason"),
    /** Start of the current unbroken run of failures; null after a success. */
    failingSince: moment("failing_since"),
    /** Stays after a success: a receiver that now answers and now does not is none that is well. */
    lastFailedAt: moment("last_failed_at"),
    /** The receiver has asked for a pause until then. */
    heldUntil: moment("held_until"),
  },
  (t) => [
    primaryKey({ columns: [t.projectNo, t.webhookId] }),
    uniqueIndex("webhook_webhook_id").on(t.webhookId),
  ],
);
