import { excerptOf } from "../building-blocks/excerpt.ts";
import { flagOf, saidOfFinding } from "../building-blocks/verdict.ts";
import { type Fields, isFields } from "../client-forms/fields.ts";
import { sayingOf } from "../client-forms/verdict-words.ts";
import type { Detection, DetectorEvent, Severity } from "../detector.ts";
import { type AlertKinds, isListOfKinds, kindsNamed } from "./alert-kinds.ts";

/**
 * Reads what a client's own detector said: an `injection_alert` carries a verdict, a flag, a score, kinds of
 * attack with a verdict each, or none of them. The first of these that decides counts. An alert that says
 * nothing about itself counts, because somebody sent it as an alert; one that says that nothing could be
 * found out does not. What it names decides its class: a jailbreak is none of an injection's.
 */
export type AlertClass = "prompt_injection" | "jailbreak_attempt";

const FLAGS = [
  "detected",
  "is_injection",
  "isInjection",
  "is_attack",
  "isAttack",
  "is_malicious",
  "isMalicious",
  "malicious",
  "flagged",
  "triggered",
  "tripwire_triggered",
  "tripwireTriggered",
];
/** Words that stand for a verdict where they are known; another word in them says nothing. */
const OTHER_WORDS = ["label", "prediction", "decision", "risk", "risk_level", "riskLevel"];

/**
 * Whether an alert counts as a firing of a class. `scoreMin` is for one that says a score and nothing else.
 */
export function alertFires(event: DetectorEvent, scoreMin: number, failureClass?: AlertClass): boolean {
  const { payload } = event;
  const kinds = kindsNamed(payload, (one) => verdictOf(one, 0.5));
  const said = verdictOf(payload, scoreMin, kinds);
  if (said === false || (kinds.injection === false && kinds.jailbreak === false)) return false;
  return failureClass === undefined || classesOf(kinds, payload).includes(failureClass);
}

function classesOf(kinds: AlertKinds, { detector }: Fields): readonly AlertClass[] {
  const isNamedBy = typeof detector === "string" && isListOfKinds(detector, "jailbreak");
  const isJailbreak = kinds.jailbreak ?? (isNamedBy && kinds.injection !== true);
  if (!isJailbreak) return ["prompt_injection"];
  return kinds.injection === true ? ["prompt_injection", "jailbreak_attempt"] : ["jailbreak_attempt"];
}

/** True: something was found; false: nothing was, or nobody could tell; null: not said at all. */
function verdictOf(fields: Fields, scoreMin: number, kinds?: AlertKinds): boolean | null {
  const { verdict } = fields;
  if (isFields(verdict)) return verdictOf({ threshold: fields.threshold, ...verdict }, scoreMin, kinds);
  const score = scoreOf(isPrintedNumber(verdict) ? verdict : fields.score);
  const flag = flagOf(verdict);
  if (flag !== null) return flag;
  let isUndecided = typeof fields.error === "string" && fields.error !== "";
  if (typeof verdict === "string" && verdict.trim() !== "" && !isPrintedNumber(verdict)) {
    const saying = sayingOf(verdict, "finding");
    if (saying !== "undecided") return saying !== "good" && saying !== "no";
    isUndecided = true;
  }
  for (const key of FLAGS) {
    const flagged = saidOfFinding(fields[key]);
    if (flagged !== null) return flagged;
  }
  for (const key of OTHER_WORDS) {
    const told = saidOfFinding(fields[key]);
    // The share of a label, of which a list may hold them all.
    if (told !== null) return told && (score === null || score >= scoreMin);
  }
  if (kinds?.injection === true || kinds?.jailbreak === true) return true;
  if (score !== null) return isUndecided && score === 0 ? false : score >= leastOf(fields, scoreMin);
  if (isUndecided || (typeof fields.action === "string" && LET_THROUGH.test(fields.action))) return false;
  return kinds?.injection ?? kinds?.jailbreak ?? null;
}

/** All that is said, of an alert that says no more: it was one look of many. */
const LET_THROUGH = /^(?:allow(?:ed)?|pass(?:ed)?|none|no[ _-]action|permit(?:ted)?)$/i;

const leastOf = ({ threshold }: Fields, otherwise: number): number => scoreOf(threshold) ?? otherwise;

const PRINTED = /^\s{0,9}(\d{1,3}(?:\.\d{1,20})?)\s{0,9}(%?)\s{0,9}$/;
const isPrintedNumber = (said: unknown): boolean =>
  typeof said === "number" || (typeof said === "string" && PRINTED.test(said));

/** As a share of one: a score may be of ten, of a hundred, printed, or a word of confidence. */
function scoreOf(score: unknown): number | null {
  if (typeof score === "string") {
    const printed = PRINTED.exec(score);
    if (printed !== null) return scoreOf(printed[2] === "%" ? Number(printed[1]) / 100 : Number(printed[1]));
    const word = saidOfFinding(score);
    return word === null ? null : word ? 1 : 0;
  }
  if (typeof score !== "number" || !Number.isFinite(score)) return null;
  if (score <= 1) return Math.max(0, score);
  return score <= 10 ? score / 10 : Math.min(1, score / 100);
}

/** The alert as a detection of its class. Its text is shown, and judged by nobody. */
export function clientAlert(event: DetectorEvent, failureClass: AlertClass, severity: Severity): Detection {
  const { detector, source, text, score } = event.payload;
  const shown = typeof text === "string" ? text : "";
  return {
    signatureParts: ["client-alert", stableName(detector), stableName(source), ""],
    severity,
    ruleIds: [`${failureClass}/client-alert`],
    score: scoreOf(score) ?? 1,
    excerpt: excerptOf(shown.slice(0, 2_000), 0, 0),
    eventId: event.eventId,
    evidenceEventIds: [],
  };
}

const NAME = /^[\w.:/ -]{1,60}$/;

/** A name from the payload if it looks like one, with digits masked so that it is stable. */
export function stableName(value: unknown): string {
  return typeof value === "string" && NAME.test(value) ? value.toLowerCase().replace(/\d+/g, "#") : "";
}
