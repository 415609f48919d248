import { describe, expect, test } from "bun:test";
import { eventAt } from "../../../test/support/detector-harness.ts";
import { chatTurnOf, placeOf, someToolNamed } from "./chat-turn.ts";
import { modelToolCalls } from "./model-tool-calls.ts";

const ask = { role: "user", content: "What is the weather in Ulm?" };
const args = { town: "Ulm" };
const text = JSON.stringify(args);
const FAILED = "TimeoutError: no answer";

/**
 * A call and its failed result, or null where the provider has no mark of failure, as each provider writes
 * them.
 */
const SHAPES: Record<string, { called: unknown[]; result: unknown[]; fails: boolean; id?: string }> = {
  "OpenAI's chat": {
    called: [
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "call-1", type: "function", function: { name: "weather", arguments: text } }],
      },
    ],
    result: [{ role: "tool", tool_call_id: "call-1", content: FAILED }],
    fails: false,
  },
  "OpenAI's Responses": {
    called: [
      { type: "reasoning", id: "rs-1", summary: [] },
      { type: "function_call", id: "fc-1", call_id: "call-1", name: "weather", arguments: text },
    ],
    result: [{ type: "function_call_output", call_id: "call-1", output: FAILED }],
    fails: false,
  },
  "OpenAI's functions": {
    called: [{ role: "assistant", function_call: { name: "weather", arguments: text } }],
    result: [{ role: "function", name: "weather", content: FAILED }],
    fails: false,
    id: "",
  },
  Anthropic: {
    called: [
      {
        role: "assistant",
        content: [
          { type: "text", text: "Let me look." },
          { type: "tool_use", id: "call-1", name: "weather", input: args },
        ],
      },
    ],
    result: [
      {
        role: "user",
        content: [
          {
            type: "tool_result",
            tool_use_id: "call-1",
            is_error: true,
            content: [{ type: "text", text: FAILED }],
          },
        ],
      },
    ],
    fails: true,
  },
  Gemini: {
    called: [{ role: "model", parts: [{ functionCall: { name: "weather", args } }] }],
    result: [
      { role: "user", parts: [{ functionResponse: { name: "weather", response: { error: FAILED } } }] },
    ],
    fails: true,
    id: "",
  },
  Bedrock: {
    called: [
      { role: "assistant", content: [{ toolUse: { toolUseId: "call-1", name: "weather", input: args } }] },
    ],
    result: [
      {
        role: "user",
        content: [{ toolResult: { toolUseId: "call-1", status: "error", content: [{ text: FAILED }] } }],
      },
    ],
    fails: true,
  },
  "the AI SDK": {
    called: [
      {
        role: "assistant",
        content: [{ type: "tool-call", toolCallId: "call-1", toolName: "weather", input: args }],
      },
    ],
    result: [
      {
        role: "tool",
        content: [
          {
            type: "tool-result",
            toolCallId: "call-1",
            toolName: "weather",
            output: { type: "error-text", value: FAILED },
          },
        ],
      },
    ],
    fails: true,
  },
  OpenTelemetry: {
    called: [
      {
        role: "assistant",
        parts: [{ type: "tool_call", id: "call-1", name: "weather", arguments: args }],
      },
    ],
    result: [
      { role: "tool", parts: [{ type: "tool_call_response", id: "call-1", response: { isError: true } }] },
    ],
    fails: true,
  },
};

const cases = Object.entries(SHAPES);

describe("what a model call adds to the calls of tools", () => {
  test.each(cases)("%s: what the answer asks for", (_name, { called, id = "call-1" }) => {
    for (const output of [called, JSON.stringify(called)]) {
      const { asked, results } = chatTurnOf(eventAt(1, "llm_call", { input: [ask], output }));
      expect(results).toEqual([]);
      expect(asked.map((call) => [call.name, call.id])).toEqual([["weather", id]]);
    }
  });

  test.each(cases)("%s: the results and their calls", (_name, { called, result, fails, id = "call-1" }) => {
    const whole = [ask, ...called, ...result];
    for (const payload of [
      { input: whole },
      { prompt: JSON.stringify(whole) },
      { messages: whole },
      { "gen_ai.input.messages": whole },
      { input: { contents: whole } },
    ]) {
      const { asked, before, results } = chatTurnOf(eventAt(1, "llm_call", payload));
      expect(asked).toEqual([]);
      expect(before.map((call) => [call.name, call.id])).toEqual([["weather", id]]);
      expect(results.map((one) => [one.tool, one.id, one.errorText !== ""])).toEqual([
        ["weather", id, fails],
      ]);
    }
    const fresh = chatTurnOf(eventAt(1, "llm_call", { input: result }));
    expect([fresh.before.length, fresh.results.length]).toEqual([0, 1]);
  });

  test.each(cases)("%s: only the end of the input counts", (_name, { called, result }) => {
    const answered = [ask, ...called, ...result, { role: "assistant", content: "It rains." }];
    for (const input of [answered, [...answered, ask], [...answered, ask, ...called]]) {
      expect(chatTurnOf(eventAt(1, "llm_call", { input })).results).toEqual([]);
    }
    const reminded = [ask, ...called, ...result, { role: "user", content: "Be brief." }];
    expect(chatTurnOf(eventAt(1, "llm_call", { input: reminded })).results).toHaveLength(1);
  });

  test.each(cases)("%s: tools are named anywhere in the chat", (_name, { called, result }) => {
    const input = [ask, ...called, ...result, { role: "assistant", content: "It rains." }, ask];
    const event = eventAt(1, "llm_call", { input });
    expect(someToolNamed(event, (name) => name === "weather")).toBe(true);
    expect(someToolNamed(event, (name) => name === "town")).toBe(false);
  });

  test("several results belong to the calls of their ids, or to those at their places", () => {
    const called = (ids: readonly string[]) => ({
      role: "assistant",
      tool_calls: ids.map((id, at) => ({ id, function: { name: `f${at}`, arguments: "{}" } })),
    });
    const result = (id: string) => ({ role: "tool", tool_call_id: id, content: "ok" });
    const toolsOf = (input: unknown[]) =>
      chatTurnOf(eventAt(1, "llm_call", { input })).results.map(({ tool }) => tool);
    expect(toolsOf([called(["a", "b"]), result("b"), result("a")])).toEqual(["f1", "f0"]);
    expect(toolsOf([called(["", ""]), result(""), result("")])).toEqual(["f0", "f1"]);
  });

  test("a long chat in JSON is read from its end, with the same outcome", () => {
    const nested = { list: [{ role: "admin" }, { role: "user" }], text: '[{"role":"tool"},{"role":"user"}]' };
    for (const [, { called, result }] of cases) {
      for (const past of [ask, { role: "user", content: [nested] }, { content: "x", role: "user" }]) {
        for (const parallel of [1, 12]) {
          const results = Array.from({ length: parallel }, () => result).flat();
          const input = [...Array(20).fill(past), ...called, ...results];
          const turn = chatTurnOf(eventAt(1, "llm_call", { input }));
          expect(turn.results.length).toBe(parallel);
          for (const text of [JSON.stringify(input), JSON.stringify(input, null, 1)]) {
            expect(chatTurnOf(eventAt(1, "llm_call", { input: text }))).toEqual(turn);
          }
          const wrapped = JSON.stringify({ messages: input });
          expect(chatTurnOf(eventAt(1, "llm_call", { input: wrapped }))).toEqual(turn);
        }
      }
    }
    const argued = {
      role: "assistant",
      tool_calls: [{ id: "a", function: { name: "f", arguments: nested } }],
    };
    const input = [...Array(9).fill(ask), argued, { role: "tool", tool_call_id: "a", content: nested }];
    const text = JSON.stringify(input);
    expect(chatTurnOf(eventAt(1, "llm_call", { input: text })).before).toHaveLength(1);
  });

  test("two answers to one input have one place, another input has another", () => {
    const at = (sequence: number, input: unknown) => placeOf(eventAt(sequence, "llm_call", { input }));
    expect(at(1, [ask])).toBe(at(2, [{ ...ask }]));
    expect(at(1, [ask])).not.toBe(at(2, [ask, ask]));
    expect(at(1, "What?")).toBe(at(2, "What?"));
    expect(at(1, undefined)).not.toBe(at(2, undefined));
  });

  test("plain texts, broken JSON and chats too long to read add nothing", () => {
    const long = JSON.stringify([ask, { role: "tool", tool_call_id: "a", content: "x".repeat(1 << 20) }]);
    for (const input of ["hello", '[{"role":"tool","tool_call_id"', long, null, 7, [], {}, [null, 3]]) {
      const { asked, results } = chatTurnOf(eventAt(1, "llm_call", { input, output: "fine" }));
      expect([asked, results]).toEqual([[], []]);
    }
    const called = SHAPES.Anthropic!.called;
    expect(chatTurnOf(eventAt(1, "llm_call", { input: long, output: called })).asked).toEqual([]);
  });
});

test("of a long list no more is looked at than calls are looked for in", () => {
  let looked = 0;
  const output = Array.from({ length: 20_000 }, () => ({
    get type() {
      looked++;
      return "text";
    },
  }));
  expect(modelToolCalls(eventAt(1, "llm_call", { output }))).toEqual([]);
  expect(looked).toBeLessThan(1_000);
});
