/** `bench dashboard`. */
import { runBench } from "../command.ts";
import { DASHBOARD_USAGE, parseDashboardOptions } from "./options.ts";
import { markdownReport, textReport } from "./report.ts";
import { DashboardRun } from "./run.ts";

export const runDashboardCommand = (args: string[]): Promise<number> =>
  runBench(
    {
      usage: DASHBOARD_USAGE,
      parse: parseDashboardOptions,
      prepare: (options, progress) => new DashboardRun(options, progress),
      textReport,
      markdownReport,
    },
    args,
  );
