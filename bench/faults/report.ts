/** Writes results for people: a plain table for the terminal, Markdown for a file. Pure. */
import { machineLine } from "../machine.ts";
import { fixed, markdownTable, type Table, textTable, whole } from "../report-parts.ts";
import type { FaultsResults } from "./results.ts";

function tablesOf(results: FaultsResults): Table[] {
  const { requests, webhooks } = results;
  const rows = (counts: Record<string, number>) =>
    Object.entries(counts)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, count]) => [name, whole(count)]);
  return [
    { title: "Faults", head: ["fault", "times"], rows: rows(results.faults) },
    {
      title: "What went through them",
      head: ["what", "count"],
      rows: [
        ["runs", whole(results.runs)],
        ["events of runs that were answered to their end", whole(results.events)],
        ["requests", whole(requests.requests)],
        ["answered 503", whole(requests.refused)],
        ["not answered", whole(requests.unanswered)],
        ["cut off by the client", whole(requests.cutOff)],
        ["webhooks taken", whole(webhooks.taken)],
        ["webhooks taken again", whole(webhooks.again)],
        ["seconds from the last fault until all was answered", fixed(results.answeredSeconds, 1)],
        ["and until nothing was owed", fixed(results.settledSeconds, 1)],
      ],
    },
    { title: "Detections stored", head: ["class", "count"], rows: rows(results.detections) },
    {
      title: "Checks",
      head: ["check", "holds", "of"],
      rows: results.checks.map(({ name, ok, found }) => [name, ok ? "yes" : "NO", found]),
    },
  ];
}

function parameters({ options }: FaultsResults): string {
  const { embedded, services, seconds, runsPerSecond, everyMs, seed } = options;
  const what = embedded ? "a service with its own PostgreSQL" : `${services} service(s)`;
  return `${what}, ${seconds} s, ${runsPerSecond} runs a second, a fault every ${everyMs} ms in the mean, seed ${seed}`;
}

export function textReport(results: FaultsResults): string {
  const tables = tablesOf(results).map(textTable).join("\n\n");
  const held = results.checks.filter(({ ok }) => ok).length;
  return `${machineLine(results.machine)}\n\n${parameters(results)}\n\n${tables}\n\nChecks: ${held} of ${results.checks.length} hold\n`;
}

export function markdownReport(results: FaultsResults): string {
  const tables = tablesOf(results).map(markdownTable).join("\n\n");
  return `# Faults by chance\n\nMachine: ${machineLine(results.machine)}.\n\n${parameters(results)}.\n\n${tables}\n`;
}
