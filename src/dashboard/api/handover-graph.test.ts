import { describe, expect, test } from "bun:test";
import { type Action, handoverGraph } from "./handover-graph.ts";

let sequence = 0;
function action(type: Action["event_type"], fields: Partial<Action> = {}): Action {
  sequence += 1;
  return {
    event_id: `e${sequence}`,
    event_type: type,
    sequence,
    timestamp: "2026-03-01T10:00:00.000000Z",
    agent: null,
    from_agent: null,
    to_agent: null,
    tool: null,
    server: null,
    failed: false,
    ...fields,
  };
}

describe("handoverGraph", () => {
  test("lays a call to whom it names, or to who holds the work", () => {
    const graph = handoverGraph([
      action("tool_call", { tool: "t" }),
      action("agent_handoff", { from_agent: "a", to_agent: "b" }),
      action("tool_call", { tool: "t", failed: true }),
      action("mcp_call", { server: "s", tool: "x", agent: "a" }),
    ]);
    expect(graph.edges.map((edge) => `${edge.from} ${edge.kind} ${edge.to} ${edge.failed_count}`)).toEqual([
      "agent:a call tool:t 0",
      "agent:a handoff agent:b 0",
      "agent:b call tool:t 1",
      "agent:a call mcp_server:s 0",
    ]);
    expect(graph.handoffs).toHaveLength(1);
  });

  test("an execution without hand-overs has one agent", () => {
    const graph = handoverGraph([action("llm_call"), action("tool_call", { tool: "t" })]);
    expect(graph.nodes.map((node) => [node.id, node.count])).toEqual([
      ["agent:agent", 2],
      ["tool:t", 1],
    ]);
  });

  test("keeps agents and tools of one name apart, and names that other code falls for", () => {
    const graph = handoverGraph([action("tool_call", { agent: "__proto__", tool: "__proto__" })]);
    expect(graph.nodes.map((node) => node.id)).toEqual(["agent:__proto__", "tool:__proto__"]);
  });

  test("is bounded, and says what is left out", () => {
    const actions = Array.from({ length: 5_000 }, (_, n) =>
      n % 2 === 0
        ? action("tool_call", { tool: `t${n}` })
        : action("agent_handoff", { from_agent: "a", to_agent: "b" }),
    );
    const graph = handoverGraph(actions);
    expect(graph.nodes).toHaveLength(60);
    expect(graph.nodes.slice(0, 2).map((node) => node.kind)).toEqual(["agent", "agent"]);
    expect(graph.left_out).toBe(2 + 2_500 - 60);
    expect(graph.handoffs).toHaveLength(2_000);
    const ids = new Set(graph.nodes.map((node) => node.id));
    expect(graph.edges.every((edge) => ids.has(edge.from) && ids.has(edge.to))).toBe(true);
  });
});
