import { accessSync, constants, existsSync, readFileSync } from "node:fs";
import { EmbeddedError } from "./embedded-error.ts";
import { databaseName, layoutOf, readEndpoint, tcpUrl } from "./layout.ts";

/**
 * How another process (an operator command) finds the embedded PostgreSQL of a data directory. It only reads:
 * whether the server answers is for the connection to tell.
 */
export function locateEmbedded(dataDir: string): { url: string } {
  if (isClosed(dataDir)) {
    throw new EmbeddedError(
      `${dataDir} cannot be read by this user. Run this command as the user that runs the service.`,
    );
  }
  const layout = layoutOf(dataDir);
  const endpoint = readEndpoint(layout);
  if (endpoint === null || !existsSync(layout.cluster)) {
    throw new EmbeddedError(
      `There is no embedded PostgreSQL in ${dataDir}. Start the service first (bun start), or set DATABASE_URL or DATA_DIR.`,
    );
  }
  let password: string;
  try {
    password = readFileSync(layout.password, "utf8").trim();
  } catch {
    throw new EmbeddedError(
      `The password in ${layout.password} cannot be read. Run this command as the user that runs the service.`,
    );
  }
  return { url: tcpUrl(endpoint, password, databaseName) };
}

/** True if it, or a directory above it, may not be entered. One that is not there is not closed. */
function isClosed(directory: string): boolean {
  try {
    accessSync(directory, constants.X_OK);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EACCES";
  }
}
