import { describeMistakes, readConfig } from "../config.ts";
import { connect, connectionFailure, type Sql } from "../store/database/connect.ts";
import { describeDatabase } from "../store/database/database-url.ts";
import { isNotOpen, isSchemaMissing } from "../store/database/failure.ts";
import { DatabaseReadOnly } from "../store/database/server-check.ts";
import { EmbeddedError } from "../store/embedded/embedded-error.ts";
import { locateEmbedded } from "../store/embedded/locate.ts";
import { type CommandInput, type CommandResult, failed } from "./command.ts";

/**
 * Gives a command its configuration and its database, and turns what can go wrong with them into an answer.
 * The connection is made when first asked for and always ended.
 */
export async function execute(
  run: (input: Pick<CommandInput, "config" | "databaseUrl" | "database">) => Promise<CommandResult>,
): Promise<CommandResult> {
  const read = readConfig(process.env);
  if (!read.ok) return { ok: false, kind: "configuration", message: describeMistakes(read.mistakes) };
  const { config } = read;
  let url: string | null = config.databaseUrl;
  let sql: Sql | null = null;
  const databaseUrl = () => {
    url ??= locateEmbedded(config.dataDir).url;
    return url;
  };
  const database = () => {
    sql ??= connect({
      url: databaseUrl(),
      connectionsMax: 1,
      applicationName: "ats cli",
      connectTimeoutS: 5,
    });
    return sql;
  };
  try {
    return await run({ config, databaseUrl, database });
  } catch (error) {
    if (error instanceof EmbeddedError) return failed(error.message);
    if (error instanceof DatabaseReadOnly)
      return failed(
        `The database at ${describeDatabase(databaseUrl())} cannot be written to: ${error.message}`,
      );
    const reason = connectionFailure(error);
    if (reason !== null && config.databaseUrl === null && reason.includes("CONNECT_TIMEOUT")) {
      return failed(
        `The embedded PostgreSQL of ${config.dataDir} does not answer (${reason}): it hangs or is overloaded. Its log is postgres.log in that directory.`,
      );
    }
    if (reason !== null && config.databaseUrl === null && isNotOpen(error)) {
      return failed(
        `The embedded PostgreSQL of ${config.dataDir} takes no connections now (${reason}): try again in a moment.`,
      );
    }
    if (reason !== null && config.databaseUrl === null) {
      return failed(
        `The embedded PostgreSQL of ${config.dataDir} is not running (${reason}). Start the service first (bun start), or set DATABASE_URL or DATA_DIR.`,
      );
    }
    if (reason !== null)
      return failed(`The database at ${describeDatabase(databaseUrl())} cannot be reached: ${reason}`);
    if (isSchemaMissing(error)) return failed("The database has no schema yet: run `database migrate`");
    if (error instanceof Error && error.name === "PostgresError")
      return failed(`The database refused: ${error.message}`);
    throw error;
  } finally {
    await endOf(sql);
  }
}

/** A parameter, because the compiler does not see that the closures above assign the variable. */
async function endOf(sql: Sql | null): Promise<void> {
  await sql?.end({ timeout: 5 });
}
