import { type ChatMessage, chatOf } from "./chat.ts";
import type { Row } from "./dataset.ts";

/** Public sets of whole agent runs, each run as the chat it was; `client-shapes.ts` makes events of it. */
export interface AgentRun {
  /** null: a clean run; otherwise what became of the attack. */
  readonly attack: null | { readonly succeeded: boolean };
  /** An instruction of the attacker stands in what the agent read; null where the set does not tell. */
  readonly attackSeen: boolean | null;
  readonly chat: readonly ChatMessage[];
}

const chatIn = (row: Row): readonly ChatMessage[] => chatOf(row.messages as Parameters<typeof chatOf>[0]);

interface AgentDojoMeta {
  readonly attack_type: string | null;
  readonly security: boolean;
}

/** Kinds of AgentDojo's attacks whose text is put between these marks. */
const MARKED = /^(?:important_instructions|tool_knowledge)/;

/**
 * AgentDojo marks what it injects; this is used to tell runs whose agent never met the attack, never to
 * detect.
 */
function meetsAttack(attackType: string, chat: readonly ChatMessage[]): boolean | null {
  if (!MARKED.test(attackType)) return null;
  return chat.some(({ role, content }) => role === "tool" && content?.includes("<INFORMATION>") === true);
}

export function agentDojoRuns(rows: readonly Row[]): AgentRun[] {
  return rows.map((row) => {
    const meta = row.meta as AgentDojoMeta;
    const chat = chatIn(row);
    return {
      attack: meta.attack_type === null ? null : { succeeded: meta.security },
      attackSeen: meta.attack_type === null ? false : meetsAttack(meta.attack_type, chat),
      chat,
    };
  });
}

/** Of which nothing is known but what was said: told as clean, so that whatever fires is seen. */
export function plainRuns(rows: readonly Row[]): AgentRun[] {
  return rows.map((row) => ({ attack: null, attackSeen: false, chat: chatIn(row) }));
}

export function tauBenchRuns(rows: readonly Row[]): AgentRun[] {
  return rows
    .filter((row) => row.reward === 1)
    .map((row) => ({ attack: null, attackSeen: false, chat: chatIn(row) }));
}

interface AgentMessage {
  readonly content?: unknown;
  readonly name?: string;
  readonly role?: string;
}

/**
 * A team of agents: the task is a person's, what a terminal, a browser or a reader of files says is a tool's.
 */
function teamChat(history: readonly AgentMessage[]): readonly ChatMessage[] {
  return history.map((message, position) => {
    const agent = String(message.name ?? message.role ?? "agent");
    const content = typeof message.content === "string" ? message.content : JSON.stringify(message.content);
    const isTool = /terminal|executor|surfer|file/i.test(agent);
    const role = position === 0 ? "user" : isTool ? "tool" : "assistant";
    return { role, content, calls: [], callId: `c${position}`, toolName: agent };
  });
}

export function whoWhenRuns(rows: readonly Row[]): AgentRun[] {
  return rows.map((row) => ({
    attack: null,
    attackSeen: false,
    chat: teamChat(row.history as readonly AgentMessage[]),
  }));
}
