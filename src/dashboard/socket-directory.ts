import { lstatSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type FileLock, tryLock } from "../store/embedded/file-lock.ts";

/**
 * The directory of the dashboard's socket, which this process's user alone may enter. Its process holds a
 * lock on a file in it for as long as it lives, so that a later one knows of each whether it is in use: no
 * process id could say so, which others may have by now, or have in another container. Owned by dashboard.ts;
 * a process that is killed leaves its own for the next start to remove.
 */

export interface SocketDirectory {
  readonly path: string;
  remove(): void;
}

const PREFIX = "ats-dashboard-";
/** Not yet locked, and so not to be judged by its lock. */
const PREFIX_UNLOCKED = "ats-new-dashboard-";
const LOCK = "lock";
/** Who finds more goes on at the next start. */
const REMOVED_MAX = 1_000;

export function takeSocketDirectory(parent = tmpdir()): SocketDirectory {
  removeAbandoned(parent);
  const made = mkdtempSync(join(parent, PREFIX_UNLOCKED));
  const lock = lockOf(made);
  const path = join(parent, `${PREFIX}${made.slice(-6)}`);
  renameSync(made, path);
  return {
    path,
    remove() {
      rmSync(path, { recursive: true, force: true });
      lock?.release();
    },
  };
}

function removeAbandoned(parent: string): void {
  const names = readdirSync(parent).filter((name) => name.startsWith(PREFIX));
  for (const name of names.slice(0, REMOVED_MAX)) {
    const path = join(parent, name);
    try {
      if (!isOurs(path)) continue;
      const lock = lockOf(path);
      if (lock === null) continue;
      rmSync(path, { recursive: true, force: true });
      lock.release();
    } catch {
      // Removed by another process that starts, or not to be removed: neither is a reason not to start.
    }
  }
}

/**
 * Made by this very user, and with a lock: what another planted in a directory that all may write to is not
 * even opened, and one of an earlier build may be in use.
 */
function isOurs(path: string): boolean {
  const directory = lstatSync(path);
  return (
    directory.isDirectory() && directory.uid === process.geteuid?.() && lstatSync(join(path, LOCK)).isFile()
  );
}

/**
 * Null while another process holds it, and on a system that knows no such locks: nothing is abandoned there.
 */
function lockOf(path: string): FileLock | null {
  try {
    const taken = tryLock(join(path, LOCK));
    return "lock" in taken ? taken.lock : null;
  } catch {
    return null;
  }
}
