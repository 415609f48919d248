/**
 * What an error of the driver means to the caller: the one place that knows its codes.
 */

/** What the system, TLS and the driver call a connection that cannot be made or was lost. */
const LOST =
  /^(?:CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_|ERR_SSL_|ECONN|ENOTFOUND|EAI_|EHOST|ENET|ETIMEDOUT|ENOENT|EACCES|EPIPE|ERR_SOCKET_CLOSED|CONNECT_TIMEOUT|CONNECTION_|FailedToOpenSocket)/;

/** Server classes that end the session: 57P01–57P05 shutdowns, 08 connection exceptions, 53300 too many connections. */
const LOST_SQLSTATE = /^(?:57P0[1-5]|08\w{3}|53300)$/;

/** True if PostgreSQL is away, as far as this connection can tell, and the statement's fate is unknown. */
export function isConnectionLoss(error: unknown): boolean {
  const code = codeOf(error);
  return code !== undefined && (LOST.test(code) || LOST_SQLSTATE.test(code));
}

/** True if PostgreSQL is there but had no room for one connection more: nothing was sent, and connections that are open go on. */
export function isWantOfRoom(error: unknown): boolean {
  return codeOf(error) === "53300";
}

/** True if PostgreSQL takes no writes now, whoever sends them: it is read-only, or its disk is full. */
export function isClosedForWrites(error: unknown): boolean {
  const code = codeOf(error);
  return code === "25006" || code === "53100";
}

/** The SQLSTATE or the driver's own code; undefined for anything else. Safe to log: never holds a value. */
export function codeOf(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

/** Trouble of the server or the session (connection, authorization, resources, operator, system): its text names no row and no value. */
const OWN_TROUBLE_SQLSTATE = /^(?:08|25|28|3D|42501$|53|55|57|58|XX)/;

/** What may be logged of an error: the driver's own words, and the server's where they cannot quote what is stored. */
export function loggableReason(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  return !("severity" in error) || OWN_TROUBLE_SQLSTATE.test(codeOf(error) ?? "") ? error.message : undefined;
}
