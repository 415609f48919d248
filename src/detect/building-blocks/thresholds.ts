import type { DetectorSettings, ThresholdDeclaration } from "../detector.ts";

/** Reads a detector's thresholds: the project's own number where it set one, else the declared default. */
export function thresholdReader<Declared extends Record<string, ThresholdDeclaration>>(declared: Declared) {
  return (settings: DetectorSettings, name: keyof Declared & string): number =>
    settings.thresholds[name] ?? declared[name]!.default;
}
