import { EVENT_TYPES } from "../../ingest/wire/event-types.ts";
import { thresholdReader } from "../building-blocks/thresholds.ts";
import type { Detector, DetectorEvent, DetectorSettings, ExecutionView } from "../detector.ts";
import { chatTurnOf } from "../event-views/chat-turn.ts";

/**
 * An execution is started and nothing has come of it for a while. Only the clock fires it, by the service's own
 * times, and a time in which the service was down is no silence. Once a silence, five times an execution at most; a
 * silence after the model's finished answer, when it may be a person's turn, may last longer.
 */
export interface StalledExecutionState {
  lastReceivedMs: number;
  lastEventId: string | null;
  lastType: string | null;
  /** The model had ended its turn: the next word may be a person's. */
  turnEnded: boolean;
  fired: boolean;
  firings: number;
}

const FIRINGS_MAX = 5;
const MINUTE_MS = 60_000;

const THRESHOLDS = {
  silenceMinutes: {
    default: 10,
    min: 0.01,
    max: 10_000,
    description: "Minutes without an event while started",
  },
  idleMinutes: {
    default: 60,
    min: 0.01,
    max: 10_000,
    description: "The same where the last event is a model's finished answer: a person may be thinking",
  },
} as const;
const threshold = thresholdReader(THRESHOLDS);

export const stalledExecution: Detector<StalledExecutionState> = {
  failureClass: "stalled_execution",
  version: 3,
  family: "reliability",
  summary: "A started execution has sent nothing for a while.",
  defaultSeverity: "medium",
  signature: ["type of the last event, or no-events"],
  taxonomy: { owaspAgentic2026: ["ASI08"], mast: ["FM-1.5"] },
  thresholds: THRESHOLDS,
  eventTypes: EVENT_TYPES,
  onStatus: false,
  onTick: true,
  startedRule: {
    since: "latest_event",
    afterMs: (settings) => threshold(settings, "silenceMinutes") * MINUTE_MS,
  },
  nextTickMs({ execution, state, settings, upSinceMs }) {
    if (execution.status !== "started" || isSpent(state)) return Number.POSITIVE_INFINITY;
    return silentSinceMs(execution, state, upSinceMs) + allowedMs(state, settings) + 1;
  },
  createState: () => ({
    lastReceivedMs: 0,
    lastEventId: null,
    lastType: null,
    turnEnded: false,
    fired: false,
    firings: 0,
  }),
  detect({ execution, events, state, settings, nowMs, upSinceMs = 0 }) {
    const latest = events.at(-1);
    if (latest !== undefined && latest.receivedMs >= state.lastReceivedMs) {
      state.lastReceivedMs = latest.receivedMs;
      state.lastEventId = latest.eventId;
      state.lastType = latest.type;
      state.turnEnded = latest.type === "llm_call" && endsTurn(latest);
      state.fired = false;
    }
    if (execution.status !== "started" || isSpent(state) || latest !== undefined)
      return { state, detections: [] };
    const silentMs = nowMs - silentSinceMs(execution, state, upSinceMs);
    if (silentMs <= allowedMs(state, settings)) return { state, detections: [] };
    state.fired = true;
    state.firings++;
    const after = state.lastType === null ? "since it started" : `since a ${state.lastType}`;
    return {
      state,
      detections: [
        {
          signatureParts: [state.lastType ?? "no-events"],
          severity: "medium",
          ruleIds: ["stalled_execution/silence"],
          score: 0.8,
          excerpt: `no event for ${Math.floor(silentMs / MINUTE_MS)} min ${after}`,
          eventId: null,
          evidenceEventIds: state.lastEventId === null ? [] : [state.lastEventId],
          dedupKey: `after:${state.lastEventId ?? "start"}`,
        },
      ],
    };
  },
};

const isSpent = (state: StalledExecutionState) => state.fired || state.firings >= FIRINGS_MAX;

function silentSinceMs(execution: ExecutionView, state: StalledExecutionState, upSinceMs: number): number {
  return Math.max(state.lastReceivedMs, execution.startedMs, upSinceMs);
}

function allowedMs(state: StalledExecutionState, settings: DetectorSettings): number {
  const silenceMinutes = threshold(settings, "silenceMinutes");
  const minutes = state.turnEnded
    ? Math.max(silenceMinutes, threshold(settings, "idleMinutes"))
    : silenceMinutes;
  return minutes * MINUTE_MS;
}

/** Gemini and servers that follow no provider say `STOP` of an answer that asks for tools, too: then it is the agent's turn. */
function endsTurn(event: DetectorEvent): boolean {
  const { finish_reason: reason } = event.payload;
  return typeof reason === "string" && ENDED.test(reason) && chatTurnOf(event).asked.length === 0;
}

const ENDED = /^(?:finish_?reason[._])?(?:stop|end_?turn|stop_sequence|complete|eos(?:_token)?)$/i;
