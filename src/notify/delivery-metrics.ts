import type { DeliveryBacklog } from "../store/webhooks/delivery-upkeep.ts";

/**
 * What the notify thread counts. Counters only grow; the thread sends copies of the whole to the main side,
 * which adds them up over restarts of the thread (notifier.ts).
 */

/** Upper bounds in seconds of the buckets of both histograms; the last one is open. */
export const LATENCY_BOUNDS_S: readonly number[] = [
  0.05, 0.1, 0.25, 0.5, 1, 2, 5, 15, 60, 600, 3_600, 36_000,
];

export interface Histogram {
  /** One more than there are bounds; not cumulative. */
  counts: number[];
  sumS: number;
}

export interface DeliveryCounters {
  /**
   * Notifications by what became of them; tests have counters of their own, for nothing happened that they
   * would tell of.
   */
  delivered: number;
  failed: number;
  cancelled: number;
  testDelivered: number;
  testFailed: number;
  /** Attempts by result: `success` or an error class. */
  attempts: Record<string, number>;
  webhooksDisabled: number;
  /** Statements or connections to the database that failed. */
  databaseErrors: number;
  /** From a notification's creation to its success. */
  deliverySeconds: Histogram;
  /** Of one attempt. */
  attemptSeconds: Histogram;
}

export interface DeliveryMetrics extends DeliveryCounters {
  inFlight: number;
  backlog: DeliveryBacklog;
}

export function emptyCounters(): DeliveryCounters {
  return {
    delivered: 0,
    failed: 0,
    cancelled: 0,
    testDelivered: 0,
    testFailed: 0,
    attempts: {},
    webhooksDisabled: 0,
    databaseErrors: 0,
    deliverySeconds: emptyHistogram(),
    attemptSeconds: emptyHistogram(),
  };
}

function emptyHistogram(): Histogram {
  return { counts: new Array(LATENCY_BOUNDS_S.length + 1).fill(0), sumS: 0 };
}

export function observe(histogram: Histogram, durationMs: number): void {
  const seconds = durationMs / 1_000;
  const found = LATENCY_BOUNDS_S.findIndex((bound) => seconds <= bound);
  const bucket = found === -1 ? LATENCY_BOUNDS_S.length : found;
  histogram.counts[bucket] = (histogram.counts[bucket] ?? 0) + 1;
  histogram.sumS += seconds;
}

export function addCounters(left: DeliveryCounters, right: DeliveryCounters): DeliveryCounters {
  const attempts = { ...left.attempts };
  for (const [result, count] of Object.entries(right.attempts))
    attempts[result] = (attempts[result] ?? 0) + count;
  return {
    delivered: left.delivered + right.delivered,
    failed: left.failed + right.failed,
    cancelled: left.cancelled + right.cancelled,
    testDelivered: left.testDelivered + right.testDelivered,
    testFailed: left.testFailed + right.testFailed,
    attempts,
    webhooksDisabled: left.webhooksDisabled + right.webhooksDisabled,
    databaseErrors: left.databaseErrors + right.databaseErrors,
    deliverySeconds: addHistograms(left.deliverySeconds, right.deliverySeconds),
    attemptSeconds: addHistograms(left.attemptSeconds, right.attemptSeconds),
  };
}

function addHistograms(left: Histogram, right: Histogram): Histogram {
  return {
    counts: left.counts.map((count, index) => count + (right.counts[index] ?? 0)),
    sumS: left.sumS + right.sumS,
  };
}
