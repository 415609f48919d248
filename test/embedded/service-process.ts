import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** A service as an operator starts it: a process of its own, a directory of its own, a free port. */

const root = fileURLToPath(new URL("../..", import.meta.url));
const waitMsMax = 100_000;

export interface LogLine {
  readonly msg: string;
  readonly port?: number;
  readonly pid?: number;
  readonly adopted?: boolean;
  readonly created?: boolean;
}

export interface ServiceProcess {
  readonly child: ChildProcess;
  /** Everything written so far, both streams. */
  output(): string;
  /** The first log line with this message; throws with the output when the process ends before. */
  logged(message: string): Promise<LogLine>;
  listening(): Promise<{ port: number }>;
  signal(name: NodeJS.Signals): void;
  /** Exit code, or the signal that ended it. */
  ended(): Promise<number | string>;
}

export function startService(options: {
  readonly env?: Readonly<Record<string, string>>;
  /** Words put before the command, e.g. setpriv with its flags. */
  readonly through?: readonly string[];
  /** In place of this Bun on the entry of this tree. */
  readonly command?: readonly string[];
  readonly detached?: boolean;
  readonly root?: string;
}): ServiceProcess {
  const environment: Record<string, string | undefined> = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    PORT: "0",
    HOST: "127.0.0.1",
    ...options.env,
  };
  const line = [...(options.through ?? []), ...(options.command ?? [process.execPath, "src/main.ts"])];
  const child = spawn(line[0] ?? "", line.slice(1), {
    cwd: options.root ?? root,
    env: environment,
    detached: options.detached ?? false,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const listeners = new Set<() => void>();
  const collect = (chunk: Buffer) => {
    output += chunk.toString("utf8");
    for (const listener of listeners) listener();
  };
  child.stdout?.on("data", collect);
  child.stderr?.on("data", collect);
  const end = new Promise<number | string>((resolve) => {
    child.on("close", (code, signal) => resolve(code ?? signal ?? "unknown"));
  });
  const find = (message: string) =>
    output
      .split("\n")
      .map(parseLine)
      .find((entry) => entry?.msg === message);

  const logged = async (message: string): Promise<LogLine> => {
    const { promise, resolve, reject } = Promise.withResolvers<LogLine>();
    const look = () => {
      const found = find(message);
      if (found !== undefined && found !== null) resolve(found);
    };
    const fail = (why: string) => reject(new Error(`${why} before "${message}" was logged:\n${output}`));
    const timer = setTimeout(() => fail(`${waitMsMax} ms went by`), waitMsMax);
    listeners.add(look);
    look();
    void end.then((how) => fail(`the service ended (${how})`));
    return await promise.finally(() => {
      clearTimeout(timer);
      listeners.delete(look);
    });
  };
  return {
    child,
    output: () => output,
    logged,
    async listening() {
      const { port } = await logged("listening");
      if (port === undefined) throw new Error(`no port was logged:\n${output}`);
      return { port };
    },
    signal: (name) => void child.kill(name),
    ended: () => end,
  };
}

function parseLine(line: string): LogLine | null {
  if (!line.startsWith("{")) return null;
  try {
    const parsed: LogLine = JSON.parse(line);
    return parsed;
  } catch {
    return null;
  }
}

/** Removed by the caller, when nothing runs in it any more. */
export function temporaryDirectory(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), "ats-test-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
