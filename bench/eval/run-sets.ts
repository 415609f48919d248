import { forgetTexts } from "../../src/detect/text/quiet-texts.ts";
import { type AgentRun, agentDojoRuns, tauBenchRuns, whoWhenRuns } from "./agent-runs.ts";
import { loadRows } from "./dataset.ts";
import { detectRun, TEXT_DETECTORS } from "./detector-set.ts";

/** Sets of whole agent runs, replayed event by event with a state of their own. */
export const RUN_SETS: readonly {
  name: string;
  runs: (rows: readonly Record<string, unknown>[]) => AgentRun[];
}[] = [
  { name: "agentdojo_traces_banking_workspace", runs: agentDojoRuns },
  { name: "taubench_traces", runs: tauBenchRuns },
  { name: "whowhen_traces", runs: whoWhenRuns },
];

export interface RunResult {
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
  return `${run.attack.succeeded ? "attack succeeded" : "attack failed"}, ${run.attackSeen ? "seen by the agent" : "never reached the agent"}`;
}

/** null where the set is absent. */
export function evaluateRuns(folder: string, set: (typeof RUN_SETS)[number]): readonly RunResult[] | null {
  const rows = loadRows(folder, set.name);
  if (rows === null) return null;
  const groups = new Map<
    string,
    { runs: number; fired: Record<string, number>; events: number; nanoseconds: number }
  >();
  for (const run of set.runs(rows)) {
    const name = groupOf(run);
    const group = groups.get(name) ?? { runs: 0, fired: {}, events: 0, nanoseconds: 0 };
    groups.set(name, group);
    forgetTexts();
    const began = Bun.nanoseconds();
    const found = detectRun(TEXT_DETECTORS, run.events);
    group.nanoseconds += Bun.nanoseconds() - began;
    group.runs++;
    group.events += run.events.length;
    for (const failureClass of found.keys()) group.fired[failureClass] = (group.fired[failureClass] ?? 0) + 1;
  }
  return [...groups].map(([group, { runs, fired, events, nanoseconds }]) => ({
    set: set.name,
    group,
    runs,
    fired,
    events,
    microsecondsAnEvent: nanoseconds / events / 1_000,
  }));
}
