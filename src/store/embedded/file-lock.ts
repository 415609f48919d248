import { dlopen, FFIType } from "bun:ffi";
import { closeSync, ftruncateSync, openSync, readFileSync, writeSync } from "node:fs";

/**
 * An exclusive lock on a file. Invariant: the kernel frees it when its holder ends, however it ends, so a
 * lock never outlives a kill -9 and is never judged stale by a process id that someone else has by now. Bun
 * offers no flock(2), hence the call into libc; Bun opens files close-on-exec, so a child (PostgreSQL) does
 * not inherit the lock.
 */

const lockExclusive = 2;
const lockNonBlocking = 4;

type Flock = (fd: number, operation: number) => number;
let loaded: Flock | undefined;

/**
 * Looked up by the first who locks: a system without this library has no embedded PostgreSQL, and runs the
 * service all the same.
 */
function flock(fd: number, operation: number): number {
  loaded ??= dlopen(process.platform === "darwin" ? "libSystem.B.dylib" : "libc.so.6", {
    flock: { args: [FFIType.i32, FFIType.i32], returns: FFIType.i32 },
  }).symbols.flock;
  return loaded(fd, operation);
}

export interface FileLock {
  release(): void;
}

/** Blocks the whole thread: for a short-lived command at its very beginning only. */
export function waitForLock(path: string): FileLock {
  const fd = openSync(path, "a+", 0o600);
  flock(fd, lockExclusive);
  return { release: () => closeSync(fd) };
}

/** The lock, or what its holder wrote into the file (its process id). */
export function tryLock(path: string): { lock: FileLock } | { holder: string } {
  const fd = openSync(path, "a+", 0o600);
  if (flock(fd, lockExclusive | lockNonBlocking) !== 0) {
    closeSync(fd);
    return { holder: readFileSync(path, "utf8").trim() };
  }
  ftruncateSync(fd, 0);
  writeSync(fd, `${process.pid}\n`);
  // Not removed on release: another process may have opened it and would lock a file that no longer has a
  // name.
  return { lock: { release: () => closeSync(fd) } };
}
