import { groupOf, type ThrownException, thrownBy } from "../building-blocks/errors/exception-view.ts";
import type { Detection, Detector } from "../detector.ts";

/**
 * An execution was marked crashed. The client's crash signature groups it; without one, the last exception that it
 * reported does.
 */
export interface ExecutionCrashState {
  fired: boolean;
  last: { readonly seq: number; readonly thrown: ThrownException; readonly eventId: string } | null;
}

export const executionCrash: Detector<ExecutionCrashState> = {
  failureClass: "execution_crash",
  version: 2,
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
    for (const event of events) {
      if (state.last !== null && event.sequence < state.last.seq) continue;
      state.last = { seq: event.sequence, thrown: thrownBy(event), eventId: event.eventId };
    }
    const detections: Detection[] = [];
    if (execution.status === "crashed" && !state.fired) {
      state.fired = true;
      const { crashSignature } = execution;
      const { last } = state;
      const group = last === null ? null : groupOf(last.thrown);
      const parts =
        crashSignature !== null
          ? ["signature", crashSignature]
          : last !== null && group !== null
            ? ["exception", group.type, group.groupKey]
            : ["unknown"];
      detections.push({
        signatureParts: parts,
        severity: "high",
        ruleIds: [`execution_crash/${parts[0]}`],
        score: 1,
        excerpt: group === null ? "the execution was marked crashed" : group.excerpt,
        eventId: null,
        evidenceEventIds: last === null ? [] : [last.eventId],
        dedupKey: "crash",
      });
    }
    return { state, detections };
  },
};
