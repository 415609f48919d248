/** `bench dashboard`: options in, results out. Stdout holds the results alone; progress and mistakes go to stderr. */
import { Progress } from "../ingest/progress.ts";
import { DASHBOARD_USAGE, parseDashboardOptions } from "./options.ts";
import { markdownReport, textReport } from "./report.ts";
import { DashboardRun } from "./run.ts";

export async function runDashboardCommand(args: string[]): Promise<number> {
  const parsed = parseDashboardOptions(args);
  if (parsed.kind === "help") {
    process.stdout.write(DASHBOARD_USAGE);
    return 0;
  }
  if (parsed.kind === "mistakes") {
    process.stderr.write(`${parsed.mistakes.join("\n")}\n\n${DASHBOARD_USAGE}`);
    return 2;
  }
  const { options } = parsed;
  const progress = new Progress();
  const run = new DashboardRun(options, progress);
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
