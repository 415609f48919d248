import { codeOf } from "../../store/database/failure.ts";

/** What is told and concluded of an error that a batch, or a tick, failed with. */

/** Never the message: it may quote what is stored. */
export function reasonOf(error: unknown): Record<string, unknown> {
  return { code: codeOf(error), error: error instanceof Error ? error.name : typeof error };
}

/** Data exceptions, broken constraints and our own mistakes come again; a full disk or a lock timeout does not. */
export function isTheDatasFault(error: unknown): boolean {
  const code = codeOf(error);
  return code === undefined || /^2[23]/.test(code) || code === "54000";
}
