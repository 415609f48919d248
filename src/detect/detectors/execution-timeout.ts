import { cutText } from "../building-blocks/cut-text.ts";
import { thrownBy } from "../building-blocks/errors/exception-view.ts";
import { excerptLine, shortName } from "../building-blocks/excerpt.ts";
import { insertOrdered } from "../building-blocks/ordered-window.ts";
import {
  noPause,
  noteMoment,
  noteWait,
  openWait,
  type PausedTime,
  pausedMs,
} from "../building-blocks/paused-time.ts";
import { thresholdReader } from "../building-blocks/thresholds.ts";
import { type Headway, projectedMs, shareTold, withShare } from "../building-blocks/told-headway.ts";
import type { Detection, Detector, DetectorEvent, DetectorSettings, ExecutionView } from "../detector.ts";
import { type CallEnd, callEndOf, endOfResult } from "../event-views/call-end.ts";
import { chatTurnOf } from "../event-views/chat-turn.ts";
import { endsWait, toldLimitMs, toldWait } from "../event-views/told-time.ts";
import { saysGivenUp, toldOfTime, type WordOfTime, wordOfTime } from "../event-views/word-of-time.ts";

/**
 * Time ran out on an execution. Either it runs, or ran, longer than a run may here: the clock fires that
 * while it runs, its own duration after. Or somebody else's limit ended it, however short it was: the last
 * word of a run that crashed, or that sends no more, is a time limit (an exception that nobody caught, a
 * report of what it ran on), or the calls that it ended with were all waited for in vain. What a run got over
 * is none: work that went well afterwards takes it back. Once an execution. A run that tells of a longer
 * limit of its own is held to that, and what it says that it waited, for a person or until a time, is no time
 * that it ran; a limit that the project set holds always.
 */
export interface ExecutionTimeoutState {
  fired: boolean;
  /** The latest event by which time ran out on more than a call. */
  word: LastWord | null;
  /** The latest calls that time ran out on. */
  readonly calls: {
    readonly seq: number;
    readonly eventId: string;
    readonly name: string;
    readonly isModel: boolean;
  }[];
  /**
   * Latest sequence number of: a call of a tool that went well, one of a model, a call that failed of
   * something else, another exception.
   */
  toolWellSeq: number;
  modelWellSeq: number;
  failedSeq: number;
  otherSeq: number;
  hasToolEvents: boolean;
  /** Milliseconds that the run, or what it started, may take by its own word; 0 where it says nothing. */
  toldLimitMs: number;
  /** How far it says that it is, once it runs for long. */
  headway: Headway | null;
  readonly paused: PausedTime;
}

interface LastWord extends WordOfTime {
  readonly seq: number;
  readonly eventId: string;
  readonly receivedMs: number;
}

const CALLS_MAX = 8;
/** In a run that completed: with that many in a row at its end, what it was asked for was not to be had. */
const GIVEN_UP_MIN = 3;
/** In one that crashed with another error as its last: that followed from them. */
const BEFORE_CRASH_MIN = 2;
/** How far a run has got matters once it has run for this long. */
const LONG_MS = 300_000;
/** This long after the last word nothing more is expected. */
const QUIET_MS = 120_000;

const THRESHOLDS = {
  durationMinutesMax: {
    default: 60,
    min: 0.01,
    max: 100_000,
    description: "Minutes that an execution may run",
  },
} as const;
const threshold = thresholdReader(THRESHOLDS);
const limitMs = (settings: DetectorSettings) => threshold(settings, "durationMinutesMax") * 60_000;

export const executionTimeout: Detector<ExecutionTimeoutState> = {
  failureClass: "execution_timeout",
  version: 4,
  family: "reliability",
  summary: "An execution runs longer than allowed, or a time limit ended it.",
  defaultSeverity: "medium",
  signature: ["running, finished, cut-off or given-up", "of a limit met: exception type, component or tool"],
  taxonomy: { owaspLlm2025: ["LLM10:2025"], owaspAgentic2026: ["ASI08"], mast: ["FM-1.5"] },
  thresholds: THRESHOLDS,
  eventTypes: [
    "tool_call",
    "mcp_call",
    "llm_call",
    "exception",
    "infrastructure_event",
    "human_intervention",
    "checkpoint",
    "environment_declaration",
  ],
  onStatus: true,
  onTick: true,
  startedRule: { since: "start", afterMs: limitMs },
  nextTickMs({ execution, state, settings }) {
    // How long it ran was asked at its end.
    if (state.fired || execution.status !== "started") return Number.POSITIVE_INFINITY;
    const limit = overMs(execution, state, settings);
    const word = endingWord(state, execution);
    return word === null ? limit : Math.min(limit, word.receivedMs + QUIET_MS + 1);
  },
  createState: () => ({
    fired: false,
    word: null,
    calls: [],
    toolWellSeq: -1,
    modelWellSeq: -1,
    failedSeq: -1,
    otherSeq: -1,
    hasToolEvents: false,
    toldLimitMs: 0,
    headway: null,
    paused: noPause(),
  }),
  detect({ execution, events, state, settings, nowMs }) {
    if (state.fired) return { state, detections: [] };
    for (const event of events) {
      note(state, event);
      if (event.receivedMs - execution.startedMs > LONG_MS) noteHeadway(state, event);
    }
    const detection = tooLong(execution, state, settings, nowMs) ?? cutOff(state, execution, nowMs);
    if (detection === null) return { state, detections: [] };
    state.fired = true;
    return { state, detections: [detection] };
  },
};

/** Set by the project itself: then nothing that a run says counts. */
const isSet = (settings: DetectorSettings): boolean => settings.thresholds.durationMinutesMax !== undefined;

/**
 * What a run starts may take its own limit, and the run the usual one beside it; one that tells how far it
 * is, half as long again as that takes.
 */
function allowedMs(
  { startedMs }: ExecutionView,
  { toldLimitMs, headway }: ExecutionTimeoutState,
  settings: DetectorSettings,
): number {
  const usual = limitMs(settings);
  return isSet(settings) ? usual : Math.max(usual + toldLimitMs, projectedMs(headway, startedMs));
}

function noteHeadway(state: ExecutionTimeoutState, { type, payload, receivedMs }: DetectorEvent): void {
  const isCall = type === "tool_call" || type === "mcp_call";
  if (!isCall && type !== "checkpoint") return;
  const share = shareTold(isCall ? payload.result : payload.state);
  if (share !== null) state.headway = withShare(state.headway, share, receivedMs);
}

/** The first moment at which a run that sends nothing more has run for too long. */
function overMs(execution: ExecutionView, state: ExecutionTimeoutState, settings: DetectorSettings): number {
  const over = execution.startedMs + allowedMs(execution, state, settings) + 1;
  if (isSet(settings)) return over;
  const wait = openWait(state.paused);
  const without = over + pausedMs(state.paused);
  return wait === null || wait.sinceMs >= without ? without : without + wait.mostMs;
}

function tooLong(
  execution: ExecutionView,
  state: ExecutionTimeoutState,
  settings: DetectorSettings,
  nowMs: number,
): Detection | null {
  const isRunning = execution.status === "started";
  const endMs = execution.finishedMs ?? nowMs;
  const tookMs = isRunning
    ? nowMs - execution.startedMs
    : (execution.durationMs ?? endMs - execution.startedMs);
  const mostMs = allowedMs(execution, state, settings);
  if (tookMs <= mostMs) return null;
  if (
    isRunning
      ? nowMs < overMs(execution, state, settings)
      : tookMs - waitedMs(state, settings, endMs) <= mostMs
  )
    return null;
  const limitMinutes = Math.round(mostMs / 600) / 100;
  const minutes = Math.floor(tookMs / 60_000);
  return {
    signatureParts: [isRunning ? "running" : "finished"],
    severity: "medium",
    ruleIds: [`execution_timeout/${isRunning ? "running" : "finished"}`],
    score: 1,
    excerpt: isRunning
      ? `still running after ${minutes} min, allowed: ${limitMinutes}`
      : `ran for ${minutes} min, allowed: ${limitMinutes}`,
    eventId: null,
    evidenceEventIds: [],
    dedupKey: "timeout",
  };
}

function waitedMs({ paused }: ExecutionTimeoutState, settings: DetectorSettings, endMs: number): number {
  if (isSet(settings)) return 0;
  const wait = openWait(paused);
  const open = wait === null ? 0 : Math.max(0, Math.min(endMs - wait.sinceMs, wait.mostMs));
  return pausedMs(paused) + open;
}

/** What the run tells of its own time. */
function noteTime(state: ExecutionTimeoutState, event: DetectorEvent): void {
  const { paused } = state;
  const { sequence: seq, timestampMs: atMs } = event;
  // A person's answer tells that it was waited for, since the event before.
  if (endsWait(event) && seq > paused.lastSeq && paused.lastSeq >= 0 && openWait(paused) === null)
    noteWait(paused, paused.lastSeq, paused.lastMs, event.receivedMs, null);
  noteMoment(paused, seq, atMs);
  const limit = toldLimitMs(event);
  if (limit > state.toldLimitMs) state.toldLimitMs = limit;
  const wait = event.type === "llm_call" ? null : toldWait(event);
  if (wait === null) return;
  if (wait.tookMs !== null) paused.tookMs += wait.tookMs;
  else noteWait(paused, seq, atMs, event.receivedMs, wait.untilMs);
}

function note(state: ExecutionTimeoutState, event: DetectorEvent): void {
  noteTime(state, event);
  switch (event.type) {
    case "tool_call":
    case "mcp_call":
    case "llm_call":
      noteCall(state, event);
      break;
    default:
      noteWord(state, event);
  }
}

function noteCall(state: ExecutionTimeoutState, event: DetectorEvent): void {
  const isModel = event.type === "llm_call";
  // Where no event tells how a tool's call ended, the results that go into the next model call do.
  if (!isModel) state.hasToolEvents = true;
  else if (!state.hasToolEvents) {
    for (const { tool, value, errorText } of chatTurnOf(event).results)
      noteEnd(state, event, endOfResult(value, errorText), false, tool);
  }
  noteEnd(state, event, callEndOf(event), isModel);
  const word = isModel ? wordOfTime(event) : null;
  if (word !== null) take(state, event, word);
}

/** `tool`: where not the event names it. */
function noteEnd(
  state: ExecutionTimeoutState,
  event: DetectorEvent,
  end: CallEnd,
  isModel: boolean,
  tool?: string,
): void {
  const seq = event.sequence;
  if (end === "well") {
    if (isModel) state.modelWellSeq = Math.max(state.modelWellSeq, seq);
    else state.toolWellSeq = Math.max(state.toolWellSeq, seq);
  } else if (end === "failed") state.failedSeq = Math.max(state.failedSeq, seq);
  else if (end === "out-of-time") {
    const { eventId, payload } = event;
    const name = isModel
      ? shortName(payload.provider ?? payload.model, "model")
      : shortName(tool ?? payload.tool_name ?? payload.server, "tool");
    insertOrdered(state.calls, { seq, eventId, name, isModel }, CALLS_MAX);
  }
}

function noteWord(state: ExecutionTimeoutState, event: DetectorEvent): void {
  const word = wordOfTime(event);
  if (word !== null) take(state, event, word);
  else if (event.type === "exception" && thrownBy(event).handled !== true && !saysGivenUp(event))
    state.otherSeq = Math.max(state.otherSeq, event.sequence);
}

function take(
  state: ExecutionTimeoutState,
  { sequence: seq, eventId, receivedMs }: DetectorEvent,
  { said, endsRun }: WordOfTime,
): void {
  if (state.word !== null && state.word.seq > seq) return;
  state.word = { seq, eventId, receivedMs, said, endsRun };
}

/**
 * The word that the run ends with, if it ended there: nothing that went well and no other cause came after
 * it.
 */
function endingWord(state: ExecutionTimeoutState, execution: ExecutionView): LastWord | null {
  const { word } = state;
  if (word === null || Math.max(state.toolWellSeq, state.modelWellSeq) > word.seq) return null;
  if (execution.status !== "crashed") return word.endsRun ? word : null;
  return state.otherSeq > word.seq && !word.endsRun ? null : word;
}

/** The calls at the end that were all waited for in vain. */
function vainCalls(state: ExecutionTimeoutState): ExecutionTimeoutState["calls"] {
  const vain = state.calls.filter(
    ({ seq, isModel }) => seq > (isModel ? state.modelWellSeq : state.toolWellSeq),
  );
  return vain.length > 0 && vain.at(-1)!.seq > state.failedSeq ? vain : [];
}

function cutOff(state: ExecutionTimeoutState, execution: ExecutionView, nowMs: number): Detection | null {
  const { status } = execution;
  const word = endingWord(state, execution);
  if (word !== null && (status !== "started" || nowMs - word.receivedMs > QUIET_MS)) {
    const { group, excerpt } = toldOfTime(word.said);
    return limitMet("cut-off", cutText(group, 120), cutText(excerpt, 300), [word.eventId]);
  }
  if (status === "started") return null;
  const vain = vainCalls(state);
  const last = vain.at(-1);
  if (last === undefined) return null;
  const isEnd = last.seq > state.otherSeq && last.seq > state.modelWellSeq;
  const isMet = status === "crashed" ? vain.length >= BEFORE_CRASH_MIN || isEnd : vain.length >= GIVEN_UP_MIN;
  if (!isMet) return null;
  const times = vain.length === 1 ? "the last call" : `the last ${vain.length} calls`;
  const excerpt = `${times} ran out of time, ${last.name} at the end`;
  const rule = status === "crashed" ? "cut-off" : "given-up";
  return limitMet(
    rule,
    last.name,
    excerpt,
    vain.map(({ eventId }) => eventId),
  );
}

function limitMet(
  rule: "cut-off" | "given-up",
  group: string,
  excerpt: string,
  eventIds: readonly string[],
): Detection {
  return {
    signatureParts: [rule, group],
    severity: "medium",
    ruleIds: [`execution_timeout/${rule}`],
    score: rule === "cut-off" ? 0.9 : 0.7,
    excerpt: excerptLine(excerpt),
    eventId: null,
    evidenceEventIds: [...new Set(eventIds)],
    dedupKey: "timeout",
  };
}
