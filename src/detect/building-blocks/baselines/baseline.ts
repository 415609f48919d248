/**
 * A running mean and spread that a project's memory can hold: three numbers. It forgets slowly, so that a
 * project may change, and writes seldom once it is known, so that a busy project does not rewrite it with
 * every execution.
 */
export interface Baseline {
  readonly n: number;
  readonly mean: number;
  readonly variance: number;
}

/** Samples after which an older one weighs less than a newer one. */
const SAMPLES_REMEMBERED = 200;
/** Beyond that many samples only one execution in eight is taken in. */
const THINNING = 8;

export function readBaseline(value: unknown): Baseline | null {
  if (typeof value !== "object" || value === null) return null;
  const { n, mean, variance } = value as Record<string, unknown>;
  if (typeof n !== "number" || typeof mean !== "number" || typeof variance !== "number") return null;
  return { n, mean, variance };
}

export function addSample(baseline: Baseline | null, sample: number): Baseline {
  if (baseline === null) return { n: 1, mean: sample, variance: 0 };
  const n = baseline.n + 1;
  const weight = 1 / Math.min(n, SAMPLES_REMEMBERED);
  const delta = sample - baseline.mean;
  const mean = baseline.mean + weight * delta;
  return { n, mean, variance: (1 - weight) * (baseline.variance + weight * delta * delta) };
}

/** Whether the sample of this execution should be written at all; the same answer whenever it is asked. */
export function takesSample(baseline: Baseline | null, executionHash: number): boolean {
  return baseline === null || baseline.n < SAMPLES_REMEMBERED || executionHash % THINNING === 0;
}
