/** `bench ingest`. */
import { runBench } from "../command.ts";
import { INGEST_USAGE, parseIngestOptions } from "./options.ts";
import { markdownReport, textReport } from "./report.ts";
import { IngestRun } from "./run.ts";

export const runIngestCommand = (args: string[]): Promise<number> =>
  runBench(
    {
      usage: INGEST_USAGE,
      parse: parseIngestOptions,
      prepare: (options, progress) => new IngestRun(options, progress),
      textReport,
      markdownReport,
    },
    args,
  );
