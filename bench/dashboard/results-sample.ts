import { loadOutcome } from "../ingest/load-outcome-sample.ts";
import { parseDashboardOptions } from "./options.ts";
import type { ClickRound, DashboardResults, Figures, IngestPhase } from "./results.ts";

/** For tests: results of a run in which all went well. */

export function figures(name: string, p95Ms: number): Figures {
  return { name, count: 40, p50Ms: p95Ms / 2, p95Ms, maxMs: p95Ms * 2 };
}

export function phase(changes: Partial<IngestPhase> = {}): IngestPhase {
  return { name: "p", eventsPerSecond: 1_000, load: loadOutcome(), ...changes };
}

export function clickRound(ratio: number): ClickRound {
  return { alone: phase(), clicked: phase({ eventsPerSecond: 1_000 * ratio }), pages: 1_234, ratio };
}

export function resultsWith(changes: Partial<DashboardResults> = {}): DashboardResults {
  const parsed = parseDashboardOptions([]);
  if (parsed.kind !== "options") throw new Error("the defaults are no options");
  return {
    machine: {
      cpu: "a processor",
      cores: 2,
      memoryGib: 8,
      kernel: "6.1",
      bun: "1.4.5",
      postgres: "18",
      postgresSettings: {},
      date: "2026-01-05",
    },
    options: parsed.options,
    stored: { events: 20_000_000, executions: 1_000_000, detections: 200_000 },
    fillSeconds: undefined,
    peak: undefined,
    paced: phase(),
    routes: [figures("groups open", 20)],
    pages: [figures("groups", 30)],
    failures: [],
    paints: undefined,
    rounds: [],
    ratio: undefined,
    serviceWarnings: [],
    checks: [],
    ...changes,
  };
}
