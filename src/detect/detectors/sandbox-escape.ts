import { cutText } from "../building-blocks/cut-text.ts";
import { excerptLine, shortName } from "../building-blocks/excerpt.ts";
import { hashText } from "../building-blocks/hash.ts";
import { hostAllowed } from "../building-blocks/hosts/host-allow-list.ts";
import { type Destination, parseDestination, siteOf } from "../building-blocks/hosts/normalise-host.ts";
import { isSimulation } from "../building-blocks/hosts/simulation.ts";
import { addOnce } from "../building-blocks/ordered-window.ts";
import type { Detection, Detector, DetectorEvent } from "../detector.ts";

/**
 * A run declared `simulation`, or in another word for it, reached something real. The first declaration
 * decides, whichever side of the egress it arrives on: contacts made before it are held back (24 hosts) until
 * it is known.
 */
export interface SandboxEscapeState {
  /** Mode of the first declaration seen in events; the execution's record goes before it. */
  mode: string | null;
  readonly held: { readonly destination: string; readonly eventId: string; readonly tool: string | null }[];
  readonly heldHosts: number[];
  readonly fired: number[];
}

const HELD_MAX = 24;
const FIRED_MAX = 128;

export const sandboxEscape: Detector<SandboxEscapeState> = {
  failureClass: "sandbox_escape",
  version: 2,
  family: "security",
  summary: "A run declared as simulation contacted a host outside loopback and the allow-list.",
  defaultSeverity: "critical",
  signature: ["rule", "site contacted (registered domain, or the kind of address)"],
  taxonomy: {
    owaspLlm2025: ["LLM06:2025"],
    owaspAgentic2026: ["ASI02", "ASI10"],
    mitreAtlas: ["AML.T0105", "AML.T0086"],
  },
  thresholds: {},
  eventTypes: ["egress", "environment_declaration"],
  onStatus: false,
  onTick: false,
  createState: () => ({ mode: null, held: [], heldHosts: [], fired: [] }),
  detect({ execution, events, state, settings }) {
    const detections: Detection[] = [];
    for (const event of events) {
      if (event.type === "environment_declaration") {
        if (state.mode === null && typeof event.payload.mode === "string") state.mode = event.payload.mode;
        continue;
      }
      const raw = event.payload.destination;
      if (typeof raw !== "string" || raw === "") continue;
      const destination = parseDestination(raw);
      if (destination.kind === "loopback" || hostAllowed(destination, settings.allow)) continue;
      const mode = execution.environmentMode ?? state.mode;
      if (mode === null) hold(state, raw, destination, event);
      else if (isSimulation(mode)) {
        fire({ state, detections, mode }, destination, event.eventId, event.payload.tool_name);
      }
    }
    if (state.held.length > 0) {
      const mode = execution.environmentMode ?? state.mode;
      if (mode !== null) {
        if (isSimulation(mode)) release({ state, detections, mode }, settings.allow);
        state.held.length = 0;
        state.heldHosts.length = 0;
      }
    }
    return { state, detections };
  },
};

function hold(state: SandboxEscapeState, raw: string, destination: Destination, event: DetectorEvent): void {
  if (state.held.length >= HELD_MAX || !addOnce(state.heldHosts, hashText(destination.host), HELD_MAX))
    return;
  const tool = event.payload.tool_name;
  state.held.push({
    destination: cutText(raw, 260),
    eventId: event.eventId,
    tool: typeof tool === "string" ? cutText(tool, 64) : null,
  });
}

interface Escapes {
  readonly state: SandboxEscapeState;
  readonly detections: Detection[];
  readonly mode: string;
}

function release(escapes: Escapes, allow: readonly string[]): void {
  for (const { destination: raw, eventId, tool } of escapes.state.held) {
    const destination = parseDestination(raw);
    if (!hostAllowed(destination, allow)) fire(escapes, destination, eventId, tool);
  }
}

function fire(
  { state, detections, mode }: Escapes,
  destination: Destination,
  eventId: string,
  tool: unknown,
): void {
  const { host, port } = destination;
  if (!addOnce(state.fired, hashText(host), FIRED_MAX)) return;
  const by = typeof tool === "string" ? ` by tool ${shortName(tool)}` : "";
  const address = port === null ? host : `${host}:${port}`;
  detections.push({
    signatureParts: ["egress-in-simulation", siteOf(destination)],
    severity: "critical",
    ruleIds: ["sandbox_escape/egress-in-simulation"],
    score: 1,
    excerpt: excerptLine(`egress to ${address}${by} in a run declared ${shortName(mode)}`),
    eventId,
    evidenceEventIds: [],
    dedupKey: `host:${host.slice(0, 255)}`,
  });
}
