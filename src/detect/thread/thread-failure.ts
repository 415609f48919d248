import { codeOf, loggableReason } from "../../store/database/failure.ts";

/** What is logged of an error that ended the detection thread, or that a detector left behind. */

/**
 * Enough to find the place. The message only of system and database errors: another may quote what is stored.
 */
export function failureOf(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { error: "unknown" };
  const code = codeOf(error);
  return {
    error: error.name,
    code,
    reason: code === undefined ? undefined : loggableReason(error),
    at: framesOf(error)
      .slice(0, 5)
      .map((line) => line.trim()),
  };
}

/** Where the thread's own work is done: what fails there was not left running by a detector. */
const OWN_PLACES = /\/src\/(?:store|detect\/(?:thread|engine|rows))\/|\/node_modules\/|\b(?:node|bun):/;

/**
 * True if the error began in a detector or in what it calls. What is not an Error was not thrown by code of
 * ours.
 */
export function isOfDetector(error: unknown): boolean {
  if (!(error instanceof Error)) return true;
  const first = framesOf(error).find((line) => line.includes("/") || line.includes(":"));
  return first !== undefined && !OWN_PLACES.test(first);
}

const framesOf = ({ stack = "" }: Error): string[] =>
  stack.split("\n").filter((line) => /^\s+at /.test(line));
