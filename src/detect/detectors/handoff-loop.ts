import { handsOver } from "../building-blocks/calls/tool-purpose.ts";
import { toolViewOf } from "../building-blocks/calls/tool-view.ts";
import { cutText } from "../building-blocks/cut-text.ts";
import { excerptLine, shortName } from "../building-blocks/excerpt.ts";
import { hashText, mix } from "../building-blocks/hash.ts";
import { addOnce, bySequence, insertNumber, insertOrdered } from "../building-blocks/ordered-window.ts";
import { thresholdReader } from "../building-blocks/thresholds.ts";
import { tokensOf } from "../building-blocks/token-usage.ts";
import type { Detection, Detector, DetectorEvent } from "../detector.ts";
import { answerText } from "../event-views/answer-text.ts";
import { chatTurnOf } from "../event-views/chat-turn.ts";
import { messagesOf } from "../event-views/fields.ts";

/**
 * Agents hand the work round in a circle (A→B→A→B, A→B→C→A→B→C) and nobody does any: between the handoffs no
 * tool is called, no memory written and no text of more than a line. A circle with work in it is how a supervisor
 * works, and needs many rounds.
 */
export interface HandoffLoopState {
  readonly handoffs: Handoff[];
  /** Sequence numbers of the latest work. */
  readonly work: number[];
  readonly fired: number[];
}

interface Handoff {
  readonly seq: number;
  readonly edge: number;
  readonly from: string;
  readonly to: string;
  readonly eventId: string;
}

const HANDOFFS_MAX = 32;
const WORK_MAX = 32;
const FIRED_MAX = 32;
const NAME_CHARS_MAX = 64;
/** Longer than "Over to the billing agent, please take care of this customer's refund." */
const WORK_TEXT_CHARS_MIN = 120;
const WORK_TOKENS_MIN = 60;
const PERIOD_MIN = 2;
const PERIOD_MAX = 4;

const THRESHOLDS = {
  rounds: { default: 2, min: 2, max: 8, description: "Rounds of the same circle with no work between" },
  roundsWithWork: {
    default: 12,
    min: 2,
    max: 16,
    description: "Rounds of the same two agents with work between",
  },
} as const;
const threshold = thresholdReader(THRESHOLDS);

export const handoffLoop: Detector<HandoffLoopState> = {
  failureClass: "handoff_loop",
  version: 3,
  family: "behaviour",
  summary: "Agents hand the work round in a circle and none of them does any.",
  defaultSeverity: "medium",
  signature: ["the agents of the circle, sorted"],
  taxonomy: {
    owaspLlm2025: ["LLM10:2025"],
    owaspAgentic2026: ["ASI08", "ASI07"],
    mast: ["FM-1.3", "FM-2.5"],
  },
  thresholds: THRESHOLDS,
  eventTypes: ["agent_handoff", "tool_call", "mcp_call", "memory_operation", "llm_call"],
  onStatus: false,
  onTick: false,
  createState: () => ({ handoffs: [], work: [], fired: [] }),
  detect({ events, state, settings }) {
    const detections: Detection[] = [];
    for (const event of bySequence(events)) {
      if (event.type !== "agent_handoff") {
        if (isWork(event)) insertNumber(state.work, event.sequence, WORK_MAX);
        continue;
      }
      const { from_agent, to_agent } = event.payload;
      if (typeof from_agent !== "string" || typeof to_agent !== "string" || from_agent === to_agent) continue;
      const handoff: Handoff = {
        seq: event.sequence,
        edge: mix(hashText(from_agent), hashText(to_agent)),
        from: cutText(from_agent, NAME_CHARS_MAX),
        to: cutText(to_agent, NAME_CHARS_MAX),
        eventId: event.eventId,
      };
      const at = insertOrdered(state.handoffs, handoff, HANDOFFS_MAX);
      if (at < 0) continue;
      const circle =
        findCircle(state, at, threshold(settings, "rounds"), PERIOD_MAX, true) ??
        findCircle(state, at, threshold(settings, "roundsWithWork"), PERIOD_MIN, false);
      if (circle === null || !addOnce(state.fired, keyOf(circle), FIRED_MAX)) continue;
      const agents = [...new Set(circle.flatMap((one) => [one.from, one.to]))].sort();
      detections.push({
        signatureParts: agents,
        severity: "medium",
        ruleIds: ["handoff_loop/circle"],
        score: 0.8,
        excerpt: excerptLine(
          `${circle.length} handoffs in a circle: ${agents.map((name) => shortName(name)).join(" → ")}`,
        ),
        eventId: event.eventId,
        evidenceEventIds: circle
          .map((one) => one.eventId)
          .filter((id) => id !== event.eventId)
          .slice(-20),
        dedupKey: `circle:${keyOf(circle)}`,
      });
    }
    return { state, detections };
  },
};

function findCircle(
  state: HandoffLoopState,
  at: number,
  rounds: number,
  periodMax: number,
  idleOnly: boolean,
): Handoff[] | null {
  const { handoffs } = state;
  for (let end = at; end < Math.min(handoffs.length, at + periodMax * rounds); end++) {
    for (let period = PERIOD_MIN; period <= periodMax; period++) {
      const start = end + 1 - period * rounds;
      if (start < 0 || !isCircle(handoffs, start, end, period)) continue;
      if (idleOnly && workBetween(state, handoffs[start]!.seq, handoffs[end]!.seq)) continue;
      return handoffs.slice(start, end + 1);
    }
  }
  return null;
}

/** Each round repeats the one before, each handoff starts where the last one ended, and the round closes. */
function isCircle(handoffs: readonly Handoff[], start: number, end: number, period: number): boolean {
  for (let i = start; i < end; i++) if (handoffs[i]!.to !== handoffs[i + 1]!.from) return false;
  if (handoffs[start + period - 1]!.to !== handoffs[start]!.from) return false;
  for (let i = start + period; i <= end; i++)
    if (handoffs[i]!.edge !== handoffs[i - period]!.edge) return false;
  return true;
}

function isWork(event: DetectorEvent): boolean {
  if (event.type === "memory_operation") return event.payload.operation === "write";
  if (event.type !== "llm_call") return !handsOver(toolViewOf(event)?.tool ?? "");
  const { output, tokens_out } = event.payload;
  const given = output ?? event.payload["gen_ai.output.messages"];
  // Clients that keep texts to themselves still say how long they were.
  if (given === undefined || given === null) return tokensOf(tokens_out) >= WORK_TOKENS_MIN;
  const answer = typeof given === "string" ? (messagesOf(given) ?? given) : given;
  if (typeof answer === "string") return answer.length >= WORK_TEXT_CHARS_MIN;
  if (answerText(answer).length >= WORK_TEXT_CHARS_MIN) return true;
  return chatTurnOf(event).asked.some(({ name }) => !handsOver(name));
}

function workBetween(state: HandoffLoopState, from: number, to: number): boolean {
  return state.work.some((seq) => seq > from && seq < to);
}

function keyOf(circle: readonly Handoff[]): number {
  return Math.min(...circle.map((one) => one.edge));
}
