import { excerptLine } from "../building-blocks/excerpt.ts";
import { hashText, hashValue } from "../building-blocks/hash.ts";
import { addOnce, bySequence, insertOrdered } from "../building-blocks/ordered-window.ts";
import { thresholdReader } from "../building-blocks/thresholds.ts";
import type { Detection, Detector, DetectorEvent } from "../detector.ts";
import { chatTurnOf } from "../text/event/chat-turn.ts";
import { messagesOf } from "../text/event/fields.ts";

/**
 * The agent stands still: its state hash is the same at checkpoint after checkpoint, or the model writes the same
 * text again and again. Short texts are left out: "Yes." is no sign of anything.
 */
export interface NoProgressState {
  readonly checkpoints: Mark[];
  readonly outputs: Mark[];
  readonly fired: number[];
}

interface Mark {
  readonly seq: number;
  readonly hash: number;
  readonly eventId: string;
}

const MARKS_MAX = 24;
const FIRED_MAX = 32;
const OUTPUT_CHARS_MIN = 24;
const DEPTH_MAX = 4;
/** Before the first words of an answer there may be thoughts. */
const PARTS_MAX = 8;

const THRESHOLDS = {
  checkpoints: { default: 4, min: 2, max: 24, description: "Checkpoints in a row with the same state" },
  outputs: { default: 4, min: 2, max: 12, description: "Times the model writes the same text" },
  outputWindow: {
    default: 12,
    min: 4,
    max: 24,
    description: "Model outputs within which the repeats must lie",
  },
} as const;
const threshold = thresholdReader(THRESHOLDS);

export const noProgress: Detector<NoProgressState> = {
  failureClass: "no_progress",
  version: 3,
  family: "behaviour",
  summary: "The state stays the same over several checkpoints, or the model repeats the same text.",
  defaultSeverity: "medium",
  signature: ["same-state or same-output"],
  taxonomy: {
    owaspLlm2025: ["LLM10:2025"],
    owaspAgentic2026: ["ASI08"],
    mast: ["FM-1.3", "FM-1.5"],
  },
  thresholds: THRESHOLDS,
  eventTypes: ["checkpoint", "llm_call"],
  onStatus: false,
  onTick: false,
  createState: () => ({ checkpoints: [], outputs: [], fired: [] }),
  detect({ events, state, settings }) {
    const detections: Detection[] = [];
    for (const event of bySequence(events)) {
      const hash = event.type === "checkpoint" ? stateHashOf(event) : outputHashOf(event);
      if (hash === 0) continue;
      const mark = { seq: event.sequence, hash, eventId: event.eventId };
      const isCheckpoint = event.type === "checkpoint";
      const marks = isCheckpoint ? state.checkpoints : state.outputs;
      const at = insertOrdered(marks, mark, MARKS_MAX);
      if (at < 0 || state.fired.includes(hash)) continue;
      // Two at least are needed, and a mark that no other one equals is the rule.
      if (!hasTwin(marks, at)) continue;
      const same = isCheckpoint ? inARow(marks, at) : nearby(marks, at, threshold(settings, "outputWindow"));
      if (same.length < threshold(settings, isCheckpoint ? "checkpoints" : "outputs")) continue;
      addOnce(state.fired, hash, FIRED_MAX);
      const rule = isCheckpoint ? "same-state" : "same-output";
      detections.push({
        signatureParts: [rule],
        severity: "medium",
        ruleIds: [`no_progress/${rule}`],
        score: 0.7,
        excerpt: excerptLine(
          isCheckpoint
            ? `${same.length} checkpoints in a row with the same state`
            : `the same output ${same.length} times`,
        ),
        eventId: event.eventId,
        evidenceEventIds: same
          .filter((other) => other !== mark)
          .map((other) => other.eventId)
          .slice(-20),
        dedupKey: `${rule}:${hash}`,
      });
    }
    return { state, detections };
  },
};

function hasTwin(marks: readonly Mark[], at: number): boolean {
  const { hash } = marks[at]!;
  for (let i = 0; i < marks.length; i++) if (i !== at && marks[i]!.hash === hash) return true;
  return false;
}

function inARow(marks: readonly Mark[], at: number): Mark[] {
  const hash = marks[at]!.hash;
  let from = at;
  let to = at;
  while (from > 0 && marks[from - 1]!.hash === hash) from--;
  while (to + 1 < marks.length && marks[to + 1]!.hash === hash) to++;
  return marks.slice(from, to + 1);
}

function nearby(marks: readonly Mark[], at: number, window: number): Mark[] {
  const hash = marks[at]!.hash;
  return marks.slice(Math.max(0, at - window + 1), at + window).filter((mark) => mark.hash === hash);
}

function stateHashOf(event: DetectorEvent): number {
  const { state_hash, state } = event.payload;
  if (typeof state_hash === "string" && state_hash !== "") return hashText(state_hash);
  if (typeof state_hash === "number") return hashText(String(state_hash));
  return state === undefined || state === null ? 0 : hashValue(state);
}

function outputHashOf(event: DetectorEvent): number {
  const { payload } = event;
  const given = payload.output ?? payload.completion ?? payload["gen_ai.output.messages"];
  // A message in JSON is no longer than its text: "Yes." stays short.
  const output = typeof given === "string" ? (messagesOf(given) ?? given) : given;
  const text = typeof output === "string" ? output : contentOf(output, 0);
  if (text.length < OUTPUT_CHARS_MIN) return 0;
  // An answer that calls tools is judged by its calls, not here.
  if (typeof output !== "string" && chatTurnOf(event).asked.length > 0) return 0;
  return hashText(text.trim());
}

/** The text of a chat message, or of its first part that holds any, where the output is one; what the model thought is none. */
function contentOf(output: unknown, depth: number): string {
  if (typeof output !== "object" || output === null || depth > DEPTH_MAX) return "";
  if (Array.isArray(output)) {
    for (let i = 0; i < output.length && i < PARTS_MAX; i++) {
      const said = contentOf(output[i], depth + 1);
      if (said !== "") return said;
    }
    return "";
  }
  const { content, text, parts, thought, type } = output as Record<string, unknown>;
  if (thought === true || type === "reasoning") return "";
  const found = content ?? text ?? parts;
  return typeof found === "string" ? found : contentOf(found, depth + 1);
}
