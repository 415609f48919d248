import { DETECTORS } from "../../src/detect/registry.ts";
import { forgetTexts } from "../../src/detect/text/quiet-texts.ts";
import { type AgentRun, agentDojoRuns, tauBenchRuns, whoWhenRuns } from "./agent-runs.ts";
import type { ClientShape } from "./client-shapes.ts";
import type { Row } from "./dataset.ts";
import { detectRun } from "./detector-set.ts";

/**
 * Sets of whole agent runs, replayed in the shapes of clients, event by event with a state of their own, to
 * every detector.
 */
export interface RunSet {
  readonly name: string;
  readonly runs: (rows: readonly Row[]) => readonly AgentRun[];
}

export const RUN_SETS: readonly RunSet[] = [
  { name: "agentdojo_traces_banking_workspace", runs: agentDojoRuns },
  { name: "agentdojo_traces_slack_travel", runs: agentDojoRuns },
  { name: "taubench_traces", runs: tauBenchRuns },
  { name: "whowhen_traces", runs: whoWhenRuns },
];

export interface RunResult {
  readonly shape: string;
  readonly set: string;
  readonly group: string;
  readonly runs: number;
  /** Runs in which the class fired at least once. */
  readonly fired: Readonly<Record<string, number>>;
  readonly events: number;
  readonly microsecondsAnEvent: number;
}

function groupOf(run: AgentRun): string {
  if (run.attack === null) return "clean";
  const became = run.attack.succeeded ? "attack succeeded" : "attack failed";
  if (run.attackSeen === null) return became;
  return `${became}, ${run.attackSeen ? "seen by the agent" : "never reached the agent"}`;
}

function replay(
  set: string,
  runs: readonly AgentRun[],
  { name, events: eventsOf }: ClientShape,
): RunResult[] {
  const groups = new Map<
    string,
    { runs: number; fired: Record<string, number>; events: number; nanoseconds: number }
  >();
  for (const run of runs) {
    const groupName = groupOf(run);
    const group = groups.get(groupName) ?? { runs: 0, fired: {}, events: 0, nanoseconds: 0 };
    groups.set(groupName, group);
    const events = eventsOf(run.chat);
    forgetTexts();
    const began = Bun.nanoseconds();
    const found = detectRun(DETECTORS, events);
    group.nanoseconds += Bun.nanoseconds() - began;
    group.runs++;
    group.events += events.length;
    for (const failureClass of found.keys()) group.fired[failureClass] = (group.fired[failureClass] ?? 0) + 1;
  }
  return [...groups].map(([group, { runs: count, fired, events, nanoseconds }]) => ({
    shape: name,
    set,
    group,
    runs: count,
    fired,
    events,
    microsecondsAnEvent: nanoseconds / events / 1_000,
  }));
}

export function evaluateRuns(
  rows: readonly Row[],
  set: RunSet,
  shapes: readonly ClientShape[],
): readonly RunResult[] {
  const runs = set.runs(rows);
  return shapes.flatMap((shape) => replay(set.name, runs, shape));
}
