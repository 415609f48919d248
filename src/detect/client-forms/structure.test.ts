import { describe, expect, test } from "bun:test";
import { eventAt } from "../../../test/support/detector-harness.ts";
import { fragmentsOf } from "../event-views/fields.ts";
import { plainPayload } from "./plain-payload.ts";

/** What no table of names tells is read by what stands side by side. */
const read = (payload: Record<string, unknown>) => plainPayload("llm_call", payload);
const origins = (payload: Record<string, unknown>) =>
  fragmentsOf(eventAt(1, "llm_call", { ...read(payload) }))
    .map(({ origin, text, tool }) => `${origin}${tool === "" ? "" : ` of ${tool}`}: ${text.trim()}`)
    .toSorted();

const asked = { role: "user", content: "the person's words" };
const said = { role: "assistant", content: "the model's words" };
const RUN = [
  "arguments of read: title: what is asked of it",
  "assistant: the model's words",
  "tool: the letter's words",
  "user: the person's words",
];

describe("a call and its result", () => {
  const given = { title: "what is asked of it" };
  const letter = "the letter's words";

  test.each([
    [
      "in wrappers that say how they ended",
      [
        {
          type: "toolRequest",
          id: "c",
          toolCall: { status: "success", value: { name: "read", arguments: given } },
        },
      ],
      [{ type: "toolResponse", id: "c", toolResult: { status: "success", value: letter } }],
    ],
    [
      "in the field that is called by the kind",
      [{ type: "tool_use", tool_use: { tool_use_id: "c", name: "read", input: given } }],
      [{ type: "tool_result", tool_result: { tool_use_id: "c", name: "read", content: letter } }],
    ],
    [
      "in data of which nothing else is said",
      [{ kind: "data", data: { id: "c", name: "read", args: given } }],
      [{ kind: "data", data: { id: "c", name: "read", response: letter } }],
    ],
    [
      "with the function beside its kind",
      [{ type: "function", id: "c", function: { name: "read", arguments: given } }],
      [{ type: "function_result", call_id: "c", output: letter }],
    ],
  ])("%s", (_name, call, result) => {
    const messages = [asked, { role: "assistant", content: call }, { role: "user", content: result }];
    expect(origins({ messages, response: said })).toEqual(RUN);
  });

  test.each([
    [
      { role: "TOOL_CALL", toolName: "read", invocationId: "c", text: JSON.stringify(given) },
      { role: "TOOL_RESULT", toolName: "read", invocationId: "c", text: letter },
    ],
    [
      { from: "function_call", value: JSON.stringify({ name: "read", arguments: given }) },
      { from: "observation", value: letter },
    ],
    [
      { sessionUpdate: "tool_call", toolCallId: "c", title: "read", rawInput: given },
      { sessionUpdate: "tool_call_update", toolCallId: "c", rawOutput: letter },
    ],
    [
      { type: "function.call", tool_call_id: "c", name: "read", arguments: JSON.stringify(given) },
      { type: "function.result", tool_call_id: "c", result: letter },
    ],
    [
      { role: "tool_calls", toolCalls: [{ id: "c", function: { name: "read", arguments: given } }] },
      { role: "tool_call_result", toolCallId: "c", name: "read", result: letter },
    ],
    [
      { role: "assistant", content: "", toolCalls: [{ id: "c", name: "read", args: given, result: letter }] },
      { role: "info", content: "" },
    ],
  ])("as turns of their own: %j", (call, result) => {
    expect(origins({ messages: [asked, call, result], response: said })).toEqual(RUN);
  });

  test.each([
    [[[{ tool: "read", tool_input: given }, letter]]],
    [[{ action: { tool: "read", toolInput: given }, observation: letter }]],
    [[{ tool: "read", toolInput: given, toolOutput: letter }]],
    [[{ step_details: { tool_calls: [{ function: { name: "read", arguments: given, output: letter } }] } }]],
  ])("as steps beside the chat: %j", (steps) => {
    for (const payload of [
      { question: "the person's words", text: "the model's words", taken: steps },
      { messages: [asked, said], taken: { data: steps } },
      {
        inputs: { input: "the person's words", intermediate_steps: steps },
        outputs: { output: "the model's words" },
      },
    ])
      expect(origins(payload)).toEqual(RUN);
  });

  test("what came back is the tool's in parts too, however the turn is called", () => {
    const content = [{ type: "content", content: { type: "text", text: letter } }];
    const turn = { sessionUpdate: "tool_call_update", toolCallId: "c", status: "completed", content };
    const found = origins({ messages: [asked, turn], response: said });
    expect(found.find((one) => one.includes(letter))).toStartWith("tool: ");
  });

  test("records that are no calls are no steps", () => {
    const rows = [{ name: "first", input: "words of a client", output: "more of its words" }];
    const payload = { prompt: "the person's words", completion: "the model's words", examples: rows };
    expect(read(payload)).toBe(payload);
  });
});

describe("a chat under a name that nothing is known of", () => {
  test("is the call's where it says what was asked, and more", () => {
    const prompts = [
      { role: "system", text: "the operator's words" },
      { role: "user", text: "the person's words" },
    ];
    expect(
      origins({
        inputs: { "#query#": "the person's words" },
        process_data: { prompts },
        outputs: { text: "the model's words" },
      }),
    ).toEqual(["assistant: the model's words", "system: the operator's words", "user: the person's words"]);
  });

  test("is something that the call is about where it says other things", () => {
    const ticket = {
      messages: [
        { role: "system", text: "words in a ticket" },
        { role: "user", text: "more words" },
      ],
    };
    const found = origins({
      inputs: { query: "the person's words" },
      ticket,
      outputs: { text: "the model's words" },
    });
    expect(found.filter((one) => one.includes("words in a ticket"))[0]).toStartWith("other: ");
  });

  test("under a name that says that it came back, ends with the last model that spoke", () => {
    const messages = [asked, { role: "assistant", content: "words of another model" }, said];
    const { input, output } = read({ callId: "c", results: messages });
    expect([input, output]).toEqual([messages.slice(0, 2), said.content]);
  });

  test("is not read twice where it says the same once more", () => {
    const returns = { choices: [{ message: said }] };
    expect(origins({ prompt: [asked], completion: said, returns })).toEqual([RUN[1]!, RUN[3]!]);
    const other = { choices: [{ message: { role: "assistant", content: "words of another" } }] };
    const found = origins({ prompt: [asked], completion: said, returns: other });
    expect(found.find((one) => one.includes("words of another"))).toStartWith("other: ");
  });

  test("of an input's or an answer's copy only what is new is read", () => {
    const attributes = (copy: string) => ({
      attributes: { "llm.input_messages": [asked], "llm.output_messages": [said], "output.value": copy },
    });
    expect(origins(attributes("the model's words"))).toEqual([RUN[1]!, RUN[3]!]);
    expect(origins(attributes("user: the person's words\nassistant: the model's words"))).toEqual([
      RUN[1]!,
      RUN[3]!,
    ]);
    expect(origins(attributes("quite another answer"))).toContain("assistant: quite another answer");
  });
});

describe("what an operator set up", () => {
  test("is his in whatever holds settings, and nothing else there is", () => {
    const overrideConfig = {
      options: { systemMessage: "the operator's words" },
      prompt: "words of a client",
    };
    expect(origins({ question: "the person's words", text: "the model's words", overrideConfig })).toEqual([
      "assistant: the model's words",
      expect.stringMatching(/^other: .*words of a client/s),
      "system: the operator's words",
      "user: the person's words",
    ]);
    const page = { options: { systemMessage: "words of a page" } };
    const found = origins({ question: "the person's words", text: "the model's words", page });
    expect(found.find((one) => one.includes("words of a page"))).toStartWith("other: ");
  });
});

describe("counts of tokens", () => {
  test.each([
    { costs: [{ type: "model", promptTokens: 7, completionTokens: 3 }] },
    {
      metrics: [
        { metric: "prompt_tokens", value: 7 },
        { metric: "completion_tokens", value: 3 },
      ],
    },
    {
      response: {
        metadata: { usage: { consumed: [{ input_tokens: { total: 7 }, output_tokens: { total: 3 } }] } },
      },
    },
  ])("are read wherever they stand: %j", (payload) => {
    expect(read({ question: "the person's words", ...payload })).toMatchObject({
      tokens_in: 7,
      tokens_out: 3,
    });
  });

  test("are none where they are bounds, or of earlier messages", () => {
    const messages = [asked, { ...said, stats: { promptTokens: 7 } }, asked];
    const { tokens_in: tokensIn, tokens_out: tokensOut } = read({
      data: { messages },
      limits: { max_tokens: 9 },
    });
    expect([tokensIn, tokensOut]).toEqual([undefined, undefined]);
  });
});
