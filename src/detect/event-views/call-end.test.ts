import { describe, expect, test } from "bun:test";
import { event } from "../../../test/support/detector-harness.ts";
import { plainPayload } from "../client-forms/plain-payload.ts";
import { callEndOf } from "./call-end.ts";

type Payload = Record<string, unknown>;
const endOf = (type: "tool_call" | "mcp_call" | "llm_call", payload: Payload) =>
  callEndOf(event(type, 1, plainPayload(type, payload)));
const command = (payload: Payload) => endOf("tool_call", { tool_name: "sh", ...payload });

describe("a call that time ran out on", () => {
  const calls: [string, Payload][] = [
    ["an error in words", { error: "Request timed out." }],
    ["an error's type", { error: { type: "TimeoutError", message: "boom" } }],
    ["an error's code", { error: { code: "ETIMEDOUT", message: "connect failed" } }],
    ["another language", { error: "Se ha agotado el tiempo de espera" }],
    ["the status of coreutils' timeout", { result: { exit_code: 124, stdout: "" } }],
    ["the same in words", { error: "Command exited with code 124" }],
    ["a flag", { result: { timed_out: true, stdout: "…" } }],
    ["a state", { status: "timeout" }],
    ["a state of the result", { result: { status: "TIMED_OUT" } }],
    ["a status of HTTP", { http_status: 504 }],
    ["a result that is an error", { result: "Error: Command timed out after 2m 0.0s" }],
    [
      "a result that is an error, in parts",
      { result: [{ type: "text", text: "Error: timed out after 60 s" }] },
    ],
    ["a state of the result, as text", { result: '{"status": "timeout", "rows": []}' }],
    ["HTTP's status in words", { error: "Request failed with status code 504" }],
    ["MCP's mark", { result: { isError: true, content: [{ type: "text", text: "Request timed out" }] } }],
  ];
  test.each(calls)("%s", (_, payload) => expect(command(payload)).toBe("out-of-time"));

  test("of a server and of a model", () => {
    const error = { code: -32_001, message: "MCP error -32001: Request timed out" };
    expect(endOf("mcp_call", { server: "lims", tool_name: "chart", error })).toBe("out-of-time");
    expect(endOf("mcp_call", { server: "lims", method: "tools/list", error })).toBe("out-of-time");
    expect(endOf("llm_call", { model: "m", error: "APITimeoutError: Request timed out." })).toBe(
      "out-of-time",
    );
    expect(endOf("llm_call", { model: "m", finish_reason: "timeout" })).toBe("out-of-time");
  });
});

test("a call that failed of something else", () => {
  for (const error of ["401 Unauthorized", "connection refused", "unknown option --timeout", { code: 500 }])
    expect(command({ error })).toBe("failed");
  expect(command({ result: { exit_code: 1 } })).toBe("failed");
  expect(endOf("llm_call", { model: "m", error: { type: "rate_limit_error" } })).toBe("failed");
});

test("a call that went well, whatever its result is about, and one that has no end yet", () => {
  const log = "2026-01-05 upstream timed out (110) while reading response header\n".repeat(20);
  for (const result of [
    log,
    { rows: [{ error: "timeout" }] },
    "ok",
    { timeout: 30 },
    { status: "ok" },
    '{"job": "timeout-test", "ok": true}',
  ])
    expect(command({ result })).toBe("well");
  expect(endOf("llm_call", { model: "m", output: "the request timed out" })).toBe("well");
  expect(command({ arguments: { timeout: true } })).toBe("open");
});
