import { isOnATimer } from "../building-blocks/calls/headway.ts";
import { toolClassOf } from "../building-blocks/calls/tool-class.ts";
import { handedTo, handsOver } from "../building-blocks/calls/tool-purpose.ts";
import { type ToolView, toolViewOf } from "../building-blocks/calls/tool-view.ts";
import { cutText } from "../building-blocks/cut-text.ts";
import { excerptLine, shortName } from "../building-blocks/excerpt.ts";
import {
  agentsOf,
  chainOf,
  circlesAt,
  type Handoff,
  PERIOD_MAX,
  wanderingAt,
} from "../building-blocks/handoff-circles.ts";
import { hashText, hashValue, mix } from "../building-blocks/hash.ts";
import { addOnce, bySequence, insertOrdered } from "../building-blocks/ordered-window.ts";
import { thresholdReader } from "../building-blocks/thresholds.ts";
import { tokensOf } from "../building-blocks/token-usage.ts";
import type { Detection, Detector, DetectorEvent, DetectorSettings } from "../detector.ts";
import { answerText } from "../event-views/answer-text.ts";
import { chatTurnOf, placeOf } from "../event-views/chat-turn.ts";
import { messagesOf } from "../event-views/fields.ts";
import { personSaid } from "../event-views/person-words.ts";

/**
 * Agents hand the work round in a circle (A→B→A→B, A→B→C→A→B→C), or to and fro in whatever order, and nobody does any: between the handoffs no
 * tool is called but to read once more what was read before, no memory written, no state reached that is new, no text of more than a line. A circle
 * with work in it is how a supervisor works, and needs many rounds. Nor is one in which a person asks something new each time round, or a timer.
 *
 * Handoffs show in three places: as events of their own, as calls of tools (`transfer_to_sales`), and in the chat. Only the best of these that
 * the run has shown counts, in this order.
 */
export interface HandoffLoopState {
  readonly handoffs: Handoff[];
  readonly work: Work[];
  readonly turns: Turn[];
  readonly fired: number[];
  source: number;
  /** When the latest model call came. */
  calledMs: number;
}

interface Work {
  readonly seq: number;
  /** The hash of what is none when it comes a second time; 0 where it always is. */
  readonly again: number;
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
const FIRED_MAX = 32;
const NAME_CHARS_MAX = 64;
/** Longer than "Over to the billing agent, please take care of this customer's refund." */
const WORK_TEXT_CHARS_MIN = 120;
const WORK_TOKENS_MIN = 60;
/** A person reads and types for so long at least. */
const PERSON_MS_MIN = 8_000;

const THRESHOLDS = {
  rounds: { default: 2, min: 2, max: 8, description: "Rounds of the same circle with no work between" },
  roundsWithWork: {
    default: 12,
    min: 2,
    max: 16,
    description: "Rounds of the same two agents with work between",
  },
  wandering: {
    default: 10,
    min: 6,
    max: HANDOFFS_MAX,
    description: "Handoffs among few agents in any order with no work between",
  },
} as const;
const threshold = thresholdReader(THRESHOLDS);

export const handoffLoop: Detector<HandoffLoopState> = {
  failureClass: "handoff_loop",
  version: 4,
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
  ],
  onStatus: false,
  onTick: false,
  createState: () => ({ handoffs: [], work: [], turns: [], fired: [], source: SOURCE.chat, calledMs: 0 }),
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
    case "memory_operation":
      if (event.payload.operation === "write") noteWork(event, state, 0);
      return NONE;
    case "human_intervention":
      noteWork(event, state, 0);
      return NONE;
    case "checkpoint":
      if (isBackAgain(state.handoffs)) noteWork(event, state, stateIn(event));
      return NONE;
    default:
      return handoffsCalled(event, state);
  }
}

function handoffsTold(event: DetectorEvent, state: HandoffLoopState): readonly Handoff[] {
  if (state.source !== SOURCE.events) changeSource(state, SOURCE.events);
  const { from_agent: from, to_agent: to } = event.payload;
  if (typeof to !== "string" || to === "" || from === to) return NONE;
  return [handoffOf(event, typeof from === "string" ? from : "", to)];
}

function handoffsCalled(event: DetectorEvent, state: HandoffLoopState): readonly Handoff[] {
  const view = toolViewOf(event);
  if (view !== null && state.source < SOURCE.tools) changeSource(state, SOURCE.tools);
  if (view === null || !handsOver(view.tool)) {
    noteWork(event, state, view === null ? 0 : workOf(view, state));
    return NONE;
  }
  if (state.source === SOURCE.events) return NONE;
  const to = handedTo(view.tool, event.payload.arguments ?? event.payload["gen_ai.tool.call.arguments"]);
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
}

function judge(handoff: Handoff, state: HandoffLoopState, settings: DetectorSettings): Detection | null {
  if (insertOrdered(state.handoffs, handoff, HANDOFFS_MAX) < 0) return null;
  const chain = chainOf(state.handoffs);
  const at = chain.findIndex((one) => one.seq >= handoff.seq);
  if (at < 0) return null;
  const rounds = threshold(settings, "rounds");
  const circle =
    findCircle(state, chain, at, rounds, PERIOD_MAX, true) ??
    findCircle(state, chain, at, threshold(settings, "roundsWithWork"), 2, false);
  if (circle !== null) {
    const key = keyOf(circle);
    return addOnce(state.fired, key, FIRED_MAX) ? detectionOf("circle", circle, handoff.eventId, key) : null;
  }
  if (state.fired.length > 0) return null;
  const path = findWandering(state, chain, at, threshold(settings, "wandering"), rounds);
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

function findCircle(
  state: HandoffLoopState,
  chain: readonly Handoff[],
  at: number,
  rounds: number,
  periodMax: number,
  idleOnly: boolean,
): readonly Handoff[] | null {
  for (let end = at; end < Math.min(chain.length, at + periodMax * rounds); end++) {
    for (const circle of circlesAt(chain, end, rounds, periodMax))
      if (!idleOnly || isIdle(state, circle, rounds)) return circle;
  }
  return null;
}

function findWandering(
  state: HandoffLoopState,
  chain: readonly Handoff[],
  at: number,
  length: number,
  asksMin: number,
): readonly Handoff[] | null {
  for (let end = at; end < Math.min(chain.length, at + length); end++) {
    const path = wanderingAt(chain, end, length);
    if (path !== null && isIdle(state, path, asksMin)) return path;
  }
  return null;
}

function isIdle(state: HandoffLoopState, path: readonly Handoff[], asksMin: number): boolean {
  const first = path[0]!;
  const last = path.at(-1)!;
  if (state.work.some((one, i) => one.seq > first.seq && one.seq < last.seq && isNew(state.work, i)))
    return false;
  if (asksBetween(state.turns, first.seq, last.seq) >= asksMin) return false;
  return !isOnATimer(path.map((one) => one.atMs));
}

function isNew(work: readonly Work[], at: number): boolean {
  const { again } = work[at]!;
  return again === 0 || work.findIndex((one) => one.again === again) === at;
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

function noteWork({ sequence }: DetectorEvent, { work }: HandoffLoopState, again: number): void {
  insertOrdered(work, { seq: sequence, again }, WORK_MAX);
}

function noteTurn(event: DetectorEvent, state: HandoffLoopState): void {
  if (isAnswerWork(event)) noteWork(event, state, 0);
  else if (isBackAgain(state.handoffs)) insertOrdered(state.turns, turnOf(event, state.calledMs), TURNS_MAX);
  state.calledMs = event.timestampMs;
}

/** What makes a call no work when it comes again: that it reads, and the answer is the same. Looked for once the work came back. */
function workOf(
  { tool, ended, hasArguments, callHash, resultHash }: ToolView,
  state: HandoffLoopState,
): number {
  if (!ended || !hasArguments || !isBackAgain(state.handoffs) || toolClassOf(tool) !== "read") return 0;
  return mix(callHash, resultHash);
}

/** Counts of what goes round are no state that was reached. */
const COUNTS_ROUNDS =
  /hop|hand|turn|round|step|iter|attempt|transfer|retr(?:y|ies)|tries|seq|tick|time|date|_at$|_ms$|_id$/i;

/** Where no state is told, all of them are one. */
function stateIn({ payload }: DetectorEvent): number {
  const { state, state_hash: hash } = payload;
  if (typeof state === "object" && state !== null && !Array.isArray(state)) {
    const kept = Object.entries(state).filter(([name]) => !COUNTS_ROUNDS.test(name.slice(0, NAME_CHARS_MAX)));
    return hashValue(kept) || 1;
  }
  return typeof hash === "string" && hash !== "" ? hashText(hash) || 1 : 1;
}

function isAnswerWork(event: DetectorEvent): boolean {
  const { output, tokens_out } = event.payload;
  const given = output ?? event.payload["gen_ai.output.messages"];
  // Clients that keep texts to themselves still say how long they were.
  if (given === undefined || given === null) return tokensOf(tokens_out) >= WORK_TOKENS_MIN;
  const answer = typeof given === "string" ? (messagesOf(given) ?? given) : given;
  if (typeof answer === "string") return answer.length >= WORK_TEXT_CHARS_MIN;
  if (answerText(answer).length >= WORK_TEXT_CHARS_MIN) return true;
  return chatTurnOf(event).asked.some(({ name }) => !handsOver(name));
}

/** Whether who has the work gave it away shortly before: only then is it asked what was said. */
function isBackAgain(handoffs: readonly Handoff[]): boolean {
  const last = handoffs.at(-1);
  const given = handoffs.at(-2)?.to;
  if (last === undefined || given === undefined || (last.from !== "" && last.from !== given)) return false;
  for (let back = 2; back <= 4; back++) {
    const before = handoffs[handoffs.length - back];
    if (before === undefined) return false;
    const { from } = before.from === "" ? { from: handoffs[handoffs.length - back - 1]?.to ?? "" } : before;
    if (from === last.to) return true;
  }
  return false;
}

function turnOf(event: DetectorEvent, calledMs: number): Turn {
  const { output, latency_ms: tookMs } = event.payload;
  const given = output ?? event.payload["gen_ai.output.messages"];
  const text = typeof given === "string" ? given : answerText(given);
  return {
    seq: event.sequence,
    idleMs: event.timestampMs - calledMs - (typeof tookMs === "number" ? tookMs : 0),
    said: personSaid(event),
    answered: text.trim() !== "" && !chatTurnOf(event).asked.some(({ name }) => handsOver(name)),
  };
}

const keyOf = (path: readonly Handoff[]): number =>
  Math.min(...path.filter((one) => one.from !== "").map((one) => mix(hashText(one.from), hashText(one.to))));
