import type { Detector } from "../detector.ts";

/**
 * What detection counts. Counters grow for the life of the thread; the main thread adds up those of ended
 * threads. A detector's errors are logged at most once a minute for each class, with the number of those that
 * were not.
 */

const TELL_EVERY_MS = 60_000;
/**
 * Overruns within `TELL_EVERY_MS` that are logged: a single one may be a pause of the garbage collector,
 * unless it is far over.
 */
const SLOW_TIMES_TOLD = 3;
const SLOW_BY_FAR = 10;

export interface ClassCounts {
  detections: number;
  errors: number;
  overBudget: number;
  /** Calls not made because they hung the thread before. */
  skippedCalls: number;
  cutDetections: number;
  /** Times that a state was found far larger than it may be. */
  largeStates: number;
  calls: number;
  events: number;
  tookMs: number;
}

export interface DetectionCounts {
  events: number;
  batches: number;
  transactions: number;
  failedTransactions: number;
  batchesFromStore: number;
  abandonedBatches: number;
  /** A promise or a timer that a detector left behind threw where nobody waited for it. */
  strayErrors: number;
  unreadablePayloads: number;
  rebuilds: number;
  ticks: number;
  deliveries: number;
  newGroups: number;
  regressedGroups: number;
  /** Time spent on events, in detectors and around them; waits for the database are left out. */
  busyMs: number;
  /** The same for ticks, which come however few events do. */
  tickMs: number;
  /** Time for which detection stood back because ingest needed the cores. */
  waitedMs: number;
}

export type Tell = (
  level: "info" | "warn" | "error",
  message: string,
  fields: Record<string, unknown>,
) => void;

function emptyClassCounts(): ClassCounts {
  return {
    detections: 0,
    errors: 0,
    overBudget: 0,
    skippedCalls: 0,
    cutDetections: 0,
    largeStates: 0,
    calls: 0,
    events: 0,
    tookMs: 0,
  };
}

/** By class name. */
export type CountsByClass = Readonly<Record<string, Readonly<ClassCounts>>>;

export function added<Counts extends object>(a: Counts, b: Counts): Counts {
  const sum: Record<string, number> = {};
  for (const [name, value] of Object.entries(a)) sum[name] = value;
  for (const [name, value] of Object.entries(b)) sum[name] = (sum[name] ?? 0) + value;
  return sum as Counts;
}

export function addedByClass(a: CountsByClass, b: CountsByClass): CountsByClass {
  const sum: Record<string, Readonly<ClassCounts>> = { ...a };
  for (const [name, each] of Object.entries(b)) sum[name] = added(sum[name] ?? emptyClassCounts(), each);
  return sum;
}

export function emptyCounts(): DetectionCounts {
  return {
    events: 0,
    batches: 0,
    transactions: 0,
    failedTransactions: 0,
    batchesFromStore: 0,
    abandonedBatches: 0,
    strayErrors: 0,
    unreadablePayloads: 0,
    rebuilds: 0,
    ticks: 0,
    deliveries: 0,
    newGroups: 0,
    regressedGroups: 0,
    busyMs: 0,
    tickMs: 0,
    waitedMs: 0,
  };
}

export class EngineStats {
  readonly counts = emptyCounts();
  readonly classes: ClassCounts[];
  readonly #detectors: readonly Detector[];
  readonly #tell: Tell;
  /** By detector, the latest times it was over its budget: `SLOW_TIMES_TOLD` at most. */
  readonly #slowAtMs: number[][];
  readonly #told = new Map<string, { atMs: number; untold: number }>();

  constructor(detectors: readonly Detector[], tell: Tell) {
    this.#detectors = detectors;
    this.#tell = tell;
    this.classes = detectors.map(emptyClassCounts);
    this.#slowAtMs = detectors.map(() => []);
  }

  noteDetector(index: number, round: { callCount: number; eventCount: number; tookMs: number }): void {
    const counts = this.classes[index]!;
    counts.calls += round.callCount;
    counts.events += round.eventCount;
    counts.tookMs += round.tookMs;
  }

  noteError(index: number, error: unknown): void {
    this.classes[index]!.errors++;
    // The message may quote what the detector was looking at: only its kind and place are logged.
    const at =
      error instanceof Error ? (error.stack ?? "").split("\n").find((line) => line.includes(".ts:")) : "";
    this.#tellOnce(index, "error", "a detector threw", {
      error: error instanceof Error ? error.name : typeof error,
      at: at?.trim().replace(/^.*\/(?=src\/|test\/)/, ""),
    });
  }

  noteOverBudget(index: number, tookMs: number, budgetMs: number): void {
    this.classes[index]!.overBudget++;
    const nowMs = performance.now();
    const slowAtMs = this.#slowAtMs[index]!;
    slowAtMs.push(nowMs);
    if (slowAtMs.length > SLOW_TIMES_TOLD) slowAtMs.shift();
    const isOften = slowAtMs.length === SLOW_TIMES_TOLD && nowMs - slowAtMs[0]! < TELL_EVERY_MS;
    if (!isOften && tookMs <= SLOW_BY_FAR * budgetMs) return;
    this.#tellOnce(index, "warn", "a detector took too long", { took_ms: Math.round(tookMs) });
  }

  noteSkipped(index: number): void {
    this.classes[index]!.skippedCalls++;
  }

  noteCutDetections(index: number, count: number): void {
    this.classes[index]!.cutDetections += count;
    this.#tellOnce(index, "warn", "a detector answered with too many detections", { cut: count });
  }

  noteLargeState(index: number, bytes: number): void {
    this.classes[index]!.largeStates++;
    this.#tellOnce(index, "warn", "a detector keeps a state that is far too large", { bytes });
  }

  noteDetections(failureClass: string, count: number): void {
    const index = this.#detectors.findIndex((detector) => detector.failureClass === failureClass);
    if (index >= 0) this.classes[index]!.detections += count;
  }

  noteStrayError(failure: Record<string, unknown>): void {
    this.counts.strayErrors++;
    this.#tellOnce(null, "error", "a detector left something running that failed", failure);
  }

  #tellOnce(
    index: number | null,
    level: "warn" | "error",
    message: string,
    fields: Record<string, unknown>,
  ): void {
    const ofClass = index === null ? {} : { class: this.#detectors[index]!.failureClass };
    const key = `${ofClass.class} ${message}`;
    const nowMs = performance.now();
    const told = this.#told.get(key);
    if (told !== undefined && nowMs - told.atMs < TELL_EVERY_MS) {
      told.untold++;
      return;
    }
    this.#tell(level, message, { ...ofClass, ...fields, not_told: told?.untold ?? 0 });
    this.#told.set(key, { atMs: nowMs, untold: 0 });
  }
}
