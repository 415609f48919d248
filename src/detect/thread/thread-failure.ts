import { codeOf, loggableReason } from "../../store/database/failure.ts";

/** What is told of an error that ended the detection thread, or that a detector left behind it. */

/** Enough to find the place. The message only of the system's and the database's own trouble: another may quote what is stored. */
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

/** Where the thread's own work is done: what fails there nobody else has left running. */
const OWN_PLACES = /\/src\/(?:store|detect\/(?:thread|engine|rows))\/|\/node_modules\/|\b(?:node|bun):/;

/** True of an error that begins in a detector, or in what it calls; what is no error at all was thrown by none of ours. */
export function isOfDetector(error: unknown): boolean {
  if (!(error instanceof Error)) return true;
  const first = framesOf(error).find((line) => line.includes("/") || line.includes(":"));
  return first !== undefined && !OWN_PLACES.test(first);
}

const framesOf = ({ stack = "" }: Error): string[] =>
  stack.split("\n").filter((line) => /^\s+at /.test(line));
