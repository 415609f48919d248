import { excerptOf } from "../building-blocks/excerpt.ts";
import { flagOf } from "../building-blocks/verdict.ts";
import { type EntityKind, isDismissed, isHeldBack, kindOfEntity } from "../client-forms/scan-words.ts";
import type { Detection, DetectorEvent, Severity } from "../detector.ts";
import { stableName } from "./client-verdict.ts";

/**
 * What the client's own data-loss scanner said it found: a `dlp_scan_result` names kinds of entities, how
 * many, and what became of them.
 */

const NAMES_MAX = 50;
const SIGNATURE_NAMES_MAX = 5;

/** Where a scan says what became of its findings: the first that is there decides. */
const DONE = [
  "action",
  "action_taken",
  "actionTaken",
  "disposition",
  "remediation",
  "enforcement",
  "mitigation",
];
/** And where it may say so beside other things. */
const MAYBE_DONE = ["verdict", "status", "decision", "outcome", "result"];
const FLAGS = [
  "redacted",
  "masked",
  "blocked",
  "anonymized",
  "sanitized",
  "removed",
  "quarantined",
  "prevented",
];
const COUNTS = [
  "redacted_count",
  "masked_count",
  "blocked_count",
  "redacted",
  "masked",
  "blocked",
  "removed",
];
const DISMISSED = [
  "false_positive",
  "falsePositive",
  "allowlisted",
  "allow_listed",
  "whitelisted",
  "is_test",
  "test_data",
  "synthetic",
];
/** Runs that only report. */
const TRIAL =
  /^(?:monitor|dry|shadow|simulat|audit|report|log|detect|observe|test)[a-z]{0,12}(?:[ _-]?(?:only|run|mode))?$/i;

/** The kinds of one sort that the scan names; none if it counted nothing, or knows it to be nothing. */
export function scannedEntities(event: DetectorEvent, kind: EntityKind): readonly string[] {
  return namesIn(event).filter((name) => kindOfEntity(name) === kind);
}

/** True if the scan counted something that it does not name. */
export function countsUnnamed(event: DetectorEvent): boolean {
  const { count } = event.payload;
  return typeof count === "number" && count > 0 && namesIn(event).length === 0 && !isNothing(event);
}

function namesIn(event: DetectorEvent): readonly string[] {
  const { entity_types: types, count } = event.payload;
  if (count === 0 || isNothing(event)) return [];
  const list = (Array.isArray(types) ? types : typeof types === "string" ? types.split(/[,;|]/) : []).slice(
    0,
    NAMES_MAX,
  );
  return list.filter((one): one is string => typeof one === "string" && one.trim() !== "");
}

/** True if what was found is known to be nothing: a false alarm, a test value, allowed to stand there. */
function isNothing({ payload }: DetectorEvent): boolean {
  if ([...DONE, ...MAYBE_DONE].some((key) => isDismissed(payload[key]))) return true;
  if (DISMISSED.some((key) => payload[key] === true)) return true;
  return typeof payload.likelihood === "string" && /^(?:very[_ -]?)?unlikely$/i.test(payload.likelihood);
}

/** True if what was found was masked, removed or blocked before it went on. */
function wasHeldBack({ payload }: DetectorEvent): boolean {
  if (flagOf(payload.enforced) === false || (typeof payload.mode === "string" && TRIAL.test(payload.mode)))
    return false;
  const { count } = payload;
  if (FLAGS.some((key) => payload[key] === true)) return true;
  if (
    typeof count === "number" &&
    COUNTS.some((key) => typeof payload[key] === "number" && payload[key] >= count)
  )
    return true;
  const done = DONE.find((key) => payload[key] !== undefined && payload[key] !== null);
  return done === undefined ? MAYBE_DONE.some((key) => isHeldBack(payload[key])) : isHeldBack(payload[done]);
}

/**
 * The scan as a detection of a class that these kinds belong to. What was held back is one of its own kind
 * and low: nothing got out, but something tried to.
 */
export function clientScan(
  event: DetectorEvent,
  failureClass: string,
  severity: Severity,
  entities: readonly string[],
): Detection {
  const names = entities
    .map(stableName)
    .filter((name) => name !== "")
    .sort()
    .slice(0, SIGNATURE_NAMES_MAX);
  const heldBack = wasHeldBack(event);
  const rule = heldBack ? "client-scan-held-back" : "client-scan";
  const said = `client scan${heldBack ? ", held back" : ""}: ${names.join(", ")}`;
  return {
    signatureParts: [rule, names.join(","), "", ""],
    severity: heldBack ? "low" : severity,
    ruleIds: [`${failureClass}/${rule}`],
    score: 1,
    excerpt: excerptOf(said, 0, said.length),
    eventId: event.eventId,
    evidenceEventIds: [],
  };
}
