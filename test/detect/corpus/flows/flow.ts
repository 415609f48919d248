import type { DetectorEvent } from "../../../../src/detect/detector.ts";
import { eventAt } from "../../../support/detector-harness.ts";

/**
 * A whole execution in few words: what was asked, what tools were called with and gave back, what was written
 * into a memory.
 */
export type Step =
  | readonly ["asks", text: string, operator?: string]
  | readonly ["calls", tool: string, args: unknown, result?: unknown]
  | readonly ["keeps", content: unknown, key?: string]
  | readonly ["contacts", destination: string]
  | readonly ["lists", tools: readonly Record<string, unknown>[]]
  | readonly ["fails", tool: string, error: string]
  | readonly ["event", type: DetectorEvent["type"], payload: Record<string, unknown>];

export interface Flow {
  readonly name: string;
  readonly steps: readonly Step[];
}

function eventOf(step: Step, sequence: number): DetectorEvent {
  switch (step[0]) {
    case "asks": {
      const [, text, operator] = step;
      const user = { role: "user", content: text };
      const input = operator === undefined ? [user] : [{ role: "system", content: operator }, user];
      return eventAt(sequence, "llm_call", { model: "m", input, output: "On it." });
    }
    case "calls": {
      const [, tool_name, args, result = "ok"] = step;
      return eventAt(sequence, "tool_call", { tool_name, call_id: `c${sequence}`, arguments: args, result });
    }
    case "keeps": {
      const [, content, key = "note"] = step;
      return eventAt(sequence, "memory_operation", { operation: "write", store: "agent", key, content });
    }
    case "contacts":
      return eventAt(sequence, "egress", { destination: step[1], bytes_out: 900 });
    case "lists":
      return eventAt(sequence, "mcp_call", { server: "s", method: "tools/list", result: { tools: step[1] } });
    case "fails":
      return eventAt(sequence, "mcp_call", {
        server: "s",
        method: "tools/call",
        tool_name: step[1],
        error: step[2],
      });
    case "event":
      return eventAt(sequence, step[1], step[2]);
  }
}

export const eventsOfFlow = ({ steps }: Flow): DetectorEvent[] =>
  steps.map((step, at) => eventOf(step, at + 1));
