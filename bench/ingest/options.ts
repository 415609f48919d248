/** Command line of `bench ingest`. */

import type { ParsedOptions } from "../command.ts";
import { flag, parseOptions, text } from "../option-reader.ts";
import {
  checkEventCount,
  LOAD_DECLARED,
  type LoadPlanOptions,
  readLoadPlan,
  TEMPLATES_MAX,
} from "./load-options.ts";

export interface IngestOptions extends LoadPlanOptions {
  /** Length of the phase at a tenth of the peak; 0 leaves it out. */
  tenthSeconds: number;
  secondsMax: number;
  preloadEvents: number;
  duplicatesPercent: number;
  badPercent: number;
  lenient: boolean;
  gzip: boolean;
  detection: "on" | "off";
  ceiling: boolean;
  url: string | undefined;
  key: string | undefined;
  databaseUrl: string | undefined;
  templatesMax: number;
}

export const INGEST_USAGE = `Usage: bun run bench ingest [options]

Starts the service on an empty database of its own and loads it over HTTP; in turn with each round, two COPY
connections load the same rows into a plain table of the same PostgreSQL: the ceiling.

  --batches N               batches a round (10000)
  --events N                events a batch (100)
  --batches-per-execution N (10)
  --concurrency N           connections, one request in flight on each (64)
  --rounds N                rounds of ceiling and service in turn; medians are reported (3)
  --payload-bytes N         mean size of a payload (200)
  --ids ulid|uuid           ids that sort by time, or random ones (ulid)
  --seed N                  (1)
  --rate N                  N events a second by a fixed schedule, instead of as fast as answers come
  --tenth-seconds N         after the rounds, N seconds at a tenth of the peak (10; 0 = none)
  --seconds-max N           longest a phase may send (600)
  --preload-events N        after the rounds, store N events more and run the rounds again
  --duplicates PERCENT      batches that are sent a second time (0)
  --bad PERCENT             events that must be refused; needs --lenient (0)
  --lenient                 ask for lenient handling
  --encoding gzip           compressed bodies
  --detection off|on        DETECTION of the service started (off)
  --http-threads N          HTTP_THREADS of the service started (1)
  --no-ceiling              without the ceiling
  --database-url URL        run the service on this PostgreSQL instead of its embedded one
  --url URL --key KEY       load a service that runs already; no ceiling, no rows counted, no CPU figures
  --json                    one JSON document on stdout
  --report FILE             also write the report as Markdown

Exit code: 0 all good, 1 a check failed, 2 usage.
`;

const DECLARED = {
  ...LOAD_DECLARED,
  "tenth-seconds": text,
  "seconds-max": text,
  "preload-events": text,
  duplicates: text,
  bad: text,
  lenient: flag,
  encoding: text,
  detection: text,
  "no-ceiling": flag,
  "database-url": text,
  url: text,
  key: text,
} as const;

export function parseIngestOptions(args: string[]): ParsedOptions<IngestOptions> {
  return parseOptions(args, DECLARED, (given): IngestOptions => {
    const { values, mistakes } = given;
    const plan = readLoadPlan(given, { batches: 10_000, rounds: 3 });
    const { batches, rate } = plan;
    const options: IngestOptions = {
      ...plan,
      tenthSeconds: rate === undefined ? given.whole("tenth-seconds", 10, 0, 600) : 0,
      secondsMax: given.whole("seconds-max", 600, 1, 7200),
      preloadEvents: given.whole("preload-events", 0, 0, 500_000_000),
      duplicatesPercent: given.whole("duplicates", 0, 0, 100),
      badPercent: given.whole("bad", 0, 0, 100),
      lenient: values.lenient === true,
      gzip: given.choice("encoding", "identity", ["identity", "gzip"]) === "gzip",
      detection: given.choice("detection", "off", ["off", "on"]),
      ceiling: values["no-ceiling"] !== true && values.url === undefined,
      url: values.url,
      key: values.key,
      databaseUrl: values["database-url"],
      templatesMax: TEMPLATES_MAX,
    };
    if (options.url !== undefined && !/^https?:\/\/./.test(options.url))
      mistakes.push("--url must be an http(s) URL");
    if ((options.url === undefined) !== (options.key === undefined))
      mistakes.push("--url and --key go together");
    if (options.badPercent > 0 && !options.lenient) mistakes.push("--bad needs --lenient");
    if (options.gzip && batches > TEMPLATES_MAX)
      mistakes.push(`--encoding gzip takes at most ${TEMPLATES_MAX} batches`);
    const eventsMax =
      (batches * options.rounds * 2 + 100_000) * options.eventsPerBatch + options.preloadEvents;
    checkEventCount(mistakes, eventsMax);
    return options;
  });
}
