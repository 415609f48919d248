import { EVENT_TYPES } from "../../ingest/wire/event-types.ts";
import { thresholdReader } from "../building-blocks/thresholds.ts";
import type { Detector, DetectorEvent, DetectorSettings, ExecutionView } from "../detector.ts";
import { answerOf } from "../event-views/answer-text.ts";
import { chatTurnOf } from "../event-views/chat-turn.ts";
import { toldLimitMs, toldWait } from "../event-views/told-time.ts";

/**
 * An execution is started and nothing has come of it for a while. Only the clock fires it, by the service's
 * own times, and a time in which the service was down is no silence. Once a silence, five times an execution
 * at most; a silence after the model's finished answer, when it may be a person's turn, may last longer. So
 * may one that the run has announced: it waits for somebody or until a time, has just started what takes
 * long, or has been sending at long intervals. What the project set itself holds always.
 */
export interface StalledExecutionState {
  lastReceivedMs: number;
  lastEventId: string | null;
  lastType: string | null;
  /** The model had ended its turn: the next word may be a person's. */
  turnEnded: boolean;
  /** How long the latest event lets expect a silence, in ms; 0: it says nothing of it. */
  announcedMs: number;
  /** The latest long intervals between events, in ms. */
  readonly intervals: number[];
  fired: boolean;
  firings: number;
}

const FIRINGS_MAX = 5;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Somebody who is waited for may come the next day. */
const FOR_SOMEBODY_MS = 24 * HOUR_MS;
/** What was to come at a time may come a little late. */
const LATE_MS = 10 * MINUTE_MS;
const ANNOUNCED_MS_MAX = 7 * 24 * HOUR_MS;
/** Of what may take so long, this share may pass without a word. */
const SHARE_OF_LIMIT = 0.25;
const OF_LIMIT_MS_MAX = 6 * HOUR_MS;
/** Where events come at long intervals the next may take this many times the longest of the latest. */
const TIMES_INTERVAL = 2.5;
const INTERVALS_MAX = 3;
const INTERVAL_MS_MIN = 4 * MINUTE_MS;
const INTERVAL_MS_MAX = 30 * MINUTE_MS;

const THRESHOLDS = {
  silenceMinutes: {
    default: 20,
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
  version: 4,
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
    announcedMs: 0,
    intervals: [],
    fired: false,
    firings: 0,
  }),
  detect({ execution, events, state, settings, nowMs, upSinceMs = 0 }) {
    for (const event of events) noteInterval(state, event);
    const latest = events.at(-1);
    if (latest !== undefined && latest.receivedMs >= state.lastReceivedMs) {
      state.lastReceivedMs = latest.receivedMs;
      state.lastEventId = latest.eventId;
      state.lastType = latest.type;
      state.turnEnded = latest.type === "llm_call" && endsTurn(latest);
      state.announcedMs = announcedBy(latest);
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
  const isSet = settings.thresholds.silenceMinutes !== undefined;
  return isSet ? minutes * MINUTE_MS : Math.max(minutes * MINUTE_MS, state.announcedMs, byIntervals(state));
}

/** Longer ones tell of a stall rather than of a pace. */
function noteInterval(state: StalledExecutionState, { receivedMs }: DetectorEvent): void {
  const { intervals, lastReceivedMs } = state;
  const intervalMs = receivedMs - lastReceivedMs;
  if (lastReceivedMs !== 0 && intervalMs >= INTERVAL_MS_MIN && intervalMs <= INTERVAL_MS_MAX) {
    if (intervals.length >= INTERVALS_MAX) intervals.shift();
    intervals.push(intervalMs);
  }
  if (receivedMs > lastReceivedMs) {
    state.lastReceivedMs = receivedMs;
    state.fired = false;
  }
}

const byIntervals = ({ intervals }: StalledExecutionState): number =>
  intervals.length === 0 ? 0 : TIMES_INTERVAL * Math.max(...intervals);

/** What is waited for, until when, or how long what was just started may take. */
function announcedBy(event: DetectorEvent): number {
  const wait = toldWait(event);
  if (wait !== null && wait.tookMs === null) {
    const untilMs = wait.untilMs === null ? 0 : wait.untilMs - event.timestampMs;
    return Math.min(ANNOUNCED_MS_MAX, untilMs > 0 ? untilMs + LATE_MS : FOR_SOMEBODY_MS);
  }
  return Math.min(OF_LIMIT_MS_MAX, SHARE_OF_LIMIT * toldLimitMs(event));
}

/**
 * Gemini and servers that follow no provider say `STOP` of an answer that asks for tools, too: then it is the
 * agent's turn.
 */
function endsTurn(event: DetectorEvent): boolean {
  const { finish_reason: reason } = event.payload;
  const isEnd = typeof reason === "string" ? ENDED.test(reason) : ASKS.test(answerOf(event.payload));
  return isEnd && chatTurnOf(event).asked.length === 0;
}

const ASKS = /[?\uff1f\u061f]\s{0,8}$/;
const ENDED = /^(?:finish_?reason[._])?(?:stop|end_?turn|stop_sequence|complete|eos(?:_token)?)$/i;
