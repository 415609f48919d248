/** Command line of `bench detection`. */

import type { ParsedOptions } from "../command.ts";
import { type IdKind, SERIAL_MAX } from "../ingest/batch-plan.ts";
import { flag, parseOptions, text } from "../option-reader.ts";

export interface DetectionOptions {
  json: boolean;
  report: string | undefined;
  batches: number;
  eventsPerBatch: number;
  batchesPerExecution: number;
  concurrency: number;
  rounds: number;
  payloadBytes: number;
  ids: IdKind;
  seed: number;
  rate: number | undefined;
  httpThreads: number;
}

export const DETECTION_USAGE = `Usage: bun run bench detection [options]

Starts the service twice, each on an empty database of its own, one of them with every detector on. Both are loaded in
turn with the same batches: the rate with detection over the rate without, how far detection lags meanwhile, and how
long it needs afterwards. Each turn begins when nothing is owed any more.

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

const DECLARED = {
  json: flag,
  report: text,
  batches: text,
  events: text,
  "batches-per-execution": text,
  concurrency: text,
  rounds: text,
  "payload-bytes": text,
  ids: text,
  seed: text,
  rate: text,
  "http-threads": text,
} as const;

export function parseDetectionOptions(args: string[]): ParsedOptions<DetectionOptions> {
  return parseOptions(args, DECLARED, (given): DetectionOptions => {
    const { values, mistakes } = given;
    const options: DetectionOptions = {
      json: values.json === true,
      report: values.report,
      batches: given.whole("batches", 8_000, 1, 1_000_000),
      eventsPerBatch: given.whole("events", 100, 1, 1000),
      batchesPerExecution: given.whole("batches-per-execution", 10, 1, 1000),
      concurrency: given.whole("concurrency", 64, 1, 1024),
      rounds: given.whole("rounds", 5, 1, 20),
      payloadBytes: given.whole("payload-bytes", 200, 50, 20_000),
      ids: given.choice<IdKind>("ids", "ulid", ["ulid", "uuid"]),
      seed: given.whole("seed", 1, 0, 2 ** 31),
      rate: values.rate === undefined ? undefined : given.whole("rate", 1, 1, 10_000_000),
      httpThreads: given.whole("http-threads", 1, 1, 64),
    };
    const eventsMax = options.batches * options.eventsPerBatch * (options.rounds + 1);
    if (eventsMax > SERIAL_MAX)
      mistakes.push(`a run has at most ${SERIAL_MAX} events, this one could need ${eventsMax}`);
    return options;
  });
}
