import { readdirSync, readFileSync, type Stats, statSync } from "node:fs";

/**
 * Which processes belong to a cluster. A process id alone proves nothing: after a reboot, or in a new
 * container, another program has it. Every PostgreSQL process works in its data directory and stays there, so
 * on Linux the directory behind /proc/<pid>/cwd — compared by device and inode — is the proof. Root in a
 * container has not the capability to look there at another user's process (CAP_SYS_PTRACE); the same two
 * numbers stand on the server's command line and in its children's titles, which everyone may read. Where
 * there is no /proc, the id has to do, and PostgreSQL's own shared-memory interlock is what protects the
 * data.
 *
 * "Gone" is said only of what is known to be gone: a process without a free file descriptor cannot look, and
 * must not take its living server for a dead one, whose leftovers would be ended.
 */

export interface Postmaster {
  readonly pid: number;
  readonly port: number;
  readonly ready: boolean;
  readonly stopping: boolean;
}

/** The server named in postmaster.pid, if it is alive and serves this directory. */
export function findPostmaster(clusterDir: string): Postmaster | null {
  let lines: string[];
  try {
    lines = readFileSync(`${clusterDir}/postmaster.pid`, "utf8").split("\n");
  } catch (error) {
    if (couldNotLook(error)) throw error;
    return null;
  }
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 1 || !servesCluster(pid, clusterDir)) return null;
  const status = lines[7]?.trim() ?? "";
  return { pid, port: Number(lines[3]), ready: status === "ready", stopping: status === "stopping" };
}

/** True if this server has been told to shut down; false also when that cannot be seen. */
export function isShuttingDown(clusterDir: string, pid: number): boolean {
  try {
    const found = findPostmaster(clusterDir);
    return found?.pid === pid && found.stopping;
  } catch {
    return false;
  }
}

/**
 * All processes of the cluster, the server's children that outlived it included. Linux only; elsewhere empty.
 */
export function clusterProcesses(clusterDir: string): number[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => servesCluster(pid, clusterDir));
}

export function isAlive(pid: number): boolean {
  if (process.platform === "linux") {
    try {
      // A zombie has ended; only its parent has not asked yet. The state follows the name, which is in
      // parentheses.
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
      return !/^\) [ZX]/.test(stat.slice(stat.lastIndexOf(")")));
    } catch (error) {
      if (!couldNotLook(error)) return false;
    }
  }
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** False when the process is gone already, which is what the caller wants anyway. */
export function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}

export async function waitForEnd(pids: readonly number[], withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  while (pids.some(isAlive)) {
    if (performance.now() > deadline) return false;
    await Bun.sleep(10);
  }
  return true;
}

function servesCluster(pid: number, clusterDir: string): boolean {
  if (!isAlive(pid)) return false;
  if (process.platform !== "linux") return true;
  try {
    const name = readFileSync(`/proc/${pid}/comm`, "utf8").trim();
    return name === "postgres" && worksIn(pid, clusterDir);
  } catch (error) {
    if (couldNotLook(error)) throw error;
    return false;
  }
}

function worksIn(pid: number, clusterDir: string): boolean {
  const directory = statSync(clusterDir);
  try {
    return sameFile(statSync(`/proc/${pid}/cwd`), directory);
  } catch (error) {
    if (!mayNotLook(error)) throw error;
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(markOf(directory));
  }
}

/** The `cluster_name` that a server is started with. */
export function clusterMark(clusterDir: string): string {
  return markOf(statSync(clusterDir));
}

/** In brackets, so that none is a part of another. */
function markOf({ dev, ino }: Stats): string {
  return `ats[${dev}:${ino}]`;
}

function mayNotLook(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EACCES";
}

function couldNotLook(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "EMFILE" || error.code === "ENFILE");
}

function sameFile(a: Stats, b: Stats): boolean {
  return a.dev === b.dev && a.ino === b.ino;
}
