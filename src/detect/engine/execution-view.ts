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

/** An execution whose end is stored and not yet detected. */
export function viewBeforeEnd(view: ExecutionView): ExecutionView {
  return { ...viewAtStart(view), environmentMode: view.environmentMode };
}
