/**
 * One bench from its arguments to its exit code. Stdout holds the results alone; progress and mistakes go to
 * stderr.
 */
import { Progress } from "./ingest/progress.ts";

export type ParsedOptions<Options> =
  | { kind: "options"; options: Options }
  | { kind: "help" }
  | { kind: "mistakes"; mistakes: string[] };

interface BenchOptions {
  readonly json: boolean;
  /** File to write the report to as Markdown. */
  readonly report?: string | undefined;
}

interface BenchResults {
  readonly checks: readonly { readonly ok: boolean }[];
}

export interface Bench<Options extends BenchOptions, Results extends BenchResults> {
  readonly usage: string;
  parse(args: string[]): ParsedOptions<Options>;
  /** `stop` ends everything that the run has started, and may be called twice. */
  prepare(options: Options, progress: Progress): { run(): Promise<Results>; stop(): Promise<void> };
  textReport(results: Results): string;
  markdownReport(results: Results): string;
}

/** 0 all good, 1 a check failed or the run did, 2 usage, 130 interrupted. */
export async function runBench<Options extends BenchOptions, Results extends BenchResults>(
  bench: Bench<Options, Results>,
  args: string[],
): Promise<number> {
  const parsed = bench.parse(args);
  if (parsed.kind === "help") {
    process.stdout.write(bench.usage);
    return 0;
  }
  if (parsed.kind === "mistakes") {
    process.stderr.write(`${parsed.mistakes.join("\n")}\n\n${bench.usage}`);
    return 2;
  }
  const { options } = parsed;
  const progress = new Progress();
  const run = bench.prepare(options, progress);
  const interrupt = () => {
    progress.note("stopping");
    void run.stop().finally(() => process.exit(130));
  };
  process.once("SIGINT", interrupt);
  process.once("SIGTERM", interrupt);
  try {
    const results = await run.run();
    if (options.report !== undefined) await Bun.write(options.report, bench.markdownReport(results));
    process.stdout.write(options.json ? `${JSON.stringify(results)}\n` : `\n${bench.textReport(results)}`);
    return results.checks.every((check) => check.ok) ? 0 : 1;
  } catch (error) {
    progress.note(error instanceof Error ? error.message : String(error));
    return 1;
  } finally {
    await run.stop();
  }
}
