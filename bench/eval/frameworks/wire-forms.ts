import { chatMessage } from "./provider-forms.ts";
import { type FrameworkForm, type ModelCall, systemText, type Turn, withoutSystem } from "./run.ts";

/** What goes over the wire: streams, and calls that a provider makes for the model. */

type Shape = Record<string, unknown>;

export function anthropicMessage(turn: Turn): Shape {
  if (turn.by === "tool") {
    const result = { type: "tool_result", tool_use_id: turn.call.id, content: turn.text };
    return { role: "user", content: [turn.failed ? { ...result, is_error: true } : result] };
  }
  if (turn.by !== "model") return { role: "user", content: [{ type: "text", text: turn.text }] };
  const uses = turn.calls.map(({ id, name, args }) => ({ type: "tool_use", id, name, input: args }));
  const text = turn.text === "" ? [] : [{ type: "text", text: turn.text }];
  return { role: "assistant", content: [...text, ...uses] };
}

const halves = (text: string): readonly string[] => {
  const middle = Math.floor(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)];
};

const anthropicStream: FrameworkForm = {
  name: "Anthropic: request, and the answer's stream",
  model: ({ history, answer, run }) => {
    const chunks: Shape[] = [
      {
        type: "message_start",
        message: {
          id: "msg_1",
          type: "message",
          role: "assistant",
          content: [],
          usage: { input_tokens: run.tokensIn, output_tokens: 1 },
        },
      },
      { type: "content_block_start", index: 0, content_block: { type: "thinking", thinking: "" } },
      { type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "Let me see." } },
      { type: "content_block_stop", index: 0 },
      { type: "content_block_start", index: 1, content_block: { type: "text", text: "" } },
      ...halves(answer.text).map((text) => ({
        type: "content_block_delta",
        index: 1,
        delta: { type: "text_delta", text },
      })),
      { type: "content_block_stop", index: 1 },
    ];
    answer.calls.forEach(({ id, name, args }, at) => {
      const index = at + 2;
      const content_block = { type: "tool_use", id, name, input: {} };
      chunks.push({ type: "content_block_start", index, content_block });
      for (const partial_json of halves(JSON.stringify(args)))
        chunks.push({
          type: "content_block_delta",
          index,
          delta: { type: "input_json_delta", partial_json },
        });
      chunks.push({ type: "content_block_stop", index });
    });
    chunks.push({
      type: "message_delta",
      delta: { stop_reason: "end_turn" },
      usage: { output_tokens: run.tokensOut },
    });
    return {
      request: {
        model: "m",
        system: systemText(history),
        messages: withoutSystem(history).map(anthropicMessage),
      },
      response: chunks,
    };
  },
};

const openAiStream: FrameworkForm = {
  name: "OpenAI: request, and the answer's chunks",
  unmarkedFailures: true,
  model: (call) => {
    const delta = (one: Shape) => ({
      object: "chat.completion.chunk",
      choices: [{ index: 0, delta: one, finish_reason: null }],
    });
    const { answer, run } = call;
    return {
      request: { model: "m", messages: call.history.map(chatMessage), stream: true },
      response: [
        delta({ role: "assistant", content: "" }),
        ...halves(answer.text).map((content) => delta({ content })),
        ...answer.calls.flatMap(({ id, name, args }, index) => [
          delta({ tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }] }),
          ...halves(JSON.stringify(args)).map((half) =>
            delta({ tool_calls: [{ index, function: { arguments: half } }] }),
          ),
        ]),
        { choices: [], usage: { prompt_tokens: run.tokensIn, completion_tokens: run.tokensOut } },
      ],
    };
  },
};

function responseItems(turn: Turn): Shape[] {
  if (turn.by === "tool") {
    const { call, text } = turn;
    return [{ type: "function_call_output", call_id: call.id, output: text }];
  }
  if (turn.by !== "model") return [{ role: turn.by === "system" ? "developer" : "user", content: turn.text }];
  const said =
    turn.text === ""
      ? []
      : [
          {
            type: "message",
            id: "msg_1",
            role: "assistant",
            content: [{ type: "output_text", text: turn.text }],
          },
        ];
  const calls = turn.calls.map(({ id, name, args }) => ({
    type: "function_call",
    call_id: id,
    name,
    arguments: JSON.stringify(args),
  }));
  return [...said, ...calls];
}

const responsesStream: FrameworkForm = {
  name: "OpenAI Responses: input, and the last event of the stream",
  unmarkedFailures: true,
  model: ({ history, answer, run }) => ({
    input: history.flatMap(responseItems),
    event: {
      type: "response.completed",
      sequence_number: 9,
      response: {
        id: "resp_1",
        object: "response",
        model: "m",
        output: responseItems(answer),
        usage: { input_tokens: run.tokensIn, output_tokens: run.tokensOut },
      },
    },
  }),
};

const responsesEvents: FrameworkForm = {
  name: "OpenAI Responses: events of a stream",
  unmarkedFailures: true,
  model: ({ history, answer, run }) => ({
    request: { model: "m", input: history.flatMap(responseItems), stream: true },
    events: [
      { type: "response.created", response: { id: "resp_1", output: [], usage: null } },
      ...halves(answer.text).map((delta) => ({
        type: "response.output_text.delta",
        item_id: "msg_1",
        output_index: 0,
        delta,
      })),
      ...responseItems(answer).map((item, output_index) => ({
        type: "response.output_item.done",
        output_index,
        item,
      })),
      {
        type: "response.completed",
        response: {
          id: "resp_1",
          output: responseItems(answer),
          usage: { input_tokens: run.tokensIn, output_tokens: run.tokensOut },
        },
      },
    ],
  }),
};

/**
 * Of whoever spoke last before the provider began: a person, or the model in an answer that asks for nothing.
 */
const beganAfter = (turns: readonly Turn[]): number =>
  turns.findLastIndex((turn) => turn.by === "user" || (turn.by === "model" && turn.calls.length === 0)) + 1;

/** All that the provider did for the model stands in one answer: it is told once the last word is said. */
function hosted(part: (turn: Turn) => readonly Shape[], rest: (call: ModelCall, did: Shape[]) => Shape) {
  return (call: ModelCall): Shape | readonly Shape[] => {
    if (call.answer.calls.length > 0) return [];
    const turns = withoutSystem(call.history);
    const did = [...turns.slice(beganAfter(turns)), call.answer];
    return rest(call, did.flatMap(part));
  };
}

const beforeHosted = (call: ModelCall): readonly Turn[] => {
  const turns = withoutSystem(call.history);
  return turns.slice(0, beganAfter(turns));
};

const anthropicHosted: FrameworkForm = {
  name: "Anthropic: tools of the server in the answer",
  model: hosted(
    (turn) => {
      if (turn.by === "tool")
        return [
          {
            type: "mcp_tool_result",
            tool_use_id: turn.call.id,
            is_error: turn.failed,
            content: [{ type: "text", text: turn.text }],
          },
        ];
      const calls = turn.by === "model" ? turn.calls : [];
      return [
        { type: "thinking", thinking: "Let me see.", signature: "c2ln" },
        ...(turn.text === "" ? [] : [{ type: "text", text: turn.text, citations: null }]),
        ...calls.map(({ id, name, args }) => ({
          type: "mcp_tool_use",
          id,
          name,
          server_name: "office",
          input: args,
        })),
      ];
    },
    (call, content) => ({
      model: "m",
      system: systemText(call.history),
      messages: beforeHosted(call).map(anthropicMessage),
      mcp_servers: [{ type: "url", url: "https://mcp.example/sse", name: "office" }],
      response: {
        id: "msg_1",
        type: "message",
        role: "assistant",
        content,
        stop_reason: "end_turn",
        usage: {
          input_tokens: call.run.tokensIn,
          output_tokens: call.run.tokensOut,
          server_tool_use: { web_search_requests: 0 },
        },
      },
    }),
  ),
};

const responsesHosted: FrameworkForm = {
  name: "OpenAI Responses: a server's calls in the answer",
  model: hosted(
    (turn) => {
      if (turn.by !== "tool") return turn.by === "model" && turn.text !== "" ? responseItems(turn) : [];
      const { call, text, failed } = turn;
      return [
        {
          type: "mcp_call",
          id: call.id,
          server_label: "office",
          name: call.name,
          arguments: JSON.stringify(call.args),
          output: failed ? null : text,
          error: failed ? text : null,
        },
      ];
    },
    (call, output) => ({
      model: "m",
      instructions: systemText(call.history),
      input: beforeHosted(call).flatMap(responseItems),
      response: {
        object: "response",
        output: [
          { type: "mcp_list_tools", id: "l", server_label: "office", tools: call.run.tools },
          ...output.filter(({ type }) => type !== "function_call"),
        ],
        usage: { input_tokens: call.run.tokensIn, output_tokens: call.run.tokensOut },
      },
    }),
  ),
};

const geminiRest: FrameworkForm = {
  name: "Gemini: REST, with thoughts",
  model: ({ history, answer, run }) => {
    const content = (turn: Turn): Shape => {
      if (turn.by === "tool") {
        const response = turn.failed ? { error: turn.text } : { output: turn.text };
        return {
          role: "function",
          parts: [{ functionResponse: { id: turn.call.id, name: turn.call.name, response } }],
        };
      }
      if (turn.by !== "model") return { role: "user", parts: [{ text: turn.text }] };
      const text = turn.text === "" ? [] : [{ text: turn.text }];
      const calls = turn.calls.map(({ id, name, args }) => ({
        functionCall: { id, name, args },
        thoughtSignature: "c2ln",
      }));
      return { role: "model", parts: [{ text: "Let me see.", thought: true }, ...text, ...calls] };
    };
    return {
      request: {
        system_instruction: { parts: [{ text: systemText(history) }] },
        contents: withoutSystem(history).map(content),
        tools: [{ function_declarations: run.tools }],
      },
      response: {
        candidates: [{ content: content(answer), finishReason: "STOP", index: 0 }],
        usageMetadata: { promptTokenCount: run.tokensIn, candidatesTokenCount: run.tokensOut },
        modelVersion: "m",
      },
    };
  },
};

export const WIRE_FORMS: readonly FrameworkForm[] = [
  anthropicStream,
  openAiStream,
  responsesStream,
  responsesEvents,
  anthropicHosted,
  responsesHosted,
  geminiRest,
];
