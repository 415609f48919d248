import { type FrameworkForm, type ModelCall, systemText, type Turn, withoutSystem } from "./run.ts";

/** Requests and answers as the providers' own clients have them, sent as they are. */

const ROLE = { system: "system", user: "user", model: "assistant", tool: "tool" } as const;
type Shape = Record<string, unknown>;

export function chatMessage(turn: Turn): Shape {
  const role = ROLE[turn.by];
  if (turn.by === "tool") return { role, tool_call_id: turn.call.id, content: turn.text };
  if (turn.by !== "model" || turn.calls.length === 0) return { role, content: turn.text };
  const tool_calls = turn.calls.map(({ id, name, args }) => ({
    id,
    type: "function",
    function: { name, arguments: JSON.stringify(args) },
  }));
  return { role, content: turn.text === "" ? null : turn.text, tool_calls };
}

const finishOf = ({ answer }: ModelCall): string => (answer.calls.length > 0 ? "tool_calls" : "stop");

export const chatTools = ({ run }: ModelCall): Shape[] =>
  run.tools.map(({ name, description }) => ({
    type: "function",
    function: { name, description, parameters: { type: "object", properties: {} } },
  }));

/** OpenAI's chat as read today: what all other forms are held against. */
export const REFERENCE: FrameworkForm = {
  name: "messages and calls under the named fields",
  model: (call) => ({
    model: "m",
    input: call.history.map(chatMessage),
    output: chatMessage(call.answer),
    tools: chatTools(call),
    tokens_in: call.run.tokensIn,
    tokens_out: call.run.tokensOut,
    finish_reason: finishOf(call),
  }),
  tool: ({ call, text, failed }) => ({
    tool_name: call.name,
    call_id: call.id,
    arguments: call.args,
    ...(failed ? { error: text } : { result: text }),
  }),
};

const openAiBody = (call: ModelCall): Shape => ({
  id: "chatcmpl-1",
  object: "chat.completion",
  choices: [{ index: 0, message: chatMessage(call.answer), finish_reason: finishOf(call) }],
  usage: {
    prompt_tokens: call.run.tokensIn,
    completion_tokens: call.run.tokensOut,
    total_tokens: call.run.tokensIn + call.run.tokensOut,
  },
});

const openAiRaw: FrameworkForm = {
  name: "OpenAI, Mistral: request and response",
  unmarkedFailures: true,
  model: (call) => ({
    request: { model: "m", messages: call.history.map(chatMessage), tools: chatTools(call) },
    response: openAiBody(call),
  }),
};

const liteLlm: FrameworkForm = {
  name: "LiteLLM's callback",
  unmarkedFailures: true,
  model: (call) => ({
    call_type: "acompletion",
    model: "m",
    messages: call.history.map(chatMessage),
    optional_params: { tools: chatTools(call) },
    response: openAiBody(call),
    prompt_tokens: call.run.tokensIn,
    completion_tokens: call.run.tokensOut,
  }),
};

function responseItems(turn: Turn): Shape[] {
  switch (turn.by) {
    case "tool":
      return [{ type: "function_call_output", call_id: turn.call.id, output: turn.text }];
    case "model": {
      const said =
        turn.text === ""
          ? []
          : [
              {
                type: "message",
                id: "msg_1",
                role: "assistant",
                status: "completed",
                content: [{ type: "output_text", text: turn.text, annotations: [] }],
              },
            ];
      const calls = turn.calls.map(({ id, name, args }) => ({
        type: "function_call",
        id: `fc_${id}`,
        call_id: id,
        name,
        arguments: JSON.stringify(args),
        status: "completed",
      }));
      return [{ type: "reasoning", id: "rs_1", summary: [] }, ...said, ...calls];
    }
    default:
      return [
        {
          type: "message",
          role: turn.by === "system" ? "developer" : "user",
          content: [{ type: "input_text", text: turn.text }],
        },
      ];
  }
}

const openAiResponses: FrameworkForm = {
  name: "OpenAI Responses",
  unmarkedFailures: true,
  model: (call) => ({
    model: "m",
    instructions: systemText(call.history),
    input: withoutSystem(call.history).flatMap(responseItems),
    tools: call.run.tools.map(({ name, description }) => ({ type: "function", name, description })),
    response: {
      id: "resp_1",
      object: "response",
      status: "completed",
      output: responseItems(call.answer),
      usage: { input_tokens: call.run.tokensIn, output_tokens: call.run.tokensOut },
    },
  }),
};

const agentsSdk: FrameworkForm = {
  name: "OpenAI Agents SDK spans",
  model: (call) => ({
    object: "trace.span",
    id: "span_1",
    span_data: {
      type: "generation",
      input: call.history.map(chatMessage),
      output: [chatMessage(call.answer)],
      model: "m",
      usage: { input_tokens: call.run.tokensIn, output_tokens: call.run.tokensOut },
    },
    error: null,
  }),
  tool: ({ call, text, failed }) => ({
    object: "trace.span",
    span_data: {
      type: "function",
      name: call.name,
      input: JSON.stringify(call.args),
      output: failed ? null : text,
      mcp_data: null,
    },
    error: failed ? { message: "Error running tool", data: { tool_name: call.name, error: text } } : null,
  }),
};

function anthropicMessage(turn: Turn): Shape {
  if (turn.by === "tool") {
    const { call, text, failed } = turn;
    const content = [{ type: "text", text }];
    return {
      role: "user",
      content: [
        {
          type: "tool_result",
          tool_use_id: call.id,
          content,
          ...(failed ? { is_error: true } : {}),
        },
      ],
    };
  }
  if (turn.by !== "model") return { role: turn.by, content: turn.text };
  const text = turn.text === "" ? [] : [{ type: "text", text: turn.text }];
  const uses = turn.calls.map(({ id, name, args }) => ({ type: "tool_use", id, name, input: args }));
  return { role: "assistant", content: [...text, ...uses] };
}

const anthropicRaw: FrameworkForm = {
  name: "Anthropic: request and response",
  model: (call) => ({
    request: {
      model: "m",
      max_tokens: 1024,
      system: [{ type: "text", text: systemText(call.history), cache_control: { type: "ephemeral" } }],
      messages: withoutSystem(call.history).map(anthropicMessage),
      tools: call.run.tools.map((tool) => ({ ...tool, input_schema: { type: "object" } })),
    },
    response: {
      id: "msg_1",
      type: "message",
      ...anthropicMessage(call.answer),
      stop_reason: call.answer.calls.length > 0 ? "tool_use" : "end_turn",
      usage: { input_tokens: call.run.tokensIn, output_tokens: call.run.tokensOut },
    },
  }),
};

function geminiContent(turn: Turn, snake: boolean): Shape {
  const [called, answered] = snake
    ? ["function_call", "function_response"]
    : ["functionCall", "functionResponse"];
  if (turn.by === "tool") {
    const response = turn.failed ? { error: turn.text } : { result: turn.text };
    return { role: "user", parts: [{ [answered!]: { name: turn.call.name, response } }] };
  }
  if (turn.by !== "model") return { role: "user", parts: [{ text: turn.text }] };
  const text = turn.text === "" ? [] : [{ text: turn.text }];
  return {
    role: "model",
    parts: [...text, ...turn.calls.map(({ name, args }) => ({ [called!]: { name, args } }))],
  };
}

const gemini: FrameworkForm = {
  name: "Gemini: contents and candidates",
  model: (call) => ({
    model: "m",
    contents: withoutSystem(call.history).map((turn) => geminiContent(turn, false)),
    config: {
      systemInstruction: { parts: [{ text: systemText(call.history) }] },
      tools: [{ functionDeclarations: call.run.tools }],
    },
    candidates: [{ content: geminiContent(call.answer, false), finishReason: "STOP" }],
    usageMetadata: { promptTokenCount: call.run.tokensIn, candidatesTokenCount: call.run.tokensOut },
  }),
};

const vertex: FrameworkForm = {
  name: "Vertex, ADK: llm_request and llm_response",
  model: (call) => ({
    llm_request: {
      model: "m",
      contents: withoutSystem(call.history).map((turn) => geminiContent(turn, true)),
      config: {
        system_instruction: systemText(call.history),
        tools: [{ function_declarations: call.run.tools }],
      },
    },
    llm_response: {
      content: geminiContent(call.answer, true),
      partial: false,
      usage_metadata: {
        prompt_token_count: call.run.tokensIn,
        candidates_token_count: call.run.tokensOut,
      },
    },
  }),
  tool: ({ call, text, failed }) => ({
    tool: call.name,
    tool_args: call.args,
    tool_response: failed ? { error: text } : { result: text },
  }),
};

const adkEvents: FrameworkForm = {
  name: "ADK session events",
  model: ({ fresh, answer, run }) =>
    [...withoutSystem(fresh), answer].map((turn) => ({
      id: "ev1",
      invocationId: "e-1",
      author: turn.by === "user" ? "user" : "root_agent",
      content: geminiContent(turn, false),
      ...(turn === answer
        ? { usageMetadata: { promptTokenCount: run.tokensIn, candidatesTokenCount: run.tokensOut } }
        : {}),
      actions: { stateDelta: {} },
    })),
};

export function converseMessage(turn: Turn): Shape {
  if (turn.by === "tool") {
    const status = turn.failed ? "error" : "success";
    return {
      role: "user",
      content: [{ toolResult: { toolUseId: turn.call.id, content: [{ text: turn.text }], status } }],
    };
  }
  if (turn.by !== "model") return { role: "user", content: [{ text: turn.text }] };
  const text = turn.text === "" ? [] : [{ text: turn.text }];
  const uses = turn.calls.map(({ id, name, args }) => ({ toolUse: { toolUseId: id, name, input: args } }));
  return { role: "assistant", content: [...text, ...uses] };
}

const converse: FrameworkForm = {
  name: "Bedrock Converse",
  model: (call) => ({
    modelId: "m",
    system: [{ text: systemText(call.history) }],
    messages: withoutSystem(call.history).map(converseMessage),
    toolConfig: { tools: call.run.tools.map((tool) => ({ toolSpec: tool })) },
    output: { message: converseMessage(call.answer) },
    stopReason: call.answer.calls.length > 0 ? "tool_use" : "end_turn",
    usage: { inputTokens: call.run.tokensIn, outputTokens: call.run.tokensOut },
  }),
};

const bedrockAgent: FrameworkForm = {
  name: "Bedrock agent traces",
  unmarkedFailures: true,
  model: (call) => ({
    trace: {
      orchestrationTrace: {
        modelInvocationInput: {
          type: "ORCHESTRATION",
          text: JSON.stringify({
            system: systemText(call.history),
            messages: withoutSystem(call.history).map(anthropicMessage),
          }),
        },
        modelInvocationOutput: {
          rawResponse: { content: JSON.stringify(anthropicMessage(call.answer)) },
          metadata: { usage: { inputTokens: call.run.tokensIn, outputTokens: call.run.tokensOut } },
        },
      },
    },
  }),
  tool: ({ call, text }) => ({
    trace: {
      orchestrationTrace: {
        invocationInput: {
          invocationType: "ACTION_GROUP",
          actionGroupInvocationInput: {
            actionGroupName: "group",
            function: call.name,
            parameters: Object.entries(call.args).map(([name, value]) => ({ name, type: "string", value })),
          },
        },
        observation: { type: "ACTION_GROUP", actionGroupInvocationOutput: { text } },
      },
    },
  }),
};

const COHERE_ROLE = { system: "SYSTEM", user: "USER", model: "CHATBOT", tool: "TOOL" } as const;
const cohereCall = ({ name, args }: { name: string; args: unknown }) => ({ name, parameters: args });
const cohereResult = (turn: Extract<Turn, { by: "tool" }>) => ({
  call: cohereCall(turn.call),
  outputs: [{ output: turn.text }],
});

const cohere: FrameworkForm = {
  name: "Cohere chat v1",
  unmarkedFailures: true,
  model: (call) => {
    const said = withoutSystem(call.history);
    const lastUser = said.findLastIndex((turn) => turn.by === "user");
    return {
      model: "m",
      preamble: systemText(call.history),
      message: (said[lastUser] as { text: string }).text,
      chat_history: said
        .filter((_turn, position) => position !== lastUser)
        .map((turn) =>
          turn.by === "tool"
            ? { role: COHERE_ROLE.tool, tool_results: [cohereResult(turn)] }
            : {
                role: COHERE_ROLE[turn.by],
                message: turn.text,
                ...(turn.by === "model" ? { tool_calls: turn.calls.map(cohereCall) } : {}),
              },
        ),
      tool_results: call.fresh.flatMap((turn) => (turn.by === "tool" ? [cohereResult(turn)] : [])),
      response: {
        text: call.answer.text,
        tool_calls: call.answer.calls.map(cohereCall),
        finish_reason: "COMPLETE",
        meta: { tokens: { input_tokens: call.run.tokensIn, output_tokens: call.run.tokensOut } },
      },
    };
  },
};

const ollama: FrameworkForm = {
  name: "Ollama chat",
  unmarkedFailures: true,
  model: (call) => {
    const plain = (turn: Turn): Shape => {
      if (turn.by === "tool") return { role: "tool", tool_name: turn.call.name, content: turn.text };
      const calls = turn.by === "model" ? turn.calls : [];
      const tool_calls = calls.map(({ name, args }) => ({ function: { name, arguments: args } }));
      return {
        role: ROLE[turn.by],
        content: turn.text,
        ...(tool_calls.length > 0 ? { tool_calls } : {}),
      };
    };
    return {
      model: "m",
      messages: call.history.map(plain),
      message: plain(call.answer),
      done: true,
      done_reason: "stop",
      prompt_eval_count: call.run.tokensIn,
      eval_count: call.run.tokensOut,
    };
  },
};

export const PROVIDER_FORMS: readonly FrameworkForm[] = [
  openAiRaw,
  liteLlm,
  openAiResponses,
  agentsSdk,
  anthropicRaw,
  gemini,
  vertex,
  adkEvents,
  converse,
  bedrockAgent,
  cohere,
  ollama,
];
