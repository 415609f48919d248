import { cutText } from "../building-blocks/cut-text.ts";
import { excerptLine, shortName } from "../building-blocks/excerpt.ts";
import { isFailedVerdict } from "../building-blocks/verdict.ts";
import type { Detection, Detector } from "../detector.ts";

/** A validator of the client's own said no. Every failed result counts, up to 100 an execution. */
export interface ValidatorFailureState {
  fired: number;
}

const FIRED_MAX = 100;

export const validatorFailure: Detector<ValidatorFailureState> = {
  failureClass: "validator_failure",
  version: 4,
  family: "behaviour",
  summary: "A validator of the client's own reported a failed check.",
  defaultSeverity: "medium",
  signature: ["the validator's name"],
  taxonomy: { owaspLlm2025: ["LLM05:2025", "LLM09:2025"], mast: ["FM-3.2", "FM-3.3", "FM-1.1"] },
  thresholds: {},
  eventTypes: ["validator_result"],
  onStatus: false,
  onTick: false,
  createState: () => ({ fired: 0 }),
  detect({ events, state, settings }) {
    const detections: Detection[] = [];
    for (const event of events) {
      if (!isFailedVerdict(event.payload.passed) || state.fired >= FIRED_MAX) continue;
      const validator = shortName(event.payload.validator);
      if (settings.allow.includes(validator)) continue;
      state.fired++;
      const message = event.payload.message;
      detections.push({
        signatureParts: [validator],
        severity: "medium",
        ruleIds: ["validator_failure/failed"],
        score: 1,
        excerpt: excerptLine(
          typeof message === "string" ? `${validator}: ${cutText(message, 300)}` : `${validator} failed`,
        ),
        eventId: event.eventId,
        evidenceEventIds: [],
      });
    }
    return { state, detections };
  },
};
