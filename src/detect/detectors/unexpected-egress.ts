import { cutText } from "../building-blocks/cut-text.ts";
import { excerptLine, shortName } from "../building-blocks/excerpt.ts";
import { hashText } from "../building-blocks/hash.ts";
import { hostAllowed } from "../building-blocks/host-allow-list.ts";
import {
  type Destination,
  parseDestination,
  siteOf,
  unicodeTrick,
} from "../building-blocks/normalise-host.ts";
import { addOnce } from "../building-blocks/ordered-window.ts";
import { thresholdReader } from "../building-blocks/thresholds.ts";
import type { Detection, Detector, DetectorSettings, ProjectMemory, Severity } from "../detector.ts";

/**
 * Egress to a place that an agent has no business with: metadata services, bare or disguised addresses, names that
 * imitate others, and hosts that a project with a settled history has never contacted. The project's memory holds
 * one key a host, 512 at most; a project that contacts more has no settled set and the last rule goes quiet.
 */
export interface UnexpectedEgressState {
  counted: boolean;
  readonly seen: number[];
}

interface History {
  readonly executions: number;
  readonly egress: number;
  readonly hosts: number;
  readonly firstMs: number;
}

const SEEN_MAX = 256;
const HOSTS_MAX = 512;
const HISTORY_KEY = "history";
/** Counters stop here: past it the memory is written for new hosts only. */
const COUNTED_MAX = 1000;

const THRESHOLDS = {
  historyExecutionsMin: {
    default: 10,
    min: 1,
    max: 1000,
    description: "Executions with egress before a new host counts as unexpected",
  },
  historyEgressMin: {
    default: 20,
    min: 1,
    max: 1000,
    description: "Egress events before a new host counts as unexpected",
  },
  historyAgeMinutesMin: {
    default: 0,
    min: 0,
    max: 525_600,
    description: "Minutes since the project's first egress before a new host counts as unexpected",
  },
  executionsPerHostMin: {
    default: 4,
    min: 1,
    max: 1000,
    description: "Executions per known host below which the project's set of hosts is not settled",
  },
} as const;
const threshold = thresholdReader(THRESHOLDS);

export const unexpectedEgress: Detector<UnexpectedEgressState> = {
  failureClass: "unexpected_egress",
  version: 1,
  family: "security",
  summary:
    "Egress to a metadata address, a bare or disguised address, an imitating name or a host new to the project.",
  defaultSeverity: "medium",
  signature: ["leading rule", "site contacted (registered domain, or the kind of address)"],
  taxonomy: {
    owaspLlm2025: ["LLM06:2025"],
    owaspAgentic2026: ["ASI02", "ASI03"],
    mitreAtlas: ["AML.T0086", "AML.T0075"],
  },
  thresholds: THRESHOLDS,
  eventTypes: ["egress"],
  onStatus: false,
  onTick: false,
  createState: () => ({ counted: false, seen: [] }),
  detect({ execution, events, state, settings, memory }) {
    if (events.length === 0) return { state, detections: [] };
    const detections: Detection[] = [];
    const simulated = execution.environmentMode?.trim().toLowerCase() === "simulation";
    const before = readHistory(memory.get(HISTORY_KEY));
    let history = before;
    for (const event of events) {
      const raw = event.payload.destination;
      if (typeof raw !== "string" || raw === "") continue;
      const destination = parseDestination(raw);
      if (destination.kind === "loopback" && !destination.disguised) continue;
      if (!simulated) history = count(history, state, event.timestampMs);
      if (!addOnce(state.seen, hashText(destination.host), SEEN_MAX)) continue;
      const allowed = hostAllowed(destination, settings.allow);
      const rules = allowed ? [] : rulesOf(destination);
      if (!simulated && destination.kind === "name") {
        const isNew = history !== null && learn(memory, destination.host, event.timestampMs, history);
        if (isNew && !allowed && settled(before, event.timestampMs, settings)) rules.push("new-host");
        if (isNew && history !== null) history = { ...history, hosts: history.hosts + 1 };
      }
      if (rules.length === 0) continue;
      const tool = event.payload.tool_name;
      const by = typeof tool === "string" ? ` by tool ${shortName(tool)}` : "";
      detections.push({
        signatureParts: [rules[0]!, siteOf(destination)],
        severity: SEVERITY[rules[0]!],
        ruleIds: rules.map((rule) => `unexpected_egress/${rule}`),
        score: SCORE[rules[0]!],
        excerpt: excerptLine(`egress to ${destination.host}${by}: ${rules.join(", ")}`),
        eventId: event.eventId,
        evidenceEventIds: [],
        dedupKey: `host:${destination.host.slice(0, 255)}`,
      });
    }
    if (history !== null && history !== before) memory.set(HISTORY_KEY, history);
    return { state, detections };
  },
};

type Rule = "metadata-address" | "disguised-address" | "homoglyph" | "ip-literal" | "punycode" | "new-host";

const SEVERITY: Record<Rule, Severity> = {
  "metadata-address": "critical",
  "disguised-address": "high",
  homoglyph: "high",
  "ip-literal": "medium",
  punycode: "medium",
  "new-host": "medium",
};
const SCORE: Record<Rule, number> = {
  "metadata-address": 0.98,
  "disguised-address": 0.9,
  homoglyph: 0.9,
  "ip-literal": 0.6,
  punycode: 0.6,
  "new-host": 0.5,
};

/** The rules that need no history, the gravest first. */
function rulesOf(destination: Destination): Rule[] {
  const rules: Rule[] = [];
  if (destination.kind === "metadata") rules.push("metadata-address");
  if (destination.disguised) rules.push("disguised-address");
  if (destination.kind === "public-ip") rules.push("ip-literal");
  if (destination.kind === "name") {
    const trick = unicodeTrick(destination.host);
    if (trick !== null) rules.push(trick);
  }
  return rules;
}

function count(history: History | null, state: UnexpectedEgressState, timestampMs: number): History {
  const known = history ?? { executions: 0, egress: 0, hosts: 0, firstMs: timestampMs };
  const isFirst = !state.counted;
  state.counted = true;
  const executions = isFirst ? Math.min(COUNTED_MAX, known.executions + 1) : known.executions;
  const egress = Math.min(COUNTED_MAX, known.egress + 1);
  if (history !== null && executions === known.executions && egress === known.egress) return history;
  return { ...known, executions, egress, firstMs: Math.min(known.firstMs, timestampMs) };
}

/** True if the host was unknown and is now remembered. */
function learn(memory: ProjectMemory, host: string, timestampMs: number, history: History): boolean {
  const key = `host:${cutText(host, 240).toWellFormed()}`;
  if (history.hosts >= HOSTS_MAX || memory.get(key) !== undefined) return false;
  memory.set(key, timestampMs);
  return true;
}

/** Whether the project's hosts were known well enough, before this call, for a new one to mean something. */
function settled(history: History | null, timestampMs: number, settings: DetectorSettings): boolean {
  if (history === null || history.hosts === 0) return false;
  return (
    history.executions >= threshold(settings, "historyExecutionsMin") &&
    history.egress >= threshold(settings, "historyEgressMin") &&
    timestampMs - history.firstMs >= threshold(settings, "historyAgeMinutesMin") * 60_000 &&
    history.executions >= history.hosts * threshold(settings, "executionsPerHostMin")
  );
}

function readHistory(value: unknown): History | null {
  if (typeof value !== "object" || value === null) return null;
  const { executions, egress, hosts, firstMs } = value as Record<string, unknown>;
  if (typeof executions !== "number" || typeof egress !== "number") return null;
  if (typeof hosts !== "number" || typeof firstMs !== "number") return null;
  return { executions, egress, hosts, firstMs };
}
