import { type FrameworkForm, systemText, type Turn, withoutSystem } from "./run.ts";

/** Messages of Vercel's AI SDK, of both versions that are in use. */

type Shape = Record<string, unknown>;

function uiMessage(turn: Turn, results: ReadonlyMap<string, Turn>): Shape {
  const parts: Shape[] = turn.text === "" ? [] : [{ type: "text", text: turn.text, state: "done" }];
  for (const { id, name, args } of turn.by === "model" ? turn.calls : []) {
    const result = results.get(id);
    const part = { type: `tool-${name}`, toolCallId: id, input: args };
    if (result?.by !== "tool") parts.push({ ...part, state: "input-available" });
    else if (result.failed) parts.push({ ...part, state: "output-error", errorText: result.text });
    else parts.push({ ...part, state: "output-available", output: result.text });
  }
  return { id: "m1", role: turn.by === "model" ? "assistant" : turn.by, parts };
}

const resultsOf = (turns: readonly Turn[]): ReadonlyMap<string, Turn> =>
  new Map(turns.flatMap((turn) => (turn.by === "tool" ? [[turn.call.id, turn] as const] : [])));

const vercelUi: FrameworkForm = {
  name: "AI SDK 5 UI messages",
  model: ({ history, answer, run }) => ({
    messages: history.filter(({ by }) => by !== "tool").map((turn) => uiMessage(turn, resultsOf(history))),
    response: uiMessage(answer, new Map()),
    totalUsage: { inputTokens: run.tokensIn, outputTokens: run.tokensOut },
  }),
};

function invocations(turn: Turn, results: ReadonlyMap<string, Turn>): Shape[] {
  if (turn.by !== "model") return [];
  return turn.calls.map(({ id, name, args }) => {
    const result = results.get(id);
    const call = { toolCallId: id, toolName: name, args };
    return result === undefined
      ? { ...call, state: "call" }
      : { ...call, state: "result", result: result.text };
  });
}

const vercel4: FrameworkForm = {
  name: "AI SDK 4 messages with toolInvocations",
  model: ({ history, answer, run }) => ({
    messages: history
      .filter(({ by }) => by !== "tool")
      .map((turn) => ({
        role: turn.by === "model" ? "assistant" : turn.by,
        content: turn.text,
        toolInvocations: invocations(turn, resultsOf(history)),
      })),
    text: answer.text,
    toolCalls: answer.calls.map(({ id, name, args }) => ({
      type: "tool-call",
      toolCallId: id,
      toolName: name,
      args,
    })),
    usage: { promptTokens: run.tokensIn, completionTokens: run.tokensOut },
    finishReason: "stop",
  }),
  tool: ({ call, text, failed }) => ({
    toolName: call.name,
    toolCallId: call.id,
    args: call.args,
    ...(failed ? { error: { name: "ToolExecutionError", message: text } } : { result: text }),
  }),
};

function modelMessage(turn: Turn): Shape {
  if (turn.by === "tool") {
    const output = { type: turn.failed ? "error-text" : "text", value: turn.text };
    const { id, name } = turn.call;
    return { role: "tool", content: [{ type: "tool-result", toolCallId: id, toolName: name, output }] };
  }
  if (turn.by !== "model") return { role: turn.by, content: turn.text };
  const calls = turn.calls.map(({ id, name, args }) => ({
    type: "tool-call",
    toolCallId: id,
    toolName: name,
    input: args,
  }));
  return { role: "assistant", content: [{ type: "text", text: turn.text }, ...calls] };
}

const vercel5: FrameworkForm = {
  name: "AI SDK 5 onStepFinish",
  model: ({ history, answer, run }) => ({
    system: systemText(history),
    messages: withoutSystem(history).map(modelMessage),
    text: answer.text,
    content: modelMessage(answer).content,
    toolCalls: answer.calls.map(({ id, name, args }) => ({
      type: "tool-call",
      toolCallId: id,
      toolName: name,
      input: args,
    })),
    toolResults: [],
    usage: { inputTokens: run.tokensIn, outputTokens: run.tokensOut },
    finishReason: answer.calls.length > 0 ? "tool-calls" : "stop",
  }),
  tool: ({ call, text, failed }) => ({
    type: failed ? "tool-error" : "tool-result",
    toolName: call.name,
    toolCallId: call.id,
    input: call.args,
    ...(failed ? { error: { name: "Error", message: text } } : { output: text }),
  }),
};

export const AI_SDK_FORMS: readonly FrameworkForm[] = [vercelUi, vercel4, vercel5];
