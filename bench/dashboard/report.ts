/** Writes results for people: plain tables for the terminal, Markdown for a file. Pure. */
import { machineLine } from "../machine.ts";
import { markdownTable, type Table, textTable, verdictLines } from "../report-parts.ts";
import type { DashboardResults, Figures } from "./results.ts";

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
  lines.push(...verdictLines(results));
  return lines;
}

export function textReport(results: DashboardResults): string {
  const parts = [machineLine(results.machine), setting(results), ...tables(results).map(textTable)];
  return `${[...parts, closingLines(results).join("\n")].join("\n\n")}\n`;
}

export function markdownReport(results: DashboardResults): string {
  const parts = [
    "# Dashboard bench",
    `Machine: ${machineLine(results.machine)}.`,
    `Setting: ${setting(results)}. People, browser, load generator, service and PostgreSQL share the machine.`,
    ...tables(results).map(markdownTable),
    closingLines(results)
      .map((line) => `- ${line}`)
      .join("\n"),
  ];
  return `${parts.join("\n\n")}\n`;
}
