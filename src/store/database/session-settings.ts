/**
 * What a session is set to before its first statement. Invariant: statements mean the same whatever the
 * server, the database or the role was set to, as long as that is a matter of form or of patience. What
 * decides how safe the data is (`synchronous_commit`, `default_transaction_read_only`), and the server's
 * guard against transactions that stand still, stay as they are.
 */

export interface SessionOptions {
  readonly statementTimeoutMs?: number;
  readonly lockTimeoutMs?: number;
  readonly workMemMb?: number;
}

/** How values are written, read and compared. */
const FORM = {
  DateStyle: "ISO, MDY",
  TimeZone: "UTC",
  IntervalStyle: "postgres",
  bytea_output: "hex",
  extra_float_digits: "1",
  standard_conforming_strings: "on",
  client_min_messages: "notice",
  // Off, a NULL in a list of texts is the word: values that were not given would be stored as "null".
  array_nulls: "on",
  search_path: "public",
  default_transaction_isolation: "read committed",
};

/**
 * A limit for people's statements would end a migration or a long wait for a notice: ours are said by whoever
 * connects.
 */
const PATIENCE = {
  statement_timeout: "0",
  transaction_timeout: "0",
  lock_timeout: "0",
  idle_session_timeout: "0",
};

/**
 * A process of the server that waits (for a lock, say) notices so that nobody is there any more. Without it
 * each flush that is given up and written again leaves one behind, until the server has no room for anybody.
 * Not every system can be asked, and PostgreSQL refuses it there.
 */
const NOTICE_OF_GONE_CLIENTS = { client_connection_check_interval: "5s" };
const CAN_BE_NOTICED = "version() ~* 'linux|darwin|bsd'";

/**
 * Up to PostgreSQL 17 a way to read that is switched off for a statement counts as enormously dear, and what
 * is dear is compiled first: on 15 a test of the list of executions that takes 6 s was not done after 120.
 */
const PLANS = { jit: "off" };

/**
 * The driver keeps `server_pid`: behind a pooler it is not what the session was opened with. One statement,
 * so that it costs one round trip, and without a value that comes from outside.
 */
export function sessionSettings({ statementTimeoutMs, lockTimeoutMs, workMemMb }: SessionOptions): string {
  const settings: Record<string, string> = { ...FORM, ...PATIENCE, ...NOTICE_OF_GONE_CLIENTS, ...PLANS };
  if (statementTimeoutMs !== undefined) settings.statement_timeout = String(statementTimeoutMs);
  if (lockTimeoutMs !== undefined) settings.lock_timeout = String(lockTimeoutMs);
  if (workMemMb !== undefined) settings.work_mem = `${workMemMb}MB`;
  const values = Object.entries(settings).map(([name, value]) => `('${name}','${value}')`);
  // Of a server that is too old it must be possible to ask how old it is, and a newer one has limits that 15
  // does not know.
  return `select set_config(name, value, false), pg_backend_pid() as server_pid from (values ${values.join(",")}) wanted(name, value)
    where current_setting(name, true) is not null and (name <> 'client_connection_check_interval' or ${CAN_BE_NOTICED})`;
}
