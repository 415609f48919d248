import type { DetectorEvent } from "../../src/detect/detector.ts";
import { type ChatMessage, OpenCalls, type ToolCall } from "./chat.ts";
import { EventList } from "./events.ts";

/**
 * The shapes in which clients send one and the same run. A shape says what a model call carries (what is new
 * since the last one, the whole history, a transcript) and how calls of tools are told (in two events, in
 * one, not at all). Each is a pure function of the chat.
 */
export interface ClientShape {
  readonly name: string;
  readonly events: (chat: readonly ChatMessage[]) => readonly DetectorEvent[];
}

type Payload = Readonly<Record<string, unknown>>;

/**
 * A model call. `history`: all before the answer; `fresh`: what persons and operators said since the last
 * one.
 */
type ModelForm = (
  history: readonly ChatMessage[],
  fresh: readonly ChatMessage[],
  answer: ChatMessage | null,
) => Payload;

interface ToolForm {
  /** As the model asks for it; null where the call is told when it is done. */
  readonly asked: ((call: ToolCall) => Payload) | null;
  readonly done: (call: ToolCall, result: string | null) => Payload;
}

function shape(name: string, model: ModelForm, tools: ToolForm | null): ClientShape {
  return { name, events: (chat) => eventsIn(chat, model, tools) };
}

function eventsIn(
  chat: readonly ChatMessage[],
  model: ModelForm,
  tools: ToolForm | null,
): readonly DetectorEvent[] {
  const list = new EventList();
  const open = new OpenCalls();
  let fresh: ChatMessage[] = [];
  chat.forEach((message, position) => {
    if (message.role === "assistant") {
      list.add("llm_call", model(chat.slice(0, position), fresh, message));
      fresh = [];
      open.ask(message.calls);
      if (tools?.asked) for (const call of message.calls) list.add("tool_call", tools.asked(call));
    } else if (message.role === "tool") {
      const { callId, toolName, content } = message;
      const call = open.answer(callId) ?? { id: callId, name: toolName, args: undefined };
      if (tools !== null) list.add("tool_call", tools.done(call, content));
    } else fresh.push(message);
  });
  if (fresh.length > 0) list.add("llm_call", model(chat, fresh, null));
  return list.events;
}

const COUNTS = { tokens_in: 100, tokens_out: 20 };

function parsed(args: unknown): unknown {
  if (typeof args !== "string") return args;
  try {
    return JSON.parse(args);
  } catch {
    return args;
  }
}

const jsonText = (args: unknown): string => (typeof args === "string" ? args : JSON.stringify(args ?? {}));

const IN_HALVES: ToolForm = {
  asked: ({ id, name, args }) => ({ tool_name: name, call_id: id, arguments: args }),
  done: ({ id, name }, result) => ({ tool_name: name, call_id: id, result, latency_ms: 12 }),
};

const IN_ONE: ToolForm = {
  asked: null,
  done: ({ id, name, args }, result) => ({
    tool_name: name,
    call_id: id,
    arguments: parsed(args),
    result,
    latency_ms: 12,
  }),
};

const OPEN_TELEMETRY_CALL: ToolForm = {
  asked: null,
  done: ({ id, name, args }, result) => ({
    tool_name: name,
    "gen_ai.tool.name": name,
    "gen_ai.tool.call.id": id,
    ...(args === undefined ? {} : { "gen_ai.tool.call.arguments": jsonText(args) }),
    "gen_ai.tool.call.result": result,
  }),
};

/** What is new: the model's earlier answers and the tools' are left to events of their own. */
const newMessages: ModelForm = (_history, fresh, answer) => ({
  model: "m",
  ...(answer === null ? {} : COUNTS),
  ...(fresh.length > 0 ? { input: fresh.map(({ role, content }) => ({ role, content })) } : {}),
  ...(answer !== null && answer.content !== null ? { output: answer.content } : {}),
});

function openAiMessage({ role, content, calls, callId }: ChatMessage): Payload {
  return {
    role,
    content,
    ...(role === "tool" ? { tool_call_id: callId } : {}),
    ...(calls.length > 0
      ? {
          tool_calls: calls.map(({ id, name, args }) => ({
            id,
            type: "function",
            function: { name, arguments: jsonText(args) },
          })),
        }
      : {}),
  };
}

const openAiHistory: ModelForm = (history, _fresh, answer) => ({
  model: "m",
  provider: "openai",
  ...COUNTS,
  input: history.map(openAiMessage),
  ...(answer === null ? {} : { output: openAiMessage(answer) }),
});

const jsonHistory: ModelForm = (history, _fresh, answer) => ({
  model: "m",
  provider: "openai",
  ...COUNTS,
  prompt: JSON.stringify(history.map(openAiMessage)),
  ...(answer === null ? {} : { completion: JSON.stringify([openAiMessage(answer)]) }),
});

function anthropicMessage({ role, content, calls, callId }: ChatMessage): Payload {
  const text = content === null ? [] : [{ type: "text", text: content }];
  if (role === "tool") {
    return { role: "user", content: [{ type: "tool_result", tool_use_id: callId, content: text }] };
  }
  if (role !== "assistant") return { role, content };
  const uses = calls.map(({ id, name, args }) => ({ type: "tool_use", id, name, input: parsed(args) }));
  return { role, content: [...text, ...uses] };
}

const instructionsIn = (history: readonly ChatMessage[]): string =>
  history
    .filter(({ role }) => role === "system")
    .map(({ content }) => content)
    .join("\n");

const isSaid = ({ role }: ChatMessage): boolean => role !== "system";

const anthropicHistory: ModelForm = (history, _fresh, answer) => ({
  model: "m",
  provider: "anthropic",
  ...COUNTS,
  system: instructionsIn(history),
  messages: history.filter(isSaid).map(anthropicMessage),
  ...(answer === null ? {} : { output: anthropicMessage(answer).content }),
});

function openTelemetryMessage({ role, content, calls, callId }: ChatMessage): Payload {
  if (role === "tool")
    return { role, parts: [{ type: "tool_call_response", id: callId, response: content }] };
  const text = content === null ? [] : [{ type: "text", content }];
  const asked = calls.map(({ id, name, args }) => ({ type: "tool_call", id, name, arguments: parsed(args) }));
  return { role, parts: [...text, ...asked] };
}

const openTelemetryHistory: ModelForm = (history, _fresh, answer) => ({
  "gen_ai.request.model": "m",
  "gen_ai.system": "openai",
  ...COUNTS,
  "gen_ai.system_instructions": JSON.stringify([{ type: "text", content: instructionsIn(history) }]),
  "gen_ai.input.messages": JSON.stringify(history.filter(isSaid).map(openTelemetryMessage)),
  ...(answer === null ? {} : { "gen_ai.output.messages": JSON.stringify([openTelemetryMessage(answer)]) }),
});

/**
 * What a model is given that continues a text: who speaks stands before what he says, a call as its name and
 * arguments.
 */
function spoken({ content, calls }: ChatMessage): string {
  const asked = calls.map(({ name, args }) => `${name}(${jsonText(args)})`);
  return [...(content === null ? [] : [content]), ...asked].join("\n");
}

const transcriptOf = (history: readonly ChatMessage[]): string =>
  history.map((message) => `${message.role}: ${spoken(message)}`).join("\n\n");

const transcript: ModelForm = (history, _fresh, answer) => ({
  model: "m",
  ...COUNTS,
  prompt: transcriptOf(history),
  ...(answer === null ? {} : { completion: spoken(answer) }),
});

const transcriptAnswered: ModelForm = (history, _fresh, answer) => ({
  model: "m",
  ...COUNTS,
  prompt: transcriptOf(history),
  ...(answer === null ? {} : { output: openAiMessage(answer) }),
});

/** The shape that the figures of runs are told in where none is named. */
export const FIRST_SHAPE = shape("new messages, calls in halves", newMessages, IN_HALVES);

export const CLIENT_SHAPES: readonly ClientShape[] = [
  FIRST_SHAPE,
  shape("new messages, calls in one", newMessages, IN_ONE),
  shape("history, calls in halves", openAiHistory, IN_HALVES),
  shape("history", openAiHistory, null),
  shape("history as JSON", jsonHistory, null),
  shape("Anthropic's history", anthropicHistory, null),
  shape("OpenTelemetry, calls in one", openTelemetryHistory, OPEN_TELEMETRY_CALL),
  shape("transcript, calls in one", transcript, IN_ONE),
  shape("transcript", transcriptAnswered, null),
];
