import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

/** An operator command as a process of its own. */

const root = fileURLToPath(new URL("../..", import.meta.url));

export interface CliRun {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Standard output as the one JSON document it has to be. */
  json<T>(): T;
}

export interface StartedCli {
  readonly ended: Promise<CliRun>;
  signal(signal: NodeJS.Signals): void;
}

export async function runCli(...started: Parameters<typeof startCli>): Promise<CliRun> {
  return await startCli(...started).ended;
}

export function startCli(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  /** A program and its flags that start the command. */
  through: readonly string[] = [],
): StartedCli {
  const [program = "", ...flags] = [...through, process.execPath, "src/cli/main.ts", ...args];
  const child = spawn(program, flags, {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk: Buffer) => {
    stdout += chunk.toString("utf8");
  });
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk.toString("utf8");
  });
  const ended = new Promise<CliRun>((resolve) =>
    child.on("close", (exit) =>
      resolve({
        code: exit ?? -1,
        stdout,
        stderr,
        json<T>() {
          const parsed: T = JSON.parse(stdout);
          return parsed;
        },
      }),
    ),
  );
  return { ended, signal: (signal) => child.kill(signal) };
}
