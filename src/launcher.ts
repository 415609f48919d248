import { readFileSync } from "node:fs";

/**
 * `npx … start` puts npm, a shell and `bun run` between the operator and the service. `bun run` passes signals on,
 * npm does not: a SIGTERM ends npm alone, and the service would go on without anyone knowing. So a service started
 * through npx watches its line of ancestors and takes npm's end for the signal that npm swallowed.
 */

const intervalMs = 250;

interface Ancestor {
  readonly pid: number;
  readonly parent: number;
}

/** Calls back once when npm is gone. Does nothing when npm is not an ancestor, or where there is no /proc. */
export function watchLauncher(onGone: () => void): void {
  if (process.platform !== "linux") return;
  const line = ancestors();
  if (line.length === 0) return;
  const timer = setInterval(() => {
    if (line.every(({ pid, parent }) => parentOf(pid) === parent)) return;
    clearInterval(timer);
    onGone();
  }, intervalMs);
  timer.unref();
}

/** From this process up to npm; empty when there is none. */
function ancestors(): Ancestor[] {
  const line: Ancestor[] = [];
  for (let pid = process.pid; pid > 1 && line.length < 8; ) {
    const parent = parentOf(pid);
    if (parent === null || parent <= 1) return [];
    line.push({ pid, parent });
    if (isNpm(parent)) return line;
    pid = parent;
  }
  return [];
}

function isNpm(pid: number): boolean {
  try {
    return /^npm exec\b|\bnpx(-cli)?\b/.test(readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " "));
  } catch {
    return false;
  }
}

function parentOf(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // "pid (name) state parent …"; the name may hold anything, parentheses too.
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
  } catch {
    return null;
  }
}
