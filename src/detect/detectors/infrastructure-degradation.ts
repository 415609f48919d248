import { normaliseMessage } from "../building-blocks/errors/normalise-error.ts";
import { excerptLine, shortName } from "../building-blocks/excerpt.ts";
import { hashText } from "../building-blocks/hash.ts";
import { addOnce, insertOrdered } from "../building-blocks/ordered-window.ts";
import { thresholdReader } from "../building-blocks/thresholds.ts";
import type { Detection, Detector, DetectorEvent, DetectorSettings, Severity } from "../detector.ts";

/**
 * The client reports trouble of its infrastructure, or the model's provider keeps failing. Once a component and
 * kind of trouble in an execution; news that is no trouble (a deployment, a recovery) is passed over.
 */
export interface InfrastructureDegradationState {
  readonly fired: number[];
  readonly calls: { readonly seq: number; readonly failed: boolean; readonly eventId: string }[];
  providerFired: boolean;
}

const FIRED_MAX = 64;
const CALLS_MAX = 32;

const THRESHOLDS = {
  providerErrorsMin: { default: 3, min: 2, max: CALLS_MAX, description: "Failed model calls in the window" },
  providerWindowCalls: { default: 6, min: 2, max: CALLS_MAX, description: "Model calls looked at together" },
} as const;
const threshold = thresholdReader(THRESHOLDS);

const WELL =
  /recover|resolv|restor|healthy(?<!unhealthy)|\bup\b|scal(?:ed|ing)|deploy|info|ready|start(?:ed|ing|up)|connected(?<!disconnected)|heartbeat/i;
const GRAVE =
  /oom|out.?of.?memory|killed|evict|crash|panic|disk.?full|no.?space|unavailable|outage|down\b|unhealthy|unreachable|corrupt|data.?loss|segfault|node.?lost|5\d\d\b/i;
const TROUBLE =
  /error|fail|timeout|timed.?out|time.?out|throttl|rate.?limit|too.?many|429|degrad|slow|latency|saturat|exhaust|refused|reset|dns|network|disconnect|restart|retry|backoff|overload|quota|pressure|stall|lost|expired|warn/i;

export const infrastructureDegradation: Detector<InfrastructureDegradationState> = {
  failureClass: "infrastructure_degradation",
  version: 5,
  family: "reliability",
  summary: "The client reported infrastructure trouble, or several of the latest model calls failed.",
  defaultSeverity: "medium",
  signature: ["component", "kind of trouble, masked"],
  taxonomy: { owaspLlm2025: ["LLM10:2025"], owaspAgentic2026: ["ASI08"], mitreAtlas: ["AML.T0029"] },
  thresholds: THRESHOLDS,
  eventTypes: ["infrastructure_event", "llm_call"],
  onStatus: false,
  onTick: false,
  createState: () => ({ fired: [], calls: [], providerFired: false }),
  detect({ events, state, settings }) {
    const detections: Detection[] = [];
    for (const event of events) {
      const detection =
        event.type === "llm_call" ? judgeCall(state, event, settings) : judgeReport(state, event, settings);
      if (detection !== null) detections.push(detection);
    }
    return { state, detections };
  },
};

function judgeReport(
  state: InfrastructureDegradationState,
  event: DetectorEvent,
  settings: DetectorSettings,
): Detection | null {
  const component = shortName(event.payload.component);
  if (settings.allow.includes(component)) return null;
  const { kind, code, message } = event.payload;
  const severity = severityOf(text(kind), text(code), text(message));
  if (severity === null) return null;
  const trouble = normaliseMessage(text(kind) || text(code) || text(message)).slice(0, 80);
  const key = hashText(`${component}\n${trouble}`);
  if (!addOnce(state.fired, key, FIRED_MAX)) return null;
  const detail = [text(kind), text(code), text(message)].filter((part) => part !== "").join(" · ");
  return {
    signatureParts: [normaliseMessage(component), trouble],
    severity,
    ruleIds: ["infrastructure_degradation/reported"],
    score: severity === "low" ? 0.5 : 0.9,
    excerpt: excerptLine(`${component}: ${detail}`),
    eventId: event.eventId,
    evidenceEventIds: [],
    dedupKey: `trouble:${key}`,
  };
}

/** "finished without errors", "0 failures": a word of trouble that is denied. */
const DENIED =
  /\b(?:no|without|zero|0|ohne|keine?)\s{1,2}(?:\w{1,16}\s)?(?:errors?|failures?|fail|timeouts?|data loss|outage|fehler)\b/gi;

/** Trouble that the message says is over: a note for the record. */
const OVER =
  /\b(?:recovered|resolved|restored|succeeded|back to normal|(?:is|are|was) back|cleared|wieder (?:da|normal))\b/i;
const NOT_OVER = /\b(?:not|never|un|nicht|cannot|could not|yet|fail(?:ed|s)?|until|before)\b[^.;]{0,24}$/i;

function isOver(message: string): boolean {
  const found = OVER.exec(message);
  return found !== null && !NOT_OVER.test(message.slice(0, found.index));
}

/** A wait that is told with its figure is trouble from a second on. */
const MEASURED = /^(?:[\w.-]{0,24}[_ -])?(?:latency|rtt|round.?trip)(?:[_ -](?:ms|p\d\d))? ?(?:p\d\d)?$/i;
const MILLISECONDS = /(\d{1,9}(?:\.\d{1,4})?) ?(ms|s|milliseconds|seconds)\b/gi;
const SLOW_MS = 1_000;

function isQuick(said: string, message: string): boolean {
  if (!MEASURED.test(said.trim()) || TROUBLE.test(message.replace(/latency/gi, ""))) return false;
  const told = [...message.matchAll(MILLISECONDS)].map(([, digits, unit]) => {
    const isSeconds = /^s/i.test(unit ?? "");
    return Number(digits) * (isSeconds ? 1_000 : 1);
  });
  return told.length > 0 && Math.max(...told) < SLOW_MS;
}

/** What kind and code say; the message decides where they say nothing, and whether passing trouble is over. Null: no trouble. */
function severityOf(kind: string, code: string, message: string): Severity | null {
  if (isQuick(`${kind} ${code}`, message)) return null;
  for (const part of [`${kind} ${code}`, message]) {
    const said = part.replace(DENIED, "");
    if (GRAVE.test(said) && !WELL.test(kind)) return "high";
    if (WELL.test(said)) return null;
    if (TROUBLE.test(said)) return isOver(message) ? null : "low";
  }
  return null;
}

function judgeCall(
  state: InfrastructureDegradationState,
  event: DetectorEvent,
  settings: DetectorSettings,
): Detection | null {
  const { error } = event.payload;
  const failed = (typeof error === "string" && error !== "") || error === true || isObject(error);
  // Most runs never see a failed call: their window stays empty and free.
  if (!failed && state.calls.length === 0) return null;
  insertOrdered(
    state.calls,
    { seq: event.sequence, failed, eventId: event.eventId },
    threshold(settings, "providerWindowCalls"),
  );
  const bad = state.calls.filter((call) => call.failed);
  if (bad.length < threshold(settings, "providerErrorsMin") || state.providerFired) return null;
  state.providerFired = true;
  const model = shortName(event.payload.provider ?? event.payload.model, "model");
  const what = normaliseMessage(
    isObject(error) ? text(error.message ?? error.type ?? error.code) : text(error),
  );
  return {
    signatureParts: ["model-provider", model],
    severity: "medium",
    ruleIds: ["infrastructure_degradation/provider-errors"],
    score: 0.8,
    excerpt: excerptLine(
      `${bad.length} of the latest ${state.calls.length} model calls failed (${model}): ${what}`,
    ),
    eventId: event.eventId,
    evidenceEventIds: bad.map((call) => call.eventId).filter((id) => id !== event.eventId),
    dedupKey: "provider",
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function text(value: unknown): string {
  if (typeof value === "string") return value.slice(0, 300);
  return typeof value === "number" ? String(value) : "";
}
