import { readlinkSync } from "node:fs";
import { setPriority } from "node:os";

/**
 * Puts the calling thread behind the others of the process when processors are short: detection may lag,
 * ingest must not. On Linux a nice value belongs to a thread, not to the process. Elsewhere, or where it is
 * refused, nothing changes.
 */
export function lowerOwnPriority(nice: number): void {
  try {
    const thread = Number(readlinkSync("/proc/thread-self").split("/").pop());
    if (Number.isInteger(thread) && thread !== process.pid) setPriority(thread, nice);
  } catch {
    // No /proc, or not allowed: detection then competes as an equal.
  }
}
