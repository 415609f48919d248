/**
 * What a run of `bench detection` found: the one document of `--json`, and what its tables are written from.
 */
import { median } from "../ingest/latency.ts";
import type { Check, LoadPhase } from "../ingest/results.ts";
import { eventsAnswered, micros } from "../ingest/summary.ts";
import type { Machine } from "../machine.ts";
import type { DetectionOptions } from "./options.ts";

/** How detection fared while its service was loaded. */
export interface Lag {
  /** Highest age of the oldest batch owed, from the start of the load until nothing was owed. */
  mostSeconds: number;
  /** From the end of the load until nothing was owed. */
  caughtUpSeconds: number;
  /** From each answer to an event of a project that sends little, until its detection was stored. */
  quietSeconds: number[];
  /**
   * What detection counted during the turn: its metrics after it less those before, `ats_detection_` left
   * out.
   */
  counted: Record<string, number>;
}

export interface Pair {
  off: LoadPhase;
  on: LoadPhase;
  lag: Lag;
  /** Rate with detection over the rate without. */
  ratio: number;
}

export interface DetectionSummary {
  offEventsPerSecond: number;
  onEventsPerSecond: number;
  ratio: number;
  /** Of all pairs. */
  mostLagSeconds: number;
  mostQuietSeconds: number;
  /**
   * CPU that a turn with detection takes beyond one without, until its load ends: service and PostgreSQL,
   * microseconds an event.
   */
  extraCpuMicros: number | undefined;
}

export interface DetectionResults {
  machine: Machine;
  options: DetectionOptions;
  pairs: Pair[];
  summary: DetectionSummary;
  serviceWarnings: string[];
  checks: Check[];
}

/** Service and PostgreSQL, CPU microseconds an event. */
export function cpuMicros(phase: LoadPhase): number | undefined {
  const { service, postgres } = phase.cpu;
  if (service === undefined || postgres === undefined) return undefined;
  return micros(service + postgres, eventsAnswered(phase));
}

export function summaryOfPairs(pairs: readonly Pair[]): DetectionSummary {
  const extra = pairs.map(({ off, on }) => (cpuMicros(on) ?? Number.NaN) - (cpuMicros(off) ?? Number.NaN));
  return {
    offEventsPerSecond: median(pairs.map(({ off }) => off.eventsPerSecond)),
    onEventsPerSecond: median(pairs.map(({ on }) => on.eventsPerSecond)),
    ratio: median(pairs.map(({ ratio }) => ratio)),
    mostLagSeconds: Math.max(...pairs.map(({ lag }) => lag.mostSeconds)),
    mostQuietSeconds: Math.max(...pairs.flatMap(({ lag }) => lag.quietSeconds)),
    extraCpuMicros: extra.some(Number.isNaN) ? undefined : median(extra),
  };
}
