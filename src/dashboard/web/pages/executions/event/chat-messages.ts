import { isContainer, type JsonNode } from "./json-source.ts";

/** The conversation in a model call's payload, by the names that the interface and the usual clients use. */

export interface ChatMessage {
  /** Place in the payload: two messages may be alike. */
  readonly id: number;
  readonly role: string;
  readonly text: string;
  /** Calls of tools that the message asks for. */
  readonly calls: readonly { readonly name: string; readonly arguments: string }[];
  /** What the model answered, unlike what it was given. */
  readonly isOutput: boolean;
}

const INPUTS = ["system", "instructions", "messages", "input", "prompt"];
const OUTPUTS = ["output", "response", "completion", "error"];
const MESSAGES_MAX = 300;

/** Null where the payload holds no conversation. */
export function chatMessages(root: JsonNode, source: string): readonly ChatMessage[] | null {
  const messages: ChatMessage[] = [];
  const add = (node: JsonNode, role: string, isOutput: boolean) => {
    if (messages.length >= MESSAGES_MAX) return;
    const message = messageOf(node, role, source);
    if (message.text === "" && message.calls.length === 0) return;
    messages.push({ ...message, id: node.start, isOutput });
  };
  const addAll = (node: JsonNode, role: string, isOutput: boolean) => {
    if (node.kind === "array" && node.members.every((member) => member.value.kind === "object")) {
      for (const member of node.members) add(member.value, role, isOutput);
    } else if (node.kind !== "null") add(node, role, isOutput);
  };
  for (const name of INPUTS) {
    const found = memberOf(root, name);
    if (found !== null)
      addAll(found, name === "system" || name === "instructions" ? "system" : "user", false);
  }
  for (const name of OUTPUTS) {
    const found = memberOf(root, name);
    if (found !== null) addAll(found, name === "error" ? "error" : "assistant", true);
  }
  return messages.length === 0 ? null : messages;
}

function messageOf(
  node: JsonNode,
  role: string,
  source: string,
): Pick<ChatMessage, "role" | "text" | "calls"> {
  const said = node.kind === "object" ? memberOf(node, "role") : null;
  const content = node.kind === "object" ? (memberOf(node, "content") ?? memberOf(node, "text")) : node;
  const wanted = node.kind === "object" ? memberOf(node, "tool_calls") : null;
  const calls =
    wanted !== null && isContainer(wanted) ? wanted.members.map(({ value }) => callOf(value, source)) : [];
  return {
    role: said?.kind === "string" ? said.text : role,
    text:
      content === null
        ? calls.length > 0
          ? ""
          : source.slice(node.start, node.end)
        : textOf(content, source),
    calls,
  };
}

function callOf(node: JsonNode, source: string): ChatMessage["calls"][number] {
  const called = memberOf(node, "function") ?? node;
  const name = called.kind === "string" ? called : memberOf(called, "name");
  const given = memberOf(called, "arguments") ?? memberOf(node, "args") ?? memberOf(node, "arguments");
  return {
    name: name !== null && !isContainer(name) ? name.text : "tool",
    arguments: given === null ? "" : textOf(given, source),
  };
}

/** A text, the texts of its parts, or the JSON as it was sent. */
function textOf(node: JsonNode, source: string): string {
  if (!isContainer(node)) return node.kind === "null" ? "" : node.text;
  if (node.kind === "array") {
    const parts = node.members.map(({ value }) => {
      const text = value.kind === "object" ? memberOf(value, "text") : value;
      return text !== null && text.kind === "string" ? text.text : null;
    });
    if (parts.every((part) => part !== null)) return parts.join("\n");
  }
  return source.slice(node.start, node.end);
}

function memberOf(node: JsonNode, key: string): JsonNode | null {
  if (node.kind !== "object") return null;
  return node.members.findLast((member) => member.key === key)?.value ?? null;
}
