import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { EmbeddedError } from "./embedded-error.ts";

/**
 * Whom PostgreSQL runs as. It refuses to run as root, so a service started by root hands it to an ordinary
 * user: the owner of an existing cluster, else `postgres`, else `nobody`. No user is created (slim images
 * have no useradd).
 *
 * That user may not be allowed to reach the data directory by its path (a clone below /root, which is 0700).
 * So as root on Linux the server is started inside the directory and told to use /proc/self/cwd, which needs
 * no permission on the parents: the data stays where the operator wants it, and no directory's mode is
 * touched.
 */

export interface RunAs {
  /** null: the service's own user. */
  readonly user: { readonly uid: number; readonly gid: number } | null;
}

/**
 * What root does to a server of another user, by bits of the kernel's sets: it gives it its files, reads
 * them, signals it and becomes that user. A container that was started with `--cap-drop all` has none of it.
 */
const CAPABILITIES = { CHOWN: 0, DAC_OVERRIDE: 1, KILL: 5, SETGID: 6, SETUID: 7 };

/** Before anything is made: each of them would be missed at another place, KILL as late as at the stop. */
export function requireCapabilities(): void {
  if (process.getuid?.() !== 0) return;
  const held = effectiveCapabilities();
  const missing = Object.entries(CAPABILITIES).filter(([, bit]) => ((held >> BigInt(bit)) & 1n) === 0n);
  if (missing.length === 0) return;
  const names = missing.map(([name]) => name).join(", ");
  throw new EmbeddedError(
    `PostgreSQL refuses to run as root, and to run it as another user this root lacks capabilities (${names}): add them, start the service as an ordinary user, or set DATABASE_URL`,
  );
}

/** All of them where the kernel does not tell. */
function effectiveCapabilities(): bigint {
  try {
    const [, set] = /^CapEff:\s*([0-9a-f]+)$/m.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
    return set === undefined ? -1n : BigInt(`0x${set}`);
  } catch {
    return -1n;
  }
}

export function chooseUser(clusterDir: string): RunAs {
  if (process.getuid?.() !== 0) return { user: null };
  try {
    const { uid, gid } = statSync(clusterDir);
    if (uid !== 0) return { user: { uid, gid } };
  } catch {
    // No cluster yet: take a user of this system.
  }
  return { user: userNamed("postgres") ?? userNamed("nobody") ?? { uid: 65_534, gid: 65_534 } };
}

function userNamed(name: string): { uid: number; gid: number } | null {
  try {
    const line = readFileSync("/etc/passwd", "utf8")
      .split("\n")
      .find((candidate) => candidate.startsWith(`${name}:`));
    const [, , uid, gid] = line?.split(":") ?? [];
    return uid && gid && Number(uid) > 0 ? { uid: Number(uid), gid: Number(gid) } : null;
  } catch {
    return null;
  }
}

/** How the server names a directory that it is started in. */
export function ownDirectory(runAs: RunAs, directory: string): string {
  return runAs.user !== null && process.platform === "linux" ? "/proc/self/cwd" : directory;
}

/**
 * Of glibc's allocator. What a COPY used is given back to the kernel at its end and touched anew by the next,
 * unless told otherwise: that was a twentieth of PostgreSQL's CPU under load (docs/MEASUREMENTS.md). Memory
 * that is only reserved costs nothing.
 */
const ALLOCATOR = { MALLOC_TOP_PAD_: "16777216", MALLOC_TRIM_THRESHOLD_: "67108864" };

/** Nothing of the service's environment reaches PostgreSQL: PG* variables and secrets stay out. */
export function spawnOptions(runAs: RunAs, cwd: string): SpawnOptions {
  const environment = { LC_ALL: "C", PATH: process.env.PATH ?? "/usr/bin:/bin", TZ: "UTC", ...ALLOCATOR };
  return { cwd, env: environment, ...(runAs.user ?? {}) };
}

export interface Ran {
  /** null when the program could not be started or was ended by a signal. */
  readonly code: number | null;
  readonly output: string;
}

export interface RunOptions {
  readonly cwd: string;
  /** Ends the program. */
  readonly stop?: AbortSignal;
}

/** Resolves when the program, and all that it started, has closed its output. */
export async function run(
  runAs: RunAs,
  command: string,
  args: readonly string[],
  { cwd, stop }: RunOptions,
): Promise<Ran> {
  const { promise, resolve } = Promise.withResolvers<Ran>();
  let output = "";
  let child: ChildProcess;
  try {
    child = spawn(command, args, { ...spawnOptions(runAs, cwd), stdio: ["ignore", "pipe", "pipe"] });
  } catch (error) {
    // Thrown, not emitted, when the kernel refuses the other user: EINVAL where a user namespace does not
    // have it.
    return { code: null, output: error instanceof Error ? error.message : String(error) };
  }
  const collect = (chunk: Buffer) => {
    output = (output + chunk.toString("utf8")).slice(-8192);
  };
  child.stdout?.on("data", collect);
  child.stderr?.on("data", collect);
  child.on("error", (error) => resolve({ code: null, output: error.message }));
  child.on("close", (code) => resolve({ code, output }));
  const end = () => void child.kill("SIGTERM");
  stop?.addEventListener("abort", end, { once: true });
  return await promise.finally(() => stop?.removeEventListener("abort", end));
}
