/** Writes results for people: a plain table for the terminal, Markdown for a file. Pure. */
import { machineLine } from "../machine.ts";
import {
  fixed,
  markdownTable,
  type Row,
  type Table,
  textTable,
  verdictLines,
  whole,
} from "../report-parts.ts";
import type { IngestResults, LoadPhase, Round, RoundsSummary } from "./results.ts";
import { eventsAnswered, micros, serviceCpu } from "./summary.ts";

function roundsTable(title: string, rounds: readonly Round[], summary: RoundsSummary): Table {
  const rows = rounds.map(({ ceiling, service, speedRatio, cpuRatio }, index): Row => {
    const events = eventsAnswered(service);
    const ceilingCpu =
      ceiling?.cpu.postgres === undefined
        ? undefined
        : micros(ceiling.cpu.sender + ceiling.cpu.postgres, ceiling.rows);
    return [
      String(index + 1),
      whole(service.eventsPerSecond),
      whole(ceiling?.eventsPerSecond),
      fixed(speedRatio, 2),
      fixed(micros(service.cpu.service, events), 2),
      fixed(micros(service.cpu.postgres, events), 2),
      fixed(micros(serviceCpu(service.cpu), events), 2),
      fixed(ceilingCpu, 2),
      fixed(cpuRatio, 2),
      fixed(micros(service.cpu.sender, events), 2),
    ];
  });
  const both =
    summary.serviceCpuMicros === undefined || summary.postgresCpuMicros === undefined
      ? undefined
      : summary.serviceCpuMicros + summary.postgresCpuMicros;
  rows.push([
    "median",
    whole(summary.eventsPerSecond),
    whole(summary.ceilingEventsPerSecond),
    fixed(summary.speedRatio, 2),
    fixed(summary.serviceCpuMicros, 2),
    fixed(summary.postgresCpuMicros, 2),
    fixed(both, 2),
    fixed(summary.ceilingCpuMicros, 2),
    fixed(summary.cpuRatio, 2),
    fixed(summary.senderCpuMicros, 2),
  ]);
  return {
    title: `${title} (CPU in seconds per million events)`,
    head: [
      "round",
      "events/s",
      "ceiling events/s",
      "ratio",
      "service CPU",
      "PostgreSQL CPU",
      "both",
      "ceiling CPU",
      "CPU ratio",
      "load generator CPU",
    ],
    rows,
  };
}

function phasesOf(results: IngestResults): LoadPhase[] {
  return [
    ...results.rounds.map((round) => round.service),
    ...(results.tenth === undefined ? [] : [results.tenth]),
    ...(results.preload === undefined ? [] : [results.preload]),
    ...results.preloadedRounds.map((round) => round.service),
  ];
}

function latencyTable(results: IngestResults): Table {
  return {
    title: "Latency of a batch, milliseconds",
    head: ["phase", "events/s", "p50", "p99", "p99.9", "max"],
    rows: phasesOf(results).map((phase) => {
      const { p50Ms, p99Ms, p999Ms, maxMs } = phase.load.latency;
      return [
        phase.name,
        whole(phase.eventsPerSecond),
        fixed(p50Ms, 1),
        fixed(p99Ms, 1),
        fixed(p999Ms, 1),
        fixed(maxMs, 1),
      ];
    }),
  };
}

function outcomesTable(results: IngestResults): Table {
  return {
    title: "Outcomes of events, requests that had to be sent again, rows in the database (cumulative)",
    head: [
      "phase",
      "sent",
      "accepted",
      "duplicates",
      "rejected",
      "refused",
      "unanswered",
      "retries",
      "broken",
      "rows",
    ],
    rows: phasesOf(results).map(({ name, load, rows }) => [
      name,
      whole(load.eventsSent),
      whole(load.eventsAccepted),
      whole(load.eventsDuplicate),
      whole(load.eventsRejected),
      whole(load.eventsRefused),
      whole(load.eventsUnanswered),
      whole(load.counts.retries),
      whole(load.counts.connectionErrors),
      whole(rows),
    ]),
  };
}

function memoryTable(results: IngestResults): Table | undefined {
  if (results.serviceMemory === undefined) return undefined;
  return {
    title: "Memory of the service, MiB",
    head: ["phase", "first", "last", "highest sample", "peak so far"],
    rows: phasesOf(results).flatMap(({ name, memory }) =>
      memory === undefined
        ? []
        : [
            [
              name,
              whole(memory.firstMib),
              whole(memory.lastMib),
              whole(memory.maxMib),
              whole(memory.peakMib),
            ],
          ],
    ),
  };
}

function tables(results: IngestResults): Table[] {
  const list = [roundsTable("Rounds", results.rounds, results.summary)];
  if (results.preloadedSummary !== undefined) {
    const stored = whole(results.preload?.rows);
    list.push(
      roundsTable(`Rounds with ${stored} events stored`, results.preloadedRounds, results.preloadedSummary),
    );
  }
  list.push(latencyTable(results), outcomesTable(results));
  const memory = memoryTable(results);
  if (memory !== undefined) list.push(memory);
  return list;
}

function parameters(results: IngestResults): string {
  const { options } = results;
  const what = [
    `${whole(options.batches)} batches of ${options.eventsPerBatch} events a round`,
    `${options.concurrency} connections`,
    `payloads of about ${options.payloadBytes} bytes`,
    `${options.batchesPerExecution} batches an execution`,
    `${options.ids} ids`,
    `seed ${options.seed}`,
  ];
  if (options.rate !== undefined) what.push(`${whole(options.rate)} events/s by schedule`);
  if (options.duplicatesPercent > 0) what.push(`${options.duplicatesPercent} % of the batches sent twice`);
  if (options.badPercent > 0) what.push(`${options.badPercent} % of the events bad`);
  if (options.lenient) what.push("lenient handling");
  if (options.gzip) what.push("gzip bodies");
  if (options.url === undefined)
    what.push(`detection ${options.detection}`, `${options.httpThreads} HTTP thread(s)`);
  return what.join(", ");
}

function othersShare(results: IngestResults, others: number | undefined, seconds: number | undefined) {
  if (others === undefined || seconds === undefined || seconds === 0) return undefined;
  return others / (seconds * results.machine.cores);
}

function closingLines(results: IngestResults): string[] {
  const lines: string[] = [];
  if (results.preloadedRatio !== undefined) {
    lines.push(
      `Rate with the preloaded events stored over the empty rate: ${fixed(results.preloadedRatio, 2)}`,
    );
  }
  const disturbed = [...results.rounds, ...results.preloadedRounds].flatMap(({ ceiling, service }) => [
    othersShare(results, ceiling?.cpu.others, ceiling?.seconds),
    othersShare(results, service.cpu.others, service.load.seconds),
  ]);
  const shares = disturbed.filter((share) => share !== undefined);
  if (shares.length > 0) {
    const worst = Math.max(...shares) * 100;
    lines.push(
      `CPU that anything else used meanwhile: at most ${fixed(worst, 0)} % of the machine in a round's phase`,
    );
  }
  lines.push(...verdictLines(results));
  return lines;
}

export function textReport(results: IngestResults): string {
  const parts = [machineLine(results.machine), parameters(results), ...tables(results).map(textTable)];
  return `${[...parts, closingLines(results).join("\n")].join("\n\n")}\n`;
}

export function markdownReport(results: IngestResults): string {
  const settings = Object.entries(results.machine.postgresSettings ?? {}).map(
    ([name, value]) => `${name}=${value}`,
  );
  const parts = [
    "# Ingest bench",
    `Machine: ${machineLine(results.machine)}.`,
    `Load: ${parameters(results)}. Load generator, service and PostgreSQL share the machine.`,
    "Ceiling: the same rows as COPY text over two connections into a plain table of the same PostgreSQL server, in turn " +
      "with each round. Every ratio is within one round; the last line of a table is the median over the rounds.",
    ...(settings.length === 0 ? [] : [`PostgreSQL settings: ${settings.join(", ")}.`]),
    ...tables(results).map(markdownTable),
    closingLines(results)
      .map((line) => `- ${line}`)
      .join("\n"),
  ];
  return `${parts.join("\n\n")}\n`;
}
