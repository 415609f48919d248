/** Writes results for people: a plain table for the terminal, Markdown for a file. Pure. */
import { median } from "../ingest/latency.ts";
import { eventsAnswered, micros } from "../ingest/summary.ts";
import { machineLine } from "../machine.ts";
import { fixed, markdownTable, type Table, textTable, verdictLines, whole } from "../report-parts.ts";
import { cpuMicros, type DetectionResults } from "./results.ts";

function tableOf({ pairs, summary }: DetectionResults): Table {
  const rows = pairs.map(({ off, on, lag, ratio }, index) => [
    String(index + 1),
    whole(off.eventsPerSecond),
    whole(on.eventsPerSecond),
    fixed(ratio, 2),
    fixed(lag.mostSeconds, 2),
    fixed(median(lag.quietSeconds), 2),
    fixed(Math.max(...lag.quietSeconds), 2),
    fixed(lag.caughtUpSeconds, 1),
    whole(lag.counted.batches_from_store ?? 0),
    fixed(cpuMicros(off), 2),
    fixed(cpuMicros(on), 2),
    fixed(micros(on.cpu.sender, eventsAnswered(on)), 2),
    fixed(off.load.latency.p99Ms, 0),
    fixed(on.load.latency.p99Ms, 0),
    whole(on.memory?.peakMib),
  ]);
  return {
    title:
      "Detection off and on in turn (CPU of service and PostgreSQL until the load ended, seconds per million events)",
    head: [
      "round",
      "off events/s",
      "on events/s",
      "on ÷ off",
      "most lag s",
      "quiet project s",
      "at most s",
      "caught up after s",
      "batches from store",
      "off CPU",
      "on CPU",
      "load generator CPU",
      "off p99 ms",
      "on p99 ms",
      "peak MiB so far",
    ],
    rows: [
      ...rows,
      [
        "median; lag: the most",
        whole(summary.offEventsPerSecond),
        whole(summary.onEventsPerSecond),
        fixed(summary.ratio, 2),
        fixed(summary.mostLagSeconds, 2),
        "",
        fixed(summary.mostQuietSeconds, 2),
        ...Array.from({ length: 8 }, () => ""),
      ],
    ],
  };
}

function parameters({ options }: DetectionResults): string {
  const what = [
    `${whole(options.batches)} batches of ${options.eventsPerBatch} events a turn`,
    `${options.concurrency} connections`,
    `payloads of about ${options.payloadBytes} bytes`,
    `${options.batchesPerExecution} batches an execution`,
    `${options.ids} ids`,
    `seed ${options.seed}`,
    `${options.httpThreads} HTTP thread(s)`,
  ];
  if (options.rate !== undefined) what.push(`${whole(options.rate)} events/s by schedule`);
  return what.join(", ");
}

export function textReport(results: DetectionResults): string {
  return `${machineLine(results.machine)}\n\n${parameters(results)}\n\n${textTable(tableOf(results))}\n\n${verdictLines(results).join("\n")}\n`;
}

export function markdownReport(results: DetectionResults): string {
  const parts = [
    "# Detection beside ingest",
    `Machine: ${machineLine(results.machine)}.`,
    `Load: ${parameters(results)}. Load generator, both services and their PostgreSQL servers share the machine; only one is loaded at a time.`,
    markdownTable(tableOf(results)),
    verdictLines(results)
      .map((line) => `- ${line}`)
      .join("\n"),
  ];
  return `${parts.join("\n\n")}\n`;
}
