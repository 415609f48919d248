import { readFileSync, realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";

/**
 * `bun start` puts `bun run` between the operator and the service, `npx … start` npm and a shell as well.
 * `bun run` passes signals on, but not its own SIGKILL; npm passes none. Either way the service would go on
 * without anyone knowing, on the port and the data that the next start wants. So it watches the line of
 * wrappers above it and takes the end of one for the signal that was swallowed. One that ended before the
 * service could look is known by what it left in the environment.
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
  if (line.length === 0) {
    if (isLeftAlone()) setTimeout(onGone);
    return;
  }
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
  const isBunRun = process.env.npm_lifecycle_event === "start" && isBunStart(first?.parent ?? 0);
  return first !== undefined && isBunRun ? [first] : [];
}

/** Started by `bun run` of this very package, which is no longer there. */
function isLeftAlone(): boolean {
  const {
    npm_config_user_agent: agent = "",
    npm_lifecycle_event: script,
    npm_package_json: manifest,
  } = process.env;
  if (script !== "start" || !agent.startsWith("bun/") || manifest === undefined) return false;
  const isOurs = manifest === realpathSync(fileURLToPath(new URL("../package.json", import.meta.url)));
  return isOurs && !isBunStart(parentOf(process.pid) ?? 0);
}

const isBunStart = (pid: number) => /\bbun\b.* start\b/.test(commandOf(pid));

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
