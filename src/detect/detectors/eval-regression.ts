import { addSample, readBaseline } from "../building-blocks/baselines/baseline.ts";
import { predictedReach } from "../building-blocks/baselines/few-samples.ts";
import { directionOf, directionSaid, isLessBetter } from "../building-blocks/baselines/measure-direction.ts";
import { excerptLine, shortName } from "../building-blocks/excerpt.ts";
import { hashText } from "../building-blocks/hash.ts";
import { numberIn } from "../building-blocks/number-in.ts";
import { addOnce } from "../building-blocks/ordered-window.ts";
import { thresholdReader } from "../building-blocks/thresholds.ts";
import { isFailedVerdict } from "../building-blocks/verdict.ts";
import type { Detection, Detector, DetectorSettings, ProjectMemory } from "../detector.ts";

/**
 * An evaluation failed, by its verdict or by its own threshold, or a metric fell below the baseline that it
 * names, or below what the project is used to: one score below everything seen so far, the mean of the latest
 * eight below the mean of all, or, of few runs, three in a row far below all before. For metrics whose name
 * says that less is better (errors, latency, toxicity …) above is worse. The project's memory holds mean,
 * spread, worst and the latest eight scores of 200 metrics.
 */
export interface EvalRegressionState {
  readonly fired: number[];
  failures: number;
}

interface MetricHistory {
  readonly all: unknown;
  readonly worst: number;
  readonly latest: readonly number[];
  /** The execution of the latest score, and how many in a row each came of another. */
  readonly run: number;
  readonly apart: number;
  /**
   * When the latest score was made, in milliseconds by the client's clock, and how many in a row each came an
   * hour and more after the one before.
   */
  readonly atMs: number;
  readonly spaced: number;
}

const METRICS_MAX = 200;
const COUNT_KEY = "metrics";
const LATEST_MAX = 8;
const FAILURES_MAX = 100;
const FIRED_MAX = 64;
const DEVIATIONS_OF_MEAN = 4;

const THRESHOLDS = {
  samplesMin: {
    default: 10,
    min: 8,
    max: 1000,
    integer: true,
    description: "Scores of a metric that make a baseline",
  },
  dropShareMin: {
    default: 0.2,
    min: 0.01,
    max: 1,
    description: "Drop against the baseline, as a share of it",
  },
  deviations: {
    default: 4,
    min: 1,
    max: 20,
    description: "Standard deviations that a single score must fall",
  },
} as const;
const threshold = thresholdReader(THRESHOLDS);

export const evalRegression: Detector<EvalRegressionState> = {
  failureClass: "eval_regression",
  version: 6,
  family: "behaviour",
  summary: "An evaluation failed, or a metric fell clearly below the project's own baseline.",
  defaultSeverity: "medium",
  signature: ["rule", "the metric's name"],
  taxonomy: { owaspLlm2025: ["LLM09:2025"], mitreAtlas: ["AML.T0031"], mast: ["FM-3.3", "FM-1.1"] },
  thresholds: THRESHOLDS,
  eventTypes: ["eval_score"],
  onStatus: false,
  onTick: false,
  createState: () => ({ fired: [], failures: 0 }),
  detect({ execution, events, state, settings, memory }) {
    const detections: Detection[] = [];
    for (const event of events) {
      const metric = shortName(event.payload.metric);
      const { payload } = event;
      const score = numberIn(payload.score);
      const hasScore = score !== null;
      const sign = directionSaid(payload) ?? (isLessBetter(metric) ? -1 : 1);
      const own = hasScore
        ? judge(memory, metric, score, sign, {
            run: hashText(execution.executionId),
            atMs: event.timestampMs,
            payload,
            settings,
          })
        : null;
      if (settings.allow.includes(metric)) continue;
      const fall = own ?? (hasScore ? belowGiven(metric, score, payload, settings) : null);
      const isFailed = failsIn(metric, score, payload) && state.failures < FAILURES_MAX;
      const isFallen = fall !== null && addOnce(state.fired, hashText(`${fall.rule}\n${metric}`), FIRED_MAX);
      if (!isFailed && !isFallen) continue;
      if (isFailed) state.failures++;
      const rules = [...(isFailed ? ["failed"] : []), ...(isFallen ? [fall.rule] : [])];
      const against = isFallen ? `, ${fall.what}usual ${fall.usual.toFixed(3)}` : "";
      detections.push({
        signatureParts: [isFailed ? "failed" : "below-baseline", metric],
        severity: "medium",
        ruleIds: rules.map((rule) => `eval_regression/${rule}`),
        score: isFailed ? 0.9 : 0.7,
        excerpt: excerptLine(
          `${metric}: ${hasScore ? score : "no score"}${isFailed ? ", failed" : ""}${against}`,
        ),
        eventId: event.eventId,
        evidenceEventIds: [],
      });
    }
    return { state, detections };
  },
};

interface Fall {
  readonly rule: "single-score" | "recent-mean" | "lasting-drop" | "given-baseline";
  readonly usual: number;
  /** What fell where it is not the score itself. */
  readonly what: string;
}

/**
 * A verdict decides; without one a score on the wrong side of its own threshold does, where it is known which
 * side that is.
 */
function failsIn(metric: string, score: number | null, payload: Readonly<Record<string, unknown>>): boolean {
  const { passed } = payload;
  if (passed !== undefined && passed !== null) return isFailedVerdict(passed);
  const limit = numberIn(payload.threshold);
  if (score === null || limit === null || isOnAnotherScale(score, limit)) return false;
  return (score - limit) * (directionOf(metric, payload) ?? 0) < 0;
}

/** A share beside a limit in percent, or the other way round. */
const isOnAnotherScale = (one: number, other: number): boolean =>
  Math.min(Math.abs(one), Math.abs(other)) <= 1 && Math.max(Math.abs(one), Math.abs(other)) >= 10;

/** The client names what the score is to be held against. */
function belowGiven(
  metric: string,
  score: number,
  payload: Readonly<Record<string, unknown>>,
  settings: DetectorSettings,
): Fall | null {
  const usual = numberIn(payload.baseline);
  if (usual === null || usual === 0 || isOnAnotherScale(score, usual)) return null;
  const drop = (usual - score) * (directionOf(metric, payload) ?? 0);
  const isFall = drop >= threshold(settings, "dropShareMin") * Math.abs(usual);
  return isFall ? { rule: "given-baseline", usual, what: "" } : null;
}

interface Judging {
  readonly run: number;
  readonly atMs: number;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly settings: DetectorSettings;
}

const SET_FIELD =
  /^(?:data_?sets?|test_?sets?|eval_?sets?|golden_?sets?|suite|benchmark|split|n|n_?(?:samples|cases|items|questions|examples)|(?:num|number_of)_(?:samples|cases|items|questions|examples)|samples?(?:_?(?:count|size))?|(?:case|item|question|example)s?_?count|total_?(?:cases|samples|items))$/i;
const SET_NAMED =
  /(?:^|[^a-z])(?:gold(?:en)?|suite|benchmark|(?:data|test|eval|dev|hold_?out|validation)[_ -]?sets?|regression)(?:$|[^a-z])/i;
const SET_SIZE_MIN = 10;

/**
 * The event names a set of cases, or how many they are: a mean does not move as the score of one answer does.
 */
function isOfSet(payload: Readonly<Record<string, unknown>>): boolean {
  for (const name in payload) {
    if (!SET_FIELD.test(name)) continue;
    const value = payload[name];
    if (typeof value === "string" ? value !== "" : typeof value === "number" && value >= SET_SIZE_MIN)
      return true;
  }
  const { evaluator } = payload;
  return typeof evaluator === "string" && SET_NAMED.test(evaluator.slice(0, 80));
}

function judge(
  memory: ProjectMemory,
  metric: string,
  score: number,
  sign: 1 | -1,
  { run, atMs, payload, settings }: Judging,
): Fall | null {
  const key = `metric:${metric}`;
  const known = readHistory(memory.get(key));
  if (known === null) {
    const counted = memory.get(COUNT_KEY);
    const metrics = typeof counted === "number" ? counted : 0;
    if (metrics >= METRICS_MAX) return null;
    memory.set(COUNT_KEY, metrics + 1);
  }
  const all = readBaseline(known?.all);
  const value = sign * score;
  const latest = [...(known?.latest ?? []), value].slice(-LATEST_MAX);
  const worst = known === null ? value : Math.min(known.worst, value);
  const apart = known === null ? 1 : known.run === run ? 0 : known.apart + 1;
  const spaced = known === null ? 1 : atMs - known.atMs >= SPACED_MS_MIN ? known.spaced + 1 : 0;
  memory.set(key, { all: addSample(all, value), worst, latest, run, apart, atMs, spaced });
  if (all === null || known === null) return null;
  if (all.n < threshold(settings, "samplesMin")) {
    const before = apart < FEW_MIN + LASTING ? null : lastingDrop(latest, settings);
    if (before !== null) return { rule: "lasting-drop", usual: sign * before, what: `the third in a row, ` };
    const usual = Math.min(apart, spaced) > SET_RUNS_MIN ? dropOfSet(latest, settings) : null;
    return usual === null || !isOfSet(payload)
      ? null
      : { rule: "single-score", usual: sign * usual, what: "" };
  }
  const deviation = Math.max(Math.sqrt(all.variance), 0.01 * Math.abs(all.mean), 1e-9);
  const enough = threshold(settings, "dropShareMin") * Math.max(Math.abs(all.mean), 1e-9);
  const single = all.mean - value;
  // A verdict of ones and zeros is no measure: its first zero says nothing yet.
  const isMeasure = !Number.isInteger(value) || !Number.isInteger(all.mean) || Math.abs(single) > 1;
  if (
    isMeasure &&
    single >= enough &&
    single > threshold(settings, "deviations") * deviation &&
    value < known.worst
  ) {
    return { rule: "single-score", usual: sign * all.mean, what: "" };
  }
  const recent = latest.reduce((sum, one) => sum + one, 0) / latest.length;
  const drop = all.mean - recent;
  const noise = (DEVIATIONS_OF_MEAN * deviation) / Math.sqrt(latest.length);
  // A good score among bad ones is no fault of the run that got it.
  if (single > 0 && latest.length === LATEST_MAX && drop >= enough && drop > noise) {
    const what = `mean of the latest ${LATEST_MAX} ${(sign * recent).toFixed(3)}, `;
    return { rule: "recent-mean", usual: sign * all.mean, what };
  }
  return null;
}

/** Scores, each of an execution of its own, that make a level, and those in a row that make another. */
const FEW_MIN = 4;
const LASTING = 3;
/** How many times the drop that it takes against many scores. */
const FEW_DROP_FACTOR = 2;
/** Equal scores do not say how much a metric varies. */
const DISTINCT_MIN = 3;

/** The mean before, if the latest scores are all far below all before them. */
function lastingDrop(latest: readonly number[], settings: DetectorSettings): number | null {
  const before = latest.slice(0, -LASTING);
  const after = latest.slice(-LASTING);
  if (before.length < FEW_MIN || new Set(before).size < DISTINCT_MIN) return null;
  const usual = meanOf(before);
  const share = FEW_DROP_FACTOR * threshold(settings, "dropShareMin");
  // Where less is better values are negative: the same step by its factor, which upwards is the larger share.
  const enough = Math.abs(usual) * (usual < 0 && share < 1 ? share / (1 - share) : share);
  const squares = before.reduce((sum, one) => sum + (one - usual) ** 2, 0);
  const reach = predictedReach(before.length, Math.sqrt(squares / (before.length - 1)));
  const isFar = usual - meanOf(after) >= enough && usual - Math.max(...after) > reach;
  return isFar ? usual : null;
}

const SET_RUNS_MIN = 5;
/** An evaluation that is made anew each night or week; the answers of one day come faster. */
const SPACED_MS_MIN = 3_600_000;
/**
 * Times as far as few samples let expect: the scores of sets are near to normal, and their tails are not
 * known from five.
 */
const SET_REACH_FACTOR = 2;

/** The mean before, if the latest score of a set of cases lies far below all before it. */
function dropOfSet(latest: readonly number[], settings: DetectorSettings): number | null {
  const before = latest.slice(0, -1);
  const last = latest.at(-1);
  if (last === undefined || before.length < SET_RUNS_MIN || new Set(before).size < DISTINCT_MIN) return null;
  const usual = meanOf(before);
  const drop = usual - last;
  // What takes time, or goes wrong now and then, has a long tail.
  if (usual <= 0) return null;
  const enough = threshold(settings, "dropShareMin") * usual;
  const squares = before.reduce((sum, one) => sum + (one - usual) ** 2, 0);
  const reach = predictedReach(before.length, Math.sqrt(squares / (before.length - 1)));
  return drop >= enough && drop > SET_REACH_FACTOR * reach ? usual : null;
}

const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, one) => sum + one, 0) / values.length;

function readHistory(value: unknown): MetricHistory | null {
  if (typeof value !== "object" || value === null) return null;
  const { all, worst, latest, run, apart, atMs, spaced } = value as Record<string, unknown>;
  if (typeof worst !== "number" || !Array.isArray(latest)) return null;
  return {
    all,
    worst,
    latest: latest.filter((one): one is number => typeof one === "number"),
    // Not kept by earlier versions.
    run: typeof run === "number" ? run : 0,
    apart: typeof apart === "number" ? apart : 0,
    atMs: typeof atMs === "number" ? atMs : Number.MAX_SAFE_INTEGER,
    spaced: typeof spaced === "number" ? spaced : 0,
  };
}
