import { cutText } from "../building-blocks/cut-text.ts";
import { excerptLine, shortName } from "../building-blocks/excerpt.ts";
import { errorKind } from "../building-blocks/normalise-error.ts";
import { bySequence, insertOrdered } from "../building-blocks/ordered-window.ts";
import { thresholdReader } from "../building-blocks/thresholds.ts";
import { toolViewOf } from "../building-blocks/tool-view.ts";
import type { Detection, Detector } from "../detector.ts";

/**
 * Most of the last calls of tools failed. Calls are ordered by sequence; a burst fires once and again only after
 * the window has been mostly clean.
 */
export interface ToolErrorBurstState {
  readonly calls: {
    readonly seq: number;
    readonly error: string;
    readonly tool: string;
    readonly eventId: string;
  }[];
  inBurst: boolean;
  bursts: number;
}

const TEXT_CHARS_MAX = 80;
const BURSTS_MAX = 20;
const CALLS_MAX = 32;

const THRESHOLDS = {
  windowCalls: { default: 10, min: 3, max: CALLS_MAX, description: "Tool calls looked at together" },
  errorsMin: { default: 5, min: 2, max: CALLS_MAX, description: "Failed calls in the window" },
  errorShareMin: { default: 0.5, min: 0.05, max: 1, description: "Share of failed calls in the window" },
} as const;
const threshold = thresholdReader(THRESHOLDS);

export const toolErrorBurst: Detector<ToolErrorBurstState> = {
  failureClass: "tool_error_burst",
  version: 1,
  family: "behaviour",
  summary: "Most of an execution's latest tool calls failed.",
  defaultSeverity: "medium",
  signature: ["tool that failed most", "kind of its error, masked"],
  taxonomy: { owaspAgentic2026: ["ASI08"], mast: ["FM-1.3"] },
  thresholds: THRESHOLDS,
  eventTypes: ["tool_call", "mcp_call"],
  onStatus: false,
  onTick: false,
  createState: () => ({ calls: [], inBurst: false, bursts: 0 }),
  detect({ events, state, settings }) {
    const detections: Detection[] = [];
    const window = threshold(settings, "windowCalls");
    const errorsMin = threshold(settings, "errorsMin");
    const errorShareMin = threshold(settings, "errorShareMin");
    for (const event of bySequence(events)) {
      const view = toolViewOf(event);
      if (view?.ended !== true || settings.allow.includes(view.tool)) continue;
      insertOrdered(
        state.calls,
        {
          seq: event.sequence,
          error: view.failed ? cutText(errorKind(view.errorText), TEXT_CHARS_MAX) : "",
          tool: cutText(view.tool, TEXT_CHARS_MAX),
          eventId: event.eventId,
        },
        window,
      );
      const failedCount = failuresIn(state.calls);
      const share = failedCount / state.calls.length;
      if (failedCount < errorsMin || share < errorShareMin) {
        if (share < errorShareMin / 2) state.inBurst = false;
        continue;
      }
      if (state.inBurst || state.bursts >= BURSTS_MAX) continue;
      const failed = state.calls.filter((call) => call.error !== "");
      state.inBurst = true;
      state.bursts++;
      const leading = mostCommon(failed.map((call) => call.tool));
      const kind = mostCommon(failed.filter((call) => call.tool === leading).map((call) => call.error));
      detections.push({
        signatureParts: [leading, kind],
        severity: failed.length === state.calls.length && failed.length >= 8 ? "high" : "medium",
        ruleIds: ["tool_error_burst/error-share"],
        score: Math.min(1, share),
        excerpt: excerptLine(
          `${failed.length} of ${state.calls.length} tool calls failed, most of them ${shortName(leading)}: ${kind}`,
        ),
        eventId: event.eventId,
        evidenceEventIds: failed
          .map((call) => call.eventId)
          .filter((id) => id !== event.eventId)
          .slice(-20),
      });
    }
    return { state, detections };
  },
};

function failuresIn(calls: ToolErrorBurstState["calls"]): number {
  let count = 0;
  for (let i = 0; i < calls.length; i++) if (calls[i]!.error !== "") count++;
  return count;
}

function mostCommon(values: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  let best = "";
  for (const [value, count] of counts) {
    const leader = counts.get(best) ?? 0;
    if (count > leader || (count === leader && value < best)) best = value;
  }
  return best;
}
