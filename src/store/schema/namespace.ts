import { pgSchema } from "drizzle-orm/pg-core";

/**
 * Every table of the service lives in the schema `ats`. What SQL users read — the views `executions` and
 * `events` — lives in `public`, so the inner layout can change without breaking their queries.
 */
export const ats = pgSchema("ats");
