/** `bench detection`. */
import { runBench } from "../command.ts";
import { DETECTION_USAGE, parseDetectionOptions } from "./options.ts";
import { markdownReport, textReport } from "./report.ts";
import { DetectionRun } from "./run.ts";

export const runDetectionCommand = (args: string[]): Promise<number> =>
  runBench(
    {
      usage: DETECTION_USAGE,
      parse: parseDetectionOptions,
      prepare: (options, progress) => new DetectionRun(options, progress),
      textReport,
      markdownReport,
    },
    args,
  );
