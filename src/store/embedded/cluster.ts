import {
  appendFileSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { totalmem } from "node:os";
import { join } from "node:path";
import { randomBase32 } from "../random-id.ts";
import type { Binaries } from "./binaries.ts";
import { EmbeddedError } from "./embedded-error.ts";
import { type Layout, userName } from "./layout.ts";
import { ownDirectory, type RunAs, run } from "./run-as.ts";

/**
 * The cluster on disk. Invariant: `postgres/` is a whole cluster or is not there — it is made aside and
 * renamed, so a start that is killed at any moment leaves at worst a directory that the next start removes.
 */

const majorVersion = "18";
const settingsFile = "ats.conf";
const initPrefix = "init-";

export interface ClusterOptions {
  readonly layout: Layout;
  readonly binaries: Binaries;
  readonly runAs: RunAs;
  readonly stop: AbortSignal;
}

/**
 * True when the cluster was made by this call. The caller holds the lock of the data directory. Throws the
 * reason of a stop that is asked for before the cluster is whole.
 */
export async function ensureCluster(options: ClusterOptions): Promise<boolean> {
  const { layout, runAs, stop } = options;
  stop.throwIfAborted();
  for (const name of readdirSync(layout.dataDir)) {
    if (name.startsWith(initPrefix)) rmSync(join(layout.dataDir, name), { recursive: true, force: true });
  }
  removeIfEmpty(layout.cluster);
  const made = !existsSync(layout.cluster);
  if (made) await makeCluster(options);
  else checkCluster(layout, runAs);
  writeOwned(join(layout.cluster, settingsFile), settings(), runAs);
  return made;
}

async function makeCluster({ layout, binaries, runAs, stop }: ClusterOptions): Promise<void> {
  const password = randomBase32(32);
  // First, and durable before the cluster that it opens.
  writeFileSync(layout.password, `${password}\n`, { mode: 0o600, flush: true });
  const aside = mkdtempSync(join(layout.dataDir, initPrefix));
  const cluster = join(aside, "cluster");
  mkdirSync(cluster, { mode: 0o700 });
  writeOwned(join(aside, "password"), `${password}\n`, runAs);
  if (runAs.user !== null) {
    for (const path of [aside, cluster]) chownSync(path, runAs.user.uid, runAs.user.gid);
  }
  const directory = ownDirectory(runAs, cluster);
  const ran = await run(
    runAs,
    binaries.initdb,
    [
      `--pgdata=${directory}`,
      `--pwfile=${directory}/../password`,
      `--username=${userName}`,
      "--auth=scram-sha-256",
      "--encoding=UTF8",
      // Sorts by code point, as C does (text keys at the speed of integers), and knows upper case beyond
      // ASCII.
      "--locale-provider=builtin",
      "--builtin-locale=C.UTF-8",
      "--locale=C",
      "--no-instructions",
    ],
    { cwd: cluster, stop },
  );
  if (ran.code !== 0) {
    rmSync(aside, { recursive: true, force: true });
    stop.throwIfAborted();
    throw new EmbeddedError(
      `The embedded PostgreSQL could not be set up in ${layout.dataDir}: ${ran.output.trim()}`,
    );
  }
  appendFileSync(join(cluster, "postgresql.conf"), `\ninclude_if_exists '${settingsFile}'\n`);
  renameSync(cluster, layout.cluster);
  rmSync(aside, { recursive: true, force: true });
}

function checkCluster(layout: Layout, runAs: RunAs): void {
  let version: string;
  try {
    version = readFileSync(join(layout.cluster, "PG_VERSION"), "utf8").trim();
  } catch {
    throw new EmbeddedError(
      `${layout.cluster} is no PostgreSQL cluster that this user can read: run as its owner, or move it away`,
    );
  }
  if (version !== majorVersion) {
    throw new EmbeddedError(
      `${layout.cluster} was made by PostgreSQL ${version}; this build brings ${majorVersion}. Dump it with that version, or use another DATA_DIR.`,
    );
  }
  if (!existsSync(layout.password)) {
    throw new EmbeddedError(
      `${layout.password} is missing: the cluster beside it cannot be opened without it`,
    );
  }
  checkOwner(layout.cluster, runAs);
}

/** As PostgreSQL asks for them. It would speak of `/proc/self/cwd`, and of one of them at a time. */
function checkOwner(cluster: string, runAs: RunAs): void {
  const uid = runAs.user?.uid ?? process.getuid?.();
  if (uid === undefined) return;
  const found = statSync(cluster);
  const isOwn = found.uid === uid;
  const isClosed = (found.mode & 0o027) === 0;
  if (isOwn && isClosed) return;
  const wrong = [
    ...(isOwn ? [] : [`belongs to user ${found.uid}, and PostgreSQL runs as user ${uid}`]),
    ...(isClosed ? [] : [`is open to others (mode ${(found.mode & 0o777).toString(8)})`]),
  ];
  const mend = [
    ...(isOwn ? [] : [`chown -R ${uid} ${cluster}`]),
    ...(isClosed ? [] : [`chmod 700 ${cluster}`]),
  ];
  throw new EmbeddedError(
    `${cluster} ${wrong.join("; it ")}, as in a copy that did not keep owners and modes (cp -a does): ${mend.join(" && ")}`,
  );
}

function writeOwned(path: string, content: string, runAs: RunAs): void {
  writeFileSync(path, content, { mode: 0o600 });
  if (runAs.user !== null) chownSync(path, runAs.user.uid, runAs.user.gid);
}

function removeIfEmpty(directory: string): void {
  try {
    rmdirSync(directory);
  } catch {
    // Not there, or not empty: both are for the caller to see.
  }
}

function settings(): string {
  const megabytes = Math.round(memoryBytes() / 1_048_576);
  const sharedBuffers = Math.min(512, Math.max(128, Math.floor(megabytes / 32)));
  return `# Written at every start by the service; change postgresql.conf below the include instead.
listen_addresses = '127.0.0.1'
max_connections = 100
shared_buffers = ${sharedBuffers}MB
effective_cache_size = ${Math.max(256, Math.floor(megabytes / 2))}MB
dynamic_shared_memory_type = ${sharedMemoryIsSmall() ? "mmap" : "posix"}
synchronous_commit = on
fsync = on
full_page_writes = on
wal_compression = off
max_wal_size = 4GB
min_wal_size = 512MB
checkpoint_timeout = 15min
timezone = 'UTC'
log_timezone = 'UTC'
log_min_messages = warning
log_checkpoints = off
log_line_prefix = '%m [%p] '
# The service logs its own failed statements; a statement here could hold a payload.
log_min_error_statement = panic
# Nor may the DETAIL of an error: it can quote a row.
log_error_verbosity = terse
`;
}

/** A container's limit where there is one: half of the machine's memory may be more than we are given. */
function memoryBytes(): number {
  try {
    const limit = Number(readFileSync("/sys/fs/cgroup/memory.max", "utf8"));
    if (limit > 0) return Math.min(limit, totalmem());
  } catch {
    // No control group to read.
  }
  return totalmem();
}

/** Containers get 64 MB of /dev/shm by default, too little for a parallel query: files do as well. */
function sharedMemoryIsSmall(): boolean {
  try {
    const { bsize, blocks } = statfsSync("/dev/shm");
    return bsize * blocks < 268_435_456;
  } catch {
    return true;
  }
}
