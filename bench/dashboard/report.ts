/** Writes results for people: plain tables for the terminal, Markdown for a file. Pure. */
import type { DashboardResults, Figures } from "./results.ts";

type Row = readonly string[];

interface Table {
  readonly title: string;
  readonly head: Row;
  readonly rows: readonly Row[];
}

const whole = (value: number) => Math.round(value).toLocaleString("en");
const ms = (value: number) => (value < 10 ? value.toFixed(1) : whole(value));

function figuresTable(title: string, first: string, figures: readonly Figures[]): Table {
  return {
    title,
    head: [first, "times", "p50", "p95", "max"],
    rows: figures.map(({ name, count, p50Ms, p95Ms, maxMs }) => [
      name,
      whole(count),
      ms(p50Ms),
      ms(p95Ms),
      ms(maxMs),
    ]),
  };
}

function tables(results: DashboardResults): Table[] {
  const list = [
    figuresTable("Requests, milliseconds", "route", results.routes),
    figuresTable("Pages until their last answer, milliseconds", "page", results.pages),
  ];
  if (results.paints !== undefined) {
    list.push({
      title: "Chromium, milliseconds since the navigation (medians)",
      head: ["page", "first paint, cold", "data, cold", "first paint, warm", "data, warm"],
      rows: results.paints.map(({ page, cold, warm }) => [
        page,
        ms(cold.firstPaintMs),
        ms(cold.dataMs),
        ms(warm.firstPaintMs),
        ms(warm.dataMs),
      ]),
    });
  }
  if (results.rounds.length > 0) {
    list.push({
      title: "Ingest as fast as it goes, without and with people",
      head: [
        "round",
        "events/s",
        "events/s with people",
        "ratio",
        "p99 ms",
        "p99 ms with people",
        "pages opened",
      ],
      rows: results.rounds.map(({ alone, clicked, ratio, pages }, place) => [
        String(place + 1),
        whole(alone.eventsPerSecond),
        whole(clicked.eventsPerSecond),
        ratio.toFixed(3),
        ms(alone.load.latency.p99Ms),
        ms(clicked.load.latency.p99Ms),
        whole(pages),
      ]),
    });
  }
  return list;
}

function machineLine({ machine }: DashboardResults): string {
  const { cpu, cores, memoryGib, kernel, bun, postgres, date } = machine;
  return `${cpu}, ${cores} cores, ${memoryGib} GiB, Linux ${kernel}, Bun ${bun}, PostgreSQL ${postgres ?? "?"}, ${date}`;
}

function setting(results: DashboardResults): string {
  const { options, stored, fillSeconds, peak, paced } = results;
  const parts = [
    `${whole(stored.events)} events of ${whole(stored.executions)} executions stored, ${whole(stored.detections)} detections`,
    fillSeconds === undefined ? "used again" : `filled in ${whole(fillSeconds)} s`,
    `${options.people} people who pause ${whole(options.thinkMs)} ms between pages (${whole(options.clickMs)} ms in the rounds of ingest)`,
    `detection ${options.detection}`,
    `${options.httpThreads} HTTP thread(s)`,
    ...(peak === undefined ? [] : [`ingest at its peak ${whole(peak.eventsPerSecond)} events/s`]),
    `ingest while pages were asked for ${whole(paced.eventsPerSecond)} events/s, a batch's p99 ${ms(paced.load.latency.p99Ms)} ms`,
  ];
  return parts.join(", ");
}

function closingLines(results: DashboardResults): string[] {
  const lines: string[] = [];
  if (results.ratio !== undefined)
    lines.push(`Ingest rate with people over the rate without, median: ${results.ratio.toFixed(3)}`);
  if (results.paints === undefined)
    lines.push("No page was painted: there is no Chromium, or none was wanted");
  if (results.serviceWarnings.length > 0)
    lines.push(
      `Warnings logged by the service: ${results.serviceWarnings.length}, the first ${results.serviceWarnings[0]}`,
    );
  const failed = results.checks.filter((check) => !check.ok);
  lines.push(`Checks: ${results.checks.length - failed.length} of ${results.checks.length} hold`);
  for (const { name, found } of failed) lines.push(`FAILED ${name}: ${found}`);
  return lines;
}

function padded({ title, head, rows }: Table): string {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const cell = (text: string, column: number) =>
    column === 0 ? text.padEnd(widths[column] ?? 0) : text.padStart(widths[column] ?? 0);
  return [title, ...all.map((row) => row.map(cell).join("  "))].join("\n");
}

function markdown({ title, head, rows }: Table): string {
  const line = (row: Row) => `| ${row.join(" | ")} |`;
  const rule = head.map((_, column) => (column === 0 ? "---" : "---:"));
  return [`## ${title}`, "", line(head), line(rule), ...rows.map(line)].join("\n");
}

export function textReport(results: DashboardResults): string {
  const parts = [machineLine(results), setting(results), ...tables(results).map(padded)];
  return `${[...parts, closingLines(results).join("\n")].join("\n\n")}\n`;
}

export function markdownReport(results: DashboardResults): string {
  const parts = [
    "# Dashboard bench",
    `Machine: ${machineLine(results)}.`,
    `Setting: ${setting(results)}. People, browser, load generator, service and PostgreSQL share the machine.`,
    ...tables(results).map(markdown),
    closingLines(results)
      .map((line) => `- ${line}`)
      .join("\n"),
  ];
  return `${parts.join("\n\n")}\n`;
}
