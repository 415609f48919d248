import { argumentsOf } from "../building-blocks/calls/call-fields.ts";
import { isOnATimer } from "../building-blocks/calls/headway.ts";
import { handedTo, handsOver } from "../building-blocks/calls/tool-purpose.ts";
import { toolViewOf } from "../building-blocks/calls/tool-view.ts";
import { cutText } from "../building-blocks/cut-text.ts";
import { excerptLine, shortName } from "../building-blocks/excerpt.ts";
import {
  agentsOf,
  chainOf,
  findCircle,
  findWandering,
  type Handoff,
  keyOf,
  PERIOD_MAX,
} from "../building-blocks/handoffs/circles.ts";
import {
  type ReadSaid,
  readSaid,
  type Said,
  saidInHandoff,
  saidInText,
} from "../building-blocks/handoffs/news.ts";
import { isFruitful, isHeldUp, isNew, isToldAnew } from "../building-blocks/handoffs/progress.ts";
import { ringOfWords, starOfRefusals } from "../building-blocks/handoffs/words.ts";
import {
  ALWAYS,
  type Told,
  type Work,
  workInCall,
  workInFinding,
  workInInfrastructure,
  workInMemory,
  workInState,
} from "../building-blocks/handoffs/work.ts";
import { hashText, mix } from "../building-blocks/hash.ts";
import { addOnce, bySequence, insertOrdered } from "../building-blocks/ordered-window.ts";
import { thresholdReader } from "../building-blocks/thresholds.ts";
import { tokensOf } from "../building-blocks/token-usage.ts";
import type { Detection, Detector, DetectorEvent, DetectorSettings } from "../detector.ts";
import { answerOf } from "../event-views/answer-text.ts";
import { chatTurnOf, placeOf } from "../event-views/chat-turn.ts";
import { messagesOf } from "../event-views/fields.ts";
import { outputOf } from "../event-views/model-call-fields.ts";
import { personSaid } from "../event-views/person-words.ts";

/**
 * Agents hand the work round in a circle (A→B→A→B, A→B→C→A→B→C), or to and fro in whatever order, and nobody
 * does any: between the handoffs no tool is called but to read once more what was read before, no memory
 * written, no state reached that is new, no text of more than a line. A circle with work in it is how a
 * supervisor works, and needs many rounds. Nor is one in which a person asks something new each time round,
 * or a timer.
 *
 * Handoffs show in three places: as events of their own, as calls of tools (`transfer_to_sales`), and in the
 * chat. Only the best of these that the run has shown counts, in this order.
 */
export interface HandoffLoopState {
  readonly handoffs: Handoff[];
  readonly work: Work[];
  /** What was said with handoffs, and in short answers between. */
  readonly said: Said[];
  readonly turns: Turn[];
  readonly fired: number[];
  source: number;
  /** Whether who has the work gave it away shortly before: only then is it asked what was said. */
  isBack: boolean;
  /** When the latest model call came. */
  calledMs: number;
}

/** A model call without work in it. */
interface Turn {
  readonly seq: number;
  /** Since the model call before it. */
  readonly idleMs: number;
  /** What a person said last before it. */
  readonly said: number;
  readonly answered: boolean;
}

/** Where the handoffs are read. */
const SOURCE = { chat: 0, answers: 1, tools: 2, events: 3 } as const;

const HANDOFFS_MAX = 32;
const WORK_MAX = 32;
const TURNS_MAX = 32;
const SAID_MAX = 28;
const FIRED_MAX = 32;
const NAME_CHARS_MAX = 64;
/**
 * Times as many rounds of two where somebody is busy. However many hand it round, as many handoffs as these
 * make are let pass, and no more.
 */
const HELD_UP_TIMES = 3;
/** And where they look something up. */
const WORDS_TIMES = 2;
/** Longer than "Over to the billing agent, please take care of this customer's refund." */
const WORK_TEXT_CHARS_MIN = 120;
const WORK_TOKENS_MIN = 60;
/** A person reads and types for at least this long. */
const PERSON_MS_MIN = 8_000;

const THRESHOLDS = {
  rounds: { default: 2, min: 2, max: 8, integer: true, description: "Rounds of a circle without work in it" },
  roundsWithWork: { default: 12, min: 2, max: 16, integer: true, description: "The same of two with work" },
  wandering: {
    default: 10,
    min: 6,
    max: HANDOFFS_MAX,
    integer: true,
    description: "Handoffs among few agents in any order with no work between",
  },
} as const;
const threshold = thresholdReader(THRESHOLDS);

export const handoffLoop: Detector<HandoffLoopState> = {
  failureClass: "handoff_loop",
  version: 7,
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
  eventTypes: [
    "agent_handoff",
    "tool_call",
    "mcp_call",
    "memory_operation",
    "llm_call",
    "checkpoint",
    "human_intervention",
    "eval_score",
    "validator_result",
    "dlp_scan_result",
    "infrastructure_event",
  ],
  onStatus: false,
  onTick: false,
  createState: () => ({
    handoffs: [],
    work: [],
    said: [],
    turns: [],
    fired: [],
    source: SOURCE.chat,
    isBack: false,
    calledMs: 0,
  }),
  detect({ events, state, settings }) {
    const detections: Detection[] = [];
    for (const event of bySequence(events)) {
      const handoffs = handoffsIn(event, state);
      for (let i = 0; i < handoffs.length; i++) {
        const detection = judge(handoffs[i]!, state, settings);
        if (detection !== null) detections.push(detection);
      }
    }
    return { state, detections };
  },
};

const NONE: readonly Handoff[] = [];

/** The handoffs of this event that are not known yet; what else it tells of work is noted. */
function handoffsIn(event: DetectorEvent, state: HandoffLoopState): readonly Handoff[] {
  switch (event.type) {
    case "agent_handoff":
      return handoffsTold(event, state);
    case "llm_call":
      noteTurn(event, state);
      return state.source < SOURCE.tools ? handoffsInChat(event, state) : NONE;
    case "human_intervention":
      noteWork(event, state, ALWAYS);
      return NONE;
    case "memory_operation":
      noteWork(event, state, workInMemory(event, state.isBack));
      return NONE;
    case "checkpoint":
      if (state.isBack) noteWork(event, state, workInState(event));
      return NONE;
    case "infrastructure_event":
      if (state.isBack) noteWork(event, state, workInInfrastructure(event));
      return NONE;
    case "eval_score":
    case "validator_result":
    case "dlp_scan_result":
      if (state.isBack) noteWork(event, state, workInFinding(event));
      return NONE;
    default:
      return handoffsCalled(event, state);
  }
}

function handoffsTold(event: DetectorEvent, state: HandoffLoopState): readonly Handoff[] {
  if (state.source !== SOURCE.events) changeSource(state, SOURCE.events);
  const { from_agent: from, to_agent: to } = event.payload;
  if (typeof to !== "string" || to === "" || from === to) return NONE;
  const said = saidInHandoff(event.sequence, event.payload);
  if (said !== null) insertOrdered(state.said, said, SAID_MAX);
  return [handoffOf(event, typeof from === "string" ? from : "", to)];
}

function handoffsCalled(event: DetectorEvent, state: HandoffLoopState): readonly Handoff[] {
  const view = toolViewOf(event);
  if (view !== null && state.source < SOURCE.tools) changeSource(state, SOURCE.tools);
  if (view === null || !handsOver(view.tool)) {
    const isBefore = view === null || state.handoffs.length === 0;
    noteWork(event, state, isBefore ? ALWAYS : workInCall(view, argumentsOf(event.payload), state.isBack));
    return NONE;
  }
  if (state.source === SOURCE.events) return NONE;
  const to = handedTo(view.tool, argumentsOf(event.payload));
  const isKnown = view.callIdHash !== 0 && state.handoffs.some((one) => one.callId === view.callIdHash);
  return to === "" || isKnown ? NONE : [handoffOf(event, "", to, view.callIdHash)];
}

function handoffsInChat(event: DetectorEvent, state: HandoffLoopState): readonly Handoff[] {
  const { asked, before } = chatTurnOf(event);
  const calls = asked.length > 0 ? asked : state.source === SOURCE.chat ? before : [];
  if (!calls.some(({ name }) => handsOver(name))) return NONE;
  if (asked.length > 0 && state.source === SOURCE.chat) changeSource(state, SOURCE.answers);
  const place = placeOf(event);
  return calls.flatMap(({ name, args, id }, index) => {
    const to = handedTo(name, args);
    const one = handoffOf(event, "", to, id === "" ? 0 : hashText(id), mix(place, index));
    const isKnown = state.handoffs.some(
      (other) => other.place === one.place || (one.callId !== 0 && other.callId === one.callId),
    );
    return to === "" || isKnown ? [] : [one];
  });
}

function handoffOf(
  { sequence, eventId, timestampMs }: DetectorEvent,
  from: string,
  to: string,
  callId = 0,
  place = 0,
): Handoff {
  return {
    seq: sequence,
    from: cutText(from, NAME_CHARS_MAX),
    to: cutText(to, NAME_CHARS_MAX),
    eventId,
    atMs: timestampMs,
    callId,
    place,
  };
}

function changeSource(state: HandoffLoopState, source: number): void {
  state.source = source;
  state.handoffs.length = 0;
  state.isBack = false;
}

function judge(handoff: Handoff, state: HandoffLoopState, settings: DetectorSettings): Detection | null {
  if (insertOrdered(state.handoffs, handoff, HANDOFFS_MAX) < 0) return null;
  state.isBack = isBackAgain(state.handoffs);
  const chain = chainOf(state.handoffs);
  const at = chain.findIndex((one) => one.seq >= handoff.seq);
  if (at < 0) return null;
  const rounds = threshold(settings, "rounds");
  let said: readonly ReadSaid[] | null = null;
  const read = () => (said ??= readSaid(state.said));
  const patience = Math.min(2 * rounds * HELD_UP_TIMES, HANDOFFS_MAX);
  let isAnyHeldUp = false;
  const isIdleCircle = (path: readonly Handoff[]): boolean =>
    isIdle(state, path, rounds, Math.floor(path.length / rounds), read);
  const isReadOnly = (path: readonly Handoff[]): boolean => isUntouched(state, path, rounds, true);
  const circle =
    findCircle(
      chain,
      at,
      () => rounds,
      PERIOD_MAX,
      (path) => {
        if (!isIdleCircle(path)) return false;
        const waits = isHeldUp(read(), path);
        isAnyHeldUp ||= waits;
        return !waits;
      },
    ) ??
    (isAnyHeldUp
      ? findCircle(
          chain,
          at,
          (period) => Math.max(rounds, Math.ceil(patience / period)),
          PERIOD_MAX,
          isIdleCircle,
        )
      : null) ??
    findCircle(
      chain,
      at,
      () => threshold(settings, "roundsWithWork"),
      2,
      (path) => !isFruitful(state.work, path, read()),
    ) ??
    ringOfWords(chain, at, WORDS_TIMES * rounds, read, isReadOnly) ??
    starOfRefusals(chain, at, read, isReadOnly);
  if (circle !== null) {
    const key = keyOf(circle);
    return addOnce(state.fired, key, FIRED_MAX) ? detectionOf("circle", circle, handoff.eventId, key) : null;
  }
  if (state.fired.length > 0) return null;
  const wandering = threshold(settings, "wandering");
  const wanders = (one: readonly Handoff[]) => isIdle(state, one, rounds, Math.floor(one.length / 3), read);
  const path =
    findWandering(chain, at, wandering, (one) => wanders(one) && !isHeldUp(read(), one)) ??
    findWandering(chain, at, Math.max(wandering, patience), wanders);
  if (path === null) return null;
  addOnce(state.fired, keyOf(path), FIRED_MAX);
  return detectionOf("wandering", path, handoff.eventId, 0);
}

function detectionOf(
  kind: "circle" | "wandering",
  path: readonly Handoff[],
  eventId: string,
  key: number,
): Detection {
  const agents = agentsOf(path);
  const names = agents.map((name) => shortName(name));
  return {
    signatureParts: agents,
    severity: "medium",
    ruleIds: [`handoff_loop/${kind}`],
    score: 0.8,
    excerpt: excerptLine(
      kind === "circle"
        ? `${path.length} handoffs in a circle: ${names.join(" → ")}`
        : `${path.length} handoffs to and fro with no work between: ${names.join(", ")}`,
    ),
    eventId,
    evidenceEventIds: [...new Set(path.map((one) => one.eventId))].filter((id) => id !== eventId).slice(-20),
    dedupKey: kind === "circle" ? `circle:${key}` : "wandering",
  };
}

/** Whether nothing was done on the way, and nothing new told from the handoff at `from` on. */
function isIdle(
  state: HandoffLoopState,
  path: readonly Handoff[],
  asksMin: number,
  from: number,
  read: () => readonly ReadSaid[],
): boolean {
  return isUntouched(state, path, asksMin, false) && !isToldAnew(read(), path, from);
}

/**
 * Whether nothing was done on the way (`mayRead`: but to look something up), by a person neither, nor is it
 * one that a timer sends round.
 */
function isUntouched(
  { work, turns }: HandoffLoopState,
  path: readonly Handoff[],
  asksMin: number,
  mayRead: boolean,
): boolean {
  const first = path[0]!;
  const last = path.at(-1)!;
  const isDone = (one: Work, i: number) =>
    one.seq > first.seq && one.seq < last.seq && !(mayRead && one.reads) && isNew(work, i);
  if (work.some(isDone) || asksBetween(turns, first.seq, last.seq) >= asksMin) return false;
  return !isOnATimer(path.map((one) => one.atMs));
}

/** How often a person, after a while, said something new that was answered. */
function asksBetween(turns: readonly Turn[], from: number, to: number): number {
  let asks = 0;
  for (let i = 0; i < turns.length; i++) {
    const { seq, said, idleMs } = turns[i]!;
    if (seq <= from || seq >= to || said === 0 || idleMs < PERSON_MS_MIN) continue;
    if (turns.findIndex((one) => one.said === said) !== i) continue;
    if (turns.some((one) => one.said === said && one.answered)) asks++;
  }
  return asks;
}

function noteWork({ sequence }: DetectorEvent, { work }: HandoffLoopState, told: Told | null): void {
  const { again, brought, reads } = told ?? ALWAYS;
  if (told !== null) insertOrdered(work, { seq: sequence, again, brought, reads }, WORK_MAX);
}

function noteTurn(event: DetectorEvent, state: HandoffLoopState): void {
  const told = workInAnswer(event, state.isBack);
  if (told !== null) noteWork(event, state, told);
  else if (state.isBack) {
    const text = answerOf(event.payload);
    if (text !== "") insertOrdered(state.said, saidInText(event.sequence, text), SAID_MAX);
    insertOrdered(state.turns, turnOf(event, state.calledMs, text), TURNS_MAX);
  }
  state.calledMs = event.timestampMs;
}

/** A report, or an answer that calls tools; null for a line. */
function workInAnswer(event: DetectorEvent, isBack: boolean): Told | null {
  const given = outputOf(event.payload);
  // Clients that keep texts to themselves still say how long they were.
  if (given === undefined || given === null)
    return tokensOf(event.payload.tokens_out) >= WORK_TOKENS_MIN ? ALWAYS : null;
  const text = answerOf(event.payload);
  // As long as it is, the same once more is no work.
  if (text.length >= WORK_TEXT_CHARS_MIN)
    return isBack ? { again: hashText(text), brought: 0, reads: false } : ALWAYS;
  if (typeof given === "string" && messagesOf(given) === null) return null;
  return chatTurnOf(event).asked.some(({ name }) => !handsOver(name)) ? ALWAYS : null;
}

function isBackAgain(handoffs: readonly Handoff[]): boolean {
  const last = handoffs.at(-1);
  const given = handoffs.at(-2)?.to;
  if (last === undefined || given === undefined || (last.from !== "" && last.from !== given)) return false;
  for (let back = 2; back <= PERIOD_MAX; back++) {
    const before = handoffs[handoffs.length - back];
    if (before === undefined) return false;
    const { from } = before.from === "" ? { from: handoffs[handoffs.length - back - 1]?.to ?? "" } : before;
    if (from === last.to) return true;
  }
  return false;
}

function turnOf(event: DetectorEvent, calledMs: number, text: string): Turn {
  const { latency_ms: tookMs } = event.payload;
  return {
    seq: event.sequence,
    idleMs: event.timestampMs - calledMs - (typeof tookMs === "number" ? tookMs : 0),
    said: personSaid(event),
    answered: text.trim() !== "" && !chatTurnOf(event).asked.some(({ name }) => handsOver(name)),
  };
}
