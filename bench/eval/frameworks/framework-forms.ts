import { chatMessage } from "./provider-forms.ts";
import { type Call, type FrameworkForm, type ModelCall, pythonText, type Turn } from "./run.ts";

/** Messages, events and callbacks of the frameworks that agents are written with. */

type Shape = Record<string, unknown>;
const LC_CLASS = {
  system: "SystemMessage",
  user: "HumanMessage",
  model: "AIMessage",
  tool: "ToolMessage",
} as const;
const LC_TYPE = { system: "system", user: "human", model: "ai", tool: "tool" } as const;

function langChainFields(turn: Turn): Shape {
  const base = { content: turn.text, additional_kwargs: {}, response_metadata: {} };
  if (turn.by === "tool") {
    const { call, failed } = turn;
    return { ...base, name: call.name, tool_call_id: call.id, status: failed ? "error" : "success" };
  }
  if (turn.by !== "model") return base;
  const tool_calls = turn.calls.map(({ id, name, args }) => ({ name, args, id, type: "tool_call" }));
  return { ...base, tool_calls, invalid_tool_calls: [] };
}

const serialised = (turn: Turn): Shape => ({
  lc: 1,
  type: "constructor",
  id: ["langchain", "schema", "messages", LC_CLASS[turn.by]],
  kwargs: { ...langChainFields(turn), type: LC_TYPE[turn.by] },
});

const dumped = (turn: Turn): Shape => ({ ...langChainFields(turn), type: LC_TYPE[turn.by] });
const inData = (turn: Turn): Shape => ({ type: LC_TYPE[turn.by], data: langChainFields(turn) });

const langChainRuns: FrameworkForm = {
  name: "LangSmith run tree, serialised messages",
  model: ({ history, answer, run }) => ({
    id: "run-1",
    name: "ChatOpenAI",
    run_type: "llm",
    inputs: { messages: [history.map(serialised)] },
    outputs: {
      generations: [[{ text: answer.text, type: "ChatGeneration", message: serialised(answer) }]],
      llm_output: { token_usage: { prompt_tokens: run.tokensIn, completion_tokens: run.tokensOut } },
    },
    extra: { invocation_params: { model: "m", tools: run.tools } },
  }),
  tool: (turn) => ({
    id: "run-2",
    name: turn.call.name,
    run_type: "tool",
    inputs: { input: pythonText(turn.call.args) },
    outputs: turn.failed ? null : { output: dumped(turn) },
    error: turn.failed ? `${turn.text}\nTraceback (most recent call last):` : null,
  }),
};

const langChainCallbacks: FrameworkForm = {
  name: "LangChain callbacks, messages by type",
  model: ({ history, answer, run }) => ({
    serialized: { id: ["langchain", "chat_models", "openai", "ChatOpenAI"] },
    messages: [history.map(inData)],
    response: {
      generations: [[{ text: answer.text, message: inData(answer) }]],
      llm_output: { token_usage: { prompt_tokens: run.tokensIn, completion_tokens: run.tokensOut } },
    },
  }),
  tool: ({ call, text, failed }) => ({
    serialized: { name: call.name, description: "a tool" },
    input_str: pythonText(call.args),
    inputs: call.args,
    ...(failed
      ? { error: text }
      : { output: `content=${pythonText(text)} name='${call.name}' tool_call_id='${call.id}'` }),
  }),
};

const langGraph: FrameworkForm = {
  name: "LangGraph state",
  model: ({ history, answer, run }) => ({
    event: "on_chat_model_end",
    name: "ChatAnthropic",
    data: {
      input: { messages: [history.map(dumped)] },
      output: {
        ...dumped(answer),
        usage_metadata: { input_tokens: run.tokensIn, output_tokens: run.tokensOut },
      },
    },
  }),
  tool: (turn) => ({
    event: "on_tool_end",
    name: turn.call.name,
    data: { input: turn.call.args, output: dumped(turn) },
  }),
};

const pythonMessage = (turn: Turn): string => {
  const fields = Object.entries(langChainFields(turn)).map(([key, one]) => `${key}=${pythonText(one)}`);
  return `${LC_CLASS[turn.by]}(${fields.join(", ")})`;
};

const pythonPrinted: FrameworkForm = {
  name: "messages as Python prints them",
  model: ({ history, answer, run }) => ({
    model: "m",
    prompt: `[${history.map(pythonMessage).join(", ")}]`,
    completion: pythonMessage(answer),
    tokens_in: run.tokensIn,
    tokens_out: run.tokensOut,
  }),
  tool: ({ call, text, failed }) => ({
    tool: call.name,
    input: pythonText(call.args),
    ...(failed ? { error: `ToolException('${text}')` } : { output: text }),
  }),
};

const pythonDicts: FrameworkForm = {
  name: "a list of dicts as Python prints it",
  unmarkedFailures: true,
  model: (call) => ({
    model: "m",
    input: pythonText(call.history.map(chatMessage)),
    output: pythonText(chatMessage(call.answer)),
    tokens_in: call.run.tokensIn,
    tokens_out: call.run.tokensOut,
  }),
};

const jsonTwice: FrameworkForm = {
  name: "JSON in JSON in a string",
  model: (call) => ({
    model: "m",
    input: JSON.stringify(JSON.stringify(call.history.map(chatMessage))),
    output: JSON.stringify(JSON.stringify(chatMessage(call.answer))),
    tokens_in: call.run.tokensIn,
    tokens_out: call.run.tokensOut,
  }),
  tool: ({ call, text, failed }) => ({
    toolName: call.name,
    toolCallId: call.id,
    arguments: JSON.stringify(JSON.stringify(call.args)),
    ...(failed ? { errorMessage: text } : { result: JSON.stringify(JSON.stringify({ text })) }),
  }),
};

function llamaMessage(turn: Turn): Shape {
  const role = { system: "system", user: "user", model: "assistant", tool: "tool" }[turn.by];
  const tool_calls =
    turn.by === "model" && turn.calls.length > 0 ? { tool_calls: chatMessage(turn).tool_calls } : {};
  return {
    role,
    additional_kwargs: turn.by === "tool" ? { tool_call_id: turn.call.id } : tool_calls,
    blocks: [{ block_type: "text", text: turn.text }],
  };
}

const llamaIndex: FrameworkForm = {
  name: "LlamaIndex instrumentation",
  model: ({ history, answer, run }) => ({
    class_name: "LLMChatEndEvent",
    messages: history.map(llamaMessage),
    response: {
      message: llamaMessage(answer),
      raw: { usage: { prompt_tokens: run.tokensIn, completion_tokens: run.tokensOut } },
    },
  }),
  tool: ({ call, text, failed }) => ({
    tool_name: call.name,
    tool_kwargs: call.args,
    tool_id: call.id,
    tool_output: {
      tool_name: call.name,
      blocks: [{ block_type: "text", text }],
      raw_input: call.args,
      is_error: failed,
    },
  }),
};

const crewAi: FrameworkForm = {
  name: "CrewAI event bus",
  model: (call) => ({
    type: "llm_call_completed",
    model: "m",
    messages: call.history.map(chatMessage),
    response: call.answer.calls.length > 0 ? chatMessage(call.answer).tool_calls : call.answer.text,
    call_type: "<LLMCallType.LLM_CALL: 'llm_call'>",
    usage: { prompt_tokens: call.run.tokensIn, completion_tokens: call.run.tokensOut },
  }),
  tool: ({ call, text, failed }) => ({
    type: failed ? "tool_usage_error" : "tool_usage_finished",
    agent_role: "Analyst",
    tool_name: call.name,
    tool_args: call.args,
    ...(failed ? { error: text } : { output: text, from_cache: false }),
  }),
};

const functionCall = ({ id, name, args }: Call) => ({ id, name, arguments: JSON.stringify(args) });
const functionResult = ({ call, text, failed }: Extract<Turn, { by: "tool" }>) => ({
  content: text,
  name: call.name,
  call_id: call.id,
  is_error: failed,
});

function autoGenMessage(turn: Turn): Shape {
  if (turn.by === "system") return { type: "SystemMessage", content: turn.text };
  if (turn.by === "user") return { type: "UserMessage", source: "user", content: turn.text };
  if (turn.by === "tool") return { type: "FunctionExecutionResultMessage", content: [functionResult(turn)] };
  const { calls, text } = turn;
  const content = calls.length > 0 ? calls.map(functionCall) : text;
  return { type: "AssistantMessage", source: "assistant", content };
}

const autoGen: FrameworkForm = {
  name: "AutoGen model client",
  model: ({ history, answer, run }) => ({
    messages: history.map(autoGenMessage),
    response: {
      finish_reason: answer.calls.length > 0 ? "function_calls" : "stop",
      content: autoGenMessage(answer).content,
      usage: { prompt_tokens: run.tokensIn, completion_tokens: run.tokensOut },
    },
  }),
};

const autoGenEvents: FrameworkForm = {
  name: "AutoGen AgentChat events",
  model: ({ fresh, answer, run }) => ({
    messages: [...fresh, answer].map((turn) => {
      if (turn.by === "tool")
        return { type: "ToolCallExecutionEvent", source: "assistant", content: [functionResult(turn)] };
      if (turn.by === "model" && turn.calls.length > 0)
        return { type: "ToolCallRequestEvent", source: "assistant", content: turn.calls.map(functionCall) };
      const source = turn.by === "model" ? "assistant" : turn.by;
      return {
        type: "TextMessage",
        source,
        content: turn.text,
        models_usage:
          turn === answer ? { prompt_tokens: run.tokensIn, completion_tokens: run.tokensOut } : null,
      };
    }),
  }),
};

function agentFrameworkMessage(turn: Turn): Shape {
  if (turn.by === "tool") {
    const { call, text, failed } = turn;
    const outcome = failed ? { exception: text } : { result: text };
    return { role: "tool", contents: [{ type: "function_result", call_id: call.id, ...outcome }] };
  }
  const calls = turn.by === "model" ? turn.calls : [];
  return {
    type: "chat_message",
    role: { type: "role", value: turn.by === "model" ? "assistant" : turn.by },
    contents: [
      { type: "text", text: turn.text },
      ...calls.map(({ id, name, args }) => ({
        type: "function_call",
        call_id: id,
        name,
        arguments: JSON.stringify(args),
      })),
    ],
  };
}

const agentFramework: FrameworkForm = {
  name: "Microsoft Agent Framework",
  model: ({ history, answer, run }) => ({
    messages: history.map(agentFrameworkMessage),
    response: {
      messages: [agentFrameworkMessage(answer)],
      usage_details: { input_token_count: run.tokensIn, output_token_count: run.tokensOut },
    },
  }),
};

function kernelMessage(turn: Turn): Shape {
  const Role = { Label: turn.by === "model" ? "assistant" : turn.by };
  if (turn.by === "tool") {
    const { call, text } = turn;
    return {
      Role,
      Items: [{ $type: "FunctionResultContent", CallId: call.id, FunctionName: call.name, Result: text }],
    };
  }
  const calls = turn.by === "model" ? turn.calls : [];
  return {
    Role,
    Items: [
      { $type: "TextContent", Text: turn.text },
      ...calls.map(({ id, name, args }) => ({
        $type: "FunctionCallContent",
        Id: id,
        PluginName: "plugin",
        FunctionName: name,
        Arguments: args,
      })),
    ],
  };
}

const semanticKernel: FrameworkForm = {
  name: "Semantic Kernel chat history",
  model: ({ history, answer, run }: ModelCall) => ({
    ChatHistory: history.map(kernelMessage),
    Response: kernelMessage(answer),
    Usage: { InputTokenCount: run.tokensIn, OutputTokenCount: run.tokensOut },
  }),
  tool: ({ call, text, failed }) => ({
    PluginName: "plugin",
    FunctionName: call.name,
    Arguments: call.args,
    ...(failed ? { Exception: text } : { Result: text }),
  }),
};

export const FRAMEWORK_FORMS: readonly FrameworkForm[] = [
  langChainRuns,
  langChainCallbacks,
  langGraph,
  pythonPrinted,
  pythonDicts,
  jsonTwice,
  llamaIndex,
  crewAi,
  autoGen,
  autoGenEvents,
  agentFramework,
  semanticKernel,
];
