import { noCalls, type SlowingCalls, slowed } from "../building-blocks/baselines/slowing-calls.ts";
import { toolClassOf } from "../building-blocks/calls/tool-class.ts";
import { toolViewOf } from "../building-blocks/calls/tool-view.ts";
import { cutText } from "../building-blocks/cut-text.ts";
import { infrastructureTrouble } from "../building-blocks/errors/infrastructure-trouble.ts";
import { normaliseMessage } from "../building-blocks/errors/normalise-error.ts";
import { troubleKindOf, wayTrouble } from "../building-blocks/errors/trouble-kind.ts";
import { excerptLine, shortName } from "../building-blocks/excerpt.ts";
import { hashText } from "../building-blocks/hash.ts";
import { webAddressesIn } from "../building-blocks/hosts/web-addresses.ts";
import { addOnce, insertOrdered } from "../building-blocks/ordered-window.ts";
import { thresholdReader } from "../building-blocks/thresholds.ts";
import type { Detection, Detector, DetectorEvent, DetectorSettings } from "../detector.ts";

/**
 * The client reports trouble of its infrastructure, the model's provider keeps failing or becomes many times
 * slower, or what stands behind a tool cannot be reached. Once a component and kind of trouble in an
 * execution; news that is no trouble (a deployment, a recovery, work announced) is passed over.
 */
export interface InfrastructureDegradationState {
  readonly fired: number[];
  /** Sequence number of the first report of trouble. */
  reportedSeq: number | null;
  readonly calls: Call[];
  providerFired: boolean;
  readonly slowing: SlowingCalls;
  /** Also where the first calls are not known. */
  slowFired: boolean;
  /** The latest calls of tools, or of servers of tools, that could not be reached once. */
  readonly tools: { readonly tool: string; readonly calls: Call[]; fired: boolean }[];
}

interface Call {
  readonly seq: number;
  /** What went wrong; null of a call that went well. */
  readonly kind: string | null;
  readonly eventId: string;
}

const FIRED_MAX = 64;
const CALLS_MAX = 32;
const TOOLS_MAX = 6;

const THRESHOLDS = {
  providerErrorsMin: {
    default: 3,
    min: 2,
    max: CALLS_MAX,
    integer: true,
    notAbove: "providerWindowCalls",
    description: "Failed calls of the model, or of one tool, in the window",
  },
  providerWindowCalls: {
    default: 6,
    min: 2,
    max: CALLS_MAX,
    integer: true,
    description: "Calls of the model, or of one tool, looked at together",
  },
} as const;
const threshold = thresholdReader(THRESHOLDS);

export const infrastructureDegradation: Detector<InfrastructureDegradationState> = {
  failureClass: "infrastructure_degradation",
  version: 8,
  family: "reliability",
  summary:
    "The client reported infrastructure trouble, several of the latest model calls failed, or a tool's service was out of reach.",
  defaultSeverity: "medium",
  signature: ["component, model's provider or tool", "kind of trouble, masked"],
  taxonomy: { owaspLlm2025: ["LLM10:2025"], owaspAgentic2026: ["ASI08"], mitreAtlas: ["AML.T0029"] },
  thresholds: THRESHOLDS,
  eventTypes: ["infrastructure_event", "llm_call", "tool_call", "mcp_call"],
  onStatus: false,
  onTick: false,
  createState: (isPastCut = false) => ({
    fired: [],
    reportedSeq: null,
    calls: [],
    providerFired: false,
    slowing: noCalls(),
    slowFired: isPastCut,
    tools: [],
  }),
  detect({ events, state, settings }) {
    const detections: Detection[] = [];
    for (const event of events) {
      const detection =
        event.type === "llm_call"
          ? judgeCall(state, event, settings)
          : event.type === "infrastructure_event"
            ? judgeReport(state, event, settings)
            : judgeTool(state, event, settings);
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
  const severity = infrastructureTrouble(text(kind), text(code), text(message));
  if (severity === null) return null;
  state.reportedSeq = Math.min(event.sequence, state.reportedSeq ?? event.sequence);
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

function judgeCall(
  state: InfrastructureDegradationState,
  event: DetectorEvent,
  settings: DetectorSettings,
): Detection | null {
  const { finish_reason: finish, http_status: status } = event.payload;
  const error = event.payload.error ?? (finish === "error" ? "finish reason error" : undefined);
  const isError = (typeof error === "string" && error !== "") || error === true || isObject(error);
  const failed = isError && !isOfCaller(status);
  // Most runs never see a failed call: their window stays empty and free.
  if (!failed && !state.slowFired) {
    const slow = judgeSlowness(state, event);
    if (slow !== null) return slow;
  }
  if (!failed && state.calls.length === 0) return null;
  const what = failed ? saidBy(error) : "";
  const kind = failed ? cutText(troubleKindOf(what), KIND_CHARS_MAX) : null;
  const bad = failedIn(state.calls, { seq: event.sequence, kind, eventId: event.eventId }, settings);
  if (bad === null || state.providerFired) return null;
  state.providerFired = true;
  const model = shortName(event.payload.provider ?? event.payload.model, "model");
  return {
    signatureParts: ["model-provider", model, mostOften(bad)],
    severity: "medium",
    ruleIds: ["infrastructure_degradation/provider-errors"],
    score: 0.8,
    excerpt: excerptLine(
      `${bad.length} of the latest ${state.calls.length} model calls failed (${model}): ${normaliseMessage(what)}`,
    ),
    eventId: event.eventId,
    evidenceEventIds: bad.map((call) => call.eventId).filter((id) => id !== event.eventId),
    dedupKey: "provider",
  };
}

/**
 * A request that the provider refuses for what is in it; too many of them, or too slow ones, are its trouble.
 */
const isOfCaller = (status: unknown): boolean =>
  typeof status === "number" && status >= 400 && status < 500 && status !== 408 && status !== 429;

/** Three short answers in a row that take ten times as long as the first ones did. */
function judgeSlowness(state: InfrastructureDegradationState, event: DetectorEvent): Detection | null {
  const found = slowed(state.slowing, event);
  if (found === null) return null;
  state.slowFired = true;
  const model = shortName(event.payload.provider ?? event.payload.model, "model");
  const seconds = (ms: number): string => (ms / 1_000).toFixed(1);
  return {
    signatureParts: ["model-provider", model, "slow"],
    severity: "low",
    ruleIds: ["infrastructure_degradation/model-slow"],
    score: 0.5,
    excerpt: excerptLine(
      `short answers of ${model} take ${found.slow.map(({ tookMs }) => seconds(tookMs)).join(", ")} s, at first ${seconds(found.usualMs)} s`,
    ),
    eventId: event.eventId,
    evidenceEventIds: found.slow.map(({ eventId }) => eventId).filter((id) => id !== event.eventId),
    dedupKey: "slow",
  };
}

const KIND_CHARS_MAX = 80;

function saidBy(error: unknown): string {
  if (!isObject(error)) return text(error);
  const { message, type, code } = error;
  return [code, type, message]
    .map(text)
    .filter((part) => part !== "")
    .join(" ");
}

/** The failed calls of the window with this one in it, once they are as many as are looked for. */
function failedIn(calls: Call[], call: Call, settings: DetectorSettings): Call[] | null {
  insertOrdered(calls, call, threshold(settings, "providerWindowCalls"));
  const bad = calls.filter(({ kind }) => kind !== null);
  return bad.length < threshold(settings, "providerErrorsMin") ? null : bad;
}

/** Of several kinds the most frequent, and of equals the first in the alphabet. */
function mostOften(bad: readonly Call[]): string {
  const counts = new Map<string, number>();
  for (const { kind } of bad) if (kind !== null) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const [first] = [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  return first?.[0] ?? "";
}

/**
 * What stands behind one tool, or one server of tools, cannot be reached. Only where its own service is
 * meant: a tool that runs commands or goes where its arguments say meets hosts that are nobody's
 * infrastructure. A client that has reported trouble itself by then has told it already.
 */
function judgeTool(
  state: InfrastructureDegradationState,
  event: DetectorEvent,
  settings: DetectorSettings,
): Detection | null {
  const view = toolViewOf(event);
  if (view === null || !view.ended) return null;
  if (!view.failed && state.tools.length === 0) return null;
  const { server } = event.payload;
  const isServer = event.type === "mcp_call" && typeof server === "string" && server !== "";
  const tool = shortName(isServer ? server : view.tool);
  const kind = view.failed ? wayTrouble(view.errorText) : null;
  let known = state.tools.find((one) => one.tool === tool);
  if (known === undefined) {
    if (kind === null || state.tools.length >= TOOLS_MAX || !isOwnService(event, view.tool)) return null;
    known = { tool, calls: [], fired: false };
    state.tools.push(known);
  }
  const call = {
    seq: event.sequence,
    kind: isOwnService(event, view.tool) ? kind : null,
    eventId: event.eventId,
  };
  const bad = failedIn(known.calls, call, settings);
  const isReported = state.reportedSeq !== null && state.reportedSeq <= call.seq;
  if (bad === null || call.kind === null || known.fired || isReported) return null;
  known.fired = true;
  if (settings.allow.includes(tool)) return null;
  return {
    signatureParts: ["tool-service", normaliseMessage(tool), mostOften(bad)],
    severity: "medium",
    ruleIds: ["infrastructure_degradation/tool-unreachable"],
    score: 0.7,
    excerpt: excerptLine(
      `${bad.length} of the latest ${known.calls.length} calls of ${tool} did not reach its service: ${normaliseMessage(view.errorText)}`,
    ),
    eventId: event.eventId,
    evidenceEventIds: bad.map(({ eventId }) => eventId).filter((id) => id !== event.eventId),
    dedupKey: `tool:${hashText(tool)}`,
  };
}

/** What looks whether something can be reached has its answer where it cannot. */
const PROBES = /ping|probe|health|port|scan|monitor|uptime|status|check|diagnos|load.?test|trace/i;

function isOwnService({ payload }: DetectorEvent, tool: string): boolean {
  const toolClass = toolClassOf(tool);
  if (toolClass === "execute" || toolClass === "browse" || PROBES.test(tool)) return false;
  return webAddressesIn(payload.arguments).length === 0;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function text(value: unknown): string {
  if (typeof value === "string") return value.slice(0, 300);
  return typeof value === "number" ? String(value) : "";
}
