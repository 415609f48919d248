import { describe, expect, test } from "bun:test";
import { eventAt } from "../../../test/support/detector-harness.ts";
import { plainPayload } from "../client-forms/plain-payload.ts";
import { alertFires } from "./client-verdict.ts";

const alert = (payload: Record<string, unknown>) =>
  eventAt(1, "injection_alert", plainPayload("injection_alert", payload));
const classesOf = (payload: Record<string, unknown>) =>
  (["prompt_injection", "jailbreak_attempt"] as const).filter((one) => alertFires(alert(payload), 0.5, one));

const INJECTIONS: readonly Record<string, unknown>[] = [
  {},
  { detector: "guard", text: "…" },
  { verdict: "injection" },
  { verdict: "anything unheard of" },
  { verdict: "GUARDRAIL_INTERVENED", filters: [{ type: "PROMPT_ATTACK", confidence: "HIGH" }] },
  { verdict: "not safe" },
  { verdict: "unsafe", score: 0.2 },
  { verdict: 1 },
  { label: "INJECTION", score: 0.99 },
  { label: "LABEL_1", score: 0.99 },
  { flagged: true, categories: { prompt_injection: true, jailbreak: false } },
  { documentsAnalysis: [{ attackDetected: false }], verdict: "attackDetected" },
  { score: 98 },
  { score: "98 %" },
  { verdict: 0.97 },
  { verdict: "0.97" },
  { verdict: { label: "malicious", score: 0.9 } },
  { verdict: "needs review" },
  { verdict: "no jailbreak, injection detected" },
  { score: 8 },
  { confidence: "high" },
  { score: 0.4, threshold: 0.3 },
  { verdict: "unknown", score: 0.93 },
  { action: "blocked" },
  { detector: "injection and jailbreak filter", score: 0.9 },
  { detector: "jailbreak-detector", verdict: "prompt_injection" },
  {
    results: [
      { label: "SAFE", score: 0.02 },
      { label: "INJECTION", score: 0.98 },
    ],
  },
  { verdict: "inyección detectada" },
];

const JAILBREAKS: readonly Record<string, unknown>[] = [
  { verdict: "JAILBREAK" },
  { verdict: "jailbreak:encoded", score: 0.9 },
  { verdict: "malicious", attack_type: "jailbreak_roleplay" },
  { verdict: "unsafe", category: "Jailbreaking" },
  { detector: "Jailbreak classifier", score: 96.4, verdict: "unsafe" },
  { detector: "x", verdict: "GUARDRAIL_INTERVENED", filters: [{ type: "JAILBREAK", confidence: "HIGH" }] },
  { jailbreak: { filtered: true, detected: true } },
  { jailbreak_detected: true },
  { flagged: true, categories: { prompt_injection: false, jailbreak: true } },
  { category_scores: { injection: 0.01, jailbreak: 0.97 } },
  { detected: true, tags: ["user-input", "jail-break"] },
  { rule_id: "policy-bypass-04", verdict: "blocked" },
  { verdict: "DAN attack" },
  { verdict: "越狱" },
  { verdict: "unsafe", reason: "jailbreak" },
];

const NOTHING: readonly Record<string, unknown>[] = [
  { verdict: "benign", score: 0.998 },
  { verdict: "not a jailbreak" },
  { verdict: "no injection detected" },
  { verdict: "NO_INJECTION" },
  { verdict: "non-malicious" },
  { verdict: "false positive" },
  { verdict: "keine Injektion gefunden" },
  { verdict: "aucune attaque" },
  { verdict: "未检测到攻击" },
  { verdict: "not_evaluated", score: 0, error: "503 upstream" },
  { verdict: "unknown" },
  { error: "the detector timed out" },
  { label: "LABEL_0", score: 0.99 },
  { detected: 0 },
  { detected: "false" },
  { score: 0.3 },
  { verdict: 0.02 },
  { verdict: "0.02" },
  { verdict: { label: "benign", score: 0.99 } },
  { verdict: "low risk" },
  { verdict: "0 findings" },
  { verdict: "resolved: false alarm" },
  { verdict: "jailbreak ruled out" },
  { verdict: "rien à signaler" },
  { verdict: "dismissed" },
  { score: 3 },
  { score: 0.62, threshold: 0.7 },
  { score: 62, threshold: 70 },
  { score: "low" },
  { action: "allow" },
  { verdict: "NONE", filters: [{ type: "JAILBREAK", confidence: "NONE" }] },
  {
    filters: [
      { type: "JAILBREAK", action: "NONE" },
      { type: "PROMPT_INJECTION", action: "NONE" },
    ],
  },
  { flagged: true, categories: { pii: true, prompt_injection: false, jailbreak: false } },
  { category_scores: { injection: 0.01, jailbreak: 0.02 } },
  {
    results: [
      { label: "SAFE", score: 0.98 },
      { label: "INJECTION", score: 0.02 },
    ],
  },
];

describe("what a client's alert says", () => {
  test.each(INJECTIONS)("an injection: %j", (payload) => {
    expect(classesOf(payload)).toEqual(["prompt_injection"]);
  });

  test.each(JAILBREAKS)("a jailbreak: %j", (payload) => {
    expect(classesOf(payload)).toEqual(["jailbreak_attempt"]);
  });

  test.each(NOTHING)("nothing: %j", (payload) => {
    expect(classesOf(payload)).toEqual([]);
  });

  test("what names both counts as both; what is quoted names nothing", () => {
    expect(classesOf({ categories: { injection: true, jailbreak: 0.9 } })).toHaveLength(2);
    expect(classesOf({ verdict: "injection_or_jailbreak" })).toHaveLength(2);
    expect(classesOf({ verdict: "attack", text: "jailbreak", reason: "no jailbreak" })).toEqual([
      "prompt_injection",
    ]);
  });

  test("deep, wide and odd payloads come back", () => {
    let deep: Record<string, unknown> = { jailbreak: true };
    for (let i = 0; i < 60; i++) deep = { a: deep };
    const wide = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`k${i}`, "x".repeat(500)]));
    for (const payload of [
      deep,
      wide,
      { verdict: {} },
      { verdict: [], score: Number.NaN },
      { filters: [null, 3] },
    ])
      expect(classesOf(payload).length).toBeLessThanOrEqual(1);
  });
});
