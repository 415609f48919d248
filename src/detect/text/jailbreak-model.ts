import { FEATURES_MAX, jailbreakFeatures } from "./jailbreak-features.ts";
import { JAILBREAK_LOGIT_MIN, JAILBREAK_WEIGHTS } from "./jailbreak-weights.ts";
import type { TextScan } from "./scan-text.ts";

/** A linear model over the lexicon's classes; 0.7 is where it was set on benign texts. */
const weights = new Float64Array(FEATURES_MAX);
for (let i = 0; i < JAILBREAK_WEIGHTS.length; i += 2) {
  weights[JAILBREAK_WEIGHTS[i] as number] = JAILBREAK_WEIGHTS[i + 1] as number;
}
const OFFSET = Math.log(0.7 / 0.3) - JAILBREAK_LOGIT_MIN;

/** 0 to 1. */
export function jailbreakScore(scan: TextScan): number {
  const { present, value, length } = jailbreakFeatures(scan);
  let sum = 0;
  for (const feature of present) sum += weights[feature] as number;
  const logit = (weights[0] as number) + (weights[1] as number) * length + value * sum;
  return 1 / (1 + Math.exp(-(logit + OFFSET)));
}
