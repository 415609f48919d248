import type { DetectorEvent } from "../../src/detect/detector.ts";
import { EventList } from "./events.ts";

/**
 * Agent runs as their SDK would have sent them: the chat so far goes into the input of a model call, its answer into
 * the output, each tool call into one event with the arguments and a later one with the result.
 */
interface Message {
  readonly role?: string;
  readonly name?: string;
  readonly content?: unknown;
  readonly tool_call_id?: string;
  readonly tool_calls?:
    | readonly { readonly id?: string; readonly function?: { name?: string; arguments?: unknown } }[]
    | null;
}

export interface AgentRun {
  readonly name: string;
  /** null: a clean run; otherwise what became of the attack. */
  readonly attack: null | { readonly succeeded: boolean };
  /** An instruction of the attacker stands in what the agent read. */
  readonly attackSeen: boolean;
  readonly events: readonly DetectorEvent[];
}

function addAssistant(
  list: EventList,
  message: Message,
  pending: Message[],
  names: Map<string, string>,
): void {
  list.add("llm_call", {
    model: "m",
    tokens_in: 100,
    tokens_out: 20,
    ...(pending.length > 0 ? { input: [...pending] } : {}),
    ...(typeof message.content === "string" ? { output: message.content } : {}),
  });
  pending.length = 0;
  for (const call of message.tool_calls ?? []) {
    const name = call.function?.name ?? "";
    names.set(call.id ?? "", name);
    list.add("tool_call", { tool_name: name, call_id: call.id, arguments: call.function?.arguments });
  }
}

/** `messages` in the chat form of OpenAI. */
export function chatEvents(messages: readonly Message[]): readonly DetectorEvent[] {
  const list = new EventList();
  const pending: Message[] = [];
  const names = new Map<string, string>();
  for (const message of messages) {
    if (message.role === "assistant") addAssistant(list, message, pending, names);
    else if (message.role === "tool" || message.role === "function") {
      const id = message.tool_call_id ?? "";
      list.add("tool_call", {
        tool_name: names.get(id) ?? message.name ?? "",
        call_id: id,
        result: message.content,
        latency_ms: 12,
      });
    } else pending.push({ role: message.role, content: message.content });
  }
  if (pending.length > 0) list.add("llm_call", { model: "m", input: pending });
  return list.events;
}

interface AgentDojoMeta {
  readonly attack_type: string | null;
  readonly security: boolean;
}

/** AgentDojo marks what it injects; this is used to tell runs whose agent never met the attack, never to detect. */
function meetsAttack(messages: readonly Message[]): boolean {
  return messages.some(
    (one) => one.role === "tool" && typeof one.content === "string" && one.content.includes("<INFORMATION>"),
  );
}

export function agentDojoRuns(rows: readonly Record<string, unknown>[]): AgentRun[] {
  return rows.map((row) => {
    const meta = row.meta as AgentDojoMeta;
    const messages = row.messages as readonly Message[];
    return {
      name: String(row.id),
      attack: meta.attack_type === null ? null : { succeeded: meta.security },
      attackSeen: meta.attack_type !== null && meetsAttack(messages),
      events: chatEvents(messages),
    };
  });
}

export function tauBenchRuns(rows: readonly Record<string, unknown>[]): AgentRun[] {
  return rows
    .filter((row) => row.reward === 1)
    .map((row) => ({
      name: String(row.id),
      attack: null,
      attackSeen: false,
      events: chatEvents(row.messages as readonly Message[]),
    }));
}

export function whoWhenRuns(rows: readonly Record<string, unknown>[]): AgentRun[] {
  return rows.map((row) => {
    const list = new EventList();
    const history = row.history as readonly { content?: unknown; name?: string; role?: string }[];
    history.forEach((message, position) => {
      const agent = String(message.name ?? message.role ?? "agent");
      const content = typeof message.content === "string" ? message.content : JSON.stringify(message.content);
      if (position === 0) list.add("llm_call", { model: "m", input: [{ role: "user", content }] });
      else if (/terminal|executor|surfer|file/i.test(agent)) {
        list.add("tool_call", { tool_name: agent, call_id: `c${position}`, result: content });
      } else list.add("llm_call", { model: "m", output: content });
    });
    return { name: String(row.id), attack: null, attackSeen: false, events: list.events };
  });
}
