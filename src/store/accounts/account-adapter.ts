import { drizzleAdapter } from "better-auth/adapters/drizzle";
import { drizzle } from "drizzle-orm/postgres-js";
import { connect, type Sql } from "../database/connect.ts";
import { account, member, session, verification } from "../schema/account.ts";

/**
 * better-auth's way to the account tables. On connections of its own: Drizzle replaces the driver's reading
 * and writing of times on the pool it is given, and a sign-in must not wait behind somebody's search.
 */

const CONNECTIONS_MAX = 2;
const STATEMENT_TIMEOUT_MS = 5_000;

export interface AccountStore {
  readonly adapter: ReturnType<typeof drizzleAdapter>;
  readonly sql: Sql;
}

export function openAccountStore(url: string): AccountStore {
  const sql = connect({
    url,
    connectionsMax: CONNECTIONS_MAX,
    applicationName: "ats accounts",
    connectTimeoutS: 3,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    idleTimeoutS: 60,
  });
  const schema = { member, session, account, verification };
  const adapter = drizzleAdapter(drizzle(sql, { schema }), { provider: "pg", schema, transaction: true });
  return { adapter, sql };
}
