import type { Detector, ExecutionView } from "../../src/detect/detector.ts";
import { viewAtStart } from "../../src/detect/engine/execution-view.ts";
import { DETECTORS } from "../../src/detect/registry.ts";
import { SeededRandom } from "../ingest/random.ts";
import { FAILURES } from "./failures.ts";
import { type GeneratedRun, ordinaryDraft, runOf, START_MS } from "./generated-runs.ts";
import { RunMemory } from "./run-memory.ts";

/**
 * Precision and recall of the classes that judge what an agent did, on generated runs: with a failure, with
 * what looks like one, and with neither. They say how a rule keeps to what it promises, near its thresholds
 * too; not how often such failures are real.
 */
const HISTORY_RUNS = 80;
const RUNS_A_KIND = 200;
const CLASSES = new Set(FAILURES.map((one) => one.failureClass));
const JUDGES = DETECTORS.filter((one) => CLASSES.has(one.failureClass)) as readonly Detector[];

export interface GeneratedResult {
  readonly failureClass: string;
  readonly injected: number;
  readonly found: number;
  readonly nearMisses: number;
  readonly nearMissesFired: number;
  /**
   * Firings among all runs without an injected failure: those near misses of every class, and ordinary ones.
   */
  readonly clean: number;
  readonly falsePositives: number;
}

const TICKS_MS = [6_000, 45_000, 120_000];

function firesIn(detector: Detector, run: GeneratedRun, memory: RunMemory, executionId: string): boolean {
  const running = viewAtStart({ executionId, startedMs: START_MS });
  let state = detector.createState();
  let fired = false;
  const call = (
    execution: ExecutionView,
    events: GeneratedRun["events"],
    cause: "events" | "status" | "tick",
    nowMs: number,
  ): void => {
    const output = detector.detect({
      execution,
      events,
      cause,
      nowMs,
      state,
      settings: { thresholds: {}, allow: [] },
      memory,
    });
    state = output.state;
    if (output.detections.length > 0) fired = true;
  };
  let lastMs = START_MS;
  for (const event of run.events) {
    if (detector.onTick)
      for (let at = lastMs + 10_000; at < event.receivedMs; at += 10_000) call(running, [], "tick", at);
    lastMs = Math.max(lastMs, event.receivedMs);
    if (detector.eventTypes.includes(event.type)) call(running, [event], "events", event.receivedMs);
  }
  const ended = run.finished === null ? running : { ...running, ...run.finished };
  if (run.finished !== null && detector.onStatus) call(ended, [], "status", lastMs + 100);
  if (detector.onTick)
    for (const after of [...TICKS_MS, run.watchedMs]) call(ended, [], "tick", lastMs + after);
  return fired;
}

/**
 * What a project remembers after ordinary runs, with the scores and the tool that some failures are measured
 * against.
 */
function historyOf(detector: Detector, random: SeededRandom): RunMemory {
  const memory = new RunMemory();
  for (let run = 0; run < HISTORY_RUNS; run++) {
    const draft = ordinaryDraft(random);
    draft.put(1, draft.step("eval_score", { metric: "accuracy", score: 0.87 + random.below(60) / 1_000 }));
    draft.put(
      1,
      draft.step("mcp_call", {
        server: "files",
        method: "tools/call",
        tool_name: "read",
        description: "Reads a file.",
        input_schema: { path: "string" },
      }),
    );
    firesIn(detector, runOf(draft), memory, `h${run}`);
  }
  return memory;
}

interface Labelled {
  readonly injected: string | null;
  readonly nearMissOf: string | null;
  readonly run: GeneratedRun;
}

function labelledRuns(random: SeededRandom): Labelled[] {
  const runs: Labelled[] = [];
  for (let at = 0; at < RUNS_A_KIND; at++) {
    runs.push({ injected: null, nearMissOf: null, run: runOf(ordinaryDraft(random)) });
    for (const { failureClass, inject, nearMiss } of FAILURES) {
      const failed = ordinaryDraft(random);
      inject(failed, random);
      runs.push({ injected: failureClass, nearMissOf: null, run: runOf(failed) });
      const near = ordinaryDraft(random);
      nearMiss(near, random);
      runs.push({ injected: null, nearMissOf: failureClass, run: runOf(near) });
    }
  }
  return runs;
}

/**
 * A near miss of one class may be the failure of another: a validator that fails before it passes, a tool new
 * to the project, or one whose service is out of reach three times, though the run's other calls went well.
 */
const ALSO: Readonly<Record<string, readonly string[]>> = {
  premature_completion: ["validator_failure"],
  tool_error_burst: ["infrastructure_degradation"],
  tool_loop: ["behavior_drift"],
  ignored_human_decision: ["behavior_drift"],
};

export function evaluateGenerated(seed = 5): readonly GeneratedResult[] {
  const random = new SeededRandom(seed);
  const runs = labelledRuns(random);
  return JUDGES.map((detector) => {
    const { failureClass } = detector;
    const history = historyOf(detector, new SeededRandom(seed + 1));
    const count = { injected: 0, found: 0, nearMisses: 0, nearMissesFired: 0, clean: 0, falsePositives: 0 };
    runs.forEach(({ injected, nearMissOf, run }, at) => {
      if (injected !== null && injected !== failureClass) return;
      if (nearMissOf !== null && ALSO[nearMissOf]?.includes(failureClass)) return;
      const fired = firesIn(detector, run, new RunMemory(history.values), `g${at}`) ? 1 : 0;
      if (injected !== null) {
        count.injected++;
        count.found += fired;
        return;
      }
      count.clean++;
      count.falsePositives += fired;
      if (nearMissOf === failureClass) {
        count.nearMisses++;
        count.nearMissesFired += fired;
      }
    });
    return { failureClass, ...count };
  });
}
