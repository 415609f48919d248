import {
  type CallsBehind,
  noCallsYet,
  noteCall,
  wentOnAfter,
} from "../building-blocks/errors/calls-behind.ts";
import { groupOf, type ThrownException, thrownBy } from "../building-blocks/errors/exception-view.ts";
import type { Detection, Detector, DetectorEvent } from "../detector.ts";

/**
 * An exception that nobody handled: every one that the client does not call handled, and the last handled one
 * of a run that then crashed, unless the run went on behind it. What a person or the platform ends a program
 * with, and what a framework throws to pause one, is no failure of the code. At most 100 an execution.
 */
export interface UnhandledExceptionState {
  fired: number;
  /** The latest exception by sequence, kept while it is called handled. */
  last: { readonly seq: number; readonly thrown: ThrownException; readonly eventId: string } | null;
  lastSeq: number;
  readonly calls: CallsBehind;
}

const FIRED_MAX = 100;

export const unhandledException: Detector<UnhandledExceptionState> = {
  failureClass: "unhandled_exception",
  version: 6,
  family: "reliability",
  summary: "An exception that the agent's code did not handle.",
  defaultSeverity: "high",
  signature: [
    "exception type",
    "own frames of the stack and the error it began with, else the masked message",
  ],
  taxonomy: { owaspAgentic2026: ["ASI08"] },
  thresholds: {},
  eventTypes: ["exception", "llm_call", "tool_call", "mcp_call"],
  onStatus: true,
  onTick: false,
  createState: () => ({ fired: 0, last: null, lastSeq: -1, calls: noCallsYet() }),
  detect({ execution, events, state, settings }) {
    const detections: Detection[] = [];
    for (const event of events) {
      if (event.type !== "exception") {
        noteCall(state.calls, event.sequence);
        continue;
      }
      const thrown = thrownBy(event);
      if (isOrderlyEnd(event, thrown.type)) continue;
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
      const { thrown, eventId, seq } = state.last;
      state.last = null;
      if (wentOnAfter(state.calls, seq)) return { state, detections };
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

/** Ctrl-C, a platform's signal and an exit without a status of failure; a graph that waits for a person. */
const ENDS_OR_PAUSES =
  /^(?:builtins\.|langgraph\.(?:errors|types)\.)?(?:KeyboardInterrupt|GeneratorExit|Interrupt|GraphInterrupt|NodeInterrupt|SIG(?:INT|TERM|HUP))$/;
const EXIT = /^(?:builtins\.)?SystemExit$/;
const STOPPING_SIGNAL = /^SignalException$/;

function isOrderlyEnd({ payload }: DetectorEvent, type: string): boolean {
  if (ENDS_OR_PAUSES.test(type)) return true;
  const message = typeof payload.message === "string" ? payload.message.trim() : "";
  if (EXIT.test(type)) return /^(?:0|None|)$/.test(message);
  return STOPPING_SIGNAL.test(type) && /^SIG(?:INT|TERM|HUP)$/.test(message);
}
