import {
  addSample,
  type Baseline,
  readBaseline,
  takesSample,
} from "../building-blocks/baselines/baseline.ts";
import { predictedReach } from "../building-blocks/baselines/few-samples.ts";
import { windowOf } from "../building-blocks/context-window.ts";
import { hashText } from "../building-blocks/hash.ts";
import { insertOrdered } from "../building-blocks/ordered-window.ts";
import { endsInRepeats } from "../building-blocks/repeating-tail.ts";
import { thresholdReader } from "../building-blocks/thresholds.ts";
import { specialTokensOf, tokensOf } from "../building-blocks/token-usage.ts";
import type { Detection, Detector, DetectorEvent, DetectorSettings, ProjectMemory } from "../detector.ts";
import { answerOf } from "../event-views/answer-text.ts";

/**
 * An execution uses more tokens than any execution may, or many times what the project's executions use. The
 * project's memory holds the mean and the spread of the logarithm of the tokens of finished executions. What
 * a cache held does not count. Or the same prompt is answered again and again until the limit of the answer
 * ends it, or the context grew until it fills all that the model reads, call after call, and next to nothing
 * was written for it.
 */
export interface RunawayTokensState {
  tokens: number;
  /** Tokens of these that a cache held. */
  cached: number;
  /** Answers that only their limit stopped, by their prompt. */
  readonly cutOff: CutOff[];
  /** Tokens of the answers among all. */
  written: number;
  /** The smallest prompt, 0 before the first. */
  leastIn: number;
  /** The latest prompts of some length. */
  readonly prompts: Prompt[];
  firedFull: boolean;
  sampled: boolean;
  firedAbsolute: boolean;
  firedBaseline: boolean;
  firedCutOff: boolean;
  /** Tokens of answers that went on in the same words until their limit. */
  repeated: number;
  firedRepeated: boolean;
  /** Not all calls are known: what was counted is no sample of what a run uses. */
  readonly isPastCut: boolean;
}

interface Prompt {
  readonly seq: number;
  readonly tokensIn: number;
}

interface CutOff {
  readonly tokensIn: number;
  readonly out: number;
}

const BASELINE_KEY = "log-tokens";

const THRESHOLDS = {
  tokensMax: {
    default: 2_000_000,
    min: 1,
    max: 1e12,
    integer: true,
    description: "Tokens, in and out, that one execution may use",
  },
  baselineFactor: {
    default: 8,
    min: 1.5,
    max: 1000,
    description: "Times the project's usual number of tokens",
  },
  baselineDeviations: {
    default: 4,
    min: 1,
    max: 20,
    description: "Standard deviations above the usual (of logarithms)",
  },
  baselineTokensMin: {
    default: 50_000,
    min: 0,
    max: 1e12,
    integer: true,
    description: "Tokens below which the baseline never fires",
  },
  baselineExecutionsMin: {
    default: 20,
    min: 5,
    max: 200,
    integer: true,
    description: "Finished executions that make a baseline",
  },
  cutOffTokensMin: {
    default: 30_000,
    min: 1,
    max: 1e12,
    integer: true,
    description: "Tokens of answers to one prompt, or in the same words, that only their limit stopped",
  },
} as const;
const threshold = thresholdReader(THRESHOLDS);

export const runawayTokens: Detector<RunawayTokensState> = {
  failureClass: "runaway_tokens",
  version: 7,
  family: "behaviour",
  summary: "An execution uses more tokens than allowed, or many times what the project's executions use.",
  defaultSeverity: "high",
  signature: ["absolute, baseline, cut-off-again, repeats-to-limit or context-full"],
  taxonomy: {
    owaspLlm2025: ["LLM10:2025"],
    owaspAgentic2026: ["ASI08"],
    mitreAtlas: ["AML.T0034", "AML.T0034.002"],
    mast: ["FM-1.5"],
  },
  thresholds: THRESHOLDS,
  eventTypes: ["llm_call"],
  onStatus: true,
  onTick: false,
  createState: (isPastCut = false) => ({
    tokens: 0,
    cached: 0,
    cutOff: [],
    written: 0,
    leastIn: 0,
    prompts: [],
    firedFull: false,
    sampled: false,
    firedAbsolute: false,
    firedBaseline: false,
    firedCutOff: false,
    repeated: 0,
    firedRepeated: false,
    isPastCut,
  }),
  detect({ execution, events, state, settings, memory }) {
    const detections: Detection[] = [];
    let last: DetectorEvent | null = null;
    for (const event of events) {
      const tokensIn = tokensOf(event.payload.tokens_in);
      const out = tokensOf(event.payload.tokens_out);
      const tokens = tokensIn + out;
      if (tokens === 0) continue;
      if (out >= CUT_OFF_OUT_MIN && isCutOff(event.payload.finish_reason)) {
        const wasted = wastedWith(state, { tokensIn, out });
        if (!state.firedCutOff && wasted >= threshold(settings, "cutOffTokensMin")) {
          state.firedCutOff = true;
          detections.push(cutOffAgain(wasted, event.eventId));
        }
        if (!state.firedRepeated && endsInRepeats(answerOf(event.payload))) {
          state.repeated += out;
          state.firedRepeated = state.repeated >= threshold(settings, "cutOffTokensMin");
          if (state.firedRepeated) detections.push(repeatsToLimit(state.repeated, event.eventId));
        }
      }
      const { cacheRead } = specialTokensOf(event);
      // More than the whole input is counted beside it.
      if (cacheRead <= tokensIn) state.cached += cacheRead;
      state.tokens += tokens;
      state.written += out;
      last = event;
      if (tokensIn > 0) state.leastIn = state.leastIn === 0 ? tokensIn : Math.min(state.leastIn, tokensIn);
      if (tokensIn < FULL_TOKENS_MIN || state.firedFull) continue;
      insertOrdered(state.prompts, { seq: event.sequence, tokensIn }, FULL_CALLS);
      if (!isFull(state, event.payload.model, settings)) continue;
      state.firedFull = true;
      detections.push(contextFull(state, event.eventId));
    }
    const stated = (execution.totalTokensIn ?? 0) + (execution.totalTokensOut ?? 0);
    // Totals nearer to the sum without the cache than to the whole leave it out already.
    const statedUncached = stated > state.tokens - state.cached / 2 ? stated - state.cached : stated;
    const tokens = Math.max(state.tokens - state.cached, statedUncached);
    const isOver = !state.firedAbsolute && tokens > threshold(settings, "tokensMax");
    if (isOver && !(settings.thresholds.tokensMax === undefined && isUsual(tokens, memory))) {
      state.firedAbsolute = true;
      detections.push(detectionOf("absolute", tokens, threshold(settings, "tokensMax"), last));
    }
    const isCandidate = !state.firedBaseline && tokens >= threshold(settings, "baselineTokensMin");
    const isKnown = !state.isPastCut || stated > 0;
    const isFinal = execution.status === "completed" && !state.sampled && tokens > 0 && isKnown;
    if (!isCandidate && !isFinal) return { state, detections };
    const baseline = readBaseline(memory.get(BASELINE_KEY));
    const executionsMin = threshold(settings, "baselineExecutionsMin");
    if (isCandidate && baseline !== null && isOld(baseline.n, executionsMin, tokens, settings)) {
      const usual = Math.exp(baseline.mean);
      const doubt = baseline.n < executionsMin ? YOUNG_FACTOR : 1;
      const spread = Math.exp(
        baseline.mean + threshold(settings, "baselineDeviations") * Math.sqrt(baseline.variance),
      );
      const known = Math.max(usual * threshold(settings, "baselineFactor"), spread) * doubt;
      const limit = baseline.n < executionsMin / 2 ? Math.max(known, predictedMost(baseline)) : known;
      if (tokens > limit) {
        state.firedBaseline = true;
        detections.push(detectionOf("baseline", tokens, Math.round(usual), last));
      }
    }
    if (isFinal) {
      state.sampled = true;
      const isYoung = baseline !== null && baseline.n < executionsMin / 2;
      if ((!state.firedBaseline || isYoung) && takesSample(baseline, hashText(execution.executionId))) {
        memory.set(BASELINE_KEY, addSample(baseline, Math.log(tokens)));
      }
    }
    return { state, detections };
  },
};

/** A short answer that ends at its limit wastes little. */
const CUT_OFF_OUT_MIN = 4_000;
const CUT_OFF = /^(?:length|max_?(?:output_?)?tokens|model_length|token_limit|incomplete)$/i;
const CUT_OFF_MAX = 16;
/**
 * The same prompt, with a word more that asks for less: what goes on where an answer stopped holds that
 * answer.
 */
const SAME_PROMPT_SHARE = 0.02;
const SAME_PROMPT_TOKENS = 50;

const isCutOff = (finish: unknown): boolean => typeof finish === "string" && CUT_OFF.test(finish);

/** Tokens of all answers to the prompt of this one, if it is not the first. */
function wastedWith({ cutOff }: RunawayTokensState, call: CutOff): number {
  if (cutOff.length >= CUT_OFF_MAX) cutOff.shift();
  cutOff.push(call);
  const allowed = Math.max(SAME_PROMPT_TOKENS, SAME_PROMPT_SHARE * call.tokensIn);
  const same = cutOff.filter(({ tokensIn }) => Math.abs(tokensIn - call.tokensIn) <= allowed);
  return same.length < 2 ? 0 : same.reduce((sum, { out }) => sum + out, 0);
}

const cutOffAgain = (wasted: number, eventId: string): Detection => ({
  signatureParts: ["cut-off-again"],
  severity: "medium",
  ruleIds: ["runaway_tokens/cut-off-again"],
  score: 0.7,
  excerpt: `${wasted} tokens of answers to one prompt that only their limit stopped`,
  eventId,
  evidenceEventIds: [],
  dedupKey: "cut-off-again",
});

const repeatsToLimit = (tokens: number, eventId: string): Detection => ({
  signatureParts: ["repeats-to-limit"],
  severity: "medium",
  ruleIds: ["runaway_tokens/repeats-to-limit"],
  score: 0.8,
  excerpt: `${tokens} tokens of answers that say the same words again and again until their limit`,
  eventId,
  evidenceEventIds: [],
  dedupKey: "repeats-to-limit",
});

/**
 * A project may begin with small tries: what its first executions used says little of the next, unless that
 * uses a great deal.
 */
function isOld(
  executions: number,
  executionsMin: number,
  tokens: number,
  settings: DetectorSettings,
): boolean {
  if (executions >= executionsMin / 2) return true;
  return executions >= executionsMin / 5 && tokens >= threshold(settings, "tokensMax") / 4;
}

/**
 * Few runs that happen to be alike do not make a project of runs that are: usual use varies by this factor at
 * least.
 */
const SPREAD_MIN = Math.log(1.4);

/**
 * What the next of n runs uses at most, by the interval that predicts one value more from n of a normal
 * distribution (of logarithms).
 */
function predictedMost({ n, mean, variance }: Baseline): number {
  const deviation = Math.max(Math.sqrt((variance * n) / (n - 1)), SPREAD_MIN);
  return Math.exp(mean + predictedReach(n, deviation));
}

/** Prompts in a row that fill what the model reads. */
const FULL_CALLS = 4;
const FULL_TOKENS_MIN = 15_000;
const FULL_SHARE = 0.95;
/** How often it grew in this run: a service that always sends all it can does not grow. */
const GROWN_MIN = 8;
const WRITTEN_SHARE_MAX = 0.05;
/** Of the tokens that a run may use. */
const FULL_COST_SHARE = 1 / 4;

function isFull(state: RunawayTokensState, model: unknown, settings: DetectorSettings): boolean {
  const { prompts, tokens, cached, written, leastIn } = state;
  const used = tokens - cached;
  if (state.isPastCut || prompts.length < FULL_CALLS) return false;
  if (used < threshold(settings, "tokensMax") * FULL_COST_SHARE || written > used * WRITTEN_SHARE_MAX)
    return false;
  const window = typeof model === "string" ? windowOf(model) : null;
  if (window === null) return false;
  const fills = ({ tokensIn }: Prompt): boolean =>
    tokensIn >= window.least * FULL_SHARE && tokensIn <= window.most && tokensIn >= leastIn * GROWN_MIN;
  return prompts.every(fills);
}

const contextFull = (
  { tokens, cached, written, leastIn, prompts }: RunawayTokensState,
  eventId: string,
): Detection => ({
  signatureParts: ["context-full"],
  severity: "medium",
  ruleIds: ["runaway_tokens/context-full"],
  score: 0.7,
  excerpt: `${tokens - cached} tokens used for ${written} written: the prompt grew from ${leastIn} to ${prompts.at(-1)?.tokensIn}, all that the model reads, ${FULL_CALLS} times`,
  eventId,
  evidenceEventIds: [],
  dedupKey: "context-full",
});

/** With half the executions that make a baseline, the limit is this many times higher. */
const YOUNG_FACTOR = 4;
const USUAL_EXECUTIONS_MIN = 5;
const USUAL_FACTOR = 3;

/**
 * A project whose executions all use so many does not run away with one of them; a limit that it set itself
 * holds.
 */
function isUsual(tokens: number, memory: ProjectMemory): boolean {
  const baseline = readBaseline(memory.get(BASELINE_KEY));
  if (baseline === null || baseline.n < USUAL_EXECUTIONS_MIN) return false;
  return tokens <= USUAL_FACTOR * Math.exp(baseline.mean);
}

function detectionOf(
  rule: "absolute" | "baseline",
  tokens: number,
  against: number,
  last: DetectorEvent | null,
): Detection {
  const measure = rule === "absolute" ? `allowed: ${against}` : `usual in this project: ${against}`;
  return {
    signatureParts: [rule],
    severity: rule === "absolute" ? "high" : "medium",
    ruleIds: [`runaway_tokens/${rule}`],
    score: Math.min(1, 0.5 + tokens / against / 20),
    excerpt: `${tokens} tokens used, ${measure}`,
    eventId: last?.eventId ?? null,
    evidenceEventIds: [],
    dedupKey: rule,
  };
}
