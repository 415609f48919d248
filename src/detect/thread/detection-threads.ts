import type { ProjectShare } from "../../store/detection/project-share.ts";
import { added, addedByClass } from "../engine/stats.ts";
import type { HandoverBuffers } from "../rows/handover.ts";
import {
  type DetectionLog,
  LIMITS,
  type SupervisorOptions,
  type ThreadMetrics,
  ThreadSupervisor,
} from "./supervisor.ts";
import type { EngineLimits } from "./worker-messages.ts";

/**
 * Detection as the rest of the service sees it: one or more threads that share the projects
 * (src/store/detection/project-share.ts). They share nothing else: each has its supervisor, its rings, its
 * connection, its states and its outbox entries, so one that hangs holds up its own projects only. Memory is
 * given for all of them together and divided.
 */

export interface DetectionOptions extends SupervisorOptions {
  /** Detection threads; 1 by default. */
  readonly threads?: number;
}

/** Everything for /metrics: counters since the start of the process, and gauges as last reported. */
export interface DetectionMetrics extends ThreadMetrics {
  /** Time in detection per event, database waits left out. */
  readonly usPerEvent: number;
}

export interface Detection {
  /** For the ingest threads, by index: a ring to each detection thread. */
  readonly handovers: readonly (readonly HandoverBuffers[])[];
  metrics(): DetectionMetrics;
  /** Closes the threads' connections to PostgreSQL that were not heard for so long. */
  closeSilent(silentMs: number): void;
  /** Resolves when nothing owed is left of the projects that this process leads. */
  drain(): Promise<void>;
  stop(): Promise<void>;
}

/** A ring must take the largest flushes, of which it may hold some at the same time. */
const HANDOVER_BYTES_MIN = 8 << 20;

export function startDetection({ threads = 1, ...options }: DetectionOptions): Detection {
  const supervisors = Array.from({ length: threads }, (_, index) => {
    const share = { index, of: threads };
    return new ThreadSupervisor(optionsOf(share, options), share);
  });
  return {
    handovers: Array.from({ length: options.ingestThreads }, (_, ingestThread) =>
      supervisors.map(({ handovers }) => handovers[ingestThread]!),
    ),
    metrics: () => together(supervisors.map((supervisor) => supervisor.metrics())),
    closeSilent(silentMs) {
      for (const supervisor of supervisors) supervisor.closeSilent(silentMs);
    },
    async drain() {
      await Promise.all(supervisors.map((supervisor) => supervisor.drain()));
    },
    async stop() {
      await Promise.all(supervisors.map((supervisor) => supervisor.stop()));
    },
  };
}

function optionsOf(share: ProjectShare, options: SupervisorOptions): SupervisorOptions {
  if (share.of === 1) return options;
  const { handoverBytes } = options;
  return {
    ...options,
    log: logOf(share, options.log),
    handoverBytes: Math.min(handoverBytes, Math.max(HANDOVER_BYTES_MIN, handoverBytes / share.of)),
    limits: dividedLimits({ ...LIMITS, ...options.limits }, share.of),
  };
}

function dividedLimits(limits: EngineLimits, threads: number): EngineLimits {
  return {
    ...limits,
    executionsMax: Math.ceil(limits.executionsMax / threads),
    stateBytesMax: Math.ceil(limits.stateBytesMax / threads),
    packedStateBytesMax: Math.ceil(limits.packedStateBytesMax / threads),
  };
}

/** Says which of the threads speaks. */
function logOf({ index }: ProjectShare, log: DetectionLog): DetectionLog {
  const numbered = (fields: Record<string, unknown>) => ({ detection_thread: index, ...fields });
  return {
    info: (fields, message) => log.info(numbered(fields), message),
    warn: (fields, message) => log.warn(numbered(fields), message),
    error: (fields, message) => log.error(numbered(fields), message),
  };
}

/** Counts and sizes add up; of lags, the worst counts. */
function together(threads: readonly ThreadMetrics[]): DetectionMetrics {
  const all = threads.reduce((sum, each) => ({
    counts: added(sum.counts, each.counts),
    classes: addedByClass(sum.classes, each.classes),
    evictions: sum.evictions + each.evictions,
    unpackings: sum.unpackings + each.unpackings,
    handoverDrops: sum.handoverDrops + each.handoverDrops,
    threadRestarts: sum.threadRestarts + each.threadRestarts,
    isLeader: sum.isLeader || each.isLeader,
    ledShare: sum.ledShare + each.ledShare,
    lagMs: Math.max(sum.lagMs, each.lagMs),
    quietLagMs: Math.max(sum.quietLagMs, each.quietLagMs),
    passedOver: sum.passedOver + each.passedOver,
    clockAheadMs:
      Math.abs(sum.clockAheadMs) >= Math.abs(each.clockAheadMs) ? sum.clockAheadMs : each.clockAheadMs,
    upSinceMs: Math.max(sum.upSinceMs, each.upSinceMs),
    executionsHeld: sum.executionsHeld + each.executionsHeld,
    stateBytes: sum.stateBytes + each.stateBytes,
    executionsPacked: sum.executionsPacked + each.executionsPacked,
    packedStateBytes: sum.packedStateBytes + each.packedStateBytes,
  }));
  const { events, busyMs } = all.counts;
  return { ...all, usPerEvent: events === 0 ? 0 : (busyMs * 1000) / events };
}
