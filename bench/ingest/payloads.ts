/**
 * Payloads of a busy agent fleet: every one of the 16 types with the fields that the service's documents
 * name, in about the proportions that agents send them, sized around 200 bytes by their free text. ASCII
 * only. Pure: the random source is the argument. An `environment_declaration` opens an execution and never
 * comes later.
 */
import type { EventType } from "../../src/ingest/wire/event-types.ts";
import type { SeededRandom } from "./random.ts";

const WEIGHTS: readonly (readonly [EventType, number])[] = [
  ["tool_call", 270],
  ["llm_call", 250],
  ["mcp_call", 90],
  ["checkpoint", 80],
  ["memory_operation", 70],
  ["egress", 70],
  ["validator_result", 50],
  ["eval_score", 30],
  ["infrastructure_event", 25],
  ["agent_handoff", 25],
  ["exception", 15],
  ["drift_signal", 10],
  ["dlp_scan_result", 6],
  ["human_intervention", 6],
  ["injection_alert", 3],
];

const wheel: EventType[] = WEIGHTS.flatMap(([type, weight]) => new Array<EventType>(weight).fill(type));

const WORDS = (
  "the order was found and a refund of the second item is on its way to customer account after review of " +
  "invoice lines region table column query index result summary draft report meeting note calendar flight hotel " +
  "price total tax shipping address status open closed pending ready file folder branch commit test build deploy " +
  "log trace metric alert threshold value average count limit offset page token message reply thread user team " +
  "project plan step next check verify update create search list fetch parse store load cache retry answer"
).split(" ");
const MODELS = ["gpt-5-mini", "claude-sonnet-4-5", "gemini-2.5-flash", "llama-4-maverick", "mistral-large-2"];
const PROVIDERS = ["openai", "anthropic", "google", "meta", "mistral"];
const TOOLS = [
  "search_orders",
  "read_file",
  "run_query",
  "send_reply",
  "get_calendar",
  "fetch_page",
  "list_issues",
];
const SERVERS = ["files", "tickets", "warehouse", "calendar"];
const HOSTS = [
  "api.openai.com",
  "api.anthropic.com:443",
  "storage.example.com",
  "tickets.example.org",
  "warehouse.internal.example:5432",
  "registry.example.net",
];
const AGENTS = ["planner", "researcher", "writer", "reviewer", "operator"];

/** The type of the next event that is not an execution's first. */
export function nextType(random: SeededRandom): EventType {
  return random.pick(wheel);
}

function hex(random: SeededRandom, digits: number): string {
  let text = "";
  while (text.length < digits) text += random.next().toString(16).padStart(8, "0");
  return text.slice(0, digits);
}

/** Words up to about `length` characters, at least one. */
function sentence(random: SeededRandom, length: number): string {
  let text = random.pick(WORDS);
  while (text.length < length) text += ` ${random.pick(WORDS)}`;
  return text;
}

/** One payload as JSON text, `target` bytes long give or take a word where the type has free text. */
export function payloadJson(type: EventType, random: SeededRandom, target: number): string {
  const text = (fixed: number) => sentence(random, Math.max(8, target - fixed));
  return JSON.stringify(payloadOf(type, random, text));
}

/** `text(fixed)` gives words for what the target leaves beside `fixed` bytes of names and short values. */
function payloadOf(type: EventType, random: SeededRandom, text: (fixed: number) => string): object {
  switch (type) {
    case "llm_call":
      return {
        model: random.pick(MODELS),
        tokens_in: random.between(80, 9000),
        tokens_out: random.between(5, 1200),
        provider: random.pick(PROVIDERS),
        output: text(155),
        finish_reason: random.below(4) === 0 ? "tool_calls" : "stop",
        latency_ms: random.between(150, 9000),
      };
    case "tool_call":
      return {
        tool_name: random.pick(TOOLS),
        call_id: `call_${hex(random, 16)}`,
        arguments: { id: random.between(1, 99999), query: sentence(random, 20) },
        result: text(150),
        latency_ms: random.between(2, 3000),
      };
    case "mcp_call":
      return {
        server: random.pick(SERVERS),
        method: "tools/call",
        tool_name: random.pick(TOOLS),
        arguments: { path: `docs/${random.pick(WORDS)}.md`, limit: random.between(1, 100) },
        result: text(140),
        latency_ms: random.between(2, 900),
      };
    case "checkpoint":
      return {
        name: `step-${random.between(1, 200)}`,
        state_hash: `sha256:${hex(random, 64)}`,
        state: { phase: random.pick(WORDS), note: text(150) },
      };
    case "exception":
      return {
        type: random.pick(["TimeoutError", "ValueError", "ConnectionResetError"]),
        message: sentence(random, 40),
        stack: `at ${random.pick(TOOLS)} (agent/tools.py:${random.between(10, 900)})\nat run (agent/loop.py:88)\n${text(170)}`,
        handled: true,
      };
    case "validator_result":
      return { validator: `schema/${random.pick(WORDS)}`, passed: random.below(50) !== 0, message: text(60) };
    case "drift_signal":
      return {
        signal: `embedding_${random.pick(WORDS)}`,
        score: random.below(1000) / 1000,
        threshold: 0.95,
        drifted: false,
        note: text(90),
      };
    case "injection_alert":
      return {
        detector: "client-guard",
        score: random.below(400) / 1000,
        source: "tool_result",
        text: text(100),
        verdict: "clean",
      };
    case "infrastructure_event":
      return {
        component: random.pick(["queue", "vector-store", "sandbox"]),
        kind: random.pick(["restart", "scale", "latency"]),
        code: `E${random.between(100, 599)}`,
        message: text(80),
      };
    case "dlp_scan_result":
      return {
        entity_types: [],
        count: 0,
        field: `output.${random.pick(WORDS)}`,
        action: "allow",
        note: text(80),
      };
    case "eval_score":
      return {
        metric: random.pick(["faithfulness", "relevance", "helpfulness"]),
        score: random.between(700, 1000) / 1000,
        passed: true,
        explanation: text(75),
      };
    case "memory_operation":
      return {
        operation: random.pick(["read", "read", "write"]),
        store: "episodic",
        key: `user/${random.between(1, 5000)}/${random.pick(WORDS)}`,
        content: text(85),
      };
    case "agent_handoff":
      return { from_agent: random.pick(AGENTS), to_agent: random.pick(AGENTS), reason: text(60) };
    case "human_intervention":
      return {
        action: "approve",
        tool_name: random.pick(TOOLS),
        arguments: { id: random.below(9999) },
        note: text(85),
      };
    case "egress":
      return {
        destination: random.pick(HOSTS),
        protocol: "https",
        tool_name: random.pick(TOOLS),
        bytes_out: random.between(100, 60000),
        note: text(120),
      };
    case "environment_declaration":
      return { mode: "live", declared_by: "sdk", note: text(55) };
  }
}
