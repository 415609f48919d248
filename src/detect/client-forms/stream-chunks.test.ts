import { describe, expect, test } from "bun:test";
import { assembled, isStream } from "./stream-chunks.ts";

const use = { type: "tool_use", id: "c1", name: "read", input: { number: 7 } };

describe("the chunks of an answer's stream", () => {
  test("of Anthropic", () => {
    const chunks = [
      { type: "message_start", message: { role: "assistant", usage: { input_tokens: 9, output_tokens: 1 } } },
      { type: "content_block_start", index: 0, content_block: { type: "text", text: "All " } },
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "is " } },
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "well." } },
      {
        type: "content_block_start",
        index: 1,
        content_block: { type: "tool_use", id: "c1", name: "read", input: {} },
      },
      {
        type: "content_block_delta",
        index: 1,
        delta: { type: "input_json_delta", partial_json: '{"number"' },
      },
      { type: "content_block_delta", index: 1, delta: { type: "input_json_delta", partial_json: ":7}" } },
      { type: "message_delta", delta: { stop_reason: "tool_use" }, usage: { output_tokens: 5 } },
    ];
    const content = [{ type: "text", text: "All is well." }, use];
    expect(assembled(chunks)).toEqual({
      messages: [{ role: "assistant", content }],
      usage: [{ usage: { input_tokens: 9, output_tokens: 1 } }, { usage: { output_tokens: 5 } }],
    });
  });

  test("of OpenAI's chat", () => {
    const chunk = (delta: unknown) => ({ choices: [{ index: 0, delta }] });
    const call = (fields: unknown, id?: string) =>
      chunk({ tool_calls: [{ index: 0, id, function: fields }] });
    const chunks = [
      chunk({ role: "assistant", content: "All " }),
      chunk({ content: "is well." }),
      call({ name: "read", arguments: '{"num' }, "c1"),
      call({ arguments: 'ber":7}' }),
      { choices: [], usage: { prompt_tokens: 9 } },
    ];
    const content = [{ type: "text", text: "All is well." }, use];
    expect(assembled(chunks)).toEqual({
      messages: [{ role: "assistant", content }],
      usage: [{ usage: { prompt_tokens: 9 } }],
    });
  });

  test("of Bedrock", () => {
    const chunks = [
      { messageStart: { role: "assistant" } },
      { contentBlockDelta: { contentBlockIndex: 0, delta: { text: "All is well." } } },
      { contentBlockStart: { contentBlockIndex: 1, start: { toolUse: { toolUseId: "c1", name: "read" } } } },
      { contentBlockDelta: { contentBlockIndex: 1, delta: { toolUse: { input: '{"number":7}' } } } },
      { metadata: { usage: { inputTokens: 9 } } },
    ];
    const content = [{ type: "text", text: "All is well." }, use];
    expect(assembled(chunks)).toEqual({
      messages: [{ role: "assistant", content }],
      usage: [{ usage: { inputTokens: 9 } }],
    });
  });

  test("of Gemini, whose chunks are whole responses", () => {
    const chunk = (...parts: unknown[]) => ({ candidates: [{ content: { role: "model", parts } }] });
    const call = { functionCall: { id: "c1", name: "read", args: { number: 7 } } };
    const chunks = [
      chunk({ text: "Let me see.", thought: true }, { text: "All is " }),
      chunk({ text: "well." }, call),
      { usageMetadata: { promptTokenCount: 9 } },
    ];
    const content = [{ type: "text", text: "All is well." }, use];
    expect(assembled(chunks)).toEqual({
      messages: [{ role: "assistant", content }],
      usage: [{ usage: { promptTokenCount: 9 } }],
    });
    expect(assembled(chunks.slice(0, 1))).toBeNull();
  });

  test("of OpenAI's Responses: the last answer, what was done, or the words so far", () => {
    const item = {
      type: "message",
      role: "assistant",
      content: [{ type: "output_text", text: "All is well." }],
    };
    const begun = [
      { type: "response.created", response: { output: [] } },
      { type: "response.output_text.delta", output_index: 0, delta: "All is " },
      { type: "response.output_text.delta", output_index: 0, delta: "well." },
    ];
    const done = { type: "response.output_item.done", item };
    const completed = {
      type: "response.completed",
      response: { output: [item], usage: { input_tokens: 9 } },
    };
    const words = { role: "assistant", content: [{ type: "text", text: "All is well." }] };
    expect(assembled(begun)).toEqual({ messages: [words], usage: [] });
    expect(assembled([...begun, done])).toEqual({ messages: [item], usage: [] });
    expect(assembled([...begun, done, completed])).toEqual({
      messages: [item],
      usage: [{ usage: { input_tokens: 9 } }],
    });
  });

  test("arguments that break off stay as they are printed", () => {
    const chunks = [
      { type: "content_block_start", index: 0, content_block: { type: "tool_use", id: "c1", name: "read" } },
      { type: "content_block_delta", index: 0, delta: { partial_json: '{"number":' } },
    ];
    expect(assembled(chunks)?.messages).toEqual([
      { role: "assistant", content: [{ ...use, input: '{"number":' }] },
    ]);
  });

  test.each([
    [[]],
    [[{ role: "user", content: "hello" }]],
    [[{ type: "function_call", name: "read", arguments: "{}" }]],
    [[{ index: 0, message: { role: "assistant", content: "x" } }]],
    [[{ choices: [{ index: 0, message: { role: "assistant", content: "x" } }] }]],
    [["response.created", 7, null]],
  ])("%j is none", (list: unknown[]) => {
    expect(isStream(list)).toBe(false);
    expect(assembled(list)).toBeNull();
  });

  test("chunks of any kind are put up with, and parts are bounded", () => {
    const odd = [
      null,
      7,
      "x",
      [],
      {},
      { choices: [[]] },
      { contentBlockDelta: 1 },
      { type: "message_start" },
    ];
    const many = Array.from({ length: 1_000 }, (_unused, index) => ({
      type: "content_block_delta",
      index,
      delta: { text: "word" },
    }));
    const found = assembled([{ type: "message_start" }, ...odd, ...many]);
    expect(found?.messages[0]?.content).toHaveLength(200);
  });
});
