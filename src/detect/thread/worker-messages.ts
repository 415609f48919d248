import type { ProjectShare } from "../../store/detection/project-share.ts";
import type { CountsByClass, DetectionCounts } from "../engine/stats.ts";
import type { HandoverBuffers } from "../rows/handover.ts";

/** What the main thread and the detection thread say to each other. Plain data. */

export interface EngineLimits {
  /** Executions whose states are held in memory, and their estimated size. */
  readonly executionsMax: number;
  readonly stateBytesMax: number;
  readonly packedStateBytesMax: number;
  /** Latest events replayed to rebuild the states of one execution. */
  readonly replayEventsMax: number;
  /** What one round of one detector may take before it is told to be slow. */
  readonly budgetBaseMs: number;
  readonly budgetPerEventUs: number;
  readonly tickEveryMs: number;
  /** Of the machine, for all of this process and PostgreSQL. */
  readonly cores: number;
  /** How long a batch may fail before ticks go on without it. */
  readonly passedOverAfterMs: number;
}

export interface HungCallNote {
  readonly projectNo: number;
  readonly batchNo: number;
  readonly executionNo: number;
  readonly detectorIndex: number;
}

export interface WorkerOptions {
  readonly databaseUrl: string;
  readonly appUrl: string;
  /** Module that exports `DETECTORS`. */
  readonly detectorsModule: string;
  /** Module that exports `oweOccurrence(appUrl)`. */
  readonly outboxModule: string;
  /** The projects that this thread looks after. */
  readonly share: ProjectShare;
  /** A ring from each ingest thread. */
  readonly handovers: readonly HandoverBuffers[];
  readonly bell: SharedArrayBuffer;
  readonly pulse: SharedArrayBuffer;
  readonly limits: EngineLimits;
  readonly reportEveryMs: number;
  /**
   * Since when the service counts as up, as the thread before this one knew: at first the start of the
   * process.
   */
  readonly upSinceMs: number;
  /** What the thread before this one left behind when it hung. */
  readonly hung: { readonly backendPid: number; readonly call: HungCallNote | null } | null;
}

export type ToWorker =
  | { readonly kind: "close_silent"; readonly silentMs: number }
  | { readonly kind: "drain"; readonly id: number }
  | { readonly kind: "stop" };

export type FromWorker =
  | { readonly kind: "metrics"; readonly metrics: WorkerMetrics }
  | { readonly kind: "drained"; readonly id: number }
  | { readonly kind: "stopped" }
  | {
      readonly kind: "log";
      readonly level: "info" | "warn" | "error";
      readonly message: string;
      readonly fields: Record<string, unknown>;
    };

export interface WorkerMetrics {
  readonly counts: DetectionCounts;
  readonly classes: CountsByClass;
  readonly evictions: number;
  readonly unpackings: number;
  readonly isLeader: boolean;
  /** Age of the oldest owed batch when last looked; null: nobody has looked lately. */
  readonly lagMs: number | null;
  /** The same of the projects that owe little. */
  readonly quietLagMs: number;
  /** Batches so old and failing for so long that ticks no longer wait for them. */
  readonly passedOver: number;
  /** How far this process's clock is ahead of the database's. */
  readonly clockAheadMs: number;
  /** Since when the service counts as up: no silence is counted from before. */
  readonly upSinceMs: number;
  readonly executionsHeld: number;
  readonly stateBytes: number;
  readonly executionsPacked: number;
  readonly packedStateBytes: number;
}
