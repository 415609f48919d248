import type { EventType } from "../../ingest/wire/event-types.ts";
import type { ActionNames } from "../../store/dashboard/executions-graph.ts";

/**
 * The hand-over graph of an execution: agents, what they handed to whom, and which tools each used. A call is
 * laid to the agent that its payload names or, without a name, to the one that holds the work at that point.
 */
export interface Action extends ActionNames {
  readonly event_id: string;
  readonly event_type: EventType;
  readonly sequence: number;
  /** Of a hand-over: no other is shown with its time. */
  readonly timestamp: string | null;
}

export interface GraphNode {
  /** Unique in the graph. */
  readonly id: string;
  readonly kind: "agent" | "tool" | "mcp_server";
  readonly name: string;
  /** Calls of a tool or server; events of an agent. */
  readonly count: number;
  readonly failed_count: number;
}

export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  readonly kind: "handoff" | "call";
  readonly count: number;
  readonly failed_count: number;
  /** Where it happened first. */
  readonly first_event_id: string;
}

export interface Handoff {
  readonly event_id: string;
  readonly sequence: number;
  readonly timestamp: string;
  readonly from_agent: string | null;
  readonly to_agent: string | null;
}

export interface HandoverGraph {
  readonly nodes: GraphNode[];
  readonly edges: GraphEdge[];
  /** In order: what the nesting of the timeline is made from. */
  readonly handoffs: Handoff[];
  /** Nodes that did not fit, the least used. */
  readonly left_out: number;
}

const NODES_MAX = 60;
const HANDOFFS_MAX = 2_000;

interface Tally {
  count: number;
  failed_count: number;
}

/** `actions` in the order of the timeline. */
export function handoverGraph(actions: readonly Action[]): HandoverGraph {
  const nodes = new Map<string, Tally & Pick<GraphNode, "kind" | "name">>();
  const edges = new Map<string, Tally & Omit<GraphEdge, "count" | "failed_count">>();
  const handoffs: Handoff[] = [];
  const node = (kind: GraphNode["kind"], name: string, failed: boolean, uses: number) => {
    const id = `${kind}:${name}`;
    const known = nodes.get(id) ?? { kind, name, count: 0, failed_count: 0 };
    known.count += uses;
    if (failed) known.failed_count += uses;
    nodes.set(id, known);
    return id;
  };
  const edge = (from: string, to: string, kind: GraphEdge["kind"], action: Action) => {
    const id = JSON.stringify([kind, from, to]);
    const known = edges.get(id) ?? {
      from,
      to,
      kind,
      count: 0,
      failed_count: 0,
      first_event_id: action.event_id,
    };
    known.count += 1;
    if (action.failed) known.failed_count += 1;
    edges.set(id, known);
  };
  // Before the first hand-over the work is with whoever hands it over.
  let holder = actions.find((each) => each.event_type === "agent_handoff")?.from_agent ?? null;
  for (const action of actions) {
    if (action.event_type === "agent_handoff") {
      const { event_id, sequence, timestamp, from_agent, to_agent } = action;
      if (handoffs.length < HANDOFFS_MAX)
        handoffs.push({ event_id, sequence, timestamp: timestamp ?? "", from_agent, to_agent });
      const from = from_agent ?? holder;
      if (from !== null && to_agent !== null)
        edge(node("agent", from, false, 1), node("agent", to_agent, false, 1), "handoff", action);
      holder = to_agent ?? holder;
      continue;
    }
    const agent = node("agent", action.agent ?? holder ?? "agent", action.failed, 1);
    if (action.event_type === "mcp_call" && action.server !== null) {
      edge(agent, node("mcp_server", action.server, action.failed, 1), "call", action);
    } else if (action.tool !== null) edge(agent, node("tool", action.tool, action.failed, 1), "call", action);
  }
  return { ...bounded(nodes, edges), handoffs };
}

/** Agents stay before tools, and what is used much before what is used little. */
function bounded(
  nodes: ReadonlyMap<string, Tally & Pick<GraphNode, "kind" | "name">>,
  edges: ReadonlyMap<string, Tally & Omit<GraphEdge, "count" | "failed_count">>,
): Pick<HandoverGraph, "nodes" | "edges" | "left_out"> {
  const kept = [...nodes]
    .map(([id, node]): GraphNode => ({ id, ...node }))
    .sort(
      (a, b) =>
        Number(a.kind !== "agent") - Number(b.kind !== "agent") ||
        b.count - a.count ||
        (a.id < b.id ? -1 : 1),
    )
    .slice(0, NODES_MAX);
  const ids = new Set(kept.map((node) => node.id));
  return {
    nodes: kept,
    edges: [...edges.values()].filter((each) => ids.has(each.from) && ids.has(each.to)),
    left_out: nodes.size - kept.length,
  };
}
