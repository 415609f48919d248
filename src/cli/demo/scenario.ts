import type { Random } from "./random.ts";
import type { DemoRun } from "./run-script.ts";

/**
 * A kind of run. Healthy ones share the runs by weight; of an incident a set number happens, at its own time
 * of the day.
 */
export interface Scenario {
  readonly name: string;
  readonly isIncident: boolean;
  readonly weight: number;
  /** Hours ago, the later first. */
  readonly hoursAgo: readonly [number, number];
  readonly play: (random: Random) => DemoRun;
}

export function healthy(name: string, weight: number, play: Scenario["play"]): Scenario {
  return { name, isIncident: false, weight, hoursAgo: [0, 24], play };
}

export function incident(
  name: string,
  weight: number,
  hoursAgo: readonly [number, number],
  play: Scenario["play"],
): Scenario {
  return { name, isIncident: true, weight, hoursAgo, play };
}
