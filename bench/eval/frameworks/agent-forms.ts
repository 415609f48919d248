import { chatMessage } from "./provider-forms.ts";
import { type Call, type FrameworkForm, systemText, type ToolTurn, type Turn, withoutSystem } from "./run.ts";

/** Steps, states and messages of further frameworks for agents, as their own clients hand them on. */

type Shape = Record<string, unknown>;

const CLOCK = "2026-01-01T00:00:00Z";

function pydanticPart(turn: Turn): Shape {
  if (turn.by === "system") return { part_kind: "system-prompt", content: turn.text, timestamp: CLOCK };
  if (turn.by === "user") return { part_kind: "user-prompt", content: turn.text, timestamp: CLOCK };
  const { call, text, failed } = turn as ToolTurn;
  const of = { tool_name: call.name, tool_call_id: call.id, content: text, timestamp: CLOCK };
  return failed ? { part_kind: "retry-prompt", ...of } : { part_kind: "tool-return", ...of };
}

function pydanticMessages(turns: readonly Turn[], usage: Shape): Shape[] {
  return turns.map((turn) => {
    if (turn.by !== "model") return { kind: "request", parts: [pydanticPart(turn)], instructions: null };
    const text = turn.text === "" ? [] : [{ part_kind: "text", content: turn.text }];
    const calls = turn.calls.map(({ id, name, args }) => ({
      part_kind: "tool-call",
      tool_name: name,
      tool_call_id: id,
      args: JSON.stringify(args),
    }));
    return { kind: "response", parts: [...text, ...calls], usage, model_name: "m", timestamp: CLOCK };
  });
}

const pydanticAi: FrameworkForm = {
  name: "Pydantic AI messages",
  model: ({ history, answer, run }) => ({
    messages: pydanticMessages([...history, answer], {
      input_tokens: run.tokensIn,
      output_tokens: run.tokensOut,
    }),
  }),
};

const smolRole = { system: "system", user: "user", model: "assistant", tool: "tool-response" } as const;

function smolMessage(turn: Turn): Shape {
  const content = [{ type: "text", text: turn.text }];
  const calls = turn.by === "model" ? turn.calls : [];
  const tool_calls = calls.length === 0 ? null : calls.map(smolCall);
  return { role: smolRole[turn.by], content, tool_calls };
}

const smolCall = ({ id, name, args }: Call): Shape => ({
  id,
  type: "function",
  function: { name, arguments: args },
});

const smolAgents: FrameworkForm = {
  name: "smolagents action steps",
  unmarkedFailures: true,
  model: ({ history, answer, run }) => ({
    step_number: 1,
    timing: { start_time: 1, end_time: 2, duration: 1 },
    model_input_messages: history.map(smolMessage),
    model_output_message: { ...smolMessage(answer), raw: null },
    model_output: answer.text,
    tool_calls: answer.calls.map(smolCall),
    code_action: null,
    observations: null,
    action_output: null,
    token_usage: { input_tokens: run.tokensIn, output_tokens: run.tokensOut, total_tokens: 1 },
    is_final_answer: answer.calls.length === 0,
  }),
};

function strandsMessage(turn: Turn): Shape {
  if (turn.by === "tool") {
    const status = turn.failed ? "error" : "success";
    return {
      role: "user",
      content: [{ toolResult: { toolUseId: turn.call.id, status, content: [{ text: turn.text }] } }],
    };
  }
  if (turn.by !== "model") return { role: "user", content: [{ text: turn.text }] };
  const text = turn.text === "" ? [] : [{ text: turn.text }];
  return {
    role: "assistant",
    content: [
      ...text,
      ...turn.calls.map(({ id, name, args }) => ({ toolUse: { toolUseId: id, name, input: args } })),
    ],
  };
}

const strands: FrameworkForm = {
  name: "Strands hooks",
  model: ({ history, answer, run }) => ({
    agent: {
      system_prompt: systemText(history),
      messages: withoutSystem(history).map(strandsMessage),
    },
    stop_response: { message: strandsMessage(answer), stop_reason: "end_turn" },
    accumulated_usage: { inputTokens: run.tokensIn, outputTokens: run.tokensOut, totalTokens: 1 },
    exception: null,
  }),
  tool: ({ call, text, failed }) => ({
    selected_tool: null,
    tool_use: { toolUseId: call.id, name: call.name, input: call.args },
    result: { toolUseId: call.id, status: failed ? "error" : "success", content: [{ text }] },
    invocation_state: {},
  }),
};

const mastra: FrameworkForm = {
  name: "Mastra spans",
  model: (call) => ({
    type: "model_generation",
    name: "llm: 'm'",
    input: { messages: call.history.map(chatMessage) },
    output: {
      text: call.answer.text,
      toolCalls: call.answer.calls.map(({ id, name, args }) => ({
        type: "tool-call",
        toolCallId: id,
        toolName: name,
        input: args,
      })),
      finishReason: "stop",
    },
    attributes: {
      model: "m",
      provider: "openai",
      usage: { inputTokens: call.run.tokensIn, outputTokens: call.run.tokensOut },
      parameters: { temperature: 0 },
    },
    isEvent: false,
  }),
  tool: ({ call, text, failed }) => ({
    type: "tool_call",
    name: `tool: '${call.name}'`,
    entityName: call.name,
    input: call.args,
    attributes: { toolType: "function", success: !failed },
    ...(failed ? { errorInfo: { message: text, id: "TOOL_FAILED" } } : { output: text }),
  }),
};

function mastraMessage(turn: Turn, results: ReadonlyMap<string, ToolTurn>): Shape {
  const text = turn.text === "" ? [] : [{ type: "text", text: turn.text }];
  const calls = turn.by === "model" ? turn.calls : [];
  const parts = calls.map(({ id, name, args }) => {
    const found = results.get(id);
    const call = { toolCallId: id, toolName: name, args };
    return {
      type: "tool-invocation",
      toolInvocation:
        found === undefined ? { ...call, state: "call" } : { ...call, state: "result", result: found.text },
    };
  });
  return {
    id: "m1",
    role: turn.by === "model" ? "assistant" : turn.by,
    createdAt: CLOCK,
    threadId: "t",
    content: { format: 2, parts: [...text, ...parts] },
  };
}

const toolTurns = (turns: readonly Turn[]): ReadonlyMap<string, ToolTurn> =>
  new Map(turns.flatMap((turn) => (turn.by === "tool" ? [[turn.call.id, turn] as const] : [])));

const mastraMemory: FrameworkForm = {
  name: "Mastra messages",
  unmarkedFailures: true,
  model: ({ history, answer, run }) => ({
    messages: [...history, answer]
      .filter(({ by }) => by !== "tool")
      .map((turn) => mastraMessage(turn, toolTurns(history))),
    usage: { inputTokens: run.tokensIn, outputTokens: run.tokensOut },
  }),
};

function langChainDump(turn: Turn): Shape {
  if (turn.by === "tool") {
    const { call, text, failed } = turn;
    const status = failed ? "error" : "success";
    return { type: "tool", content: text, name: call.name, tool_call_id: call.id, status };
  }
  if (turn.by !== "model") return { type: turn.by === "user" ? "human" : "system", content: turn.text };
  const tool_calls = turn.calls.map(({ id, name, args }) => ({ name, args, id, type: "tool_call" }));
  return { type: "ai", content: turn.text, additional_kwargs: {}, tool_calls };
}

const langGraphUpdates: FrameworkForm = {
  name: "LangGraph state updates",
  model: ({ fresh, answer, run }) => {
    const usage_metadata = { input_tokens: run.tokensIn, output_tokens: run.tokensOut };
    return [
      ...fresh.map((turn) => ({
        [turn.by === "tool" ? "tools" : "__start__"]: { messages: [langChainDump(turn)] },
      })),
      { clerk: { messages: [{ ...langChainDump(answer), usage_metadata }] } },
    ];
  },
};

const agentsSdkRun: FrameworkForm = {
  name: "OpenAI Agents SDK run items",
  unmarkedFailures: true,
  model: ({ fresh, answer, run }) => {
    const agent = { name: "Clerk", instructions: systemText(fresh) };
    const item = (type: string, raw_item: Shape, more: Shape = {}) => ({ agent, type, raw_item, ...more });
    const asked = fresh.filter(({ by }) => by === "user");
    const said =
      answer.text === ""
        ? []
        : [
            item("message_output_item", {
              id: "msg_1",
              type: "message",
              role: "assistant",
              status: "completed",
              content: [{ type: "output_text", text: answer.text, annotations: [] }],
            }),
          ];
    return {
      input: asked.map(({ text }) => ({ role: "user", content: text })),
      new_items: [
        ...fresh.flatMap((turn) =>
          turn.by === "tool"
            ? [
                item(
                  "tool_call_output_item",
                  { type: "function_call_output", call_id: turn.call.id, output: turn.text },
                  { output: turn.text },
                ),
              ]
            : [],
        ),
        ...said,
        ...answer.calls.map(({ id, name, args }) =>
          item("tool_call_item", {
            type: "function_call",
            call_id: id,
            name,
            arguments: JSON.stringify(args),
          }),
        ),
      ],
      raw_responses: [{ usage: { input_tokens: run.tokensIn, output_tokens: run.tokensOut }, output: [] }],
      final_output: answer.text,
    };
  },
};

const aiSdkSteps: FrameworkForm = {
  name: "AI SDK 5 steps",
  model: ({ history, answer, run }) => {
    const calls = answer.calls.map(({ id, name, args }) => ({
      type: "tool-call",
      toolCallId: id,
      toolName: name,
      input: args,
    }));
    const content = [{ type: "text", text: answer.text }, ...calls];
    const usage = { inputTokens: run.tokensIn, outputTokens: run.tokensOut };
    return {
      steps: [
        {
          content,
          text: answer.text,
          toolCalls: calls,
          finishReason: "stop",
          usage,
          request: {
            body: {
              model: "m",
              messages: history.map(chatMessage),
            },
          },
          response: { id: "r", modelId: "m", messages: [{ role: "assistant", content }] },
        },
      ],
      totalUsage: usage,
    };
  },
  tool: ({ call, text, failed }) => ({
    toolCall: { toolCallId: call.id, toolName: call.name, input: call.args },
    ...(failed ? { success: false, error: { name: "Error", message: text } } : { output: text }),
  }),
};

const agno: FrameworkForm = {
  name: "Agno run output",
  model: (call) => ({
    run_id: "r",
    agent_name: "Clerk",
    content: call.answer.text,
    content_type: "str",
    messages: [...call.history, call.answer].map((turn) => ({
      ...chatMessage(turn),
      ...(turn.by === "tool" ? { tool_name: turn.call.name, tool_call_error: turn.failed } : {}),
      from_history: false,
      created_at: 1,
    })),
    metrics: { input_tokens: call.run.tokensIn, output_tokens: call.run.tokensOut },
    model: "m",
    status: "COMPLETED",
  }),
  tool: ({ call, text, failed }) => ({
    tool_call_id: call.id,
    tool_name: call.name,
    tool_args: call.args,
    tool_call_error: failed,
    result: text,
  }),
};

function haystackMessage(turn: Turn): Shape {
  const role = { system: "system", user: "user", model: "assistant", tool: "tool" }[turn.by];
  const text = turn.by === "tool" || turn.text === "" ? [] : [{ text: turn.text }];
  const origin = ({ id, name, args }: Call) => ({ id, tool_name: name, arguments: args });
  const more =
    turn.by === "tool"
      ? [{ tool_call_result: { result: turn.text, origin: origin(turn.call), error: turn.failed } }]
      : turn.by === "model"
        ? turn.calls.map((call) => ({ tool_call: origin(call) }))
        : [];
  return { role, name: null, meta: {}, content: [...text, ...more] };
}

const haystack: FrameworkForm = {
  name: "Haystack chat messages",
  model: ({ history, answer, run }) => ({
    messages: history.map(haystackMessage),
    replies: [
      {
        ...haystackMessage(answer),
        meta: { model: "m", usage: { prompt_tokens: run.tokensIn, completion_tokens: run.tokensOut } },
      },
    ],
  }),
};

const dspy: FrameworkForm = {
  name: "DSPy history",
  unmarkedFailures: true,
  model: (call) => ({
    prompt: null,
    messages: call.history.map(chatMessage),
    kwargs: {},
    response: {
      choices: [{ message: chatMessage(call.answer), finish_reason: "stop" }],
      usage: { prompt_tokens: call.run.tokensIn, completion_tokens: call.run.tokensOut },
    },
    outputs: [
      {
        text: call.answer.text,
        tool_calls: call.answer.calls.map(({ id, name, args }) => ({
          id,
          type: "function",
          function: { name, arguments: JSON.stringify(args) },
        })),
      },
    ],
    model: "m",
  }),
};

function lettaMessage(turn: Turn): Shape[] {
  const base = { id: "message-1", date: CLOCK, name: null };
  if (turn.by === "tool") {
    const { call, text, failed } = turn;
    const status = failed ? "error" : "success";
    return [
      { ...base, message_type: "tool_return_message", tool_return: text, status, tool_call_id: call.id },
    ];
  }
  if (turn.by !== "model") return [{ ...base, message_type: `${turn.by}_message`, content: turn.text }];
  const said = turn.text === "" ? [] : [{ ...base, message_type: "assistant_message", content: turn.text }];
  return [
    ...said,
    ...turn.calls.map(({ id, name, args }) => ({
      ...base,
      message_type: "tool_call_message",
      tool_call: { name, arguments: JSON.stringify(args), tool_call_id: id },
    })),
  ];
}

const letta: FrameworkForm = {
  name: "Letta messages",
  model: ({ fresh, answer, run }) => ({
    messages: [...fresh, answer].flatMap(lettaMessage),
    stop_reason: { stop_reason: "end_turn" },
    usage: { prompt_tokens: run.tokensIn, completion_tokens: run.tokensOut, step_count: 1 },
  }),
};

export const AGENT_FORMS: readonly FrameworkForm[] = [
  pydanticAi,
  smolAgents,
  strands,
  mastra,
  mastraMemory,
  langGraphUpdates,
  agentsSdkRun,
  aiSdkSteps,
  agno,
  haystack,
  dspy,
  letta,
];
