/** Command line of `bench dashboard`. */

import type { ParsedOptions } from "../command.ts";
import { flag, parseOptions, text } from "../option-reader.ts";

export interface DashboardOptions {
  json: boolean;
  report: string | undefined;
  events: number;
  executions: number;
  people: number;
  thinkMs: number;
  /** As `thinkMs`, in the rounds of ingest. */
  clickMs: number;
  samples: number;
  seconds: number;
  rounds: number;
  paints: number;
  /** Events a second while pages are asked for; undefined: half of the peak, which is measured first. */
  rate: number | undefined;
  detection: "on" | "off";
  httpThreads: number;
  /** Kept and used again; undefined: a directory of the run's own. */
  dataDir: string | undefined;
  browser: boolean;
  limitMs: number;
}

export const DASHBOARD_USAGE = `Usage: bun run bench dashboard [options]

Fills a database, starts the service on it and asks for what every page of the dashboard shows while events come in
at half the peak; then paints the pages in Chromium, and measures the ingest with and without people clicking.

  --events N         events stored before (20000000)
  --executions N     executions stored before (1000000)
  --people N         people at once (10)
  --think-ms N       mean pause of a person between two pages while these are measured (1000)
  --samples N        times each page is asked for (40)
  --limit-ms N       95 of 100 requests are answered in this time (300)
  --paints N         times each page is painted, cold and warm (3)
  --no-browser       without painting
  --seconds N        length of a round of ingest (30)
  --rounds N         rounds of ingest without and with people, in turn; 0 = none (3)
  --click-ms N       mean pause of a person between two pages in such a round (5000)
  --rate N           events a second while pages are asked for, instead of half the measured peak
  --detection on|off DETECTION of the service (on)
  --http-threads N   HTTP_THREADS of the service (1)
  --data-dir DIR     keep the database in DIR; a DIR that holds one is used as it is, not filled
  --json             one JSON document on stdout
  --report FILE      also write the report as Markdown

Exit code: 0 all good, 1 a check failed, 2 usage.
`;

const DECLARED = {
  json: flag,
  report: text,
  events: text,
  executions: text,
  people: text,
  "think-ms": text,
  "click-ms": text,
  samples: text,
  seconds: text,
  rounds: text,
  paints: text,
  rate: text,
  detection: text,
  "http-threads": text,
  "data-dir": text,
  "no-browser": flag,
  "limit-ms": text,
} as const;

export function parseDashboardOptions(args: string[]): ParsedOptions<DashboardOptions> {
  return parseOptions(args, DECLARED, (given): DashboardOptions => {
    const { values } = given;
    return {
      json: values.json === true,
      report: values.report,
      events: given.whole("events", 20_000_000, 50_000, 500_000_000),
      executions: given.whole("executions", 1_000_000, 1_000, 2_600_000),
      people: given.whole("people", 10, 1, 100),
      thinkMs: given.whole("think-ms", 1_000, 0, 60_000),
      clickMs: given.whole("click-ms", 5_000, 0, 60_000),
      samples: given.whole("samples", 40, 1, 10_000),
      seconds: given.whole("seconds", 30, 1, 600),
      rounds: given.whole("rounds", 3, 0, 20),
      paints: given.whole("paints", 3, 1, 50),
      rate: values.rate === undefined ? undefined : given.whole("rate", 1, 1, 10_000_000),
      detection: given.choice("detection", "on", ["on", "off"]),
      httpThreads: given.whole("http-threads", 1, 1, 64),
      dataDir: values["data-dir"],
      browser: values["no-browser"] !== true,
      limitMs: given.whole("limit-ms", 300, 1, 60_000),
    };
  });
}
