/** Command line of `bench detection`. */

import type { ParsedOptions } from "../command.ts";
import {
  checkEventCount,
  LOAD_DECLARED,
  type LoadPlanOptions,
  readLoadPlan,
} from "../ingest/load-options.ts";
import { parseOptions } from "../option-reader.ts";

export type DetectionOptions = LoadPlanOptions;

export const DETECTION_USAGE = `Usage: bun run bench detection [options]

Starts the service twice, each on an empty database of its own, one of them with every detector on. Both are loaded in
turn with the same batches: the rate with detection over the rate without, how far detection lags meanwhile, and how
long it needs afterwards; and how long a project beside it, which sends two events a second, waits for its
detections. Each turn begins when nothing is owed any more.

  --batches N               batches a turn (8000)
  --events N                events a batch (100)
  --batches-per-execution N (10)
  --concurrency N           connections, one request in flight on each (64)
  --rounds N                pairs of turns; medians are reported (5)
  --payload-bytes N         mean size of a payload (200)
  --ids ulid|uuid           ids that sort by time, or random ones (ulid)
  --seed N                  (1)
  --rate N                  N events a second by a fixed schedule, instead of as fast as answers come
  --http-threads N          HTTP_THREADS of both services (1)
  --json                    one JSON document on stdout
  --report FILE             also write the report as Markdown

Exit code: 0 all good, 1 a check failed, 2 usage.
`;

export function parseDetectionOptions(args: string[]): ParsedOptions<DetectionOptions> {
  return parseOptions(args, LOAD_DECLARED, (given): DetectionOptions => {
    const options = readLoadPlan(given, { batches: 8_000, rounds: 5 });
    checkEventCount(given.mistakes, options.batches * options.eventsPerBatch * (options.rounds + 1));
    return options;
  });
}
