import { EVEN, scoreOfOdds } from "../scan/log-odds.ts";
import { FEATURES_MAX, type Features, type JailbreakPassage } from "./jailbreak-features.ts";
import { JAILBREAK_LOGIT_MIN, JAILBREAK_WEIGHTS } from "./jailbreak-weights.ts";

/** A linear model over the lexicon's classes; 0.7 is where it was set on benign texts. */
const weights = new Float64Array(FEATURES_MAX);
for (let i = 0; i < JAILBREAK_WEIGHTS.length; i += 2) {
  weights[JAILBREAK_WEIGHTS[i] as number] = JAILBREAK_WEIGHTS[i + 1] as number;
}
const OFFSET = EVEN - JAILBREAK_LOGIT_MIN;

export function logit(of: ArrayLike<number>, { present, length }: Features): number {
  let sum = (of[0] as number) + (of[1] as number) * length;
  for (const feature of present) sum += of[feature] as number;
  return sum;
}

export interface Weighed {
  readonly passage: JailbreakPassage;
  /** 0 to 1. */
  readonly score: number;
}

/** The strongest of the passages that are worth weighing, or null. */
export function weighPassages(passages: readonly JailbreakPassage[], carried: boolean): Weighed | null {
  let best: JailbreakPassage | null = null;
  let most = Number.NEGATIVE_INFINITY;
  for (const passage of passages) {
    if (!passage.isWorthWeighing(carried)) continue;
    const sum = logit(weights, passage.features());
    if (sum <= most) continue;
    most = sum;
    best = passage;
  }
  return best === null ? null : { passage: best, score: scoreOfOdds(most + OFFSET) };
}
