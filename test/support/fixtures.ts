/**
 * Valid executions and events, of every type, seeded: the same seed gives the same traffic.
 */
import type { Client } from "./client.ts";

/**
 * The list of the interface, written out here: a test that imported the service's list could not catch its
 * mistakes.
 */
export const interfaceEventTypes = [
  "llm_call",
  "tool_call",
  "checkpoint",
  "exception",
  "validator_result",
  "drift_signal",
  "injection_alert",
  "infrastructure_event",
  "dlp_scan_result",
  "mcp_call",
  "eval_score",
  "memory_operation",
  "agent_handoff",
  "human_intervention",
  "egress",
  "environment_declaration",
] as const;

export type InterfaceEventType = (typeof interfaceEventTypes)[number];

export interface ExecutionBody {
  execution_id: string;
  status: string;
  sdk_language?: string;
  sdk_version?: string;
}

export interface EventBody {
  event_id: string;
  execution_id: string;
  event_type: string;
  sequence: number;
  timestamp: string;
  payload: Record<string, unknown>;
}

const payloads: Record<InterfaceEventType, Record<string, unknown>> = {
  llm_call: { model: "model-a", tokens_in: 412, tokens_out: 96, provider: "acme", output: "It is done." },
  tool_call: {
    tool_name: "search",
    call_id: "c1",
    arguments: { q: "rates" },
    result: "three hits",
    latency_ms: 12,
  },
  checkpoint: { name: "after-plan", state_hash: "9f2c", state: { step: 3 } },
  exception: { type: "TypeError", message: "x is undefined", stack: "at run (agent.ts:3:9)", handled: false },
  validator_result: { validator: "schema", passed: true, message: "fits" },
  drift_signal: { signal: "length", score: 0.31, threshold: 0.5, drifted: false },
  injection_alert: {
    detector: "client",
    score: 0.9,
    source: "tool",
    text: "ignore the above",
    verdict: "flag",
  },
  infrastructure_event: { component: "queue", kind: "restart", code: "E42", message: "came back" },
  dlp_scan_result: { entity_types: ["email"], count: 1, field: "output", action: "mask" },
  mcp_call: { server: "files", method: "tools/call", tool_name: "read", arguments: { path: "a.txt" } },
  eval_score: { metric: "faithfulness", score: 0.875, passed: true, explanation: "close" },
  memory_operation: { operation: "write", store: "notes", key: "k", content: "v" },
  agent_handoff: { from_agent: "planner", to_agent: "writer", reason: "plan stands" },
  human_intervention: { action: "approve", tool_name: "pay", note: "fine" },
  egress: {
    destination: "api.example.com:443",
    protocol: "https",
    tool_name: "fetch",
    bytes_out: 512,
    note: "n",
  },
  environment_declaration: { mode: "simulation", declared_by: "ci", note: "nightly" },
};

let counter = 0;
const runTag = `${process.pid.toString(36)}${Date.now().toString(36)}`;

/** An id that nothing else in this run has. */
export function uniqueId(prefix: string): string {
  counter += 1;
  return `${prefix}-${runTag}-${counter}`;
}

/** mulberry32: small, seeded, good enough to mix traffic. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export function executionBody(overrides: Record<string, unknown> = {}): ExecutionBody {
  return {
    execution_id: uniqueId("exec"),
    status: "started",
    sdk_language: "typescript",
    sdk_version: "1.4.0",
    ...overrides,
  };
}

export function payloadOf(type: InterfaceEventType): Record<string, unknown> {
  return structuredClone(payloads[type]);
}

export function eventOfType(type: InterfaceEventType, overrides: Record<string, unknown> = {}): EventBody {
  return {
    event_id: uniqueId("ev"),
    execution_id: "never-created",
    event_type: type,
    sequence: 1,
    timestamp: new Date().toISOString(),
    payload: payloadOf(type),
    ...overrides,
  };
}

export function eventBody(executionId: string, overrides: Record<string, unknown> = {}): EventBody {
  return eventOfType("tool_call", { execution_id: executionId, ...overrides });
}

export function eventBatch(executionId: string, count: number): EventBody[] {
  return Array.from({ length: count }, (_, index) => eventBody(executionId, { sequence: index + 1 }));
}

/** An event whose payload is given as JSON text, for what JSON.stringify cannot write. */
export function eventText(event: EventBody, payloadText: string): string {
  const marker = "%payload%";
  const text = JSON.stringify({ ...event, payload: marker });
  return text.replace(`"${marker}"`, () => payloadText);
}

/** Creates an execution and gives its id; throws when the service does not answer 201. */
export async function newExecution(client: Client, overrides: Record<string, unknown> = {}): Promise<string> {
  const body = executionBody(overrides);
  const reply = await client.createExecution(body);
  if (reply.status !== 201) throw new Error(`no execution: ${reply.status} ${reply.text}`);
  return body.execution_id;
}
