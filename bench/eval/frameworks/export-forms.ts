import { chatMessage, chatTools, converseMessage } from "./provider-forms.ts";
import { type FrameworkForm, type ModelCall, systemText, type Turn, withoutSystem } from "./run.ts";
import { otelToolAttributes } from "./telemetry-forms.ts";
import { anthropicMessage } from "./wire-forms.ts";

/** Logs of providers and gateways, and what tracing services export. */

type Shape = Record<string, unknown>;

const bedrockLog: FrameworkForm = {
  name: "Bedrock invocation logs",
  model: ({ history, answer, run }) => ({
    schemaType: "ModelInvocationLog",
    schemaVersion: "1.0",
    operation: "Converse",
    modelId: "m",
    input: {
      inputContentType: "application/json",
      inputBodyJson: {
        system: [{ text: systemText(history) }],
        messages: withoutSystem(history).map(converseMessage),
      },
      inputTokenCount: run.tokensIn,
    },
    output: {
      outputContentType: "application/json",
      outputBodyJson: {
        output: { message: converseMessage(answer) },
        stopReason: "end_turn",
        usage: { inputTokens: run.tokensIn, outputTokens: run.tokensOut },
      },
      outputTokenCount: run.tokensOut,
    },
  }),
};

const bedrockInvoke: FrameworkForm = {
  name: "Bedrock InvokeModel, bodies as JSON",
  model: ({ history, answer, run }) => ({
    modelId: "m",
    contentType: "application/json",
    body: JSON.stringify({
      anthropic_version: "bedrock-2023-05-31",
      max_tokens: 1024,
      system: systemText(history),
      messages: withoutSystem(history).map(anthropicMessage),
    }),
    response: {
      contentType: "application/json",
      body: JSON.stringify({
        id: "msg_1",
        type: "message",
        ...anthropicMessage(answer),
        usage: { input_tokens: run.tokensIn, output_tokens: run.tokensOut },
      }),
    },
  }),
};

function partsMessage(turn: Turn): Shape {
  if (turn.by === "tool")
    return {
      role: "tool",
      parts: [{ type: "tool_call_response", id: turn.call.id, response: turn.text }],
    };
  const calls = turn.by === "model" ? turn.calls : [];
  const reasoning = turn.by === "model" ? [{ type: "reasoning", content: "Let me see." }] : [];
  const text = turn.text === "" ? [] : [{ type: "text", content: turn.text }];
  const asked = calls.map(({ id, name, args }) => ({ type: "tool_call", id, name, arguments: args }));
  const role = turn.by === "model" ? "assistant" : turn.by;
  return { role, parts: [...reasoning, ...text, ...asked] };
}

/** A value as OTLP writes it in JSON. */
function anyValue(value: unknown): Shape {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "number") return { intValue: String(value) };
  if (typeof value === "boolean") return { boolValue: value };
  if (Array.isArray(value)) return { arrayValue: { values: value.map(anyValue) } };
  if (value === null || value === undefined) return {};
  return { kvlistValue: { values: keyValues(value as Shape) } };
}

const keyValues = (fields: Shape): Shape[] =>
  Object.entries(fields).map(([key, value]) => ({ key, value: anyValue(value) }));

const otelAttributes = ({ history, answer, run }: ModelCall): Shape => ({
  "gen_ai.operation.name": "chat",
  "gen_ai.provider.name": "openai",
  "gen_ai.request.model": "m",
  "gen_ai.system_instructions": [{ type: "text", content: systemText(history) }],
  "gen_ai.input.messages": withoutSystem(history).map(partsMessage),
  "gen_ai.output.messages": [{ ...partsMessage(answer), finish_reason: "stop" }],
  "gen_ai.tool.definitions": run.tools.map((tool) => ({ type: "function", ...tool })),
  "gen_ai.usage.input_tokens": run.tokensIn,
  "gen_ai.usage.output_tokens": run.tokensOut,
});

const otelEvent: FrameworkForm = {
  name: "OpenTelemetry's inference event, attributes as values",
  model: (call) => ({
    event_name: "gen_ai.client.inference.operation.details",
    attributes: otelAttributes(call),
  }),
  tool: (turn) => ({
    name: `execute_tool ${turn.call.name}`,
    attributes: otelToolAttributes(turn, turn.call.args),
  }),
};

const otlpLists: FrameworkForm = {
  name: "OTLP in JSON, values as lists of keys",
  model: (call) => ({ name: "chat m", kind: 3, attributes: keyValues(otelAttributes(call)) }),
  tool: (turn) => ({
    name: `execute_tool ${turn.call.name}`,
    kind: 1,
    attributes: keyValues(otelToolAttributes(turn, turn.call.args)),
  }),
};

const otlpExport = (name: string, attributes: Shape): Shape => ({
  resourceSpans: [
    {
      resource: { attributes: keyValues({ "service.name": "clerk" }) },
      scopeSpans: [
        { scope: { name: "genai" }, spans: [{ name, kind: 3, attributes: keyValues(attributes) }] },
      ],
    },
  ],
});

const otlpOfOne: FrameworkForm = {
  name: "OTLP export of one span",
  model: (call) => otlpExport("chat m", otelAttributes(call)),
  tool: (turn) => otlpExport(`execute_tool ${turn.call.name}`, otelToolAttributes(turn, turn.call.args)),
};

function messageEvent(turn: Turn): Shape {
  const { tool_calls, content } = chatMessage(turn);
  if (turn.by === "tool")
    return { name: "gen_ai.tool.message", attributes: { id: turn.call.id, content: turn.text } };
  const of = turn.by === "model" ? "assistant" : turn.by;
  return {
    name: `gen_ai.${of}.message`,
    attributes: { content, ...(tool_calls === undefined ? {} : { tool_calls }) },
  };
}

const otelSpanEvents: FrameworkForm = {
  name: "OpenTelemetry, a span event for each message",
  unmarkedFailures: true,
  model: ({ history, answer, run }) => ({
    name: "chat m",
    attributes: {
      "gen_ai.operation.name": "chat",
      "gen_ai.request.model": "m",
      "gen_ai.usage.input_tokens": run.tokensIn,
      "gen_ai.usage.output_tokens": run.tokensOut,
    },
    events: [
      ...history.map(messageEvent),
      {
        name: "gen_ai.choice",
        attributes: { index: 0, finish_reason: "stop", message: JSON.stringify(chatMessage(answer)) },
      },
    ],
  }),
};

const datadog: FrameworkForm = {
  name: "Datadog LLM spans",
  model: (call) => ({
    name: "chat",
    span_id: "1",
    meta: {
      "span.kind": "llm",
      model_name: "m",
      input: {
        messages: call.history.map(({ by, text, ...turn }) => ({
          role: by === "model" ? "assistant" : by,
          content: text,
          ...(by === "tool" ? { tool_results: [{ result: text, tool_id: "c", type: "tool_result" }] } : {}),
          ...("calls" in turn
            ? {
                tool_calls: turn.calls.map(({ id, name, args }) => ({
                  name,
                  arguments: args,
                  tool_id: id,
                  type: "function",
                })),
              }
            : {}),
        })),
      },
      output: {
        messages: [
          {
            role: "assistant",
            content: call.answer.text,
            tool_calls: call.answer.calls.map(({ id, name, args }) => ({
              name,
              arguments: args,
              tool_id: id,
              type: "function",
            })),
          },
        ],
      },
    },
    metrics: { input_tokens: call.run.tokensIn, output_tokens: call.run.tokensOut },
    status: "ok",
  }),
  tool: ({ call, text, failed }) => ({
    name: call.name,
    meta: {
      "span.kind": "tool",
      input: { value: JSON.stringify(call.args) },
      ...(failed ? { "error.message": text, "error.type": "ToolError" } : { output: { value: text } }),
    },
    status: failed ? "error" : "ok",
  }),
};

const mlflow: FrameworkForm = {
  name: "MLflow spans",
  model: (call) => ({
    name: "Completions",
    attributes: {
      "mlflow.spanType": JSON.stringify("CHAT_MODEL"),
      "mlflow.spanInputs": JSON.stringify({ model: "m", messages: call.history.map(chatMessage) }),
      "mlflow.spanOutputs": JSON.stringify({
        choices: [{ index: 0, message: chatMessage(call.answer), finish_reason: "stop" }],
      }),
      "mlflow.chat.tokenUsage": JSON.stringify({
        input_tokens: call.run.tokensIn,
        output_tokens: call.run.tokensOut,
      }),
    },
  }),
  tool: ({ call, text, failed }) => ({
    name: call.name,
    status: { code: failed ? "ERROR" : "OK", message: failed ? text : "" },
    attributes: {
      "mlflow.spanType": JSON.stringify("TOOL"),
      "mlflow.spanFunctionName": JSON.stringify(call.name),
      "mlflow.spanInputs": JSON.stringify(call.args),
      ...(failed ? { "exception.message": text } : { "mlflow.spanOutputs": JSON.stringify(text) }),
    },
  }),
};

const sentry: FrameworkForm = {
  name: "Sentry's AI spans",
  unmarkedFailures: true,
  model: (call) => ({
    op: "gen_ai.chat",
    data: {
      "gen_ai.request.model": "m",
      "gen_ai.request.messages": JSON.stringify(call.history.map(chatMessage)),
      "gen_ai.request.available_tools": JSON.stringify(chatTools(call)),
      "gen_ai.response.text": JSON.stringify([call.answer.text]),
      "gen_ai.response.tool_calls": JSON.stringify(
        call.answer.calls.map(({ id, name, args }) => ({
          id,
          type: "function_call",
          name,
          arguments: JSON.stringify(args),
        })),
      ),
      "gen_ai.usage.input_tokens": call.run.tokensIn,
      "gen_ai.usage.output_tokens": call.run.tokensOut,
    },
  }),
  tool: ({ call, text, failed }) => ({
    op: "gen_ai.execute_tool",
    description: `execute_tool ${call.name}`,
    status: failed ? "internal_error" : "ok",
    data: {
      "gen_ai.tool.name": call.name,
      "gen_ai.tool.description": "A tool of the office.",
      "gen_ai.tool.input": JSON.stringify(call.args),
      "gen_ai.tool.output": text,
    },
  }),
};

const weave: FrameworkForm = {
  name: "Weave calls",
  model: (call) => ({
    op_name: "openai.chat.completions.create",
    inputs: { self: "<Completions>", model: "m", messages: call.history.map(chatMessage) },
    output: {
      object: "chat.completion",
      choices: [{ index: 0, message: chatMessage(call.answer), finish_reason: "stop" }],
      usage: { prompt_tokens: call.run.tokensIn, completion_tokens: call.run.tokensOut },
    },
    summary: { usage: { m: { requests: 1 } } },
  }),
  tool: ({ call, text, failed }) => ({
    op_name: "tool",
    display_name: call.name,
    tool_name: call.name,
    inputs: call.args,
    ...(failed ? { exception: text, output: null } : { output: text, exception: null }),
  }),
};

const liteLlmKwargs: FrameworkForm = {
  name: "LiteLLM: kwargs and response_obj",
  unmarkedFailures: true,
  model: (call) => {
    const response = {
      id: "chatcmpl-1",
      choices: [{ index: 0, message: chatMessage(call.answer), finish_reason: "stop" }],
      usage: { prompt_tokens: call.run.tokensIn, completion_tokens: call.run.tokensOut },
    };
    const messages = call.history.map(chatMessage);
    return {
      kwargs: {
        model: "m",
        messages,
        optional_params: { tools: chatTools(call), stream: false },
        litellm_params: { metadata: { user_api_key_alias: "clerk" } },
        standard_logging_object: {
          id: "chatcmpl-1",
          call_type: "acompletion",
          messages,
          response,
          prompt_tokens: call.run.tokensIn,
          completion_tokens: call.run.tokensOut,
          status: "success",
        },
      },
      response_obj: response,
      start_time: 1,
      end_time: 2,
    };
  },
};

const langfuseOtel: FrameworkForm = {
  name: "Langfuse attributes",
  model: (call) => ({
    attributes: {
      "langfuse.observation.type": "generation",
      "langfuse.observation.model.name": "m",
      "langfuse.observation.input": JSON.stringify(call.history.map(chatMessage)),
      "langfuse.observation.output": JSON.stringify(chatMessage(call.answer)),
      "langfuse.observation.usage_details": JSON.stringify({
        input: call.run.tokensIn,
        output: call.run.tokensOut,
      }),
    },
  }),
  tool: ({ call, text, failed }) => ({
    name: call.name,
    attributes: {
      "langfuse.observation.type": "tool",
      "langfuse.observation.input": JSON.stringify(call.args),
      ...(failed
        ? { "langfuse.observation.level": "ERROR", "langfuse.observation.status_message": text }
        : { "langfuse.observation.output": text }),
    },
  }),
};

export const EXPORT_FORMS: readonly FrameworkForm[] = [
  bedrockLog,
  bedrockInvoke,
  otelEvent,
  otlpLists,
  otlpOfOne,
  otelSpanEvents,
  datadog,
  mlflow,
  sentry,
  weave,
  liteLlmKwargs,
  langfuseOtel,
];
