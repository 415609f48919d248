import { describe, expect, test } from "bun:test";
import { event, play } from "../../../test/support/detector-harness.ts";
import { infrastructureDegradation } from "../detectors/infrastructure-degradation.ts";
import { prematureCompletion } from "../detectors/premature-completion.ts";
import { callEndOf } from "../event-views/call-end.ts";
import { plainPayload } from "./plain-payload.ts";

type Payload = Readonly<Record<string, unknown>>;

const read = (payload: Payload) => plainPayload("llm_call", { model: "m", ...payload });
const failing = (payload: Payload) =>
  play(infrastructureDegradation, {
    events: [1, 2, 3].map((at) => event("llm_call", at, read(payload))),
  })[0]?.signatureParts;

describe("a model call that failed", () => {
  test.each<[string, Payload]>([
    ["unavailable", { "error.type": "503" }],
    ["unavailable", { "gen_ai.request.model": "gpt-4o", "error.type": "503" }],
    ["rate-limit", { "error.type": "RateLimitError" }],
    ["connection-lost", { error_type: "APIConnectionError" }],
    ["timeout", { errorType: "APITimeoutError" }],
    ["unavailable", { status_code: 503 }],
    ["unavailable", { "http.response.status_code": 503 }],
    ["unavailable", { "http.status_code": "502" }],
    ["rate-limit", { $ai_is_error: true, $ai_http_status: 429 }],
    ["error", { "otel.status_code": "ERROR" }],
    ["overloaded", { status: { code: "ERROR", message: "overloaded" } }],
    ["error", { status: { code: 2 } }],
    ["error", { status_code: 2 }],
    ["error", { status: { code: "STATUS_CODE_ERROR" } }],
    ["overloaded", { level: "ERROR", statusMessage: "overloaded" }],
    ["error", { status: "failed" }],
    ["error", { success: false }],
    ["unavailable", { attributes: { "error.type": "503" } }],
    ["unavailable", { attributes: [{ key: "http.response.status_code", value: { intValue: 503 } }] }],
    ["unavailable", { response: { error: { code: 503, message: "Service Unavailable" } } }],
    ["unavailable", { status: "failed", error: { code: "server_error", message: "m" } }],
    ["finish reason error", { finish_reason: "error" }],
    [
      "finish reason error",
      { choices: [{ message: { role: "assistant", content: "" }, finish_reason: "error" }] },
    ],
  ])("is one of %s: %j", (kind, payload) => {
    const parts = failing(payload) ?? [];
    expect(parts.slice(0, 2)).toEqual(["model-provider", "m"]);
    expect(parts[2] === "" || parts[2] === "true" ? "error" : parts[2]).toBe(
      kind === "overloaded" ? "unavailable" : kind,
    );
  });

  test.each<[Payload]>([
    [{ "error.type": null }],
    [{ error_type: "none" }],
    [{ status_code: 200 }],
    [{ status_code: 1 }],
    [{ "otel.status_code": "OK" }],
    [{ status: { code: "UNSET" } }],
    [{ status: "completed" }],
    [{ status: "stopped" }],
    [{ success: true, ok: true, failed: false }],
    [{ level: "warning" }],
    [{ finish_reason: "stop" }],
    // Of the caller's own making.
    [{ status_code: 400 }],
    [{ "error.type": "404" }],
    [{ "http.response.status_code": 422, "error.type": "BadRequestError" }],
    [{ status_code: 401, error: "invalid key" }],
    // Of something else that is told beside the call.
    [{ metadata: { status: "failed", error: "of a job" } }],
    [{ input: [{ role: "user", content: "why", status: "failed", error: "x" }] }],
    [{ output: "fine", tools: [{ name: "t", status: "error" }] }],
    [{ messages: [{ role: "tool", tool_call_id: "c", content: "x", status: "error" }], output: "fine" }],
    [{ response: { items: [{ id: 1, status: "failed" }] } }],
  ])("is none: %j", (payload) => {
    expect(failing(payload)).toBeUndefined();
  });

  test("ran out of time by its status", () => {
    const endOf = (payload: Payload) => callEndOf(event("llm_call", 1, read(payload)));
    expect(endOf({ "http.response.status_code": 504 })).toBe("out-of-time");
    expect(endOf({ "error.type": "503" })).toBe("failed");
    expect(endOf({ status_code: 200 })).toBe("well");
  });
});

describe("an answer that was cut off", () => {
  const message = { role: "assistant", parts: [{ type: "text", content: "and so" }] };
  const unfinished = (payload: Payload) =>
    play(prematureCompletion, {
      events: [event("llm_call", 1, read({ input: "write it", ...payload }))],
      finished: { status: "completed" },
      tickAfterMs: 60_000,
    }).map(({ signatureParts }) => signatureParts);

  test.each<[string, Payload]>([
    ["length", { "gen_ai.response.finish_reasons": ["length"] }],
    ["length", { "gen_ai.response.finish_reasons": '["length"]' }],
    ["length", { "gen_ai.output.messages": [{ ...message, finish_reason: "length" }] }],
    ["length", { "gen_ai.output.messages": JSON.stringify([{ ...message, finish_reason: "length" }]) }],
    [
      "max_tokens",
      {
        candidates: [{ content: { role: "model", parts: [{ text: "and so" }] }, finishReason: "MAX_TOKENS" }],
      },
    ],
    ["max_tokens", { candidates: [{ content: { parts: [] }, finishReason: "FinishReason.MAX_TOKENS" }] }],
    ["length", { generations: [[{ text: "and so", generation_info: { finish_reason: "length" } }]] }],
    ["length", { output: { content: "and so", type: "ai", response_metadata: { finish_reason: "length" } } }],
    [
      "max_tokens",
      { output: { content: "and so", type: "ai", response_metadata: { stop_reason: "max_tokens" } } },
    ],
    ["length", { choices: [{ message: { role: "assistant", content: "and so" }, finish_reason: "length" }] }],
    [
      "max_output_tokens",
      {
        status: "incomplete",
        incomplete_details: { reason: "max_output_tokens" },
        output: [{ type: "message", role: "assistant", content: [{ type: "output_text", text: "and so" }] }],
      },
    ],
    [
      "max_output_tokens",
      { response: { status: "incomplete", incomplete_details: { reason: "max_output_tokens" }, output: [] } },
    ],
    ["incomplete", { status: "incomplete", output: "and so" }],
  ])("by %s: %j", (reason, payload) => {
    expect(unfinished(payload)).toEqual([["unfinished-answer", reason]]);
  });

  test.each<[Payload]>([
    [{ "gen_ai.response.finish_reasons": ["stop"] }],
    [{ "gen_ai.output.messages": [{ ...message, finish_reason: "stop" }] }],
    [{ candidates: [{ content: { role: "model", parts: [{ text: "done" }] }, finishReason: "STOP" }] }],
    [{ generations: [[{ text: "done", generation_info: { finish_reason: "stop" } }]] }],
    [{ output: "done", incomplete_details: null, status: "completed" }],
    [{ output: 'I would set "finish_reason": "length" there.' }],
    // Of an earlier answer.
    [
      {
        messages: [
          { role: "assistant", content: "and so", response_metadata: { finish_reason: "length" } },
          { role: "user", content: "go on" },
        ],
        output: "done",
      },
    ],
  ])("is none: %j", (payload) => {
    expect(unfinished(payload)).toEqual([]);
  });
});
