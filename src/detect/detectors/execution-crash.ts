import type { Detection, Detector, DetectorEvent } from "../detector.ts";
import { exceptionViewOf } from "../exception-view.ts";

/**
 * An execution was marked crashed. The client's crash signature groups it; without one, the last exception that it
 * reported does.
 */
export interface ExecutionCrashState {
  fired: boolean;
  last: {
    readonly seq: number;
    readonly type: string;
    readonly groupKey: string;
    readonly excerpt: string;
    readonly eventId: string;
  } | null;
}

export const executionCrash: Detector<ExecutionCrashState> = {
  failureClass: "execution_crash",
  version: 1,
  family: "reliability",
  summary: "An execution was marked crashed.",
  defaultSeverity: "high",
  signature: ["the client's crash signature, else type and frames (or masked message) of the last exception"],
  taxonomy: { owaspAgentic2026: ["ASI08"], mast: ["FM-3.1"] },
  thresholds: {},
  eventTypes: ["exception"],
  onStatus: true,
  onTick: false,
  createState: () => ({ fired: false, last: null }),
  detect({ execution, events, state }) {
    let latest: DetectorEvent | null = null;
    for (const event of events) {
      if (event.sequence >= (latest?.sequence ?? state.last?.seq ?? Number.NEGATIVE_INFINITY)) latest = event;
    }
    if (latest !== null) {
      const { type, groupKey, excerpt } = exceptionViewOf(latest);
      state.last = { seq: latest.sequence, type, groupKey, excerpt, eventId: latest.eventId };
    }
    const detections: Detection[] = [];
    if (execution.status === "crashed" && !state.fired) {
      state.fired = true;
      const { crashSignature } = execution;
      const { last } = state;
      const parts =
        crashSignature !== null
          ? ["signature", crashSignature]
          : last !== null
            ? ["exception", last.type, last.groupKey]
            : ["unknown"];
      detections.push({
        signatureParts: parts,
        severity: "high",
        ruleIds: [`execution_crash/${parts[0]}`],
        score: 1,
        excerpt: last === null ? "the execution was marked crashed" : last.excerpt,
        eventId: null,
        evidenceEventIds: last === null ? [] : [last.eventId],
        dedupKey: "crash",
      });
    }
    return { state, detections };
  },
};
