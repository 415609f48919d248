import { describe, expect, test } from "bun:test";
import type { EventType } from "../../ingest/wire/event-types.ts";
import { renamedFields } from "./renamed-fields.ts";

type Case = readonly [EventType, Record<string, unknown>, Record<string, unknown>];

/** What clients call a fact, and the fields in which the detectors read it. */
const SAID: readonly Case[] = [
  ["validator_result", { name: "json", result: "fail" }, { validator: "json", passed: false }],
  ["validator_result", { rule: "no-pii", status: "FAILED" }, { validator: "no-pii", passed: false }],
  ["validator_result", { validator: "json", success: false }, { passed: false }],
  ["validator_result", { validator: "json", failed: true }, { passed: false }],
  ["validator_result", { validator: "json", violations: [{ rule: "a" }] }, { passed: false }],
  ["validator_result", { validator: "json", outcome: "ok", errors: ["a warning"] }, { passed: true }],
  ["validator_result", { validator: "json", passed: true, status: "failed" }, { passed: true }],
  ["eval_score", { evaluator: "f", score: 0.2, pass: false }, { metric: "f", passed: false }],
  ["eval_score", { metric: "f", value: 0.2, min_score: 0.7 }, { score: 0.2, passed: false }],
  ["eval_score", { metric: "f", score: 0.4, regressed: true }, { passed: false }],
  ["drift_signal", { metric: "tone", drift_detected: true }, { signal: "tone", drifted: true }],
  ["drift_signal", { name: "tone", drift: 0.8, threshold: 0.3 }, { signal: "tone", score: 0.8 }],
  ["drift_signal", { status: "drifting" }, { drifted: true }],
  ["drift_signal", { drift_detected: false, drift_score: 0.9 }, { drifted: false, score: 0.9 }],
  ["infrastructure_event", { service: "redis", status: "down" }, { component: "redis", kind: "down" }],
  [
    "infrastructure_event",
    { type: "probe", state: "unhealthy", reason: "OOMKilled" },
    { kind: "probe unhealthy", message: "OOMKilled" },
  ],
  ["infrastructure_event", { provider: "p", status_code: 503 }, { component: "p", code: 503 }],
  ["dlp_scan_result", { types: ["api_key"] }, { entity_types: ["api_key"] }],
  ["dlp_scan_result", { results: [{ info_type: { name: "US_SSN" } }] }, { entity_types: ["US_SSN"] }],
  ["dlp_scan_result", { contains_pii: true }, { entity_types: ["pii"] }],
  ["dlp_scan_result", { secrets_found: 2 }, { entity_types: ["secret"] }],
  ["dlp_scan_result", { entity_types: ["US_SSN"], detected: false }, { count: 0 }],
  ["dlp_scan_result", { verdict: "clean", category: "none" }, { entity_types: "none", count: 0 }],
  ["human_intervention", { type: "rejection", target: "pay" }, { action: "reject", tool_name: "pay" }],
  [
    "human_intervention",
    { type: "approval", status: "denied", tool: "pay" },
    { action: "reject", tool_name: "pay" },
  ],
  [
    "human_intervention",
    { decision: "rejected", action: "npm run db:push" },
    { action: "reject", tool_name: "shell", arguments: { command: "npm run db:push" } },
  ],
  [
    "human_intervention",
    { decision: "deny", action: "mcp__mail__send" },
    { action: "reject", tool_name: "mcp__mail__send" },
  ],
  ["human_intervention", { event: "pause" }, { action: "stop" }],
  ["human_intervention", { kind: "resumed" }, { action: "approve" }],
  ["agent_handoff", { from_agent_id: "a", to_agent_id: "b" }, { from_agent: "a", to_agent: "b" }],
  ["checkpoint", { step: 1, data: { stateDigest: "abc" } }, { state_hash: "abc" }],
];

/** In the form that is read, or nothing that anybody could be sure of. */
const LEFT: readonly (readonly [EventType, Record<string, unknown>])[] = [
  ["validator_result", { validator: "json", passed: false, message: "m" }],
  ["validator_result", { validator: "json", status: "skipped" }],
  ["validator_result", { validator: "json", errors: [] }],
  ["eval_score", { metric: "f", score: 0.2, passed: true, explanation: "e" }],
  ["eval_score", { metric: "toxicity", score: 0.2, threshold: 0.7 }],
  ["drift_signal", { signal: "s", score: 0.1, threshold: 0.9, drifted: false }],
  ["drift_signal", { signal: "s", status: "no drift" }],
  ["infrastructure_event", { component: "c", kind: "restart", code: "E1", message: "m" }],
  ["dlp_scan_result", { entity_types: ["US_SSN"], count: 1, field: "f", action: "mask" }],
  ["dlp_scan_result", { pii_detected: false }],
  ["human_intervention", { action: "reject", tool_name: "pay", arguments: {}, note: "n" }],
  ["human_intervention", { event: "takeover", status: "resolved" }],
  ["checkpoint", { name: "n", state_hash: "h", state: {} }],
  ["checkpoint", { name: "n", hash: "of a commit", data: { phase: 1 } }],
];

describe("fields of the smaller events", () => {
  test.each(SAID)("%s %j", (type, payload, expected) => {
    expect(renamedFields(type, payload)).toEqual({ ...payload, ...expected });
  });

  test.each(LEFT)("nothing is made of %s %j", (type, payload) => {
    expect(renamedFields(type, payload)).toBe(payload);
  });
});
