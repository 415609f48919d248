import { groupOf, type ThrownException, thrownBy } from "../building-blocks/errors/exception-view.ts";
import type { Detection, Detector } from "../detector.ts";

/**
 * An exception that nobody handled: every one that the client does not call handled, and the last handled one of a
 * run that then crashed. At most 100 an execution.
 */
export interface UnhandledExceptionState {
  fired: number;
  /** The latest exception by sequence, kept while it is called handled. */
  last: { readonly seq: number; readonly thrown: ThrownException; readonly eventId: string } | null;
  lastSeq: number;
}

const FIRED_MAX = 100;

export const unhandledException: Detector<UnhandledExceptionState> = {
  failureClass: "unhandled_exception",
  version: 4,
  family: "reliability",
  summary: "An exception that the agent's code did not handle.",
  defaultSeverity: "high",
  signature: [
    "exception type",
    "own frames of the stack and the error it began with, else the masked message",
  ],
  taxonomy: { owaspAgentic2026: ["ASI08"] },
  thresholds: {},
  eventTypes: ["exception"],
  onStatus: true,
  onTick: false,
  createState: () => ({ fired: 0, last: null, lastSeq: -1 }),
  detect({ execution, events, state, settings }) {
    const detections: Detection[] = [];
    for (const event of events) {
      const thrown = thrownBy(event);
      if (settings.allow.includes(thrown.type)) continue;
      if (thrown.handled !== true) {
        if (event.sequence >= state.lastSeq) {
          state.lastSeq = event.sequence;
          state.last = null;
        }
        if (state.fired >= FIRED_MAX) continue;
        state.fired++;
        const { type, groupKey, excerpt } = groupOf(thrown);
        detections.push({
          signatureParts: [type, groupKey],
          severity: thrown.handled === false ? "high" : "medium",
          ruleIds: [`unhandled_exception/${thrown.handled === false ? "not-handled" : "not-said-handled"}`],
          score: thrown.handled === false ? 1 : 0.7,
          excerpt,
          eventId: event.eventId,
          evidenceEventIds: [],
        });
      } else if (event.sequence >= state.lastSeq) {
        state.lastSeq = event.sequence;
        state.last = { seq: event.sequence, thrown, eventId: event.eventId };
      }
    }
    if (execution.status === "crashed" && state.last !== null) {
      const { thrown, eventId } = state.last;
      state.last = null;
      const { type, groupKey, excerpt } = groupOf(thrown);
      detections.push({
        signatureParts: [type, groupKey],
        severity: "high",
        ruleIds: ["unhandled_exception/crashed-after"],
        score: 0.7,
        excerpt,
        eventId,
        evidenceEventIds: [],
      });
    }
    return { state, detections };
  },
};
