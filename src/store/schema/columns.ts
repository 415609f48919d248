import { bigint, customType, timestamp } from "drizzle-orm/pg-core";

/** Kinds of columns that most tables have. */

export const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 6 });
export const wide = (name: string) => bigint(name, { mode: "number" });
export const bytea = customType<{ data: Uint8Array; driverData: Uint8Array }>({ dataType: () => "bytea" });
