/** `bench faults`. */
import { runBench } from "../command.ts";
import { FAULTS_USAGE, parseFaultsOptions } from "./options.ts";
import { markdownReport, textReport } from "./report.ts";
import { FaultsRun } from "./run.ts";

export const runFaultsCommand = (args: string[]): Promise<number> =>
  runBench(
    {
      usage: FAULTS_USAGE,
      parse: parseFaultsOptions,
      prepare: (options, progress) => new FaultsRun(options, progress),
      textReport,
      markdownReport,
    },
    args,
  );
