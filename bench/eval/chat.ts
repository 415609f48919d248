/** A chat with a model in one form, whatever form a set of runs has it in. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** As the set has them: JSON text or an object. */
  readonly args: unknown;
}

export interface ChatMessage {
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly content: string | null;
  /** What an answer asks for. */
  readonly calls: readonly ToolCall[];
  /** Of a tool's message: the call it answers, and the tool. */
  readonly callId: string;
  readonly toolName: string;
}

interface OpenAiMessage {
  readonly role?: string;
  readonly name?: string;
  readonly content?: unknown;
  readonly tool_call_id?: string | null;
  readonly tool_calls?: readonly OpenAiCall[] | null;
}

/** AgentDojo's own logs have the name and the arguments on the call itself. */
interface OpenAiCall {
  readonly id?: string | null;
  readonly function?: string | { readonly name?: string; readonly arguments?: unknown };
  readonly args?: unknown;
}

const ROLES: Readonly<Record<string, ChatMessage["role"]>> = {
  system: "system",
  assistant: "assistant",
  tool: "tool",
  function: "tool",
};

/**
 * The calls that no result was told of yet. Some providers give them no ids: then the results come in the
 * order of the calls.
 */
export class OpenCalls {
  private calls: readonly ToolCall[] = [];

  ask(calls: readonly ToolCall[]): void {
    const asked = new Set(calls.map((call) => call.id));
    this.calls = [...this.calls.filter((call) => !asked.has(call.id)), ...calls];
  }

  answer(id: string): ToolCall | undefined {
    const answered = this.calls.find((call) => call.id === id);
    this.calls = this.calls.filter((call) => call !== answered);
    return answered;
  }
}

function callOf({ id, function: called, args }: OpenAiCall): ToolCall {
  if (typeof called === "string") return { id: id ?? "", name: called, args };
  return { id: id ?? "", name: called?.name ?? "", args: called?.arguments };
}

/** A text, or the texts of its parts. */
function textOf(content: unknown): string | null {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return null;
  const texts = content.map(
    (part: { text?: unknown; content?: unknown } | null) => part?.text ?? part?.content,
  );
  return texts.filter((text) => typeof text === "string").join("\n");
}

/** Reads the chat form of OpenAI, in which most sets come. */
export function chatOf(messages: readonly OpenAiMessage[]): readonly ChatMessage[] {
  const open = new OpenCalls();
  return messages.map((message) => {
    const calls = (message.tool_calls ?? []).map(callOf);
    open.ask(calls);
    const callId = message.tool_call_id ?? "";
    const role = ROLES[message.role ?? ""] ?? "user";
    const answered = role === "tool" ? open.answer(callId) : undefined;
    return {
      role,
      content: textOf(message.content),
      calls,
      callId,
      toolName: answered?.name ?? message.name ?? "",
    };
  });
}
