import { REVIEW_SCENARIOS } from "./code-review.ts";
import { PIPELINE_SCENARIOS } from "./data-pipeline.ts";
import { Random } from "./random.ts";
import { RESEARCH_SCENARIOS } from "./research-crew.ts";
import type { DemoRun } from "./run-script.ts";
import type { Scenario } from "./scenario.ts";
import { SIMULATION_SCENARIOS } from "./storefront-simulation.ts";
import { SUPPORT_SCENARIOS } from "./support-triage.ts";

/**
 * Which runs happen when, from a seed alone: the same seed and number of runs give the same runs. About one
 * run in five goes wrong, so that a short demo shows much; every kind of incident happens once before any of
 * them happens again.
 */
export interface PlannedRun {
  readonly scenario: string;
  readonly isIncident: boolean;
  /** How long before the present the run began. */
  readonly agoMs: number;
  readonly run: DemoRun;
}

export const SCENARIOS: readonly Scenario[] = [
  ...SUPPORT_SCENARIOS,
  ...REVIEW_SCENARIOS,
  ...RESEARCH_SCENARIOS,
  ...PIPELINE_SCENARIOS,
  ...SIMULATION_SCENARIOS,
];

const HOUR_MS = 3_600_000;
const INCIDENT_SHARE = 0.22;
/** Of a long demo, in which each kind happens as often as its weight says. */
const INCIDENT_SHARE_MIN = 0.05;

/** Oldest first. */
export function planRuns(seed: number, count: number): PlannedRun[] {
  const random = new Random(seed);
  const planned = [...incidentsOf(random, count)];
  const ordinary = SCENARIOS.filter((scenario) => !scenario.isIncident);
  while (planned.length < count) planned.push(planRun(random, weighted(random, ordinary)));
  return planned.sort((a, b) => b.agoMs - a.agoMs);
}

function* incidentsOf(random: Random, runs: number): Generator<PlannedRun> {
  const kinds = SCENARIOS.filter((scenario) => scenario.isIncident);
  const weight = kinds.reduce((sum, kind) => sum + kind.weight, 0);
  const count = Math.floor(Math.max(Math.min(runs * INCIDENT_SHARE, weight), runs * INCIDENT_SHARE_MIN));
  const once = random.some(kinds, count);
  for (const kind of once) yield planRun(random, kind);
  for (let left = count - once.length; left > 0; left--) yield planRun(random, weighted(random, kinds));
}

function weighted(random: Random, choices: readonly Scenario[]): Scenario {
  let left = random.next() * choices.reduce((sum, choice) => sum + choice.weight, 0);
  for (const choice of choices) {
    left -= choice.weight;
    if (left < 0) return choice;
  }
  return random.pick(choices);
}

function planRun(random: Random, scenario: Scenario): PlannedRun {
  const run = scenario.play(random);
  const [latest, earliest] = scenario.hoursAgo;
  const agoMs = (latest + random.next() * (earliest - latest)) * HOUR_MS;
  return {
    scenario: scenario.name,
    isIncident: scenario.isIncident,
    // What has ended must have ended by now.
    agoMs: Math.round(run.end === null ? agoMs : Math.max(agoMs, run.durationMs + 1_000)),
    run,
  };
}
