import { addSample, readBaseline, takesSample } from "../building-blocks/baselines/baseline.ts";
import { predictedReach } from "../building-blocks/baselines/few-samples.ts";
import { isAsEver, readHabits, withRun } from "../building-blocks/baselines/habits.ts";
import { addToLevel, readLevel } from "../building-blocks/baselines/shifted-level.ts";
import { steadyCore } from "../building-blocks/baselines/steady-core.ts";
import { actsByName, charsGivenIn } from "../building-blocks/calls/acting-tools.ts";
import { argumentsOf, resultOf } from "../building-blocks/calls/call-fields.ts";
import { saysDone } from "../building-blocks/calls/tool-purpose.ts";
import { type ToolView, toolViewOf } from "../building-blocks/calls/tool-view.ts";
import { cutText } from "../building-blocks/cut-text.ts";
import { excerptLine, shortName } from "../building-blocks/excerpt.ts";
import { fingerprint, hashText } from "../building-blocks/hash.ts";
import { addOnce } from "../building-blocks/ordered-window.ts";
import { thresholdReader } from "../building-blocks/thresholds.ts";
import { tokensOf } from "../building-blocks/token-usage.ts";
import type { Detection, Detector, DetectorEvent, DetectorInput, ExecutionView } from "../detector.ts";
import { chatTurnOf } from "../event-views/chat-turn.ts";
import { isDrifted } from "../event-views/drift-signal.ts";

/**
 * The client's own drift signal, and what the project's runs usually are: how many tool calls they make,
 * which tools they use, which of these (and which reads and writes of a memory) in nearly every run, and how
 * long the model's answers are. One run is enough to fire by its length or a new tool; a habit that is gone
 * and answers of another size must last for several. The memory holds the mean and spread of the logarithm of
 * the calls and of the tokens of an answer, one key a tool (128 at most; a project whose set of tools is
 * still growing has no baseline of them), and one of habits. Where no event of a tool comes, the calls that
 * the model's answers ask for are counted; from the first such event on, events alone count.
 */
export interface BehaviorDriftState {
  calls: number;
  countsEvents: boolean;
  readonly tools: UsedTool[];
  /** What was done with which memory. */
  readonly memories: string[];
  settled: boolean;
  signals: number;
  answers: number;
  answerTokens: number;
  /** Characters that calls were given to write: of long answers these are the work asked for. */
  charsGiven: number;
  readonly fired: number[];
  /** Not all calls are known: their number says nothing. */
  readonly isPastCut: boolean;
}

interface UsedTool {
  readonly name: string;
  readonly eventId: string;
  /** What it is called changes something; null: its name does not say. */
  acts: boolean | null;
}

interface ToolHistory {
  readonly executions: number;
  readonly tools: number;
}

const LENGTH_KEY = "log-calls";
const HISTORY_KEY = "tools";
const HABITS_KEY = "habits";
const ANSWERS_KEY = "log-answer-tokens";
const MEMORIES_MAX = 16;
const TOOLS_MAX = 128;
const TOOLS_AN_EXECUTION_MAX = 32;
const SIGNALS_MAX = 100;
const FIRED_MAX = 32;
/** A longer answer than this is one that somebody notices. */
const ANSWER_TOKENS_MIN = 150;
const CHARS_A_TOKEN = 4;

const THRESHOLDS = {
  executionsMin: {
    default: 50,
    min: 10,
    max: 200,
    integer: true,
    description: "Finished executions that make a baseline",
  },
  lengthFactor: { default: 5, min: 1.5, max: 100, description: "Times the usual number of tool calls" },
  lengthDeviations: {
    default: 5,
    min: 2,
    max: 20,
    description: "Standard deviations above the usual (of logarithms)",
  },
  callsMin: {
    default: 20,
    min: 1,
    max: 100_000,
    integer: true,
    description: "Tool calls below which the length never fires",
  },
  executionsPerToolMin: {
    default: 10,
    min: 1,
    max: 1000,
    integer: true,
    description: "Executions per known tool below which a project's set of tools is still growing",
  },
  habitExecutionsMin: {
    default: 15,
    min: 5,
    max: 200,
    integer: true,
    description: "Executions that make a habit, or the usual size of an answer",
  },
  habitShareMin: {
    default: 0.95,
    min: 0.5,
    max: 1,
    description: "Share of executions that use what is a habit",
  },
  changedExecutionsMin: {
    default: 6,
    min: 3,
    max: 100,
    integer: true,
    description: "Executions in a row without a habit, or with answers of another size",
  },
  steadyExecutionsMin: {
    default: 5,
    min: 3,
    max: 200,
    integer: true,
    description: "Executions of the same steps after which a single one of others is judged",
  },
  steadyLengthFactor: {
    default: 4,
    min: 1.5,
    max: 100,
    description: "Times the usual size of an answer that such a one has",
  },
} as const;
const threshold = thresholdReader(THRESHOLDS);

export const behaviorDrift: Detector<BehaviorDriftState> = {
  failureClass: "behavior_drift",
  version: 5,
  family: "behaviour",
  summary: "The client reported drift, or a run's tools or length are unlike the project's earlier runs.",
  defaultSeverity: "medium",
  signature: ["rule", "the signal's or the tool's name"],
  taxonomy: {
    owaspAgentic2026: ["ASI10", "ASI01"],
    mitreAtlas: ["AML.T0031"],
    mast: ["FM-2.3", "FM-1.2"],
  },
  thresholds: THRESHOLDS,
  eventTypes: ["drift_signal", "tool_call", "mcp_call", "memory_operation", "llm_call"],
  onStatus: true,
  onTick: false,
  createState: (isPastCut = false) => ({
    calls: 0,
    countsEvents: false,
    tools: [],
    memories: [],
    settled: false,
    signals: 0,
    answers: 0,
    answerTokens: 0,
    charsGiven: 0,
    fired: [],
    isPastCut,
  }),
  detect(input) {
    const { execution, events, state } = input;
    const detections: Detection[] = [];
    for (const event of events) {
      if (event.type === "drift_signal") {
        if (isDrifted(event.payload)) fireSignal(input, detections, event.eventId, event.payload);
        continue;
      }
      if (event.type === "memory_operation") {
        noteMemory(state, event);
        continue;
      }
      if (event.type === "llm_call") {
        const tokens = tokensOf(event.payload.tokens_out);
        if (tokens > 0) {
          state.answers++;
          state.answerTokens += tokens;
        }
        if (!state.countsEvents) for (const { name } of chatTurnOf(event).asked) noteCall(state, event, name);
        continue;
      }
      const view = toolViewOf(event);
      if (view === null) continue;
      if (!state.countsEvents) {
        state.countsEvents = true;
        state.calls = 0;
        state.tools.length = 0;
      }
      const used = noteCall(state, event, view.tool);
      if (used !== undefined && used.acts !== false) noteDone(state, event, view, used);
    }
    const isFinal = input.cause === "status" && execution.status !== "started" && !state.settled;
    if (isFinal && (state.calls > 0 || state.answers > 0 || state.memories.length > 0)) {
      state.settled = true;
      if (!state.isPastCut && state.calls > 0) judgeLength(input, detections);
      if (state.calls > 0) judgeTools(input, detections);
      // A run that crashed left out what it had no time for.
      if (!state.isPastCut && execution.status === "completed") {
        judgeAgainstCore(input, detections);
        judgeHabits(input, detections);
        judgeAnswers(input, detections);
      }
    }
    return { state, detections };
  },
};

function noteCall(state: BehaviorDriftState, { eventId }: DetectorEvent, tool: string): UsedTool | undefined {
  state.calls++;
  const name = cutText(tool, 80);
  const known = state.tools.find((one) => one.name === name);
  if (known !== undefined || state.tools.length >= TOOLS_AN_EXECUTION_MAX) return known;
  const used = { name, eventId, acts: actsByName(name) };
  state.tools.push(used);
  return used;
}

/**
 * Of a tool whose name tells nothing, or in another language: what only says that it was done brings nothing
 * to read.
 */
function noteDone(
  state: BehaviorDriftState,
  { payload }: DetectorEvent,
  { failed }: ToolView,
  used: UsedTool,
): void {
  state.charsGiven += charsGivenIn(argumentsOf(payload));
  if (failed || used.acts !== null) return;
  const result = resultOf(payload);
  if (result !== undefined && result !== null && saysDone(result)) used.acts = true;
}

function noteMemory({ memories }: BehaviorDriftState, { payload }: DetectorEvent): void {
  const { operation, store } = payload;
  if (typeof operation !== "string" || memories.length >= MEMORIES_MAX) return;
  const name = cutText(`${operation} of ${shortName(store, "memory")}`, 80);
  if (!memories.includes(name)) memories.push(name);
}

function fireSignal(
  { state, settings }: DetectorInput<BehaviorDriftState>,
  detections: Detection[],
  eventId: string,
  payload: Readonly<Record<string, unknown>>,
): void {
  const signal = shortName(payload.signal);
  if (state.signals >= SIGNALS_MAX || settings.allow.includes(signal)) return;
  state.signals++;
  const score = payload.score;
  const value = typeof score === "number" ? ` (score ${score})` : "";
  detections.push({
    signatureParts: ["client-signal", signal],
    severity: "medium",
    ruleIds: ["behavior_drift/client-signal"],
    score: 0.9,
    excerpt: excerptLine(`the client reported drift of ${signal}${value}`),
    eventId,
    evidenceEventIds: [],
  });
}

function judgeLength(input: DetectorInput<BehaviorDriftState>, detections: Detection[]): void {
  const { execution, state, settings, memory } = input;
  const baseline = readBaseline(memory.get(LENGTH_KEY));
  const sample = Math.log(state.calls);
  if (takesSample(baseline, hashText(execution.executionId)))
    memory.set(LENGTH_KEY, addSample(baseline, sample));
  if (baseline === null || baseline.n < threshold(settings, "executionsMin")) return;
  if (state.calls < threshold(settings, "callsMin")) return;
  const usual = Math.exp(baseline.mean);
  const spread = Math.exp(
    baseline.mean + threshold(settings, "lengthDeviations") * Math.sqrt(baseline.variance),
  );
  if (state.calls <= Math.max(spread, usual * threshold(settings, "lengthFactor"))) return;
  detections.push({
    signatureParts: ["length", ""],
    severity: "low",
    ruleIds: ["behavior_drift/length"],
    score: 0.5,
    excerpt: `${state.calls} tool calls, usual in this project: ${Math.round(usual)}`,
    eventId: null,
    evidenceEventIds: [],
    dedupKey: "length",
  });
}

function judgeTools(input: DetectorInput<BehaviorDriftState>, detections: Detection[]): void {
  const { state, settings, memory } = input;
  const history = readHistory(memory.get(HISTORY_KEY));
  let { executions, tools } = history;
  const isSettled =
    executions >= threshold(settings, "executionsMin") &&
    executions >= tools * threshold(settings, "executionsPerToolMin");
  for (const { name, eventId } of state.tools) {
    const key = `tool:${fingerprint(name)}`;
    if (memory.get(key) !== undefined || tools >= TOOLS_MAX) continue;
    memory.set(key, 1);
    tools++;
    if (!isSettled || settings.allow.includes(name) || !addOnce(state.fired, hashText(name), FIRED_MAX))
      continue;
    detections.push({
      signatureParts: ["new-tool", name],
      severity: "low",
      ruleIds: ["behavior_drift/new-tool"],
      score: 0.5,
      excerpt: excerptLine(`tool ${shortName(name)} was never used in this project before`),
      eventId,
      evidenceEventIds: [],
      dedupKey: `tool:${fingerprint(name)}`,
    });
  }
  executions = Math.min(executions + 1, TOOLS_MAX * 10);
  if (executions !== history.executions || tools !== history.tools)
    memory.set(HISTORY_KEY, { executions, tools });
}

/**
 * A project of few runs, all of the same steps: one that leaves most of them out is another kind of request,
 * one with a tool not used before too. That its answers are many times as long besides makes it another
 * agent, or the same one gone astray.
 */
function judgeAgainstCore(
  { state, settings, memory }: DetectorInput<BehaviorDriftState>,
  detections: Detection[],
): void {
  const acts = state.tools.filter(({ acts }) => acts === true);
  if (acts.length === 0 || state.answers === 0 || state.tools.length >= TOOLS_AN_EXECUTION_MAX) return;
  const runsMin = threshold(settings, "steadyExecutionsMin");
  const steady = steadyCore(readHabits(memory.get(HABITS_KEY)), runsMin);
  if (steady === null) return;
  const missing = steady.missingIn([...state.tools.map(({ name }) => name), ...state.memories]);
  if (2 * missing.length <= steady.size) return;
  const isNews = ({ name }: UsedTool) => !steady.knows(name) && !settings.allow.includes(name);
  const act = acts.find(isNews);
  const { usual } = readLevel(memory.get(ANSWERS_KEY));
  if (act === undefined || usual === null || usual.n < runsMin) return;
  const said = (state.answerTokens - state.charsGiven / CHARS_A_TOKEN) / state.answers;
  const reach = predictedReach(usual.n, Math.sqrt((usual.variance * usual.n) / (usual.n - 1)));
  if (said < ANSWER_TOKENS_MIN) return;
  if (Math.log(said) - usual.mean < Math.max(reach, Math.log(threshold(settings, "steadyLengthFactor"))))
    return;
  detections.push({
    signatureParts: ["unlike-core", act.name],
    severity: "low",
    ruleIds: ["behavior_drift/unlike-core"],
    score: 0.6,
    excerpt: excerptLine(
      `without ${missing.length} of the ${steady.size} steps of every run so far (${shortName(missing[0])}), with ${shortName(act.name)} for the first time, ` +
        `${Math.round(said)} tokens an answer, usual in this project: ${Math.round(Math.exp(usual.mean))}`,
    ),
    eventId: act.eventId,
    evidenceEventIds: [],
    dedupKey: "unlike-core",
  });
}

function judgeHabits(
  { execution, state, settings, memory }: DetectorInput<BehaviorDriftState>,
  detections: Detection[],
): void {
  if (state.tools.length >= TOOLS_AN_EXECUTION_MAX) return;
  const missingMin = threshold(settings, "changedExecutionsMin");
  const known = readHabits(memory.get(HABITS_KEY));
  const done = [...state.tools.map(({ name }) => name), ...state.memories];
  const limits = {
    runsMin: threshold(settings, "habitExecutionsMin"),
    shareMin: threshold(settings, "habitShareMin"),
    missingMin,
  };
  if (isThinned(known.runs, execution) && isAsEver(known, done, limits)) return;
  const { habits, gone } = withRun(known, done, limits);
  memory.set(HABITS_KEY, habits);
  const named = gone.find((name) => !settings.allow.includes(name));
  if (named === undefined) return;
  const others = gone.length > 1 ? `, nor ${gone.length - 1} more` : "";
  detections.push({
    signatureParts: ["habit-gone", named],
    severity: "low",
    ruleIds: ["behavior_drift/habit-gone"],
    score: 0.6,
    excerpt: excerptLine(
      `${shortName(named)}, usual in this project's executions, is in none of the latest ${missingMin}${others}`,
    ),
    eventId: null,
    evidenceEventIds: [],
    dedupKey: "habit-gone",
  });
}

/** Of a project that is well known one ordinary execution in eight is taken in. */
const isThinned = (executions: number, { executionId }: ExecutionView): boolean =>
  executions >= 200 && hashText(executionId) % 8 !== 0;

function judgeAnswers(
  { execution, state, settings, memory }: DetectorInput<BehaviorDriftState>,
  detections: Detection[],
): void {
  if (state.answers === 0) return;
  const size = state.answerTokens / state.answers;
  const known = readLevel(memory.get(ANSWERS_KEY));
  const { level, shift } = addToLevel(known, Math.log(size), {
    samplesMin: threshold(settings, "habitExecutionsMin"),
    beyond: Math.log(threshold(settings, "lengthFactor")),
    deviations: threshold(settings, "lengthDeviations"),
    rowMin: threshold(settings, "changedExecutionsMin"),
  });
  const isOrdinary = known.held.length === 0 && level.held.length === 0;
  if (!isOrdinary || !isThinned(known.usual?.n ?? 0, execution)) memory.set(ANSWERS_KEY, level);
  if (shift === null || settings.allow.includes("answer-size")) return;
  detections.push({
    signatureParts: ["answer-size", shift.isUp ? "longer" : "shorter"],
    severity: "low",
    ruleIds: ["behavior_drift/answer-size"],
    score: 0.5,
    excerpt: `${Math.round(size)} tokens an answer, as in several executions before, usual in this project: ${Math.round(Math.exp(shift.usual))}`,
    eventId: null,
    evidenceEventIds: [],
    dedupKey: "answer-size",
  });
}

function readHistory(value: unknown): ToolHistory {
  if (typeof value !== "object" || value === null) return { executions: 0, tools: 0 };
  const { executions, tools } = value as Record<string, unknown>;
  if (typeof executions !== "number" || typeof tools !== "number") return { executions: 0, tools: 0 };
  return { executions, tools };
}
