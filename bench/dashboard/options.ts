/** Command line of `bench dashboard`: every mistake is named, nothing is corrected in silence. */

import { parseArgs } from "node:util";
import type { ParsedOptions } from "../command.ts";

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

const text = { type: "string" } as const;
const flag = { type: "boolean" } as const;

export function parseDashboardOptions(args: string[]): ParsedOptions<DashboardOptions> {
  const mistakes: string[] = [];
  let parsed: ReturnType<typeof parse>;
  try {
    parsed = parse(args);
  } catch (error) {
    return { kind: "mistakes", mistakes: [error instanceof Error ? error.message : String(error)] };
  }
  const { values } = parsed;
  if (values.help === true) return { kind: "help" };
  const whole = (name: keyof typeof values, byDefault: number, low: number, high: number): number => {
    const value = values[name];
    if (typeof value !== "string") return byDefault;
    const number = /^\d{1,12}$/.test(value) ? Number(value) : Number.NaN;
    if (number >= low && number <= high) return number;
    mistakes.push(`--${name} must be a whole number from ${low} to ${high}`);
    return byDefault;
  };
  if (values.detection !== undefined && values.detection !== "on" && values.detection !== "off")
    mistakes.push("--detection must be one of on, off");
  const options: DashboardOptions = {
    json: values.json === true,
    report: values.report,
    events: whole("events", 20_000_000, 50_000, 500_000_000),
    executions: whole("executions", 1_000_000, 1_000, 2_600_000),
    people: whole("people", 10, 1, 100),
    thinkMs: whole("think-ms", 1_000, 0, 60_000),
    clickMs: whole("click-ms", 5_000, 0, 60_000),
    samples: whole("samples", 40, 1, 10_000),
    seconds: whole("seconds", 30, 1, 600),
    rounds: whole("rounds", 3, 0, 20),
    paints: whole("paints", 3, 1, 50),
    rate: values.rate === undefined ? undefined : whole("rate", 1, 1, 10_000_000),
    detection: values.detection === "off" ? "off" : "on",
    httpThreads: whole("http-threads", 1, 1, 64),
    dataDir: values["data-dir"],
    browser: values["no-browser"] !== true,
    limitMs: whole("limit-ms", 300, 1, 60_000),
  };
  return mistakes.length > 0 ? { kind: "mistakes", mistakes } : { kind: "options", options };
}

function parse(args: string[]) {
  return parseArgs({
    args,
    strict: true,
    allowPositionals: false,
    options: {
      help: { type: "boolean", short: "h" },
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
    },
  });
}
