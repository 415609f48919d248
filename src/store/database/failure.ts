/**
 * What an error of the driver means to the caller: the one place that knows its codes, but for those over
 * which detection gives a batch up (src/detect/thread/batch-tries.ts).
 */

/** What the system, TLS and the driver call a connection that cannot be made or was lost. */
const LOST =
  /^(?:CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_|ERR_SSL_|ECONN|ENOTFOUND|EAI_|EHOST|ENET|ETIMEDOUT|ENOENT|EACCES|EPIPE|ERR_SOCKET_CLOSED|CONNECT_TIMEOUT|CONNECTION_|FailedToOpenSocket)/;

/**
 * Server classes that end the session: 57P01–57P05 shutdowns, 08 connection exceptions, 53300 too many
 * connections.
 */
const LOST_SQLSTATE = /^(?:57P0[1-5]|08\w{3}|53300)$/;

/** True if PostgreSQL is away, as far as this connection can tell, and the statement's fate is unknown. */
export function isConnectionLoss(error: unknown): boolean {
  const code = codeOf(error);
  return code !== undefined && (LOST.test(code) || LOST_SQLSTATE.test(code));
}

/**
 * True if there is no session to say anything in: it was lost, or PostgreSQL opens none, for want of the
 * role, say, or of the database.
 */
export function isWithoutSession(error: unknown): boolean {
  return (
    isConnectionLoss(error) || (error instanceof Error && "severity" in error && error.severity === "FATAL")
  );
}

/**
 * True if a connection is refused or cut, and no server said why: there is nobody. One that is let wait may
 * stand in the queue of a pooler, whose other connections go on.
 */
export function isOutOfReach(error: unknown): boolean {
  const isSaid = error instanceof Error && "severity" in error;
  return isConnectionLoss(error) && !isSaid && codeOf(error) !== "CONNECT_TIMEOUT";
}

/**
 * True if PostgreSQL is there but had no room for one connection more: nothing was sent, and connections that
 * are open go on.
 */
export function isWantOfRoom(error: unknown): boolean {
  return codeOf(error) === "53300";
}

/**
 * True if PostgreSQL answers, and is being started or stopped: it takes no connections now
 * (cannot_connect_now).
 */
export function isNotOpen(error: unknown): boolean {
  return codeOf(error) === "57P03";
}

/** True if PostgreSQL takes no writes now, whoever sends them: it is read-only, or its disk is full. */
export function isClosedForWrites(error: unknown): boolean {
  const code = codeOf(error);
  return code === "25006" || code === "53100";
}

/**
 * True if others held what a statement needs for longer than it may wait: lock_not_available,
 * deadlock_detected.
 */
export function isLockConflict(error: unknown): boolean {
  const code = codeOf(error);
  return code === "55P03" || code === "40P01";
}

/** True if a table that was to be made is there. */
export function isTableThere(error: unknown): boolean {
  return codeOf(error) === "42P07";
}

/** True if a table that was named is not there. */
export function isTableMissing(error: unknown): boolean {
  return codeOf(error) === "42P01";
}

/** True if the database was never migrated. */
export function isSchemaMissing(error: unknown): boolean {
  return isTableMissing(error) || codeOf(error) === "3F000";
}

/** True if a row with this key was there before. */
export function isKeyTaken(error: unknown): boolean {
  return codeOf(error) === "23505";
}

/**
 * SQLSTATE classes that blame the row: data exception, integrity violation, raised by a trigger, program
 * limit.
 */
const ROW_AT_FAULT = /^(?:22|23|P0|54)/;

/**
 * True if the row itself was refused, and would be again. A key that is taken is none's fault: others were
 * faster.
 */
export function isRowAtFault(error: unknown): boolean {
  return ROW_AT_FAULT.test(codeOf(error) ?? "") && !isKeyTaken(error);
}

/** True if a statement took longer than it may, or was cancelled. */
export function isCancelled(error: unknown): boolean {
  return codeOf(error) === "57014";
}

/**
 * True if this server has no such function or does not let this user call it: insufficient_privilege,
 * undefined_function, feature_not_supported.
 */
export function isNotOffered(error: unknown): boolean {
  return ["42501", "42883", "0A000"].includes(codeOf(error) ?? "");
}

/** The SQLSTATE or the driver's own code; undefined for anything else. Safe to log: never holds a value. */
export function codeOf(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

/**
 * Trouble of the server or the session (connection, authorization, resources, operator, system): its text
 * names no row and no value.
 */
const OWN_TROUBLE_SQLSTATE = /^(?:08|25|28|3D|42501$|53|55|57|58|XX)/;

/**
 * What may be logged of an error: the driver's own words, and the server's where they cannot quote what is
 * stored.
 */
export function loggableReason(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  return !("severity" in error) || OWN_TROUBLE_SQLSTATE.test(codeOf(error) ?? "") ? error.message : undefined;
}
