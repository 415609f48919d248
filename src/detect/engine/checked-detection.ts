import type { NewDetection } from "../../store/detection/detections.ts";
import { type GroupSeverity, SEVERITIES } from "../../store/groups/failure-group-life.ts";
import { type Detection, type Detector, EXCERPT_CHARS_MAX } from "../detector.ts";
import { signatureOf } from "./signature.ts";

/**
 * Turns what a detector answers into what is stored. Pure. A detector's answer is not trusted: every text is
 * cut and freed of what PostgreSQL refuses, every number put into its range, so that no answer can fail a
 * transaction. What is no detection at all throws and counts as the detector's error.
 */

const RULE_IDS_MAX = 20;
const RULE_ID_CHARS_MAX = 128;
const EVIDENCE_MAX = 20;
const EVENT_ID_CHARS_MAX = 256;
const DEDUP_KEY_CHARS_MAX = 200;
const SIGNATURE_PARTS_MAX = 20;

/** A detection on its way to the store: nothing in it can fail there. */
export interface CheckedDetection extends NewDetection {
  /** The client's id of the execution, for the group's samples. */
  readonly executionId: string;
  readonly severity: GroupSeverity;
}

export interface DetectionContext {
  readonly detector: Detector;
  readonly projectNo: number;
  readonly executionNo: number;
  readonly executionId: string;
  readonly cause: string;
  readonly nowMs: number;
}

export function checkedDetection(context: DetectionContext, detection: Detection): CheckedDetection {
  const { detector } = context;
  const parts = detection.signatureParts.slice(0, SIGNATURE_PARTS_MAX).map(String);
  const signature = signatureOf(detector.failureClass, parts);
  const eventId = detection.eventId === null ? null : clean(detection.eventId, EVENT_ID_CHARS_MAX);
  const severity = SEVERITIES.includes(detection.severity) ? detection.severity : detector.defaultSeverity;
  const score = Number(detection.score);
  return {
    projectNo: context.projectNo,
    executionNo: context.executionNo,
    executionId: context.executionId,
    class: detector.failureClass,
    dedupKey: dedupKeyOf(detection.dedupKey ?? eventId ?? `${context.cause}:${signature}`),
    signature,
    severity,
    ruleIds: texts(detection.ruleIds, RULE_IDS_MAX, RULE_ID_CHARS_MAX),
    score: score >= 0 ? Math.min(1, score) : 0,
    excerpt: clean(detection.excerpt, EXCERPT_CHARS_MAX),
    eventId,
    evidenceEventIds: texts(detection.evidenceEventIds, EVIDENCE_MAX, EVENT_ID_CHARS_MAX),
    detectorVersion: Math.trunc(detector.version),
    detectedMs: context.nowMs,
  };
}

/** Long keys are kept apart by their digest: they stand in an index. */
function dedupKeyOf(key: string): string {
  const text = clean(key, Number.POSITIVE_INFINITY);
  if (text.length <= DEDUP_KEY_CHARS_MAX) return text;
  return `sha256:${new Bun.CryptoHasher("sha256").update(text).digest("hex")}`;
}

function texts(values: readonly string[], countMax: number, charsMax: number): string[] {
  return values.slice(0, countMax).map((value) => clean(value, charsMax));
}

/** PostgreSQL holds neither U+0000 nor half of a surrogate pair. */
function clean(value: string, charsMax: number): string {
  return String(value).slice(0, charsMax).toWellFormed().replaceAll("\u0000", "\ufffd");
}
