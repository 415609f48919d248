import { chatMessage } from "./provider-forms.ts";
import { type FrameworkForm, systemText, type ToolTurn, type Turn, withoutSystem } from "./run.ts";

/** Attributes of spans, exports of tracing services and the logs of coding agents. */

type Shape = Record<string, unknown>;

/** `args`: as a value, or as JSON where attributes hold texts alone. */
export const otelToolAttributes = ({ call, text, failed }: ToolTurn, args: unknown): Shape => ({
  "gen_ai.operation.name": "execute_tool",
  "gen_ai.tool.name": call.name,
  "gen_ai.tool.call.id": call.id,
  "gen_ai.tool.call.arguments": args,
  ...(failed
    ? { "error.type": "ToolError", "exception.message": text }
    : { "gen_ai.tool.call.result": text }),
});

function flat(prefix: string, value: unknown, into: Shape): void {
  if (typeof value !== "object" || value === null) {
    if (value !== null && value !== undefined) into[prefix] = value;
    return;
  }
  for (const [key, one] of Object.entries(value)) flat(`${prefix}.${key}`, one, into);
}

function flattened(parts: Shape): Shape {
  const into: Shape = {};
  for (const [prefix, value] of Object.entries(parts)) flat(prefix, value, into);
  return into;
}

function openInferenceMessage(turn: Turn): Shape {
  const { tool_calls, ...message } = chatMessage(turn) as { tool_calls?: Shape[] };
  const calls = tool_calls?.map(({ id, function: called }) => ({ tool_call: { id, function: called } }));
  return { message: calls === undefined ? message : { ...message, tool_calls: calls } };
}

const openInference: FrameworkForm = {
  name: "OpenInference attributes",
  model: ({ history, answer, run }) => ({
    attributes: flattened({
      "openinference.span.kind": "LLM",
      "llm.model_name": "m",
      "llm.input_messages": history.map(openInferenceMessage),
      "llm.output_messages": [openInferenceMessage(answer)],
      "llm.tools": run.tools.map((tool) => ({ tool: { json_schema: JSON.stringify(tool) } })),
      "llm.token_count": { prompt: run.tokensIn, completion: run.tokensOut },
      "input.value": JSON.stringify({ messages: history.map(chatMessage) }),
      "input.mime_type": "application/json",
    }),
  }),
  tool: ({ call, text, failed }) => ({
    "openinference.span.kind": "TOOL",
    "tool.name": call.name,
    "tool.parameters": JSON.stringify(call.args),
    "input.value": JSON.stringify(call.args),
    ...(failed ? { "exception.message": text, "exception.type": "ToolError" } : { "output.value": text }),
  }),
};

function traceloopMessage(turn: Turn): Shape {
  if (turn.by !== "model" || turn.calls.length === 0) return chatMessage(turn);
  const tool_calls = turn.calls.map(({ id, name, args }) => ({ id, name, arguments: JSON.stringify(args) }));
  return { role: "assistant", ...(turn.text === "" ? {} : { content: turn.text }), tool_calls };
}

const traceloop: FrameworkForm = {
  name: "Traceloop attributes",
  model: ({ history, answer, run }) =>
    flattened({
      "gen_ai.system": "openai",
      "gen_ai.request.model": "m",
      "gen_ai.prompt": history.map(traceloopMessage),
      "gen_ai.completion": [{ ...traceloopMessage(answer), finish_reason: "stop" }],
      "llm.request.functions": run.tools,
      "gen_ai.usage": { prompt_tokens: run.tokensIn, completion_tokens: run.tokensOut },
    }),
  tool: ({ call, text, failed }) => ({
    "traceloop.span.kind": "tool",
    "traceloop.entity.name": call.name,
    "traceloop.entity.input": JSON.stringify({ inputs: call.args, tags: [], metadata: {} }),
    ...(failed
      ? { "error.message": text, "error.type": "ToolError" }
      : { "traceloop.entity.output": JSON.stringify({ output: text }) }),
  }),
};

const vercelAttributes: FrameworkForm = {
  name: "AI SDK telemetry attributes",
  model: ({ history, answer, run }) => ({
    "ai.operationId": "ai.generateText.doGenerate",
    "ai.model.id": "m",
    "ai.prompt.messages": JSON.stringify(
      history.map((turn) => {
        if (turn.by !== "tool" && turn.by !== "model")
          return {
            role: turn.by,
            content: turn.by === "system" ? turn.text : [{ type: "text", text: turn.text }],
          };
        const parts =
          turn.by === "tool"
            ? [
                {
                  type: "tool-result",
                  toolCallId: turn.call.id,
                  toolName: turn.call.name,
                  output: { type: "text", value: turn.text },
                },
              ]
            : turn.calls.map(({ id, name, args }) => ({
                type: "tool-call",
                toolCallId: id,
                toolName: name,
                input: args,
              }));
        return { role: turn.by === "tool" ? "tool" : "assistant", content: parts };
      }),
    ),
    "ai.response.text": answer.text,
    "ai.response.toolCalls": JSON.stringify(
      answer.calls.map(({ id, name, args }) => ({ toolCallId: id, toolName: name, input: args })),
    ),
    "ai.usage.promptTokens": run.tokensIn,
    "ai.usage.completionTokens": run.tokensOut,
    "ai.response.finishReason": "stop",
  }),
  tool: ({ call, text, failed }) => ({
    "ai.toolCall.name": call.name,
    "ai.toolCall.id": call.id,
    "ai.toolCall.args": JSON.stringify(call.args),
    ...(failed ? { "exception.message": text } : { "ai.toolCall.result": JSON.stringify(text) }),
  }),
};

function partsMessage(turn: Turn): Shape {
  if (turn.by === "tool")
    return {
      role: "tool",
      parts: [{ type: "tool_call_response", id: turn.call.id, response: turn.text }],
    };
  const calls = turn.by === "model" ? turn.calls : [];
  const asked = calls.map(({ id, name, args }) => ({ type: "tool_call", id, name, arguments: args }));
  const role = turn.by === "model" ? "assistant" : turn.by;
  return { role, parts: [{ type: "text", content: turn.text }, ...asked] };
}

const otelSpan: FrameworkForm = {
  name: "OpenTelemetry span with attributes listed",
  model: ({ history, answer, run }) => ({
    name: "chat m",
    attributes: Object.entries({
      "gen_ai.operation.name": "chat",
      "gen_ai.system_instructions": JSON.stringify([{ type: "text", content: systemText(history) }]),
      "gen_ai.input.messages": JSON.stringify(withoutSystem(history).map(partsMessage)),
      "gen_ai.output.messages": JSON.stringify([partsMessage(answer)]),
      "gen_ai.tool.definitions": JSON.stringify(run.tools),
      "gen_ai.usage.input_tokens": run.tokensIn,
      "gen_ai.usage.output_tokens": run.tokensOut,
    }).map(([key, value]) => ({
      key,
      value: typeof value === "number" ? { intValue: String(value) } : { stringValue: value },
    })),
  }),
  tool: (turn) => ({
    name: `execute_tool ${turn.call.name}`,
    attributes: otelToolAttributes(turn, JSON.stringify(turn.call.args)),
  }),
};

const langfuse: FrameworkForm = {
  name: "Langfuse observations",
  model: (call) => ({
    type: "GENERATION",
    name: "chat",
    model: "m",
    input: { messages: call.history.map(chatMessage), tools: call.run.tools },
    output: chatMessage(call.answer),
    usage: { input: call.run.tokensIn, output: call.run.tokensOut, unit: "TOKENS" },
    level: "DEFAULT",
  }),
  tool: ({ call, text, failed }) => ({
    type: "TOOL",
    name: call.name,
    input: call.args,
    output: failed ? null : text,
    level: failed ? "ERROR" : "DEFAULT",
    statusMessage: failed ? text : null,
  }),
};

const braintrust: FrameworkForm = {
  name: "Braintrust spans",
  model: (call) => ({
    span_attributes: { type: "llm", name: "Chat Completion" },
    input: call.history.map(chatMessage),
    output: [{ index: 0, message: chatMessage(call.answer), finish_reason: "stop" }],
    metadata: { model: "m", tools: call.run.tools },
    metrics: { prompt_tokens: call.run.tokensIn, completion_tokens: call.run.tokensOut },
  }),
  tool: ({ call, text, failed }) => ({
    span_attributes: { type: "tool", name: call.name },
    input: call.args,
    ...(failed ? { error: text } : { output: text }),
  }),
};

function claudeLine(turn: Turn, usage: Shape): Shape {
  const base = { parentUuid: null, isSidechain: false, sessionId: "s", version: "2.0.0", cwd: "/repo" };
  if (turn.by === "tool") {
    const { call, text, failed } = turn;
    const content = [{ tool_use_id: call.id, type: "tool_result", content: text, is_error: failed }];
    return { ...base, type: "user", message: { role: "user", content } };
  }
  if (turn.by !== "model")
    return {
      ...base,
      type: turn.by,
      ...(turn.by === "system" ? { content: turn.text } : { message: { role: "user", content: turn.text } }),
    };
  const uses = turn.calls.map(({ id, name, args }) => ({ type: "tool_use", id, name, input: args }));
  const text = turn.text === "" ? [] : [{ type: "text", text: turn.text }];
  const message = { model: "m", role: "assistant", content: [...text, ...uses], usage };
  return { ...base, type: "assistant", message };
}

const claudeCode: FrameworkForm = {
  name: "Claude Code session log",
  model: ({ fresh, answer, run }) =>
    [...fresh, answer].map((turn) =>
      claudeLine(turn, { input_tokens: run.tokensIn, output_tokens: run.tokensOut }),
    ),
};

function codexLines(turn: Turn): Shape[] {
  const line = (payload: Shape) => ({ timestamp: "2026-01-01T00:00:00Z", type: "response_item", payload });
  if (turn.by === "tool")
    return [line({ type: "function_call_output", call_id: turn.call.id, output: turn.text })];
  const role = { system: "developer", user: "user", model: "assistant" }[turn.by];
  const type = turn.by === "model" ? "output_text" : "input_text";
  const said =
    turn.text === "" ? [] : [line({ type: "message", role, content: [{ type, text: turn.text }] })];
  const calls = turn.by === "model" ? turn.calls : [];
  return [
    ...said,
    ...calls.map(({ id, name, args }) =>
      line({ type: "function_call", name, arguments: JSON.stringify(args), call_id: id }),
    ),
  ];
}

const codex: FrameworkForm = {
  name: "Codex rollout",
  unmarkedFailures: true,
  model: ({ fresh, answer, run }) => [
    ...[...fresh, answer].flatMap(codexLines),
    {
      type: "event_msg",
      payload: {
        type: "token_count",
        info: { last_token_usage: { input_tokens: run.tokensIn, output_tokens: run.tokensOut } },
      },
    },
  ],
};

function openCodeMessage(turn: Turn, history: readonly Turn[], usage: Shape): Shape {
  const role = turn.by === "model" ? "assistant" : turn.by;
  const parts: Shape[] = turn.text === "" ? [] : [{ type: "text", text: turn.text }];
  for (const call of turn.by === "model" ? turn.calls : []) {
    const result = history.find((one) => one.by === "tool" && one.call.id === call.id);
    const state =
      result?.by !== "tool"
        ? { status: "pending", input: call.args }
        : result.failed
          ? { status: "error", input: call.args, error: result.text }
          : { status: "completed", input: call.args, output: result.text };
    parts.push({ type: "tool", tool: call.name, callID: call.id, state });
  }
  return { info: { role, modelID: "m", tokens: usage }, parts };
}

const openCode: FrameworkForm = {
  name: "opencode messages",
  model: ({ history, answer, run }) => ({
    messages: history
      .filter(({ by }) => by !== "tool")
      .map((turn) => openCodeMessage(turn, history, { input: 0, output: 0 })),
    response: openCodeMessage(answer, [], { input: run.tokensIn, output: run.tokensOut }),
  }),
  tool: ({ call, text, failed }) => ({
    tool: call.name,
    sessionID: "s",
    callID: call.id,
    args: call.args,
    ...(failed ? { error: text } : { output: text, title: "done", metadata: {} }),
  }),
};

export const TELEMETRY_FORMS: readonly FrameworkForm[] = [
  openInference,
  traceloop,
  vercelAttributes,
  otelSpan,
  langfuse,
  braintrust,
  claudeCode,
  codex,
  openCode,
];
