import { addSample, readBaseline, takesSample } from "../building-blocks/baseline.ts";
import { toolViewOf } from "../building-blocks/calls/tool-view.ts";
import { cutText } from "../building-blocks/cut-text.ts";
import { excerptLine, shortName } from "../building-blocks/excerpt.ts";
import { fingerprint, hashText } from "../building-blocks/hash.ts";
import { directionSaid } from "../building-blocks/measure-direction.ts";
import { addOnce } from "../building-blocks/ordered-window.ts";
import { thresholdReader } from "../building-blocks/thresholds.ts";
import { saidOfFinding } from "../building-blocks/verdict.ts";
import type { Detection, Detector, DetectorEvent, DetectorInput } from "../detector.ts";
import { chatTurnOf } from "../event-views/chat-turn.ts";

/**
 * The client's own drift signal, and two baselines of the project: how many tool calls its runs make, and which
 * tools they use. The memory holds the mean and spread of the logarithm of the calls, and one key a tool (128 at
 * most); a project whose set of tools is still growing has no baseline of them. Where no event of a tool comes, the
 * calls that the model's answers ask for are counted; from the first such event on, events alone count.
 */
export interface BehaviorDriftState {
  calls: number;
  countsEvents: boolean;
  readonly tools: { readonly name: string; readonly eventId: string }[];
  settled: boolean;
  signals: number;
  readonly fired: number[];
  /** Not all calls are known: their number says nothing. */
  readonly isPastCut: boolean;
}

interface ToolHistory {
  readonly executions: number;
  readonly tools: number;
}

const LENGTH_KEY = "log-calls";
const HISTORY_KEY = "tools";
const TOOLS_MAX = 128;
const TOOLS_AN_EXECUTION_MAX = 32;
const SIGNALS_MAX = 100;
const FIRED_MAX = 32;

const THRESHOLDS = {
  executionsMin: { default: 50, min: 10, max: 200, description: "Finished executions that make a baseline" },
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
    description: "Tool calls below which the length never fires",
  },
  executionsPerToolMin: {
    default: 10,
    min: 1,
    max: 1000,
    description: "Executions per known tool below which a project's set of tools is still growing",
  },
} as const;
const threshold = thresholdReader(THRESHOLDS);

export const behaviorDrift: Detector<BehaviorDriftState> = {
  failureClass: "behavior_drift",
  version: 3,
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
  eventTypes: ["drift_signal", "tool_call", "mcp_call", "llm_call"],
  onStatus: true,
  onTick: false,
  createState: (isPastCut = false) => ({
    calls: 0,
    countsEvents: false,
    tools: [],
    settled: false,
    signals: 0,
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
      if (event.type === "llm_call") {
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
      noteCall(state, event, view.tool);
    }
    if (input.cause === "status" && execution.status !== "started" && !state.settled && state.calls > 0) {
      state.settled = true;
      if (!state.isPastCut) judgeLength(input, detections);
      judgeTools(input, detections);
    }
    return { state, detections };
  },
};

function noteCall(state: BehaviorDriftState, { eventId }: DetectorEvent, tool: string): void {
  state.calls++;
  if (state.tools.length >= TOOLS_AN_EXECUTION_MAX) return;
  const name = cutText(tool, 80);
  if (!state.tools.some((one) => one.name === name)) state.tools.push({ name, eventId });
}

/** Tests of likeness: the less of it, the more has changed. */
const LIKENESS =
  /p[_ -]?val|similarit|overlap|agreement|correlation|likeness|jaccard(?!.*dist)|cosine(?!.*dist)|accura|match[_ -]?rate|success[_ -]?rate/i;
/** Deviations to either side. */
const TWO_SIDED = /z[_ -]?score|deviation|sigma/i;

/** `drifted` decides where it is sent and says something; without it a score beyond its threshold does. */
function isDrifted(payload: Readonly<Record<string, unknown>>): boolean {
  const told = saidOfFinding(payload.drifted);
  if (told !== null) return told;
  const { signal, score, threshold: limit } = payload;
  if (typeof score !== "number" || typeof limit !== "number") return false;
  const name = typeof signal === "string" ? signal.slice(0, 200) : "";
  if (TWO_SIDED.test(name)) return Math.abs(score) > Math.abs(limit);
  return directionSaid(payload) === 1 || LIKENESS.test(name) ? score < limit : score > limit;
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

function readHistory(value: unknown): ToolHistory {
  if (typeof value !== "object" || value === null) return { executions: 0, tools: 0 };
  const { executions, tools } = value as Record<string, unknown>;
  if (typeof executions !== "number" || typeof tools !== "number") return { executions: 0, tools: 0 };
  return { executions, tools };
}
