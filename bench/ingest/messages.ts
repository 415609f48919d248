/**
 * What the bench's processes tell each other, as JSON over Bun's IPC. The parent orders, a child answers each
 * order with one `ready` or `done`, or ends with an error; `progress` comes in between.
 */

import type { LatencyFigures } from "./latency.ts";
import type { EngineCounts } from "./load-engine.ts";
import type { BatchOptions } from "./request-templates.ts";

export interface LoadSetup {
  url: string;
  key: string;
  batch: BatchOptions;
  templates: { batches: number; templatesMax: number };
  lenient: boolean;
  gzip: boolean;
  duplicatesPercent: number;
  concurrency: number;
}

export interface LoadOrder {
  /** The first batch number of the phase; a whole number of blocks. */
  fromBatch: number;
  batches: number;
  /** Events a second by schedule; undefined for the closed loop. */
  eventsPerSecond: number | undefined;
  secondsMax: number;
}

export interface LoadOutcome {
  seconds: number;
  cpuSeconds: number;
  eventsSent: number;
  eventsAccepted: number;
  eventsDuplicate: number;
  eventsRejected: number;
  /** Events in requests that were refused for good (any other 4xx, 5xx). */
  eventsRefused: number;
  eventsUnanswered: number;
  /** Distinct events that must be in the database now. */
  eventsStored: number;
  bytesSent: number;
  latency: LatencyFigures;
  counts: EngineCounts;
  firstRefusal: string | undefined;
  residentBytes: number;
}

export interface CeilingSetup {
  databaseUrl: string;
  projectId: string;
  batch: BatchOptions;
  batches: number;
  connections: number;
}

export interface CeilingOutcome {
  seconds: number;
  cpuSeconds: number;
  rows: number;
  bytes: number;
}

export type ToChild =
  | { kind: "load_setup"; setup: LoadSetup }
  | { kind: "load_prepare"; order: LoadOrder }
  | { kind: "ceiling_setup"; setup: CeilingSetup }
  | { kind: "ceiling_prepare" }
  | { kind: "go" };

export type FromChild =
  | { kind: "progress"; what: string; done: number; of: number; unit: string }
  | { kind: "ready"; executions?: number; executionSeconds?: number }
  | { kind: "load_done"; outcome: LoadOutcome }
  | { kind: "ceiling_done"; outcome: CeilingOutcome };
