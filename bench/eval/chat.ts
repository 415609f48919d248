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
  readonly tool_call_id?: string;
  readonly tool_calls?:
    | readonly { readonly id?: string; readonly function?: { name?: string; arguments?: unknown } }[]
    | null;
}

const ROLES: Readonly<Record<string, ChatMessage["role"]>> = {
  system: "system",
  assistant: "assistant",
  tool: "tool",
  function: "tool",
};

/** Reads the chat form of OpenAI, in which most sets come. */
export function chatOf(messages: readonly OpenAiMessage[]): readonly ChatMessage[] {
  const names = new Map<string, string>();
  return messages.map((message) => {
    const calls = (message.tool_calls ?? []).map(({ id = "", function: called }) => ({
      id,
      name: called?.name ?? "",
      args: called?.arguments,
    }));
    for (const { id, name } of calls) names.set(id, name);
    const callId = message.tool_call_id ?? "";
    return {
      role: ROLES[message.role ?? ""] ?? "user",
      content: typeof message.content === "string" ? message.content : null,
      calls,
      callId,
      toolName: names.get(callId) ?? message.name ?? "",
    };
  });
}
