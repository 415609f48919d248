import type { ExecutionView } from "../detector.ts";

/** An execution as it stands before anything but its start was reported of it. */
export function viewAtStart(start: Pick<ExecutionView, "executionId" | "startedMs">): ExecutionView {
  return {
    executionId: start.executionId,
    status: "started",
    startedMs: start.startedMs,
    finishedMs: null,
    durationMs: null,
    totalTokensIn: null,
    totalTokensOut: null,
    crashSignature: null,
    environmentMode: null,
  };
}
