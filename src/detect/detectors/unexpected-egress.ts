import { cutText } from "../building-blocks/cut-text.ts";
import { excerptLine, shortName } from "../building-blocks/excerpt.ts";
import { hashText } from "../building-blocks/hash.ts";
import {
  countContact,
  type History,
  hasOneRoute,
  isYoung,
  readHistory,
  sentIn,
  takesMore,
} from "../building-blocks/hosts/egress-history.ts";
import { hostAllowed, namesAllowed } from "../building-blocks/hosts/host-allow-list.ts";
import { imitatedAmong } from "../building-blocks/hosts/imitation/project-imitation.ts";
import { wellKnownImitated } from "../building-blocks/hosts/imitation/well-known-imitation.ts";
import {
  type Destination,
  parseDestination,
  siteOf,
  unicodeTrick,
} from "../building-blocks/hosts/normalise-host.ts";
import { isSimulation } from "../building-blocks/hosts/simulation.ts";
import { addOnce } from "../building-blocks/ordered-window.ts";
import { thresholdReader } from "../building-blocks/thresholds.ts";
import type { Detection, Detector, DetectorSettings, ProjectMemory, Severity } from "../detector.ts";

/**
 * Egress to a place that an agent has no business with: metadata services, bare or disguised addresses, names
 * that imitate others, and hosts that a project with a settled history has never contacted. The project's
 * memory holds one key a host, 512 at most; a project that contacts more has no settled set and the last rule
 * goes quiet.
 *
 * A name is held against the services that everybody talks to and the allow-list (pure, remembered by name),
 * and when the project meets it first against the project's own hosts. What came of that is kept with the
 * host, so that it fires in later runs too. Of two hosts of a project that resemble each other the one
 * contacted later imitates, by the client's clock: whichever event arrives first.
 */
export interface UnexpectedEgressState {
  counted: boolean;
  readonly seen: number[];
  /** Of this run so far. */
  contacts: number;
}

const SEEN_MAX = 256;
const HOSTS_MAX = 512;
const HISTORY_KEY = "history";
const THRESHOLDS = {
  historyExecutionsMin: {
    default: 10,
    min: 1,
    max: 1000,
    integer: true,
    description: "Executions with egress before a new host counts as unexpected",
  },
  historyEgressMin: {
    default: 20,
    min: 1,
    max: 1000,
    integer: true,
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
    integer: true,
    description: "Executions per known host below which the project's set of hosts is not settled",
  },
  quietExecutionsMin: {
    default: 8,
    min: 1,
    max: 1000,
    integer: true,
    description: "Executions in a row without a new host after which the set is settled, however large it is",
  },
  steadyExecutionsMin: {
    default: 4,
    min: 2,
    max: 1000,
    integer: true,
    description: "The same of a young project, whose hosts are few and contacted often",
  },
} as const;
const threshold = thresholdReader(THRESHOLDS);

export const unexpectedEgress: Detector<UnexpectedEgressState> = {
  failureClass: "unexpected_egress",
  version: 6,
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
  createState: () => ({ counted: false, seen: [], contacts: 0 }),
  detect({ execution, events, state, settings, memory }) {
    if (events.length === 0) return { state, detections: [] };
    const detections: Detection[] = [];
    const simulated = isSimulation(execution.environmentMode);
    const before = readHistory(memory.get(HISTORY_KEY));
    const earlier = {
      runs: (before?.executions ?? 0) - (state.counted ? 1 : 0),
      contacts: (before?.egress ?? 0) - state.contacts,
    };
    let history = before;
    for (const event of events) {
      const raw = event.payload.destination;
      if (typeof raw !== "string" || raw === "") continue;
      const destination = parseDestination(raw);
      if (destination.kind === "loopback" && !destination.disguised) continue;
      const isOldTool =
        !simulated && isYoung(before) && noteTool(event.payload.tool_name, execution.executionId, memory);
      const sentMax = history?.sentMax ?? 0;
      const sent = sentIn(event.payload);
      if (!simulated) {
        history = countContact(history, !state.counted, event.timestampMs, sent);
        state.counted = true;
        state.contacts++;
      }
      if (!addOnce(state.seen, hashText(destination.host), SEEN_MAX)) continue;
      const allowed = hostAllowed(destination, settings.allow);
      const rules = allowed ? [] : rulesOf(destination);
      let imitated = allowed ? null : byName(destination, settings.allow);
      if (!simulated && destination.kind === "name") {
        const known = history;
        const isNew = history !== null && learn(memory, destination.host, event.timestampMs, history);
        if (isNew && history !== null)
          history = { ...history, hosts: history.hosts + 1, newestAt: history.executions };
        const pair = isNew && !allowed ? resembling(memory, destination.host, event.timestampMs) : null;
        const imitator =
          pair === null || pair.imitator === destination.host ? null : parseDestination(pair.imitator);
        if (imitator !== null && !hostAllowed(imitator, settings.allow))
          detections.push(firing(event.eventId, "", imitator, ["imitates-host"], pair!.of));
        if (!allowed) imitated ??= keptImitation(memory, destination.host);
        const hasRoute = (own: History | null) =>
          setsNoOther(settings) && hasOneRoute(own, earlier, threshold(settings, "steadyExecutionsMin"));
        const isSettled = () =>
          settled(before, earlier.runs, event.timestampMs, settings) ||
          (isOldTool && takesMore(sent, sentMax) && hasRoute(known) && !isOfKnownSite(memory, destination));
        if (isNew && !allowed && isSettled()) rules.push("new-host");
      }
      if (imitated !== null) rules.push(imitated.rule);
      if (rules.length === 0) continue;
      rules.sort((one, other) => RANKS.indexOf(one) - RANKS.indexOf(other));
      const tool = event.payload.tool_name;
      const by = typeof tool === "string" ? ` by tool ${shortName(tool)}` : "";
      detections.push(firing(event.eventId, by, destination, rules, imitated?.of));
    }
    if (history !== null && history !== before) memory.set(HISTORY_KEY, history);
    return { state, detections };
  },
};

type Rule =
  | "metadata-address"
  | "disguised-address"
  | "homoglyph"
  | "imitates-host"
  | "ip-literal"
  | "punycode"
  | "borrowed-name"
  | "new-host";

/** The gravest first. */
const SEVERITY: Record<Rule, Severity> = {
  "metadata-address": "critical",
  "disguised-address": "high",
  homoglyph: "high",
  "imitates-host": "high",
  "ip-literal": "medium",
  punycode: "medium",
  "borrowed-name": "medium",
  "new-host": "medium",
};
const RANKS = Object.keys(SEVERITY) as Rule[];
const SCORE: Record<Rule, number> = {
  "metadata-address": 0.98,
  "disguised-address": 0.9,
  homoglyph: 0.9,
  "imitates-host": 0.9,
  "ip-literal": 0.6,
  punycode: 0.6,
  "borrowed-name": 0.5,
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

function firing(
  eventId: string,
  by: string,
  destination: Destination,
  rules: readonly Rule[],
  imitated = "",
): Detection {
  const [first] = rules as [Rule];
  const told = rules.map((rule) =>
    rule === "imitates-host" || rule === "borrowed-name" ? `${rule} (${cutText(imitated, 80)})` : rule,
  );
  // A rule of its own has a key of its own: the imitator may have fired as a new host before the host that it
  // imitates arrived.
  const key = first === "imitates-host" ? "imitates" : "host";
  return {
    signatureParts: [first, siteOf(destination)],
    severity: SEVERITY[first],
    ruleIds: rules.map((rule) => `unexpected_egress/${rule}`),
    score: SCORE[first],
    excerpt: excerptLine(`egress to ${cutText(destination.host, 100)}${by}: ${told.join(", ")}`),
    eventId,
    evidenceEventIds: [],
    dedupKey: `${key}:${destination.host.slice(0, 255)}`,
  };
}

interface Imitated {
  readonly rule: "imitates-host" | "borrowed-name";
  readonly of: string;
}

/** By its name alone: of a service that agents talk to, or of a host that the project allows. */
function byName({ host, kind }: Destination, allow: readonly string[]): Imitated | null {
  if (kind !== "name") return null;
  const known = wellKnownImitated(host);
  if (known !== null && known.manner !== "borrowed") return { rule: "imitates-host", of: known.of };
  const allowed = imitatedAllowed(host, allow);
  if (allowed !== null) return { rule: "imitates-host", of: allowed };
  return known === null ? null : { rule: "borrowed-name", of: known.of };
}

const ALLOWED_MEMO_MAX = 1024;
const allowedMemo = new WeakMap<readonly string[], Map<string, string | null>>();

function imitatedAllowed(host: string, allow: readonly string[]): string | null {
  if (allow.length === 0) return null;
  let memo = allowedMemo.get(allow);
  if (memo === undefined || memo.size >= ALLOWED_MEMO_MAX) {
    memo = new Map();
    allowedMemo.set(allow, memo);
  }
  let found = memo.get(host);
  if (found === undefined) {
    found = imitatedAmong(host, namesAllowed(allow));
    memo.set(host, found);
  }
  return found;
}

const HOST_KEY = "host:";
const keyOf = (host: string): string => `${HOST_KEY}${cutText(host, 240).toWellFormed()}`;

/** What is kept with a host: when it was contacted first, and what it imitates. */
interface Kept {
  readonly atMs: number;
  readonly imitates: string;
}

function isKept(value: unknown): value is Kept {
  return (
    typeof value === "object" && value !== null && "imitates" in value && typeof value.imitates === "string"
  );
}

function keptImitation(memory: ProjectMemory, host: string): Imitated | null {
  const value = memory.get(keyOf(host));
  return isKept(value) ? { rule: "imitates-host", of: value.imitates } : null;
}

/**
 * Of a host just learned and one known before that resemble each other: who imitates whom, which is kept with
 * the imitator.
 */
function resembling(memory: ProjectMemory, host: string, timestampMs: number) {
  if (wellKnownImitated(host) !== null) return null;
  const other = imitatedAmong(host, knownHosts(memory, host));
  if (other === null || wellKnownImitated(other) !== null) return null;
  const otherMs = memory.get(keyOf(other));
  const isLater = typeof otherMs === "number" && otherMs > timestampMs;
  const pair = isLater ? { imitator: other, of: host } : { imitator: host, of: other };
  const atMs = isLater ? otherMs : timestampMs;
  memory.set(keyOf(pair.imitator), { atMs, imitates: cutText(pair.of, 240) } satisfies Kept);
  return pair;
}

/** Hosts of the project but those that imitate another of them. */
function* knownHosts(memory: ProjectMemory, but: string): Iterable<string> {
  for (const key of memory.keys()) {
    if (!key.startsWith(HOST_KEY)) continue;
    const host = key.slice(HOST_KEY.length);
    if (host !== but && !isKept(memory.get(key))) yield host;
  }
}

/** True if the host was unknown and is now remembered. */
function learn(memory: ProjectMemory, host: string, timestampMs: number, history: History): boolean {
  const key = keyOf(host);
  if (history.hosts >= HOSTS_MAX || memory.get(key) !== undefined) return false;
  memory.set(key, timestampMs);
  return true;
}

/** Whether the project's hosts were known well enough, before this call, for a new one to mean something. */
function settled(
  history: History | null,
  earlierRuns: number,
  timestampMs: number,
  settings: DetectorSettings,
): boolean {
  if (history === null || history.hosts === 0) return false;
  if (isSteady(history, earlierRuns, settings)) return isOfAge(history, timestampMs, settings);
  return (
    history.executions >= threshold(settings, "historyExecutionsMin") &&
    history.egress >= threshold(settings, "historyEgressMin") &&
    isOfAge(history, timestampMs, settings) &&
    (history.executions >= history.hosts * threshold(settings, "executionsPerHostMin") ||
      history.executions - history.newestAt >= threshold(settings, "quietExecutionsMin"))
  );
}

const isOfAge = (history: History, timestampMs: number, settings: DetectorSettings): boolean =>
  timestampMs - history.firstMs >= threshold(settings, "historyAgeMinutesMin") * 60_000;

/** All hosts were met by this run: the later ones then make a row that the older rule goes on with. */
const STEADY_FROM_RUN_MAX = 2;
/** Contacts for each known host: a new one once in that many is rarely the next. */
const STEADY_CONTACTS_PER_HOST = 5;

/**
 * Run after run the same few hosts: fewer executions say what the project talks to. One that set itself how
 * many they must be is held to that.
 */
function isSteady(
  { newestAt, egress, hosts }: History,
  earlierRuns: number,
  settings: DetectorSettings,
): boolean {
  const { historyExecutionsMin, quietExecutionsMin, executionsPerHostMin } = settings.thresholds;
  if ((historyExecutionsMin ?? quietExecutionsMin ?? executionsPerHostMin) !== undefined) return false;
  return (
    newestAt <= STEADY_FROM_RUN_MAX &&
    earlierRuns - newestAt >= threshold(settings, "steadyExecutionsMin") &&
    hosts <= earlierRuns &&
    egress >= Math.max(threshold(settings, "historyEgressMin"), hosts * STEADY_CONTACTS_PER_HOST)
  );
}

/** Numbers of its own for the other rules hold a project to those. */
const setsNoOther = ({ thresholds }: DetectorSettings): boolean =>
  Object.keys(thresholds).every((name) => name === "steadyExecutionsMin");

function isOfKnownSite(memory: ProjectMemory, destination: Destination): boolean {
  const site = siteOf(destination);
  for (const host of knownHosts(memory, destination.host))
    if (siteOf({ ...destination, host }) === site) return true;
  return false;
}

const TOOLS_KEY = "tools";
const TOOLS_MAX = 32;

/**
 * Whether the tool of a contact made one in another run; it is remembered, with the run in which it first
 * did: a state that is built anew finds its own run's tools there.
 */
function noteTool(tool: unknown, executionId: string, memory: ProjectMemory): boolean {
  if (typeof tool !== "string" || tool === "") return false;
  const hash = hashText(tool.slice(0, 200));
  const run = hashText(executionId);
  const kept = memory.get(TOOLS_KEY);
  const known: readonly unknown[] = Array.isArray(kept) ? kept : [];
  for (const entry of known)
    if (isToolKept(entry)) {
      if (entry.tool === hash) return entry.firstRun !== run;
    } else if (entry === hash) return true;
  if (known.length < TOOLS_MAX)
    memory.set(TOOLS_KEY, [...known, { tool: hash, firstRun: run } satisfies ToolKept]);
  return false;
}

interface ToolKept {
  readonly tool: number;
  readonly firstRun: number;
}

/** Earlier versions kept the tool's hash alone. */
function isToolKept(entry: unknown): entry is ToolKept {
  return typeof entry === "object" && entry !== null && "tool" in entry && "firstRun" in entry;
}
