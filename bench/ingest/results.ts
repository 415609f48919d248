/** What a run found: the one document of `--json`, and what the table and the report are written from. */
import type { Machine } from "../machine.ts";
import type { LoadOutcome } from "./messages.ts";
import type { IngestOptions } from "./options.ts";

/** CPU seconds used during a phase; undefined where it could not be read. */
export interface PhaseCpu {
  sender: number;
  service: number | undefined;
  postgres: number | undefined;
  /**
   * Everything else that ran on the machine meanwhile: above a few percent of it, the phase was disturbed.
   */
  others: number | undefined;
}

export interface MemorySamples {
  firstMib: number;
  lastMib: number;
  maxMib: number;
  /** The kernel's own high-water mark since the service started. */
  peakMib: number;
}

export interface LoadPhase {
  name: string;
  executions: number;
  load: LoadOutcome;
  eventsPerSecond: number;
  cpu: PhaseCpu;
  /**
   * Rows of the project after the phase, and how many there must be; undefined when they were not counted.
   */
  rows: number | undefined;
  rowsExpected: number;
  memory: MemorySamples | undefined;
}

export interface CeilingPhase {
  name: string;
  rows: number;
  seconds: number;
  eventsPerSecond: number;
  cpu: PhaseCpu;
}

export interface Round {
  ceiling: CeilingPhase | undefined;
  service: LoadPhase;
  /** Service over ceiling. */
  speedRatio: number | undefined;
  /** Service and PostgreSQL over the ceiling's sender and PostgreSQL, CPU seconds an event. */
  cpuRatio: number | undefined;
}

export interface RoundsSummary {
  eventsPerSecond: number;
  ceilingEventsPerSecond: number | undefined;
  speedRatio: number | undefined;
  cpuRatio: number | undefined;
  /** CPU seconds per million events are microseconds an event. */
  serviceCpuMicros: number | undefined;
  postgresCpuMicros: number | undefined;
  senderCpuMicros: number;
  ceilingCpuMicros: number | undefined;
  p50Ms: number;
  p99Ms: number;
  p999Ms: number;
  maxMs: number;
}

export interface Check {
  name: string;
  ok: boolean;
  found: string;
}

export interface IngestResults {
  machine: Machine;
  options: IngestOptions;
  rounds: Round[];
  summary: RoundsSummary;
  tenth: LoadPhase | undefined;
  preload: LoadPhase | undefined;
  preloadedRounds: Round[];
  preloadedSummary: RoundsSummary | undefined;
  /** Rate with the events of `preload` stored, over the empty rate. */
  preloadedRatio: number | undefined;
  serviceMemory: MemorySamples | undefined;
  /** The service's own counters after the last phase, by name and labels. */
  metrics: Record<string, number> | undefined;
  /** Warnings and errors that the service logged, the first fifty. */
  serviceWarnings: string[];
  checks: Check[];
}
