import { type Call, type FrameworkForm, systemText, type Turn, withoutSystem } from "./run.ts";

/** Frameworks of other languages, platforms of voice agents and interfaces of front ends. */

type Shape = Record<string, unknown>;

const callsOf = (turn: Turn): readonly Call[] => (turn.by === "model" ? turn.calls : []);
const ROLE = { system: "system", user: "user", model: "assistant", tool: "tool" } as const;
const functionCall = ({ id, name, args }: Call): Shape => ({
  id,
  type: "function",
  function: { name, arguments: JSON.stringify(args) },
});

function genkitMessage(turn: Turn): Shape {
  if (turn.by === "tool") {
    const { call, text } = turn;
    return { role: "tool", content: [{ toolResponse: { name: call.name, ref: call.id, output: text } }] };
  }
  const said = turn.text === "" ? [] : [{ text: turn.text }];
  const asked = callsOf(turn).map(({ id, name, args }) => ({ toolRequest: { name, ref: id, input: args } }));
  return { role: turn.by, content: [...said, ...asked] };
}

const genkit: FrameworkForm = {
  name: "Genkit spans",
  unmarkedFailures: true,
  model: ({ history, answer, run }) => ({
    displayName: "m",
    attributes: {
      "genkit:input": JSON.stringify({ messages: history.map(genkitMessage), config: {} }),
      "genkit:output": JSON.stringify({
        message: genkitMessage(answer),
        usage: { inputTokens: run.tokensIn, outputTokens: run.tokensOut },
      }),
    },
  }),
};

function springMessage(turn: Turn): Shape {
  if (turn.by === "tool") {
    const { call, text } = turn;
    return { messageType: "TOOL", responses: [{ id: call.id, name: call.name, responseData: text }] };
  }
  const toolCalls = callsOf(turn).map(({ id, name, args }) => ({
    id,
    type: "function",
    name,
    arguments: JSON.stringify(args),
  }));
  return { messageType: ROLE[turn.by].toUpperCase(), text: turn.text, toolCalls };
}

const springAi: FrameworkForm = {
  name: "Spring AI observations",
  unmarkedFailures: true,
  model: ({ history, answer, run }) => ({
    prompt: { instructions: history.map(springMessage), options: {} },
    response: {
      results: [{ output: springMessage(answer), metadata: { finishReason: "STOP" } }],
      metadata: { usage: { promptTokens: run.tokensIn, completionTokens: run.tokensOut } },
    },
  }),
};

function langChain4jMessage(turn: Turn): Shape {
  switch (turn.by) {
    case "tool":
      return { type: "TOOL_EXECUTION_RESULT", id: turn.call.id, toolName: turn.call.name, text: turn.text };
    case "model":
      return {
        type: "AI",
        text: turn.text,
        toolExecutionRequests: turn.calls.map(({ id, name, args }) => ({
          id,
          name,
          arguments: JSON.stringify(args),
        })),
      };
    case "system":
      return { type: "SYSTEM", text: turn.text };
    default:
      return { type: "USER", contents: [{ type: "TEXT", text: turn.text }] };
  }
}

const langChain4j: FrameworkForm = {
  name: "LangChain4j listeners",
  unmarkedFailures: true,
  model: ({ history, answer, run }) => ({
    chatRequest: { messages: history.map(langChain4jMessage) },
    chatResponse: {
      aiMessage: langChain4jMessage(answer),
      metadata: { tokenUsage: { inputTokenCount: run.tokensIn, outputTokenCount: run.tokensOut } },
    },
  }),
};

function elevenLabsTurn(turn: Turn): Shape {
  if (turn.by === "tool") {
    const { call, text, failed } = turn;
    const result = { request_id: call.id, tool_name: call.name, result_value: text, is_error: failed };
    return { role: "agent", message: null, tool_calls: [], tool_results: [result] };
  }
  const tool_calls = callsOf(turn).map(({ id, name, args }) => ({
    request_id: id,
    tool_name: name,
    params_as_json: JSON.stringify(args),
  }));
  return { role: turn.by === "user" ? "user" : "agent", message: turn.text, tool_calls, tool_results: [] };
}

const elevenLabs: FrameworkForm = {
  name: "ElevenLabs transcripts",
  model: ({ history, answer, run }) => ({
    agent_id: "a",
    transcript: withoutSystem([...history, answer]).map(elevenLabsTurn),
    usage: { input_tokens: run.tokensIn, output_tokens: run.tokensOut },
  }),
};

function retellTurns(turn: Turn): Shape[] {
  if (turn.by === "tool")
    return [{ role: "tool_call_result", tool_call_id: turn.call.id, content: turn.text }];
  const said = turn.text === "" ? [] : [{ role: turn.by === "user" ? "user" : "agent", content: turn.text }];
  const asked = callsOf(turn).map(({ id, name, args }) => ({
    role: "tool_call_invocation",
    tool_call_id: id,
    name,
    arguments: JSON.stringify(args),
  }));
  return [...said, ...asked];
}

const retell: FrameworkForm = {
  name: "Retell transcripts",
  unmarkedFailures: true,
  model: ({ history, answer, run }) => ({
    call_id: "x",
    transcript_with_tool_calls: withoutSystem([...history, answer]).flatMap(retellTurns),
    llm_token_usage: { input_tokens: run.tokensIn, output_tokens: run.tokensOut },
  }),
};

function realtimeItems(turn: Turn): Shape[] {
  if (turn.by === "tool") return [{ type: "function_call_output", call_id: turn.call.id, output: turn.text }];
  const type = turn.by === "model" ? "audio" : "input_audio";
  const said =
    turn.text === ""
      ? []
      : [{ type: "message", role: ROLE[turn.by], content: [{ type, transcript: turn.text }] }];
  const asked = callsOf(turn).map(({ id, name, args }) => ({
    type: "function_call",
    call_id: id,
    name,
    arguments: JSON.stringify(args),
  }));
  return [...said, ...asked];
}

const realtime: FrameworkForm = {
  name: "OpenAI Realtime",
  unmarkedFailures: true,
  model: ({ history, answer, run }) => ({
    session: { instructions: systemText(history) },
    conversation: withoutSystem(history).flatMap(realtimeItems),
    response: {
      object: "realtime.response",
      output: realtimeItems(answer),
      usage: { input_tokens: run.tokensIn, output_tokens: run.tokensOut },
    },
  }),
};

function rigMessage(turn: Turn): Shape & { content: unknown } {
  if (turn.by === "tool") {
    const { call, text } = turn;
    return {
      role: "user",
      content: [{ type: "toolresult", id: call.id, content: [{ type: "text", text }] }],
    };
  }
  const said = turn.text === "" ? [] : [{ type: "text", text: turn.text }];
  const asked = callsOf(turn).map(({ id, name, args }) => ({ id, function: { name, arguments: args } }));
  return { role: ROLE[turn.by], content: [...said, ...asked] };
}

const rig: FrameworkForm = {
  name: "Rig requests",
  unmarkedFailures: true,
  model: ({ history, answer, run }) => ({
    preamble: systemText(history),
    chat_history: withoutSystem(history).map(rigMessage),
    response: {
      choice: rigMessage(answer).content,
      usage: { input_tokens: run.tokensIn, output_tokens: run.tokensOut },
    },
  }),
};

function cohereMessage(turn: Turn): Shape {
  if (turn.by === "tool")
    return {
      role: "tool",
      tool_call_id: turn.call.id,
      content: [{ type: "document", document: { data: turn.text } }],
    };
  const calls = callsOf(turn);
  if (calls.length > 0)
    return { role: "assistant", tool_plan: turn.text, tool_calls: calls.map(functionCall) };
  return {
    role: ROLE[turn.by],
    content: turn.by === "model" ? [{ type: "text", text: turn.text }] : turn.text,
  };
}

const cohere2: FrameworkForm = {
  name: "Cohere chat v2",
  unmarkedFailures: true,
  model: ({ history, answer, run }) => ({
    model: "m",
    messages: history.map(cohereMessage),
    response: {
      message: cohereMessage(answer),
      finish_reason: "COMPLETE",
      usage: { tokens: { input_tokens: run.tokensIn, output_tokens: run.tokensOut } },
    },
  }),
};

function agUiMessage(turn: Turn): Shape {
  if (turn.by === "tool") return { id: "x", role: "tool", toolCallId: turn.call.id, content: turn.text };
  const calls = callsOf(turn);
  return {
    id: "x",
    role: turn.by === "system" ? "developer" : ROLE[turn.by],
    content: turn.text,
    ...(calls.length > 0 ? { toolCalls: calls.map(functionCall) } : {}),
  };
}

const agUi: FrameworkForm = {
  name: "AG-UI messages",
  unmarkedFailures: true,
  model: ({ history, answer, run }) => ({
    threadId: "t",
    messages: [...history, answer].map(agUiMessage),
    usage: { inputTokens: run.tokensIn, outputTokens: run.tokensOut },
  }),
};

export const PLATFORM_FORMS: readonly FrameworkForm[] = [
  genkit,
  springAi,
  langChain4j,
  elevenLabs,
  retell,
  realtime,
  rig,
  cohere2,
  agUi,
];
