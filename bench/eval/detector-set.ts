import type { Detection, Detector, DetectorEvent } from "../../src/detect/detector.ts";
import { dataExfiltration } from "../../src/detect/detectors/data-exfiltration.ts";
import { injectionFollowed } from "../../src/detect/detectors/injection-followed.ts";
import { jailbreakAttempt } from "../../src/detect/detectors/jailbreak-attempt.ts";
import { mcpToolPoisoning } from "../../src/detect/detectors/mcp-tool-poisoning.ts";
import { memoryPoisoning } from "../../src/detect/detectors/memory-poisoning.ts";
import { obfuscatedPayload } from "../../src/detect/detectors/obfuscated-payload.ts";
import { piiExposure } from "../../src/detect/detectors/pii-exposure.ts";
import { promptInjection } from "../../src/detect/detectors/prompt-injection.ts";
import { secretExposure } from "../../src/detect/detectors/secret-exposure.ts";
import { systemPromptExtraction } from "../../src/detect/detectors/system-prompt-extraction.ts";
import { viewAtStart } from "../../src/detect/engine/execution-view.ts";
import { RunMemory } from "./run-memory.ts";

/**
 * The detectors that judge texts, as the engine calls them: per run one state each, events in their order.
 */
export const TEXT_DETECTORS = [
  promptInjection,
  injectionFollowed,
  jailbreakAttempt,
  systemPromptExtraction,
  obfuscatedPayload,
  secretExposure,
  piiExposure,
  mcpToolPoisoning,
  memoryPoisoning,
  dataExfiltration,
] as unknown as readonly Detector[];

const EXECUTION = viewAtStart({ executionId: "run", startedMs: 0 });

/** The detections of each class over the events of one run, one event a call as they would arrive live. */
export function detectRun(
  detectors: readonly Detector[],
  events: readonly DetectorEvent[],
): ReadonlyMap<string, readonly Detection[]> {
  const found = new Map<string, Detection[]>();
  const runners = detectors.map((detector) => ({
    detector,
    types: new Set(detector.eventTypes),
    state: detector.createState(),
    memory: new RunMemory(),
  }));
  for (const event of events) {
    for (const runner of runners) {
      if (!runner.types.has(event.type)) continue;
      const output = runner.detector.detect({
        execution: EXECUTION,
        events: [event],
        cause: "events",
        nowMs: event.receivedMs,
        state: runner.state,
        settings: { thresholds: {}, allow: [] },
        memory: runner.memory,
      });
      runner.state = output.state;
      if (output.detections.length === 0) continue;
      const { failureClass } = runner.detector;
      found.set(failureClass, [...(found.get(failureClass) ?? []), ...output.detections]);
    }
  }
  return found;
}
