import { describe, expect, test } from "bun:test";
import { agentColours, agentSpans, agentsAt } from "./timeline-agents.ts";

const handoff = (sequence: number, from_agent: string | null, to_agent: string | null) => ({
  event_id: `h${sequence}`,
  sequence,
  timestamp: "2026-03-01T10:00:00.000000Z",
  from_agent,
  to_agent,
});

describe("agents of a timeline", () => {
  const handoffs = [
    handoff(3, "planner", "writer"),
    handoff(6, "writer", "editor"),
    handoff(9, "editor", "planner"),
  ];

  test("hold the work from the event after the hand-over on", () => {
    const spans = agentSpans(handoffs);
    expect([1, 3, 4, 6, 7, 9, 10, 99].map((sequence) => agentsAt(spans, sequence).join(" "))).toEqual([
      "planner",
      "planner",
      "planner writer",
      "planner writer",
      "planner writer editor",
      "planner writer editor",
      "planner",
      "planner",
    ]);
  });

  test("are none where nothing was handed over", () => {
    expect(agentSpans([])).toEqual([]);
    expect(agentsAt([], 5)).toEqual([]);
  });

  test("keep their colour however often they come up", () => {
    const colours = agentColours(handoffs);
    expect([...colours.keys()]).toEqual(["planner", "writer", "editor"]);
    expect(new Set(colours.values()).size).toBe(3);
  });
});
