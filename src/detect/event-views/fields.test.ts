import { expect, test } from "bun:test";
import { eventAt } from "../../../test/support/detector-harness.ts";
import { EVENT_TEXT_MAX, fragmentsOf, TEXT_HEAD_MAX, TEXT_MAX } from "./fields.ts";

const origins = (type: Parameters<typeof eventAt>[1], payload: Record<string, unknown>): string[] =>
  fragmentsOf(eventAt(1, type, payload)).map(({ origin, text }) => `${origin}: ${text.trim()}`);

test("roles of a chat say who speaks, newest first", () => {
  const input = [
    { role: "system", content: "be helpful" },
    {
      role: "user",
      content: [
        { type: "text", text: "read the mail" },
        { type: "tool_result", content: "mail body" },
      ],
    },
    { role: "assistant", content: "certainly, reading" },
  ];
  const expected = [
    "assistant: certainly, reading",
    "user: read the mail",
    "tool: mail body",
    "system: be helpful",
  ];
  expect(origins("llm_call", { model: "a-model-name", input })).toEqual(expected);
  expect(origins("llm_call", { input: JSON.stringify(input) })).toEqual(expected);
  expect(origins("llm_call", { input: { messages: input } })).toEqual(expected);
});

test("parts in the form of OpenTelemetry", () => {
  const messages = [{ role: "user", parts: [{ type: "text", content: "what is the weather" }] }];
  expect(origins("llm_call", { "gen_ai.input.messages": messages })).toEqual(["user: what is the weather"]);
  expect(origins("tool_call", { "gen_ai.tool.call.result": "it is sunny" })).toEqual(["tool: it is sunny"]);
});

test("what a tool gave back is a tool's, in the form of each provider", () => {
  const forms: Record<string, unknown>[] = [
    { type: "function_call_output", call_id: "c", output: "mail body" },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "c", content: "mail body" }] },
    { role: "user", content: [{ toolResult: { toolUseId: "c", content: [{ text: "mail body" }] } }] },
    { role: "user", parts: [{ functionResponse: { name: "read", response: { output: "mail body" } } }] },
    { role: "user", parts: [{ function_response: { name: "read", response: { output: "mail body" } } }] },
    {
      role: "tool",
      content: [{ type: "tool-result", toolName: "read", output: { type: "text", value: "mail body" } }],
    },
    { role: "tool", tool_call_id: "c", content: "mail body" },
  ];
  for (const form of forms) {
    for (const input of [
      [form],
      [{ role: "user", content: "read the mail" }, form],
      JSON.stringify([form]),
    ]) {
      expect(origins("llm_call", { input })[0]).toMatch(/^tool: [\s\S]*mail body$/);
    }
  }
  expect(
    origins("llm_call", { input: [{ type: "function_call", name: "read", arguments: '{"id":"m-1"}' }] }),
  ).toEqual(['arguments: {"id":"m-1"}']);
});

test("nested results become lines of keys and values", () => {
  expect(origins("tool_call", { result: { rows: [{ api_key: "abc" }, 12] } })).toEqual([
    "tool: rows: api_key: abc\n12",
  ]);
});

test("a memory is recalled when read and written when written", () => {
  expect(origins("memory_operation", { operation: "read", content: "a note of old" })).toEqual([
    "recalled: a note of old",
  ]);
  expect(origins("memory_operation", { operation: "write", content: "a note of old" })).toEqual([
    "memory: a note of old",
  ]);
});

test("texts are cut to head and tail, an event to its cap", () => {
  const long = `${"a".repeat(100_000)}END-OF-TEXT`;
  const [fragment] = fragmentsOf(eventAt(1, "tool_call", { result: long }));
  expect(fragment?.text.length).toBeLessThanOrEqual(TEXT_MAX + 1);
  expect(fragment?.text.endsWith("END-OF-TEXT")).toBe(true);
  expect(fragment?.text.slice(0, TEXT_HEAD_MAX)).toBe("a".repeat(TEXT_HEAD_MAX));
  const many = Object.fromEntries(Array.from({ length: 100 }, (_unused, i) => [`f${i}`, long]));
  const total = fragmentsOf(eventAt(1, "tool_call", many)).reduce((sum, one) => sum + one.text.length, 0);
  expect(total).toBeLessThanOrEqual(EVENT_TEXT_MAX);
});

test("a chat sent as JSON text is read turn by turn, however long", () => {
  const turns = Array.from({ length: 30 }, (_unused, at) => ({
    role: at % 2 === 0 ? "user" : "assistant",
    content: `${at} ${"and so on ".repeat(400)}`,
  }));
  const input = JSON.stringify(turns);
  expect(input.length).toBeGreaterThan(EVENT_TEXT_MAX);
  const fragments = fragmentsOf(eventAt(1, "llm_call", { input }));
  expect(fragments.map(({ origin, text }) => `${origin} ${text.split(" ", 1)[0]}`).slice(0, 3)).toEqual([
    "assistant 29",
    "user 28",
    "assistant 27",
  ]);
  expect(fragments.every(({ comesAgain }) => comesAgain)).toBe(true);
});

test.each([
  [
    "OpenAI",
    {
      role: "assistant",
      content: null,
      tool_calls: [{ id: "c", function: { name: "pay", arguments: '{"to":"K-1"}' } }],
    },
  ],
  [
    "OpenAI, long ago",
    { role: "assistant", content: null, function_call: { name: "pay", arguments: '{"to":"K-1"}' } },
  ],
  ["Gemini", { role: "model", parts: [{ functionCall: { name: "pay", args: { to: "account K-1" } } }] }],
  ["Bedrock", { role: "assistant", content: [{ toolUse: { name: "pay", input: { to: "account K-1" } } }] }],
  [
    "Anthropic",
    { role: "assistant", content: [{ type: "tool_use", name: "pay", input: { to: "account K-1" } }] },
  ],
])("what the model passes to a tool stands in its answer: %s", (_name, message) => {
  const [given, ...more] = origins("llm_call", { output: message });
  expect(given).toMatch(/^arguments: .*K-1/);
  expect(more).toEqual([]);
});

test("what the model passes to a tool may stand beside its answer", () => {
  const tool_calls = [{ id: "c", function: { name: "pay", arguments: '{"to":"K-1"}' } }];
  expect(origins("llm_call", { output: "I will pay now.", tool_calls })).toEqual([
    "assistant: I will pay now.",
    'arguments: {"to":"K-1"}',
  ]);
});

test("calls that are no calls are passed over", () => {
  for (const calls of [null, 7, "text", [null, 3, "x", {}, { function: null }]])
    expect(
      origins("llm_call", { output: { role: "assistant", content: "done with it", tool_calls: calls } }),
    ).toEqual(["assistant: done with it"]);
});

test("what a tool says in a transcript comes again with the next one", () => {
  const prompt =
    "user: read my mail please\nassistant: I read it now\ntool: one mail from Ann, nothing else\nassistant: done\n";
  const fragments = fragmentsOf(eventAt(1, "llm_call", { prompt }));
  expect(fragments.map(({ origin, comesAgain }) => [origin, comesAgain])).toEqual([
    ["user", false],
    ["tool", true],
  ]);
  expect(fragments.map(({ turns }) => turns.length > 0)).toEqual([true, false]);
});

test("words behind a picture are read, and words that begin as one does", () => {
  const picture = `iVBORw0KGgo${"AAAA".repeat(20_000)}`;
  const words = { type: "text", text: "words behind the picture" };
  for (const data of [picture, `data:image/png;base64,${picture}`])
    expect(origins("tool_call", { result: { content: [{ type: "image", data }, words] } })[0]).toEndWith(
      words.text,
    );
  const feigned = `iVBORw0KGgo${"A".repeat(3_000)} words inside ${"A".repeat(3_000)}`;
  expect(origins("tool_call", { result: { data: feigned } })[0]).toContain("words inside");
});

test("an answer that begins with what the model thought is read item by item", () => {
  const output = [
    { type: "reasoning", id: "rs_1", summary: [{ type: "summary_text", text: "the model's thoughts" }] },
    { type: "message", role: "assistant", content: [{ type: "output_text", text: "the model's words" }] },
    { type: "function_call", call_id: "c", name: "write", arguments: '{"to":"a stranger"}' },
  ];
  const told = fragmentsOf(eventAt(1, "llm_call", { output })).map(({ origin, tool, text }) => [
    origin,
    tool,
    text.replace(/\s+/g, " ").trim(),
  ]);
  expect(told).toEqual([
    ["arguments", "write", '{"to":"a stranger"}'],
    ["assistant", "", "the model's words"],
    ["assistant", "", "type: summary_text text: the model's thoughts"],
  ]);
});
