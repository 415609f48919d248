import { directionSaid } from "../building-blocks/baselines/measure-direction.ts";
import { numberIn } from "../building-blocks/number-in.ts";
import { saidOfFinding } from "../building-blocks/verdict.ts";

/** Tests of likeness: the less of it, the more has changed. */
const LIKENESS =
  /p[_ -]?val|similarit|overlap|agreement|correlation|likeness|jaccard(?!.{0,200}dist)|cosine(?!.{0,200}dist)|accura|match[_ -]?rate|success[_ -]?rate/i;
/** Deviations to either side. */
const TWO_SIDED = /z[_ -]?score|deviation|sigma/i;

/** `drifted` decides where it is sent and says something; without it a score beyond its threshold does. */
export function isDrifted(payload: Readonly<Record<string, unknown>>): boolean {
  const told = saidOfFinding(payload.drifted);
  if (told !== null) return told;
  const score = numberIn(payload.score);
  if (score === null) return false;
  const limit = limitIn(payload.threshold);
  if (limit === null) return isOutside(score, payload);
  const name = typeof payload.signal === "string" ? payload.signal.slice(0, 200) : "";
  if (TWO_SIDED.test(name)) return Math.abs(score) > Math.abs(limit);
  return directionSaid(payload) === 1 || LIKENESS.test(name) ? score < limit : score > limit;
}

/** Of several thresholds that of an alarm. */
function limitIn(value: unknown): number | null {
  if (typeof value !== "object" || value === null) return numberIn(value);
  const { alert, critical, error, high } = value as Record<string, unknown>;
  return numberIn(alert ?? critical ?? error ?? high);
}

function isOutside(score: number, payload: Readonly<Record<string, unknown>>): boolean {
  const lower = numberIn(payload.lower_bound ?? payload.lower);
  const upper = numberIn(payload.upper_bound ?? payload.upper);
  return (lower !== null && score < lower) || (upper !== null && score > upper);
}
