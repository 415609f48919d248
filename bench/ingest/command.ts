/** `bench ingest`: options in, results out. Stdout holds the results alone; progress and mistakes go to stderr. */
import { INGEST_USAGE, parseIngestOptions } from "./options.ts";
import { Progress } from "./progress.ts";
import { markdownReport, textReport } from "./report.ts";
import { IngestRun } from "./run.ts";

export async function runIngestCommand(args: string[]): Promise<number> {
  const parsed = parseIngestOptions(args);
  if (parsed.kind === "help") {
    process.stdout.write(INGEST_USAGE);
    return 0;
  }
  if (parsed.kind === "mistakes") {
    process.stderr.write(`${parsed.mistakes.join("\n")}\n\n${INGEST_USAGE}`);
    return 2;
  }
  const { options } = parsed;
  const progress = new Progress();
  const run = new IngestRun(options, progress);
  const interrupt = () => {
    progress.note("stopping");
    void run.stop().finally(() => process.exit(130));
  };
  process.once("SIGINT", interrupt);
  process.once("SIGTERM", interrupt);
  try {
    const results = await run.run();
    if (options.report !== undefined) await Bun.write(options.report, markdownReport(results));
    process.stdout.write(options.json ? `${JSON.stringify(results)}\n` : `\n${textReport(results)}`);
    return results.checks.every((check) => check.ok) ? 0 : 1;
  } catch (error) {
    progress.note(error instanceof Error ? error.message : String(error));
    return 1;
  } finally {
    await run.stop();
  }
}
