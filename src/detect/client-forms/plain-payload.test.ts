import { describe, expect, test } from "bun:test";
import { eventAt } from "../../../test/support/detector-harness.ts";
import type { EventType } from "../../ingest/wire/event-types.ts";
import { toolViewOf } from "../building-blocks/calls/tool-view.ts";
import { fragmentsOf } from "../event-views/fields.ts";
import { plainPayload } from "./plain-payload.ts";

const origins = (type: EventType, payload: Record<string, unknown>) =>
  fragmentsOf(eventAt(1, type, { ...plainPayload(type, payload) })).map(
    ({ origin, text }) => `${origin}: ${text.trim()}`,
  );
const view = (payload: Record<string, unknown>, type: EventType = "tool_call") => {
  const found = toolViewOf(eventAt(1, type, { ...plainPayload(type, payload) }));
  return found === null ? null : { tool: found.tool, failed: found.failed, error: found.errorText };
};

describe("payloads in the form that is read", () => {
  test.each([
    ["llm_call", { model: "m", tokens_in: 1, tokens_out: 2, input: "How are you?", output: "Well, thanks." }],
    ["llm_call", { model: "m", input: [{ role: "user", content: "hello there" }], note: { of: "ours" } }],
    ["tool_call", { tool_name: "t", call_id: "c", arguments: '{"a":1}', result: '{"b":["x"]}' }],
    ["mcp_call", { server: "s", method: "tools/list", result: { tools: [] } }],
    ["tool_call", { tool_name: "t", arguments: { a: 1 }, result: "x", note: { of: "ours" }, tries: 2 }],
    ["llm_call", { model: "m", input: "How are you?", tools: [{ name: "t" }], note: { rows: [{ a: 1 }] } }],
    ["exception", { type: "ValueError", message: "bad", stack: "at x" }],
    ["memory_operation", { operation: "write", key: "k", content: "a note" }],
    ["agent_handoff", { from_agent: "a", to_agent: "b" }],
    ["checkpoint", { from: "anything", error: { message: "x" } }],
  ] as const)("%s are handed on: %j", (type, payload) => {
    expect(plainPayload(type, payload)).toBe(payload);
  });

  test("a text of which nothing else is said stays what it is", () => {
    expect(plainPayload("llm_call", { text: "no more than a text" })).toEqual({
      text: "no more than a text",
    });
  });
});

describe("who speaks", () => {
  test("is told by the role, wherever a request or a span has it", () => {
    const messages = [
      { role: "system", content: "the operator's words" },
      { role: "user", content: "the person's words" },
    ];
    const choices = [{ message: { role: "assistant", content: "the model's words" }, finish_reason: "stop" }];
    for (const payload of [
      { request: { messages }, response: { choices } },
      { Request: { Messages: messages }, Response: { Choices: choices } },
      { data: { input: { messages }, output: { choices } } },
      { attributes: { "traceloop.entity.input": JSON.stringify({ inputs: { messages } }), output: choices } },
    ])
      expect(origins("llm_call", payload).toSorted()).toEqual([
        "assistant: the model's words",
        "system: the operator's words",
        "user: the person's words",
      ]);
  });

  test("what a person types as JSON stays a person's", () => {
    for (const typed of [
      { completion: { text: "words of a person" } },
      { system: "words of a person", note: 1 },
      { output: ["words of a person"] },
      { response: { content: "words of a person" } },
    ]) {
      for (const payload of [
        { prompt: JSON.stringify(typed), completion: "fine, thank you" },
        { request: { prompt: JSON.stringify(typed) } },
      ]) {
        const said = origins("llm_call", payload).filter((one) => one.includes("words of a person"));
        expect(said.length).toBeGreaterThan(0);
        for (const one of said) expect(one).toStartWith("user: ");
      }
    }
  });

  test("a text under a name of nobody's stays under it", () => {
    expect(
      origins("llm_call", { model: "m", remark: "words of a client", request: { tag: "words of its" } }),
    ).toEqual(["other: words of a client", "other: tag: words of its"]);
  });

  test("items of the Responses: a computer's, a server's and a search's calls, and what they gave", () => {
    const output = [
      {
        type: "mcp_call",
        server_label: "s",
        name: "read",
        arguments: '{"id":"L-2207"}',
        output: "the letter's words",
      },
      { type: "web_search_call", id: "w", action: { type: "search", query: "words looked for" } },
      { type: "computer_call", call_id: "k", action: { type: "type", text: "words that are typed" } },
      { type: "message", role: "assistant", content: [{ type: "output_text", text: "the model's words" }] },
    ];
    const told = origins("llm_call", { input: "what is new today?", output });
    expect(told.filter((one) => one.startsWith("tool: "))).toEqual(["tool: the letter's words"]);
    expect(told.filter((one) => one.startsWith("arguments: ")).length).toBe(3);
    expect(told).toContain("assistant: the model's words");
  });

  test.each([
    [{ type: "document", source: { type: "text", media_type: "text/plain", data: "the letter's words" } }],
    [{ type: "document", document: { id: "d1", data: "the letter's words" } }],
    [{ type: "refusal", refusal: "the letter's words" }],
    [{ type: "data-grid", data: { cells: [{ of: "the letter's words" }] } }],
    [{ kind: "text", text: "the letter's words" }],
  ])("a part of any kind is read for its words: %j", (part) => {
    expect(origins("llm_call", { messages: [{ role: "user", content: [part] }] })).toEqual([
      "user: the letter's words",
    ]);
  });

  test.each([
    [
      {
        type: "document",
        source: { type: "base64", media_type: "application/pdf", data: "SGVsbG8gd29ybGQh" },
      },
    ],
    [{ type: "redacted_thinking", data: "SGVsbG8gd29ybGQh" }],
    [{ type: "x", signature: "SGVsbG8gd29ybGQh", source_url: "https://x.example/a" }],
  ])("what only a program reads is none: %j", (part) => {
    expect(origins("llm_call", { messages: [{ role: "user", content: [part] }] })).toEqual([]);
  });

  test("pictures hold no words", () => {
    const picture = {
      type: "image_url",
      image_url: { url: `data:image/png;base64,${"iVBORw0K".repeat(50)}` },
    };
    const content = [{ type: "text", text: "what is this?" }, picture];
    expect(origins("llm_call", { request: { messages: [{ role: "user", content }] } })).toEqual([
      "user: what is this?",
    ]);
  });
});

describe("calls of tools", () => {
  test.each([
    [{ toolName: "read", input: { a: 1 }, output: "x" }],
    [{ tool: "read", args: { a: 1 }, result: "x" }],
    [{ name: "read", inputs: { a: 1 }, outputs: { output: "x" } }],
    [{ function: { name: "read", arguments: '{"a":1}' }, output: "x" }],
    [{ ToolName: "read", Arguments: { a: 1 }, Result: "x" }],
    [{ tool_name: "read", tool_input: "{'a': 1}", tool_output: "x" }],
    [{ tool_name: "read", arguments: JSON.stringify('{"a":1}'), result: "x" }],
  ])("%j is one call", (payload) => {
    const event = eventAt(1, "tool_call", { ...plainPayload("tool_call", payload) });
    const plain = eventAt(2, "tool_call", { tool_name: "read", arguments: { a: 1 }, result: "x" });
    expect(toolViewOf(event)).toMatchObject({ ...toolViewOf(plain) });
  });

  test.each([
    [{ tool_name: "t", result: "it broke", is_error: true }, "it broke"],
    [{ tool_name: "t", result: "it broke", success: false }, "it broke"],
    [{ tool_name: "t", output: "it broke", status: "error" }, "it broke"],
    [{ tool_name: "t", result: "it broke", tool_call_error: true }, "it broke"],
    [
      { tool_use: { name: "t" }, result: { toolUseId: "c", status: "error", content: "it broke" } },
      "it broke",
    ],
    [
      { name: "t", attributes: { "x.level": "ERROR", "x.status_message": "-", output: "it broke" } },
      "it broke",
    ],
    [{ tool_name: "t", error: { message: "it broke" } }, "it broke"],
    [{ tool_name: "t", result: { type: "error-text", value: "it broke" } }, "it broke"],
    [
      { tool_name: "t", output: { type: "tool", content: "it broke", tool_call_id: "c", status: "error" } },
      "it broke",
    ],
    [{ tool_name: "t", output: "content='it broke' tool_call_id='c' status='error'" }, "it broke"],
    [{ tool_name: "t", result: { error: "it broke" } }, "it broke"],
  ])("%j failed", (payload, error) => {
    expect(view(payload)).toEqual({ tool: "t", failed: true, error });
  });

  test("what a tool gave back is no failure for the words in it", () => {
    for (const result of [
      { status: "error", rows: 3 },
      { error: "e", rows: 3 },
      "error",
      { type: "error" },
      { error: "" },
    ])
      expect(view({ tool_name: "t", result })).toEqual({ tool: "t", failed: false, error: "" });
  });

  test("of MCP as JSON-RPC", () => {
    const params = { name: "read", arguments: { a: 1 } };
    for (const payload of [
      { jsonrpc: "2.0", id: 1, method: "tools/call", params, result: { content: [], isError: true } },
      {
        request: { jsonrpc: "2.0", method: "tools/call", params },
        response: { jsonrpc: "2.0", result: { isError: true } },
      },
    ])
      expect(view(payload, "mcp_call")).toEqual({ tool: "read", failed: true, error: "error" });
    const refused = {
      jsonrpc: "2.0",
      method: "tools/call",
      params,
      error: { code: -32000, message: "no such tool" },
    };
    expect(view(refused, "mcp_call")).toMatchObject({ failed: true, error: "no such tool" });
    const tools = [{ name: "a", description: "reads a letter", inputSchema: {} }];
    expect(plainPayload("mcp_call", { server_name: "s", tools })).toEqual({
      server: "s",
      method: "tools/list",
      result: { tools },
    });
    expect(plainPayload("mcp_call", { method: "tools/list", result: { tools } })).toEqual({
      method: "tools/list",
      result: { tools },
    });
  });
});

describe("smaller kinds of events", () => {
  test.each([
    [
      "exception",
      { error_type: "E", error_message: "m", stack_trace: "s" },
      { type: "E", message: "m", stack: "s" },
    ],
    [
      "exception",
      {
        "exception.type": "E",
        "exception.message": "m",
        "exception.stacktrace": "s",
        "exception.escaped": true,
      },
      { type: "E", message: "m", stack: "s", handled: false },
    ],
    [
      "exception",
      { error: { type: "E", message: "m", traceback: "s" } },
      { type: "E", message: "m", stack: "s" },
    ],
    ["agent_handoff", { source: "a", target: "b" }, { from_agent: "a", to_agent: "b" }],
    [
      "agent_handoff",
      { span_data: { type: "handoff", from_agent: "a", to_agent: "b" } },
      { from_agent: "a", to_agent: "b" },
    ],
    ["agent_handoff", { author: "a", actions: { transferToAgent: "b" } }, { from_agent: "a", to_agent: "b" }],
    [
      "agent_handoff",
      { from_agent: { name: "a" }, to_agent: { name: "b" } },
      { from_agent: "a", to_agent: "b" },
    ],
    ["memory_operation", { type: "memory_query_completed", results: "x" }, { operation: "read" }],
    ["memory_operation", { event: "ADD", memory: "x" }, { operation: "write" }],
    ["memory_operation", { operation: "retrieve", value: "x" }, { operation: "read" }],
    ["human_intervention", { decision: "rejected", toolName: "pay" }, { action: "reject", tool_name: "pay" }],
    ["validator_result", { name: "g", tripwire_triggered: true }, { validator: "g", passed: false }],
    ["eval_score", { name: "faithful", value: 0.4 }, { metric: "faithful", score: 0.4 }],
    ["injection_alert", { flagged: true, confidence: 0.9 }, { detected: true, score: 0.9 }],
    [
      "dlp_scan_result",
      { findings: [{ infoType: { name: "CREDIT_CARD" } }] },
      { entity_types: ["CREDIT_CARD"] },
    ],
  ] as const)("%s %j", (type, payload, expected) => {
    expect(plainPayload(type, payload)).toMatchObject(expected);
  });
});

const LOST = "words that must not be lost";

describe("what nothing is known of is read all the same", () => {
  test.each([
    [
      "llm_call",
      {
        messages: [
          { type: "human", content: "hello there" },
          { role: "critic", content: LOST },
        ],
      },
    ],
    [
      "llm_call",
      {
        messages: [
          { type: "human", content: "hello there" },
          { type: "odd", content: LOST },
        ],
      },
    ],
    ["llm_call", { inputs: { messages: [{ type: "human", content: "hello there" }], context: LOST } }],
    [
      "llm_call",
      { type: "message", role: "assistant", content: [{ type: "text", text: "yes" }], input: LOST },
    ],
    ["llm_call", { type: "message", role: "assistant", content: [{ type: "text", text: "yes" }], odd: LOST }],
    ["tool_call", { toolName: "t", arguments: { a: 1 }, parameters: { b: LOST }, result: "all is well" }],
    ["tool_call", { toolName: "t", args: { a: LOST }, arguments: { b: 1 }, result: "all is well" }],
    ["tool_call", { toolName: "t", result: "all is well", output: LOST }],
    ["tool_call", { toolName: "t", output: "all is well", result: LOST }],
    ["tool_call", { toolName: "t", output: "all is well", response: { data: LOST } }],
  ] as const)("%s %j", (type, payload) => {
    expect(origins(type, payload).some((text) => text.includes(LOST))).toBe(true);
  });
});

test("what was said first is printed once, however many fields may say it again", () => {
  let printed = 0;
  const first = {
    toJSON() {
      printed++;
      return { a: 1 };
    },
  };
  const others = Object.fromEntries(
    Array.from({ length: 500 }, (_unused, at) => [
      `tool_input${"_".repeat(at % 40)}${".".repeat(at / 40)}`,
      { a: at },
    ]),
  );
  plainPayload("tool_call", { toolName: "t", args: first, ...others });
  expect(printed).toBe(1);
});

test("no payload makes it throw, and what it makes is bounded", () => {
  const nested = (depth: number): unknown =>
    Array.from({ length: depth }).reduce((value) => ({ messages: [{ role: "user", content: value }] }), "x");
  const spread = Object.fromEntries(
    Array.from({ length: 5_000 }, (_unused, at) => [`llm.input_messages.${at}.message.content`, "word"]),
  );
  const values: unknown[] = [
    null,
    0,
    "",
    "[[[[",
    "{'a'",
    [],
    {},
    [null],
    [[[]]],
    [{ type: "response.created", response: 7 }],
    [{ choices: [{ delta: { tool_calls: [[]] } }] }],
    [{ name: "gen_ai.choice", attributes: [{ key: "message", value: { kvlistValue: { values: 7 } } }] }],
    [{ kind: "request", parts: [{ part_kind: "x" }, 7] }],
    { messages: { messages: [7] }, tools: { messages: [{ type: "tool" }] } },
    { role: 7 },
    nested(3_000),
    spread,
  ];
  const keys =
    "input output request response messages data attributes tool arguments params error type role content text events tools anything".split(
      " ",
    );
  for (const type of ["llm_call", "tool_call", "mcp_call", "exception", "memory_operation"] as const)
    for (const key of keys)
      for (const value of values) expect(() => plainPayload(type, { [key]: value })).not.toThrow();
  expect(
    plainPayload("tool_call", JSON.parse('{"tool":"t","args":{"__proto__":{"x":1}}}')).x,
  ).toBeUndefined();
});
