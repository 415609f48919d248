import {
  type CallsBehind,
  noCallsYet,
  noteCall,
  wentOnAfter,
} from "../building-blocks/errors/calls-behind.ts";
import { tellsNothing } from "../building-blocks/errors/crash-signature.ts";
import {
  type ExceptionGroup,
  groupOf,
  type ThrownException,
  thrownBy,
} from "../building-blocks/errors/exception-view.ts";
import { fingerprint } from "../building-blocks/hash.ts";
import type { Detection, Detector, ProjectMemory } from "../detector.ts";

/**
 * An execution was marked crashed. The client's crash signature groups it, unless it tells nothing; without
 * one, the last exception that it reported does. A client whose signature is new each time (it hashes a
 * message with what varies in it) still gets one group for the same exception: the project remembers which
 * group an exception made first. An exception that the run survived is not what ended it.
 */
export interface ExecutionCrashState {
  fired: boolean;
  readonly calls: CallsBehind;
  last: { readonly seq: number; readonly thrown: ThrownException; readonly eventId: string } | null;
}

export const executionCrash: Detector<ExecutionCrashState> = {
  failureClass: "execution_crash",
  version: 4,
  family: "reliability",
  summary: "An execution was marked crashed.",
  defaultSeverity: "high",
  signature: [
    "the client's crash signature (of the same exception the first that was seen), else type and frames (or masked message) of the last exception",
  ],
  taxonomy: { owaspAgentic2026: ["ASI08"], mast: ["FM-3.1"] },
  thresholds: {},
  eventTypes: ["exception", "llm_call", "tool_call", "mcp_call"],
  onStatus: true,
  onTick: false,
  createState: () => ({ fired: false, calls: noCallsYet(), last: null }),
  detect({ execution, events, state, memory }) {
    for (const event of events) {
      if (event.type !== "exception") {
        noteCall(state.calls, event.sequence);
        continue;
      }
      if (state.last !== null && event.sequence < state.last.seq) continue;
      state.last = { seq: event.sequence, thrown: thrownBy(event), eventId: event.eventId };
    }
    const detections: Detection[] = [];
    if (execution.status === "crashed" && !state.fired) {
      state.fired = true;
      const { crashSignature } = execution;
      const last = state.last !== null && isSurvived(state.last, state.calls) ? null : state.last;
      const group = last === null ? null : groupOf(last.thrown);
      const signature = crashSignature === null || tellsNothing(crashSignature) ? null : crashSignature;
      const isCause = group?.isExplained === true && last?.thrown.handled !== true;
      const parts = isCause ? groupOfException(memory, group, signature) : groupWithout(group, signature);
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

type Last = NonNullable<ExecutionCrashState["last"]>;

const isSurvived = ({ seq, thrown }: Last, calls: CallsBehind): boolean =>
  thrown.handled === true && wentOnAfter(calls, seq);

function groupWithout(group: ExceptionGroup | null, signature: string | null): string[] {
  if (signature !== null) return ["signature", signature];
  return group === null ? ["unknown"] : ["exception", group.type, group.groupKey];
}

const REMEMBERED_MAX = 900;

/**
 * The group that this exception made first. Only signatures are kept: without one an exception has a group of
 * its own.
 */
function groupOfException(memory: ProjectMemory, group: ExceptionGroup, signature: string | null): string[] {
  const key = `exception:${fingerprint(`${group.type}\n${group.groupKey}`)}`;
  const known = memory.get(key);
  if (typeof known === "string") return known === "" ? groupWithout(group, null) : ["signature", known];
  if (memory.size < REMEMBERED_MAX) memory.set(key, signature ?? "");
  return groupWithout(group, signature);
}
