import { thresholdReader } from "../building-blocks/thresholds.ts";
import { charactersIn, reportsTokens, specialTokensOf, tokensOf } from "../building-blocks/token-usage.ts";
import type { Detection, Detector, DetectorEvent, DetectorSettings, ExecutionView } from "../detector.ts";
import { flattenText } from "../event-views/fields.ts";
import { inputOf, outputOf } from "../event-views/model-call-fields.ts";

/**
 * The totals that a finished execution states are not the sum of its model calls. More in the calls than
 * stated is plain at once; less waits for late events. Nothing is said of a run whose calls state no tokens,
 * nor of fewer where not all calls are known or some state none, nor where tokens of a cache or of thoughts,
 * which one side counts and the other does not, explain it.
 *
 * And counts that cannot be: texts of some length for which several calls count no tokens, or next to none,
 * while they count the other side.
 */
export interface TokenAccountingState {
  in: number;
  out: number;
  calls: number;
  /** Calls that succeeded and say nothing of one side. */
  uncountedIn: number;
  uncountedOut: number;
  cacheRead: number;
  cacheWritten: number;
  reasoning: number;
  /** Calls with a text of some length, and those of them whose count is too small for it, by side. */
  readonly texts: { in: number; out: number };
  readonly textsTooSmall: { in: number; out: number };
  /** Answers of them that count nothing at all. */
  textsUncounted: number;
  fired: boolean;
  readonly isPastCut: boolean;
}

const THRESHOLDS = {
  toleranceShare: {
    default: 0.05,
    min: 0,
    max: 1,
    description: "Difference allowed, as a share of the stated total",
  },
  toleranceTokens: {
    default: 50,
    min: 0,
    max: 1e9,
    integer: true,
    description: "Difference always allowed, in tokens",
  },
  textCallsMin: {
    default: 3,
    min: 1,
    max: 1000,
    integer: true,
    description: "Calls whose count is too small for their text",
  },
  graceSeconds: { default: 5, min: 0, max: 120, description: "Seconds that late events have to arrive" },
} as const;
const threshold = thresholdReader(THRESHOLDS);

export const tokenAccountingMismatch: Detector<TokenAccountingState> = {
  failureClass: "token_accounting_mismatch",
  version: 5,
  family: "reliability",
  summary: "The token totals of a finished execution differ from the sum of its model calls.",
  defaultSeverity: "low",
  signature: ["more or fewer in the calls than stated", "in, out or both"],
  taxonomy: { owaspLlm2025: ["LLM10:2025"] },
  thresholds: THRESHOLDS,
  eventTypes: ["llm_call"],
  onStatus: true,
  onTick: true,
  nextTickMs: ({ execution, state, settings }) =>
    isSpent(state) ||
    execution.status === "started" ||
    state.isPastCut ||
    differencesOf(execution, state, settings, "fewer").length === 0
      ? Number.POSITIVE_INFINITY
      : settledMs(execution, settings, 0),
  createState: (isPastCut = false) => ({
    in: 0,
    out: 0,
    calls: 0,
    uncountedIn: 0,
    uncountedOut: 0,
    cacheRead: 0,
    cacheWritten: 0,
    reasoning: 0,
    texts: { in: 0, out: 0 },
    textsTooSmall: { in: 0, out: 0 },
    textsUncounted: 0,
    fired: false,
    isPastCut,
  }),
  detect({ execution, events, state, settings, nowMs }) {
    for (const event of events) noteCall(state, event);
    const detections: Detection[] = [];
    if (isSpent(state) || execution.status === "started") return { state, detections };
    const isOpen = nowMs < settledMs(execution, settings, nowMs);
    for (const direction of ["more", "fewer"] as const) {
      if (direction === "fewer" && (state.isPastCut || isOpen)) continue;
      const off = differencesOf(execution, state, settings, direction);
      if (off.length === 0) continue;
      state.fired = true;
      detections.push({
        signatureParts: [direction, off.map(([which]) => which).join("+")],
        severity: "low",
        ruleIds: [`token_accounting_mismatch/${direction}`],
        score: 0.8,
        excerpt: off
          .map(([which, counted, stated]) => `${which}: calls ${counted}, stated ${stated}`)
          .join("; "),
        eventId: null,
        evidenceEventIds: [],
        dedupKey: "mismatch",
      });
      return { state, detections };
    }
    const side = (["in", "out"] as const).find((one) => isImplausible(execution, state, one, settings));
    if (side !== undefined) {
      state.fired = true;
      detections.push(implausible(state, side));
    }
    return { state, detections };
  },
};

const TEXT_CHARS_MIN = 600;
/** Ten times what a token of any language holds. */
const CHARS_A_TOKEN = 40;
/** Counts from which no text that is looked at is too long. */
const TOKENS_LOOKED_AT_MAX = 200;
/** Where the count of the input leaves out what a cache held, which not every client sends beside it. */
const COUNTS_WITHOUT_CACHE =
  /claude|anthropic|ollama|llama\.?cpp|lm.?studio|gguf|^[\w./-]{1,80}:[\w.-]{1,80} /i;

function noteCall(state: TokenAccountingState, event: DetectorEvent): void {
  const { payload } = event;
  const { tokens_in: tokensIn, tokens_out: tokensOut, error } = payload;
  const isDone = error === undefined || error === null;
  if (isDone && typeof tokensIn !== "number") state.uncountedIn++;
  if (isDone && typeof tokensOut !== "number") state.uncountedOut++;
  if (!reportsTokens(event)) return;
  const special = specialTokensOf(event);
  state.calls++;
  state.in += tokensOf(tokensIn);
  state.out += tokensOf(tokensOut);
  state.cacheRead += special.cacheRead;
  state.cacheWritten += special.cacheWritten;
  state.reasoning += special.reasoning;
  if (!isDone) return;
  const isCached = special.cacheRead + special.cacheWritten > 0;
  const countsCache = () =>
    !COUNTS_WITHOUT_CACHE.test(`${flattenText(payload.model)} ${flattenText(payload.provider)}`);
  const input = inputOf(payload);
  const hasInput = input !== undefined && input !== null;
  if (hasInput && !isCached && tokensOf(tokensOut) > 0 && (tokensIn === 0 || countsCache()))
    noteText(state, "in", tokensIn, input);
  if (tokensOf(tokensIn) === 0) return;
  const isLong = noteText(state, "out", tokensOut, outputOf(payload));
  if (isLong && tokensOut === 0 && !COUNTS_NO_ANSWER.test(`${payload.model}`)) state.textsUncounted++;
}

function noteText(state: TokenAccountingState, side: "in" | "out", tokens: unknown, value: unknown): boolean {
  if (typeof tokens !== "number") return false;
  const charsMax = TEXT_CHARS_MIN + TOKENS_LOOKED_AT_MAX * CHARS_A_TOKEN;
  const chars = charactersIn(value, charsMax);
  if (chars < TEXT_CHARS_MIN) return false;
  state.texts[side]++;
  if (tokens * CHARS_A_TOKEN < chars) state.textsTooSmall[side]++;
  return true;
}

/** What embeds, ranks or judges a text may give one back that its maker does not count. */
const COUNTS_NO_ANSWER = /embed|rerank|moderation|guard|shield|whisper|transcri|tts|ocr/i;

/**
 * Some calls that count next to nothing may be slips of a provider's. That every long answer counts nothing
 * at all is none, the less so where the stated total is zero too; an input may stand in a cache.
 */
function isImplausible(
  { totalTokensOut }: ExecutionView,
  { texts, textsTooSmall, textsUncounted }: TokenAccountingState,
  side: "in" | "out",
  settings: DetectorSettings,
): boolean {
  const callsMin = threshold(settings, "textCallsMin");
  if (textsTooSmall[side] >= callsMin && textsTooSmall[side] * 2 > texts[side]) return true;
  if (side === "in" || textsUncounted !== texts.out) return false;
  return texts.out >= Math.min(callsMin, totalTokensOut === 0 ? 1 : UNCOUNTED_ANSWERS_MIN);
}

const UNCOUNTED_ANSWERS_MIN = 2;

const implausible = ({ texts, textsTooSmall }: TokenAccountingState, side: "in" | "out"): Detection => ({
  signatureParts: ["too-few-for-text", side],
  severity: "low",
  ruleIds: ["token_accounting_mismatch/too-few-for-text"],
  score: 0.7,
  excerpt: `${side}: ${textsTooSmall[side]} of ${texts[side]} calls with a long text count next to no tokens for it`,
  eventId: null,
  evidenceEventIds: [],
  dedupKey: "mismatch",
});

const isSpent = (state: TokenAccountingState) => state.fired || state.calls === 0;

/** Totals that are off in one direction: which, what the calls add up to, what is stated. */
function differencesOf(
  execution: ExecutionView,
  state: TokenAccountingState,
  settings: DetectorSettings,
  direction: "more" | "fewer",
): readonly (readonly ["in" | "out", number, number])[] {
  const totals = [
    ["in", state.in, execution.totalTokensIn],
    ["out", state.out, execution.totalTokensOut],
  ] as const;
  return totals.flatMap(([which, counted, stated]) => {
    if (stated === null) return [];
    if (direction === "fewer" && (which === "in" ? state.uncountedIn : state.uncountedOut) > 0) return [];
    const allowed = Math.max(
      threshold(settings, "toleranceTokens"),
      threshold(settings, "toleranceShare") * stated,
    );
    const isOff = direction === "more" ? counted - stated > allowed : stated - counted > allowed;
    const isExplained = explanations(state, which).some(
      (more) => Math.abs(counted + more - stated) <= allowed,
    );
    return isOff && !isExplained ? [[which, counted, stated] as const] : [];
  });
}

/** Tokens that the totals may hold beside those of the calls, or leave out of them. */
function explanations(
  { cacheRead, cacheWritten, reasoning }: TokenAccountingState,
  which: "in" | "out",
): readonly number[] {
  if (which === "out") return [reasoning, -reasoning];
  return [cacheRead, cacheWritten, cacheRead + cacheWritten].flatMap((more) => [more, -more]);
}

function settledMs(execution: ExecutionView, settings: DetectorSettings, otherwiseMs: number): number {
  return (execution.finishedMs ?? otherwiseMs) + threshold(settings, "graceSeconds") * 1000;
}
