/**
 * The service under test: started from this checkout as an operator would start it, on a data directory of
 * its own, with a project and a key made by the operator commands. Invariant: `stop()` leaves no process and
 * no directory behind, also when the start failed half-way or the service no longer listens to SIGTERM.
 */
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readProcessStat } from "./process-stat.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const LISTEN_TIMEOUT_MS = 120_000;
const STOP_TIMEOUT_MS = 45_000;
const LOG_LINES_KEPT = 40;
const WARNINGS_KEPT = 50;
/** pino's number for `warn`. */
const WARN_LEVEL = 40;

export interface ServiceOptions {
  databaseUrl: string | undefined;
  detection: "on" | "off";
  httpThreads: number;
  /** A directory that exists and stays, instead of one of its own that goes at the end. */
  keepIn?: string;
}

export class ServiceProcess {
  url = "";
  /** What the service logged as a warning or worse, the first of them. */
  readonly warnings: string[] = [];
  private readonly dataDir: string;
  private readonly isKept: boolean;
  private readonly env: Record<string, string>;
  private subprocess: Bun.Subprocess<"ignore", "pipe", "pipe"> | undefined;
  private readonly lastLines: string[] = [];

  constructor(options: ServiceOptions) {
    this.isKept = options.keepIn !== undefined;
    this.dataDir = options.keepIn ?? mkdtempSync(join(tmpdir(), "telemetry-bench-"));
    // An embedded PostgreSQL runs as a user of its own when the service runs as root: it must get through.
    chmodSync(this.dataDir, 0o755);
    const { DATABASE_URL: _unset, ...inherited } = process.env;
    this.env = {
      ...(inherited as Record<string, string>),
      PORT: "0",
      HOST: "127.0.0.1",
      DATA_DIR: join(this.dataDir, "data"),
      LOG_LEVEL: "info",
      DETECTION: options.detection,
      HTTP_THREADS: String(options.httpThreads),
      // As `bun start` and the image set it.
      MIMALLOC_PURGE_DELAY: "2000",
    };
    if (options.databaseUrl !== undefined) this.env.DATABASE_URL = options.databaseUrl;
  }

  get pid(): number {
    if (this.subprocess === undefined) throw new Error("the service is not started");
    return this.subprocess.pid;
  }

  /** Resolves when the service listens. */
  async start(): Promise<void> {
    const subprocess = Bun.spawn([process.execPath, "--smol", "src/main.ts"], {
      cwd: ROOT,
      env: this.env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.subprocess = subprocess;
    const listening = Promise.withResolvers<number>();
    void this.follow(subprocess.stdout, (line) => {
      const entry = logEntry(line);
      if (entry?.msg === "listening" && typeof entry.port === "number") listening.resolve(entry.port);
      if (typeof entry?.level !== "number" || entry.level < WARN_LEVEL) return;
      if (this.warnings.length < WARNINGS_KEPT) this.warnings.push(line.slice(0, 500));
    });
    void this.follow(subprocess.stderr, () => {});
    void subprocess.exited.then((code) => listening.reject(new Error(`the service ended with ${code}`)));
    const timer = setTimeout(
      () => listening.reject(new Error("the service does not listen")),
      LISTEN_TIMEOUT_MS,
    );
    try {
      this.url = `http://127.0.0.1:${await listening.promise}`;
    } catch (error) {
      throw new Error(
        `${error instanceof Error ? error.message : error}; its last lines:\n${this.lastLines.join("\n")}`,
      );
    } finally {
      clearTimeout(timer);
    }
  }

  private async follow(stream: ReadableStream<Uint8Array>, take: (line: string) => void): Promise<void> {
    const decoder = new TextDecoder();
    let rest = "";
    for await (const chunk of stream) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        this.lastLines.push(line);
        if (this.lastLines.length > LOG_LINES_KEPT) this.lastLines.shift();
        take(line);
      }
    }
  }

  /** Runs an operator command against this service's database and parses the one document it prints. */
  async command(args: readonly string[]): Promise<Record<string, unknown>> {
    const subprocess = Bun.spawn([process.execPath, "src/cli/main.ts", ...args, "--json"], {
      cwd: ROOT,
      env: this.env,
      stdio: ["ignore", "pipe", "pipe"],
      timeout: 60_000,
    });
    const [stdout, stderr, code] = await Promise.all([
      new Response(subprocess.stdout).text(),
      new Response(subprocess.stderr).text(),
      subprocess.exited,
    ]);
    if (code !== 0)
      throw new Error(`${args.slice(0, 2).join(" ")} ended with ${code}: ${stderr.slice(0, 500)}`);
    const document: unknown = JSON.parse(stdout);
    if (typeof document !== "object" || document === null)
      throw new Error("an operator command printed no object");
    return document as Record<string, unknown>;
  }

  /** A project whose bucket never runs dry here. */
  async createProject(): Promise<{ projectId: string; key: string }> {
    const rate = ["--rate-burst", "1000000", "--rate-per-second", "1000000"];
    const projectId = text(await this.command(["project", "create", "--name", "bench", ...rate]), "id");
    const key = text(await this.command(["key", "create", "--project", projectId]), "key");
    return { projectId, key };
  }

  async databaseUrl(): Promise<string> {
    return text(await this.command(["database", "url"]), "url");
  }

  async metrics(): Promise<string | undefined> {
    try {
      const response = await fetch(`${this.url}/metrics`, { signal: AbortSignal.timeout(10_000) });
      return response.ok ? await response.text() : undefined;
    } catch {
      return undefined;
    }
  }

  /**
   * Ends the service, its PostgreSQL and its directory. `databasePid` is the embedded postmaster, if it is
   * known.
   */
  async stop(databasePid: number | undefined): Promise<void> {
    const { subprocess } = this;
    if (subprocess !== undefined && subprocess.exitCode === null) {
      subprocess.kill("SIGTERM");
      const ended = await Promise.race([
        subprocess.exited.then(() => true),
        Bun.sleep(STOP_TIMEOUT_MS).then(() => false),
      ]);
      if (!ended) {
        subprocess.kill("SIGKILL");
        await subprocess.exited;
      }
    }
    if (databasePid !== undefined && this.env.DATABASE_URL === undefined) await stopPostmaster(databasePid);
    if (!this.isKept) rmSync(this.dataDir, { recursive: true, force: true });
  }
}

/** An embedded PostgreSQL that outlived the service: told to shut down at once, then waited for. */
async function stopPostmaster(pid: number): Promise<void> {
  const alive = () => readProcessStat(pid)?.name.startsWith("postgres") === true;
  if (!alive()) return;
  process.kill(pid, "SIGINT");
  for (let wait = 0; wait < 100 && alive(); wait++) await Bun.sleep(100);
}

function text(document: Record<string, unknown>, field: string): string {
  const value = document[field];
  if (typeof value !== "string") throw new Error(`an operator command printed no ${field}`);
  return value;
}

/** A log line as an object; undefined for a line that is none. */
function logEntry(line: string): { msg?: unknown; port?: unknown; level?: unknown } | undefined {
  if (!line.startsWith("{")) return undefined;
  try {
    const entry: unknown = JSON.parse(line);
    return typeof entry === "object" && entry !== null ? entry : undefined;
  } catch {
    return undefined;
  }
}
