import { readFileSync } from "node:fs";

/**
 * `bun start` puts `bun run` between the operator and the service, `npx … start` npm and a shell as well. `bun run`
 * passes signals on, but not its own SIGKILL; npm passes none. Either way the service would go on without anyone
 * knowing, on the port and the data that the next start wants. So it watches the line of wrappers above it and takes
 * the end of one for the signal that was swallowed.
 */

const intervalMs = 100;

interface Ancestor {
  readonly pid: number;
  readonly parent: number;
}

/** Calls back once when a wrapper is gone. Does nothing when there is none, or where there is no /proc. */
export function watchLauncher(onGone: () => void): void {
  if (process.platform !== "linux") return;
  const line = wrappers();
  if (line.length === 0) return;
  const timer = setInterval(() => {
    if (line.every(({ pid, parent }) => parentOf(pid) === parent)) return;
    clearInterval(timer);
    onGone();
  }, intervalMs);
  timer.unref();
}

/** From this process up to npm, else to `bun run`; empty when it was started without either. */
function wrappers(): Ancestor[] {
  const line: Ancestor[] = [];
  for (let pid = process.pid; pid > 1 && line.length < 8; ) {
    const parent = parentOf(pid);
    if (parent === null || parent <= 1) break;
    line.push({ pid, parent });
    if (/^npm exec\b|\bnpx(-cli)?\b/.test(commandOf(parent))) return line;
    pid = parent;
  }
  const first = line[0];
  // `bun run` names the script that it runs in the environment.
  const isBunRun =
    process.env.npm_lifecycle_event === "start" && /\bbun\b.* start\b/.test(commandOf(first?.parent ?? 0));
  return first !== undefined && isBunRun ? [first] : [];
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    return "";
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
