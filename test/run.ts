/**
 * `bun run test`: one real PostgreSQL for the run, the migrations once into a template database, then `bun
 * test`.
 *
 * Invariant: the exit code is 0 only when every test ran and passed, and the last line printed is `N passed,
 * N failed` with the counts of `bun test` itself; a run that breaks off counts as one more failure. Imports
 * nothing but Bun and Node until the dependencies are installed: on a machine with Node and npm alone this is
 * what `npx --yes bun run test` reaches first. With TEST_DATABASE_URL it uses that server and leaves it
 * running. Arguments are handed to `bun test`: paths replace the default folders, flags are passed on.
 */
import { existsSync } from "node:fs";

const root = new URL("..", import.meta.url).pathname;
const defaultFolders = ["./src", "./test", "./bench"];
/**
 * Files at a time in a whole run: half of one is spent waiting, for processes that start and for pages that
 * ask again.
 */
const filesAtOnce = 4;
/**
 * How long each file took once: the longest begin first, or a run ends with one of them alone. One that is
 * not there counts as middling.
 */
const timings = "test/timings.json";

interface TestCounts {
  passed: number;
  failed: number;
}

/**
 * The counts of `bun test`'s own summary; a summary that never came, or contradicts the exit code, is a
 * failure.
 */
function countsOf(output: string, exitCode: number): TestCounts {
  const last = (pattern: RegExp): number => Number([...output.matchAll(pattern)].at(-1)?.[1] ?? 0);
  const counts = { passed: last(/^ *(\d+) pass$/gm), failed: last(/^ *(\d+) fail$/gm) };
  const finished = /^Ran \d+ tests? across \d+ files?\./m.test(output);
  if (!finished) counts.failed += 1;
  else if (exitCode !== 0 && counts.failed === 0) counts.failed = 1;
  return counts;
}

function isPath(argument: string): boolean {
  return !argument.startsWith("-") && (existsSync(argument) || /[/]|\.tsx?$/.test(argument));
}

/** Beside a path that is there, `bun test` passes over one that is not. */
function refuseMissing(passed: readonly string[]): void {
  const missing = passed.filter((each) => isPath(each) && !existsSync(each));
  if (missing.length > 0) throw new Error(`no such file or folder: ${missing.join(", ")}`);
}

/** `bun test` wants `./` in front of a path; without it the word is a filter on every test file's name. */
function testArguments(passed: string[]): string[] {
  const paths = passed.map((each) => (isPath(each) && !/^[./]/.test(each) ? `./${each}` : each));
  const whole = [
    `--parallel=${filesAtOnce}`,
    `--timings=${timings}`,
    ...defaultFolders.filter((folder) => existsSync(`${root}${folder}`)),
  ];
  return ["--timeout=120000", ...(passed.some(isPath) ? [] : whole), ...paths];
}

/** Copies a stream to a descriptor as it comes, and keeps its text. */
async function tee(stream: ReadableStream<Uint8Array>, descriptor: NodeJS.WriteStream): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of stream) {
    descriptor.write(chunk);
    text += decoder.decode(chunk, { stream: true });
  }
  return text;
}

function install(): void {
  const installed = Bun.spawnSync([process.execPath, "install", "--frozen-lockfile"], { cwd: root });
  if (installed.exitCode === 0) return;
  process.stderr.write(installed.stdout);
  process.stderr.write(installed.stderr);
  throw new Error("the dependencies could not be installed");
}

/** Runs the tests in their own process group, so that nothing they started outlives the run. */
async function runTests(environment: Record<string, string>): Promise<TestCounts> {
  const tests = Bun.spawn([process.execPath, "test", ...testArguments(process.argv.slice(2))], {
    cwd: root,
    env: { ...process.env, ...environment, NO_COLOR: "1" },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const killGroup = () => {
    try {
      process.kill(-tests.pid, "SIGKILL");
    } catch {
      // The group is gone already.
    }
  };
  process.once("SIGINT", killGroup);
  process.once("SIGTERM", killGroup);
  const [exitCode, , summary] = await Promise.all([
    tests.exited,
    tee(tests.stdout, process.stdout),
    tee(tests.stderr, process.stderr),
  ]);
  killGroup();
  return countsOf(summary, exitCode);
}

async function main(): Promise<TestCounts> {
  refuseMissing(process.argv.slice(2));
  install();
  const { prepareTestDatabases } = await import("./support/template.ts");
  const databases = await prepareTestDatabases(process.env.TEST_DATABASE_URL);
  try {
    return await runTests(databases.environment);
  } finally {
    await databases.stop();
  }
}

const counts = await main().catch((error: unknown): TestCounts => {
  console.error(error);
  return { passed: 0, failed: 1 };
});
console.log(`${counts.passed} passed, ${counts.failed} failed`);
process.exit(counts.failed === 0 && counts.passed > 0 ? 0 : 1);
