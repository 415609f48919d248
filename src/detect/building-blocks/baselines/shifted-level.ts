import { addSample, type Baseline, readBaseline } from "./baseline.ts";

/**
 * The usual level of a measure, and the latest samples that are all far to one side of it. These are held
 * back from the baseline until the row ends or is long enough to be news; then they are taken in, so that a
 * project that goes to and fro learns it and is told once.
 */
export interface Level {
  readonly usual: Baseline | null;
  readonly held: readonly number[];
}

export interface LevelLimits {
  /** Samples that make a level. */
  readonly samplesMin: number;
  /** Distance that is far. */
  readonly beyond: number;
  /** The same in standard deviations. */
  readonly deviations: number;
  /** Samples in a row that are news. */
  readonly rowMin: number;
}

export interface Shift {
  readonly usual: number;
  readonly isUp: boolean;
}

export function readLevel(value: unknown): Level {
  if (typeof value !== "object" || value === null) return { usual: null, held: [] };
  const { usual, held } = value as Record<string, unknown>;
  return {
    usual: readBaseline(usual),
    held: Array.isArray(held) ? held.filter((one): one is number => typeof one === "number") : [],
  };
}

export function addToLevel(
  { usual, held }: Level,
  sample: number,
  limits: LevelLimits,
): { readonly level: Level; readonly shift: Shift | null } {
  if (usual === null || usual.n < limits.samplesMin)
    return { level: { usual: addSample(usual, sample), held: [] }, shift: null };
  const least = Math.max(limits.beyond, limits.deviations * Math.sqrt(usual.variance));
  const away = sample - usual.mean;
  const first = held[0];
  const isRow = Math.abs(away) > least && (first === undefined || first > usual.mean === away > 0);
  const row = [...held, sample];
  if (isRow && row.length < limits.rowMin) return { level: { usual, held: row }, shift: null };
  let learned = usual;
  for (const one of row) learned = addSample(learned, one);
  return { level: { usual: learned, held: [] }, shift: isRow ? { usual: usual.mean, isUp: away > 0 } : null };
}
