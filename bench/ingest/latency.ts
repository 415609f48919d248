/**
 * Latencies of one phase in a typed array that is made before the clock starts; percentiles by nearest rank.
 */
export interface LatencyFigures {
  count: number;
  p50Ms: number;
  p99Ms: number;
  p999Ms: number;
  maxMs: number;
}

export class LatencyRecorder {
  private readonly samplesMs: Float64Array;
  private count = 0;

  constructor(samplesMax: number) {
    this.samplesMs = new Float64Array(samplesMax);
  }

  /** A sample beyond the maximum is a broken invariant: it would bend the percentiles in silence. */
  record(latencyMs: number): void {
    if (this.count === this.samplesMs.length) throw new RangeError("more latencies than requests");
    this.samplesMs[this.count++] = latencyMs;
  }

  figures(): LatencyFigures {
    const sorted = this.samplesMs.slice(0, this.count).sort();
    return {
      count: this.count,
      p50Ms: percentile(sorted, 0.5),
      p99Ms: percentile(sorted, 0.99),
      p999Ms: percentile(sorted, 0.999),
      maxMs: percentile(sorted, 1),
    };
  }
}

/** The smallest sample that at least `share` of all samples do not exceed; 0 when there are none. */
export function percentile(sorted: Float64Array, share: number): number {
  if (sorted.length === 0) return 0;
  const rank = Math.max(1, Math.ceil(share * sorted.length));
  return sorted[rank - 1]!;
}

export function median(values: readonly number[]): number {
  if (values.length === 0) return Number.NaN;
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
