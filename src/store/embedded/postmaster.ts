import { spawn } from "node:child_process";
import {
  closeSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import type { Binaries } from "./binaries.ts";
import { EmbeddedError } from "./embedded-error.ts";
import { lastWords } from "./last-words.ts";
import type { Endpoint, Layout } from "./layout.ts";
import { clusterMark, clusterProcesses, findPostmaster, isAlive, signal, waitForEnd } from "./processes.ts";
import { ownDirectory, type RunAs, spawnOptions } from "./run-as.ts";

/**
 * One life of the server process: adopt the one that is there, or clear what a dead one left and start anew.
 * The caller holds the lock of the data directory, so whatever else works on the cluster is a leftover.
 *
 *     postmaster.pid names a live process of this directory ── ready ──▶ adopted
 *            │                                            └─ stopping ─▶ wait for its end ─┐
 *            └─ none, or a number that something else has by now ─▶ end orphans, remove ───┴▶ start
 *
 * A stop that is asked for meanwhile is heeded at once, in the middle of a crash recovery too: that server
 * has no client yet, and the next start recovers from where this one began.
 *
 * The server gets a session of its own: Ctrl-C reaches the whole process group, and PostgreSQL must outlive
 * the drain. Its log goes to a file, not a pipe: a pipe would break when the service is killed and the server
 * lives on.
 */

const startupMsMax = 600_000;
const stoppingMsMax = 30_000;
/**
 * For a server that is asked to stop while it starts. Recovery heeds it at the next record of its log, but
 * not while it flushes files or waits for its last checkpoint; nothing is lost then by the harder way.
 */
const startingMsMax = 2000;
const startTries = 5;
const logBytesMax = 16_777_216;
/** Of a server that writes a line for each client it turns away, the last minute and more. */
const LAST_WORDS_BYTES = 262_144;
/** One file of the log of changes: a server that ends with less than this left has ended of it, as a rule. */
const ROOM_BYTES_MIN = 16_777_216;
const WITHOUT_A_WORD = "it ended without a word";

export interface ServerOptions {
  readonly layout: Layout;
  readonly binaries: Binaries;
  readonly runAs: RunAs;
  /** Kept from the last start where possible, so that a client's URL stays good. */
  readonly preferredPort: number | null;
  /**
   * The running service has the port in its pools, as part of the socket's name: keep it, and when another
   * program has taken it meanwhile, do without TCP.
   */
  readonly portIsFixed: boolean;
  readonly socketDir: string;
  /** Ends the start with its reason, and the server that is starting. */
  readonly stop: AbortSignal;
}

export interface Server {
  readonly pid: number;
  readonly endpoint: Endpoint;
  readonly adopted: boolean;
  /** How the process ended; undefined of an adopted one, whose end is told to its parent. */
  readonly howEnded: () => string | undefined;
}

export async function adoptOrStart(options: ServerOptions): Promise<Server> {
  const { layout, socketDir, stop } = options;
  const found = findPostmaster(layout.cluster);
  if (found?.stopping) {
    await stopServer(layout, found.pid, stoppingMsMax);
  } else if (found !== null) {
    const ready = await waitUntilReady(layout, found.pid, stop);
    if (ready)
      return {
        pid: found.pid,
        endpoint: { port: found.port, socketDir },
        adopted: true,
        howEnded: () => undefined,
      };
    await stopServer(layout, found.pid, stoppingMsMax);
  }
  let failure = "";
  for (let tries = 1; tries <= startTries; tries += 1) {
    await endOrphans(layout);
    stop.throwIfAborted();
    const preferred = tries === 1 || options.portIsFixed ? options.preferredPort : null;
    const preferredIsFree = preferred !== null && (await isFree(preferred));
    const port =
      preferred !== null && (preferredIsFree || options.portIsFixed) ? preferred : await freePort();
    const { pid, howEnded } = spawnServer(options, { port, tcp: port !== preferred || preferredIsFree });
    if (await waitUntilReady(layout, pid, stop))
      return { pid, endpoint: { port, socketDir }, adopted: false, howEnded };
    await stopServer(layout, pid, stoppingMsMax);
    failure = reasonOfEnd(layout, howEnded()) ?? WITHOUT_A_WORD;
    await Bun.sleep(100 * tries);
  }
  throw new EmbeddedError(`The embedded PostgreSQL does not start: ${failure} (see ${layout.log})`);
}

/** Fast shutdown, then the harder ways. PostgreSQL recovers from every one of them. */
export async function stopServer(layout: Layout, pid: number, withinMs: number): Promise<void> {
  const steps: readonly (readonly [NodeJS.Signals, number])[] = [
    ["SIGINT", withinMs],
    ["SIGQUIT", 5000],
    ["SIGKILL", 5000],
  ];
  for (const [name, waitMs] of steps) {
    if (!isAlive(pid)) break;
    signal(pid, name);
    if (await waitForEnd([pid], waitMs)) break;
  }
  await endOrphans(layout);
}

/**
 * Backends that outlived a killed server hold its shared memory; a new server refuses to start beside them.
 */
async function endOrphans(layout: Layout): Promise<void> {
  const orphans = clusterProcesses(layout.cluster);
  // A backend ends by itself when it notices; one in the middle of a statement may take its time.
  if (orphans.length > 0 && !(await waitForEnd(orphans, 200))) {
    for (const pid of orphans) signal(pid, "SIGQUIT");
    if (!(await waitForEnd(orphans, 2000))) {
      for (const pid of orphans) signal(pid, "SIGKILL");
      await waitForEnd(orphans, 5000);
    }
  }
  if (findPostmaster(layout.cluster) !== null) return;
  // PostgreSQL believes a stale file when something else has its process id by now, as after a container's
  // restart.
  rmSync(join(layout.cluster, "postmaster.pid"), { force: true });
}

function spawnServer(
  options: ServerOptions,
  { port, tcp }: { port: number; tcp: boolean },
): Pick<Server, "pid" | "howEnded"> {
  const { layout, binaries, runAs, socketDir } = options;
  const directory = ownDirectory(runAs, layout.cluster);
  rmSync(join(socketDir, `.s.PGSQL.${port}`), { force: true });
  rmSync(join(socketDir, `.s.PGSQL.${port}.lock`), { force: true });
  boundLog(layout);
  const log = openSync(layout.log, "a", 0o600);
  try {
    const socketName = socketDir === layout.cluster ? directory : socketDir;
    const mark = `cluster_name=${clusterMark(layout.cluster)}`;
    const args = ["-D", directory, "-p", String(port), "-k", socketName, "-c", mark];
    if (!tcp) args.push("-c", "listen_addresses=");
    const child = spawn(binaries.postgres, args, {
      ...spawnOptions(runAs, layout.cluster),
      detached: true,
      stdio: ["ignore", log, log],
    });
    // Told by waitUntilReady as well; without a listener it would be thrown.
    child.on("error", (error) => writeFileSync(layout.log, `FATAL:  ${error.message}\n`, { flag: "a" }));
    child.unref();
    return {
      pid: child.pid ?? 0,
      howEnded() {
        if (child.signalCode !== null) return `killed by ${child.signalCode}`;
        return child.exitCode === null ? undefined : `exit code ${child.exitCode}`;
      },
    };
  } finally {
    closeSync(log);
  }
}

/**
 * False when the process ended first. Crash recovery may take minutes; it is work, not a hang. A stop ends
 * the server and is thrown.
 */
async function waitUntilReady(layout: Layout, pid: number, stop: AbortSignal): Promise<boolean> {
  const deadline = performance.now() + startupMsMax;
  while (performance.now() < deadline) {
    const found = findPostmaster(layout.cluster);
    if (found?.pid === pid && found.ready) return true;
    if (stop.aborted) await stopServer(layout, pid, startingMsMax);
    stop.throwIfAborted();
    if (pid === 0 || !isAlive(pid) || (found?.pid === pid && found.stopping)) return false;
    await Bun.sleep(10);
  }
  return false;
}

/** Called at each start and now and then: the server only appends, so its file may be cut under it. */
export function boundLog(layout: Layout): void {
  try {
    if (statSync(layout.log).size <= logBytesMax) return;
    const kept = readFileSync(layout.log).subarray(-1_048_576);
    writeFileSync(`${layout.log}.new`, kept, { mode: 0o600 });
    renameSync(`${layout.log}.new`, `${layout.log}.1`);
    truncateSync(layout.log);
  } catch {
    // No log yet, or a full disk: a log that is too long stops nothing.
  }
}

/**
 * What the server's log tells of its end, else how its process ended; undefined when neither is known. On a
 * full disk the log is cut short too.
 */
export function reasonOfEnd(layout: Layout, howEnded: string | undefined): string | undefined {
  const words = loggedEnd(layout) ?? howEnded;
  const left = bytesLeft(layout.dataDir);
  if (left >= ROOM_BYTES_MIN || words?.includes("No space left")) return words;
  return `${words ?? WITHOUT_A_WORD} (${Math.floor(left / 1024)} kB left on its disk)`;
}

function loggedEnd(layout: Layout): string | undefined {
  try {
    return lastWords(readFileSync(layout.log, "utf8").slice(-LAST_WORDS_BYTES));
  } catch {
    return "no log was written";
  }
}

function bytesLeft(directory: string): number {
  try {
    const { bsize, bavail } = statfsSync(directory);
    return bsize * bavail;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

async function isFree(port: number): Promise<boolean> {
  return (await listenOnce(port)) !== null;
}

async function freePort(): Promise<number> {
  const port = await listenOnce(0);
  if (port === null) throw new EmbeddedError("No free port on 127.0.0.1 for the embedded PostgreSQL");
  return port;
}

async function listenOnce(port: number): Promise<number | null> {
  const { promise, resolve } = Promise.withResolvers<number | null>();
  const server = createServer();
  server.on("error", () => resolve(null));
  server.listen(port, "127.0.0.1", () => {
    const address = server.address();
    const got = typeof address === "object" && address !== null ? address.port : null;
    server.close(() => resolve(got));
  });
  return await promise;
}
