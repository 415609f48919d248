import { describe, expect, test } from "bun:test";
import { eventAt } from "../../../test/support/detector-harness.ts";
import { fragmentsOf } from "../event-views/fields.ts";
import { plainPayload } from "./plain-payload.ts";

const origins = (type: "llm_call", payload: Record<string, unknown>) =>
  fragmentsOf(eventAt(1, type, { ...plainPayload(type, payload) })).map(
    ({ origin, text }) => `${origin}: ${text.trim()}`,
  );

describe("a chat under names that nothing is known of", () => {
  const asked = { role: "user", content: "the person's words" };
  const said = { role: "assistant", content: "the model's words" };
  const chat = ["assistant: the model's words", "system: the operator's words", "user: the person's words"];

  test.each([
    { agent: { system_prompt: "the operator's words", messages: [asked] }, stop_response: { message: said } },
    {
      system: "the operator's words",
      messages: [asked],
      status: { message: { role: "agent", parts: [{ text: "the model's words" }] } },
    },
    { state: { deep: { system: "the operator's words", messages: [asked] } }, lastReply: { message: said } },
    {
      input: { inputBodyJson: { system: "the operator's words", messages: [asked] } },
      output: { message: said },
    },
    {
      resourceSpans: [
        {
          scopeSpans: [
            {
              spans: [
                {
                  attributes: [
                    { key: "gen_ai.system_instructions", value: { stringValue: "the operator's words" } },
                    {
                      key: "gen_ai.input.messages",
                      value: {
                        arrayValue: {
                          values: [
                            {
                              kvlistValue: {
                                values: [
                                  { key: "role", value: { stringValue: "user" } },
                                  { key: "content", value: { stringValue: "the person's words" } },
                                ],
                              },
                            },
                          ],
                        },
                      },
                    },
                    { key: "gen_ai.output.messages", value: { stringValue: JSON.stringify([said]) } },
                  ],
                },
              ],
            },
          ],
        },
      ],
    },
  ])("is found in its wrapper: %j", (payload) => {
    expect(origins("llm_call", payload).toSorted()).toEqual(chat);
  });

  test.each([
    [{ type: "tool_return_message", message_type: "tool_return_message", tool_return: "the letter's words" }],
    [{ name: "gen_ai.tool.message", attributes: { id: "c", content: "the letter's words" } }],
    [
      {
        type: "tool_call_output_item",
        raw_item: { type: "function_call_output", output: "the letter's words" },
      },
    ],
    [
      {
        kind: "request",
        parts: [{ part_kind: "tool-return", tool_name: "t", content: "the letter's words" }],
      },
    ],
    [{ role: "tool-response", content: [{ type: "text", text: "the letter's words" }] }],
    [{ role: "tool", content: [{ tool_call_result: { result: "the letter's words", error: false } }] }],
    [{ role: "tool", items: [{ content_type: "function_result", result: "the letter's words" }] }],
  ])("what a tool gave back stays a tool's: %j", (message) => {
    expect(origins("llm_call", { messages: [asked, message, said] })).toContain("tool: the letter's words");
  });

  test("where the call's chat is known, another one is what the call is about", () => {
    const ticket = { messages: [{ role: "user", content: "words of a stranger" }] };
    for (const beside of [{ ticket }, { metadata: { ticket } }, { attributes: { of: { ticket } } }])
      expect(origins("llm_call", { messages: [asked], ...beside, model: "m" }).toSorted()).toEqual([
        expect.stringMatching(/^other: .*words of a stranger/s),
        "user: the person's words",
      ]);
  });

  test("calls beside a message under any of their names are the model's", () => {
    const call = { id: "c", type: "function", function: { name: "read", arguments: "{}" } };
    const { output } = plainPayload("llm_call", {
      messages: [asked, { role: "assistant", toolCalls: [call] }],
    });
    expect(output).toMatchObject([{ tool_calls: [{ id: "c", function: { name: "read" } }] }]);
  });

  test("a message that came back under any name of an answer is the model's", () => {
    expect(origins("llm_call", { messages: [asked], result: said }).toSorted()).toEqual([
      "assistant: the model's words",
      "user: the person's words",
    ]);
  });

  test("instructions that are a chat are the operator's only as far as it says so", () => {
    const instructions = [{ messageType: "SYSTEM", text: "the operator's words" }, asked];
    expect(
      origins("llm_call", { prompt: { instructions }, response: { results: [{ output: said }] } }).toSorted(),
    ).toEqual(chat);
  });

  test("a transcript in which a person speaks is the chat where there is no other", () => {
    const transcript = [asked, { role: "agent", message: "the model's words" }];
    expect(origins("llm_call", { transcript, model: "m" }).toSorted()).toEqual([
      "assistant: the model's words",
      "user: the person's words",
    ]);
    expect(origins("llm_call", { transcript, model: "m", input: "what is it about?" })).toContainEqual(
      expect.stringMatching(/^other: .*the model's words/s),
    );
  });

  test("JSON under a name that only says on which side it stands", () => {
    const payload = {
      "x:input": JSON.stringify({ system: "the operator's words", messages: [asked] }),
      "x:output": JSON.stringify({ message: said }),
    };
    expect(origins("llm_call", payload).toSorted()).toEqual(chat);
  });

  test("a call may be a turn of its own", () => {
    const call = { role: "tool_call_invocation", tool_call_id: "c", name: "read", arguments: "{}" };
    const given = { role: "tool_call_result", tool_call_id: "c", content: "the letter's words" };
    const { input } = plainPayload("llm_call", { messages: [asked, call, given, said] });
    expect(input).toMatchObject([
      {},
      { role: "assistant", content: [{ type: "tool_use", id: "c", name: "read" }] },
      { role: "tool", content: [{ type: "tool_result", tool_use_id: "c" }] },
    ]);
  });

  test("names of kinds that are near a speaker's are nobody's", () => {
    const data = { type: "api", data: "words of a stranger" };
    expect(origins("llm_call", { model: "m", calls: { last: data } })[0]).toStartWith("other: ");
    expect(
      plainPayload("llm_call", { messages: [{ role: "apiMessage", content: "hello there" }] }).output,
    ).toBe("hello there");
  });

  test.each([
    [
      [
        {
          parts: [{ content: "the letter's words", tool_name: "t", part_kind: "tool-return" }],
          kind: "request",
        },
      ],
    ],
    [[{ id: "m1", message_type: "tool_return_message", tool_return: "the letter's words" }]],
  ])("also where it comes as JSON: %j", (messages) => {
    expect(origins("llm_call", { input: JSON.stringify(messages) })).toEqual(["tool: the letter's words"]);
  });

  test("a node of a graph called tools holds what its tools gave back", () => {
    const update = {
      tools: { messages: [{ type: "tool", content: "the letter's words", tool_call_id: "c" }] },
    };
    expect(origins("llm_call", update)).toEqual(["tool: the letter's words"]);
  });

  test("a bare list of what looks like messages is anybody's data", () => {
    const rows = [{ role: "system", content: "words of a stranger" }];
    expect(origins("llm_call", { rows, model: "m" })[0]).toStartWith("other: ");
  });

  test("of a chat between models the last to speak is the one that answered", () => {
    const planned = { role: "assistant", content: "the plan of the first" };
    const { input, output } = plainPayload("llm_call", { run: { messages: [asked, planned, said] } });
    expect(input).toEqual([asked, planned]);
    expect(output).toBe("the model's words");
  });

  test("words of the chat under another name are not somebody else's", () => {
    const payload = { messages: [asked, said], content: "the model's words", note: "words of a client" };
    expect(origins("llm_call", payload).toSorted()).toEqual([
      "assistant: the model's words",
      "other: words of a client",
      "user: the person's words",
    ]);
  });

  test("counts of tokens may be printed", () => {
    const usage = JSON.stringify({ input_tokens: 7, output_tokens: 5 });
    const payload = { "mlflow.chat.tokenUsage": usage, messages: [asked, said] };
    expect(plainPayload("llm_call", payload)).toMatchObject({ tokens_in: 7, tokens_out: 5 });
  });

  test("calls that a provider answers itself are one round", () => {
    const call = (id: string) => ({
      type: "mcp_call",
      id,
      name: "read",
      arguments: "{}",
      output: `letter ${id}`,
    });
    const { input } = plainPayload("llm_call", { response: { output: [call("a"), call("b"), said] } });
    expect(input).toMatchObject([
      { role: "assistant", content: [{ id: "a" }, { id: "b" }] },
      { role: "tool", content: [{ content: "letter a" }, { content: "letter b" }] },
    ]);
  });
});
