import { describe, expect, test } from "bun:test";
import { describeAnyDetector, event, play } from "../../../test/support/detector-harness.ts";
import { plainPayload } from "../client-forms/plain-payload.ts";
import { validatorFailure } from "./validator-failure.ts";

const result = (sequence: number, payload: Record<string, unknown>) =>
  event("validator_result", sequence, payload);

describe("validator_failure", () => {
  describeAnyDetector(validatorFailure, () => ({
    events: [result(1, { validator: "schema", passed: false, message: "field total is missing" })],
  }));

  test("every failed result is a firing of its validator's group", () => {
    const events = [1, 2, 3].map((at) =>
      result(at, { validator: "schema", passed: false, message: `row ${at}` }),
    );
    const detections = play(validatorFailure, { events });
    expect(detections.map((one) => [one.eventId, one.signatureParts])).toEqual([
      ["event-1", ["schema"]],
      ["event-2", ["schema"]],
      ["event-3", ["schema"]],
    ]);
  });

  const countOf = (payload: Record<string, unknown>) =>
    play(validatorFailure, {
      events: [result(1, plainPayload("validator_result", { validator: "v", ...payload }))],
    }).length;

  test.each([
    true,
    "true",
    1,
    null,
    undefined,
    "",
    "passed",
    "PASS",
    {},
    "skipped",
    "not applicable",
    "n/a",
    "not yet",
    "no data",
    "0.9",
    "10 of 10 passed",
    "verdict: ok",
  ])("passed, and nothing said, are no failures: %p", (passed) => expect(countOf({ passed })).toBe(0));
  test.each([
    false,
    0,
    "Failed",
    "FAIL",
    "no",
    "not met",
    "nicht bestanden",
    "no válido",
    "échoué",
    "不合格",
    "7 of 10 passed",
    "passed: no",
    "NOK",
    "❌",
  ])("flags and words in other languages are: %p", (passed) => expect(countOf({ passed })).toBe(1));

  test.each([
    { message: "FAILED: 41 s, allowed 20 s" },
    { message: "validation failed, retries exhausted" },
    { message: "2 validation errors for Plan\nfield required" },
    { message: "ungültig: Feld fehlt" },
    { message: "❌ total missing" },
    { passed: 0, message: { tripwireTriggered: true } },
    { output: { tripwireTriggered: true, outputInfo: { reason: "r" } } },
    { passed: 18, failed: 2 },
    { passed: 18, total: 20 },
    { decision: "reject" },
  ])("where no field says it, its message or its counts do: %j", (payload) => {
    expect(countOf(payload)).toBe(1);
  });
  test.each([
    { message: "could not run: validator service timed out" },
    { passed: null, message: "failed to start, will try again" },
    { message: "0 errors, 0 failed" },
    { message: "errors: 0" },
    { message: "no failed rows in this batch" },
    { message: "checks that failed in the last run are fixed" },
    { passed: true, message: "FAILED before, passed now" },
    { passed: 118, failed: 0 },
    { passed: 0, failed: 0 },
    { passed: 20, total: 20 },
  ])("and nothing else: %j", (payload) => {
    expect(countOf(payload)).toBe(0);
  });

  const said = (payload: Record<string, unknown>) =>
    play(validatorFailure, { events: [result(1, plainPayload("validator_result", payload))] }).map(
      ({ excerpt }) => excerpt,
    );

  test.each<[string, Record<string, unknown>]>([
    ["ToxicLanguage failed", { validator: "ToxicLanguage", validation_passed: false }],
    [
      "ToxicLanguage: toxic",
      { validator_name: "ToxicLanguage", validation_result: { outcome: "fail", error_message: "toxic" } },
    ],
    ["ToxicLanguage failed", { validatorName: "ToxicLanguage", validationResult: { outcome: "fail" } }],
    [
      "ToxicLanguage: toxic",
      {
        validation_passed: false,
        validation_summaries: [
          { validator_name: "ValidLength", validator_status: "pass" },
          { validator_name: "ToxicLanguage", validator_status: "fail", failure_reason: "toxic" },
        ],
      },
    ],
    ["ToxicLanguage failed", { validator_name: "ToxicLanguage", validator_status: "fail" }],
    [
      "Order: Field required",
      { name: "Order", errors: [{ type: "missing", loc: ["a"], msg: "Field required" }] },
    ],
    ["Order failed", { name: "Order", errors: { total: ["Missing data"] } }],
    ["Order failed", { name: "Order", error_count: 2 }],
    [
      "zod: Required",
      { validator: "zod", success: false, issues: [{ code: "invalid_type", message: "Required" }] },
    ],
    ["self check input failed", { name: "self check input", decisions: ["refuse to respond"], stop: true }],
    ["self check input failed", { rail: "self check input", status: "blocked" }],
    ["expect_unique failed", { success: false, expectation_config: { expectation_type: "expect_unique" } }],
    [
      "Relevancy: off topic",
      { name: "Relevancy", success: false, score: 0.2, threshold: 0.7, reason: "off topic" },
    ],
    ["Toxicity failed", { scanner: "Toxicity", is_valid: false, risk_score: 0.9 }],
    ["moderation failed", { validator: "moderation", flagged: true }],
    ["bedrock failed", { guardrail: "bedrock", action: "GUARDRAIL_INTERVENED" }],
    ["v: off topic", { validator: "v", gradingResult: { pass: false, reason: "off topic" } }],
  ])("%s: told by the fields of a library: %j", (excerpt, payload) => {
    expect(said(payload)).toEqual([excerpt]);
  });

  test.each<[Record<string, unknown>]>([
    [{ validator: "ToxicLanguage", validation_passed: true }],
    [{ validator_name: "ToxicLanguage", validation_result: { outcome: "pass" } }],
    [
      {
        validator_name: "ToxicLanguage",
        validation_result: { outcome: "pass" },
        errors: ["of the last try"],
      },
    ],
    [{ validation_passed: true, validation_summaries: [{ validator_name: "A", validator_status: "fail" }] }],
    [{ name: "Order", errors: [] }],
    [{ name: "Order", errors: {}, error_count: 0 }],
    [{ name: "self check input", decisions: ["continue"], stop: false }],
    [{ name: "self check input", stop: true }],
    [{ success: true, expectation_config: { expectation_type: "expect_unique" } }],
    [{ validator: "moderation", flagged: false }],
    [{ guardrail: "bedrock", action: "NONE" }],
    [{ validator: "json", output: { success: false, errors: ["what was validated"] } }],
  ])("and none of these: %j", (payload) => {
    expect(said(payload)).toEqual([]);
  });

  test("the message is masked, the allow-list holds, a flood ends at 100", () => {
    const message = "got key sk-ABCDEFGHIJ0123456789abcdefghij, card 4111 1111 1111 1111";
    const [detection] = play(validatorFailure, {
      events: [result(1, { validator: "v", passed: false, message })],
    });
    expect(detection?.excerpt).toBe("v: got key [masked], card [number]");
    expect(
      play(validatorFailure, { events: [result(1, { validator: "v", passed: false })], allow: ["v"] }),
    ).toEqual([]);
    const flood = Array.from({ length: 500 }, (_, i) => result(i, { validator: "v", passed: false }));
    expect(play(validatorFailure, { events: flood })).toHaveLength(100);
  });
});
