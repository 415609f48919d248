/**
 * The real service as a real process on a free port.
 *
 * Invariant: the process is dead when `stop()`, `sigterm()` or `sigkill()` resolves; a process that is still
 * there when the run ends dies with the run's process group (test/run.ts).
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Json } from "./client.ts";

export interface ServiceExit {
  readonly code: number | null;
  readonly signal: string | null;
}

export interface Service {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  readonly dataDir: string;
  /** Everything written so far to stdout and stderr. */
  output(): string;
  /** The JSON lines of the log so far. */
  logs(): Json[];
  signal(signal: NodeJS.Signals): void;
  exited(): Promise<ServiceExit>;
  sigterm(): Promise<ServiceExit>;
  sigkill(): Promise<void>;
  /** SIGTERM, and SIGKILL when it does not leave: throws when it had to, or when the exit code is not 0. */
  stop(): Promise<void>;
}

export interface ServiceOptions {
  /** Absent: the service runs its embedded PostgreSQL in `dataDir`. */
  databaseUrl?: string;
  dataDir?: string;
  env?: Record<string, string>;
  startDeadlineMs?: number;
}

const repository = join(import.meta.dir, "../..");
const exitGraceMs = 30_000;

function lineTail(text: string): string {
  return text.split("\n").slice(-30).join("\n");
}

function parseLogLines(text: string): Json[] {
  return text.split("\n").flatMap((line) => {
    try {
      const value: unknown = JSON.parse(line);
      return value !== null && typeof value === "object" ? [value as Json] : [];
    } catch {
      return [];
    }
  });
}

function environmentOf(options: ServiceOptions, dataDir: string): Record<string, string> {
  return {
    PATH: process.env.PATH ?? "",
    HOME: process.env.HOME ?? tmpdir(),
    TMPDIR: tmpdir(),
    PORT: "0",
    HOST: "127.0.0.1",
    LOG_LEVEL: "info",
    DETECTION: "off",
    DATA_DIR: dataDir,
    ...(options.databaseUrl === undefined ? {} : { DATABASE_URL: options.databaseUrl }),
    ...options.env,
  };
}

export async function startService(options: ServiceOptions): Promise<Service> {
  const ownsDataDir = options.dataDir === undefined;
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), "ats-test-data-"));
  const child = Bun.spawn([process.execPath, "src/main.ts"], {
    cwd: repository,
    env: environmentOf(options, dataDir),
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  let port: number | undefined;
  const collect = async (stream: ReadableStream<Uint8Array>) => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) output += decoder.decode(chunk, { stream: true });
  };
  const collected = Promise.all([collect(child.stdout), collect(child.stderr)]);

  async function exited(): Promise<ServiceExit> {
    await child.exited;
    // Bounded, since a process that it left behind may hold the pipes open.
    await Promise.race([collected, Bun.sleep(10_000)]);
    if (ownsDataDir) rmSync(dataDir, { recursive: true, force: true });
    return { code: child.exitCode, signal: child.signalCode === null ? null : String(child.signalCode) };
  }

  async function leavesWithin(graceMs: number): Promise<boolean> {
    return await Promise.race([child.exited.then(() => true), Bun.sleep(graceMs).then(() => false)]);
  }

  async function sigkill(): Promise<void> {
    child.kill("SIGKILL");
    await exited();
  }

  async function sigterm(): Promise<ServiceExit> {
    child.kill("SIGTERM");
    if (await leavesWithin(exitGraceMs)) return exited();
    await sigkill();
    throw new Error(`the service did not leave within ${exitGraceMs} ms of SIGTERM:\n${lineTail(output)}`);
  }

  async function stop(): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const { code } = await sigterm();
    if (code !== 0) throw new Error(`the service left with ${code}:\n${lineTail(output)}`);
  }

  const end = Date.now() + (options.startDeadlineMs ?? 60_000);
  while (port === undefined) {
    const listening = parseLogLines(output).find((line) => line.msg === "listening");
    if (typeof listening?.port === "number") port = listening.port;
    else if (child.exitCode !== null || Date.now() > end) {
      child.kill("SIGKILL");
      await exited();
      throw new Error(`the service does not listen (exit code ${child.exitCode}):\n${lineTail(output)}`);
    } else await Bun.sleep(20);
  }
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    pid: child.pid,
    dataDir,
    output: () => output,
    logs: () => parseLogLines(output),
    signal: (signal) => child.kill(signal),
    exited,
    sigterm,
    sigkill,
    stop,
  };
}
