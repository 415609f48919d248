import { argumentsHoweverTold } from "../../building-blocks/calls/call-fields.ts";
import { parsedJson } from "../../building-blocks/json-text.ts";
import type { DetectorEvent } from "../../detector.ts";
import { flattenText, type Message, messagesOf, RESULT_TYPES } from "../../event-views/fields.ts";
import { inputOf } from "../../event-views/model-call-fields.ts";
import { callIdOf, callsInMessage } from "../../event-views/model-tool-calls.ts";

/**
 * Files that are written for agents, which agents that write software read: by its path one is a prompt, a
 * persona or the configuration of another assistant, to which it says "you"; or a skill or a file of
 * instructions, which tells whoever reads it how a task is done. Files that coding agents take for themselves
 * unasked (AGENTS.md, CLAUDE.md, rules of editors) are neither, nor is what comes from the web.
 *
 * Asked only of texts that would fire. Walks are bounded by `MESSAGES_MAX`; never throws.
 */
const PROMPT_PATH =
  /(?:^|[/\\\s"'=])(?:[\w.-]{0,40}(?:prompts?|personas?)[\w.-]{0,40}[/\\][\w./\\ -]{1,120}|(?:agents?|assistants?|bots?|characters?)[/\\][\w./\\-]{1,120}\.(?:mdx?|txt|ya?ml|json|toml|j2|jinja2?|hbs|prompty?)|[\w.-]{0,60}(?:prompt|persona|system[_-]?(?:message|instructions?)|(?:bot|agent|assistant)[_-](?:instructions?|config|persona|behaviou?r))[\w-]{0,40}\.(?:mdx?|txt|ya?ml|json|toml|j2|jinja2?|hbs|mustache|tmpl|xml|py|[jt]sx?|prompty?)|[\w.-]{1,60}\.prompty?)(?=$|[\s"',;:)])/i;
/** `both`: by its path it may be either. */
export type AgentFile = "prompt" | "guide" | "both";

/**
 * A skill, what an editor's assistant is given for a kind of task or as a part to play, or what the plugin of
 * a coding agent brings for it to follow.
 */
const GUIDE_PATH =
  /(?:^|[/\\\s"'=])(?:skill\.md|(?:[\w./\\~ -]{0,120}[/\\])?skills[/\\][\w.-]{1,60}[/\\][\w./\\-]{1,120}\.(?:md|txt)|(?:[\w./\\~ -]{0,120}[/\\])?(?:\.claude|\.agents|\.codex|\.opencode|plugins[/\\][\w.-]{1,60})[/\\](?:commands|references|output-styles|workflows)[/\\][\w./\\-]{1,120}\.md|[\w.-]{1,60}\.(?:instructions|chatmode|agent|prompt)\.md)(?=$|[\s"',;:)])/i;
const OWN_RULES =
  /(?:^|[/\\])(?:agents|claude|gemini|copilot-instructions)(?:\.local)?\.md$|\.(?:cursor|windsurf|cline)(?:rules|[/\\])/i;
const PATH_FIELD = /path|^files?(?:name)?s?$|^target_file$|^uri$|^command$|^cmd$|^script$/i;
const VALUE_MAX = 400;
const FIELDS_MAX = 24;

function fileAt(value: string): AgentFile | null {
  if (value.length > VALUE_MAX || /https?:\/\//i.test(value) || OWN_RULES.test(value.trim())) return null;
  const isPrompt = PROMPT_PATH.test(value);
  if (GUIDE_PATH.test(value)) return isPrompt ? "both" : "guide";
  return isPrompt ? "prompt" : null;
}

function parsed(args: unknown): unknown {
  if (typeof args !== "string" || !/^\s{0,4}\{/.test(args) || args.length > 8_192) return args;
  return parsedJson(args);
}

/** The kind of file that a call names as what it reads; null if it names none, or others too. */
function fileNamed(given: unknown): AgentFile | null {
  const args = parsed(given);
  if (typeof args === "string") return fileAt(args);
  if (typeof args !== "object" || args === null) return null;
  let fields = 0;
  for (const key in args) {
    if (fields++ > FIELDS_MAX) return null;
    if (!PATH_FIELD.test(key)) continue;
    const value = (args as Record<string, unknown>)[key];
    const paths: readonly unknown[] = Array.isArray(value) ? value.slice(0, FIELDS_MAX) : [value];
    const files = paths.map((path) => (typeof path === "string" ? fileAt(path) : null));
    const [first] = files;
    if (first !== undefined && first !== null && files.every((one) => one === first)) return first;
  }
  return null;
}

const MESSAGES_MAX = 64;
const PARTS_MAX = 100;

interface Answer {
  readonly id: string;
  readonly content: unknown;
}

/** What tools gave back in a message: the message of a tool, or parts of a message of the user's. */
function answersIn(message: Message): readonly Answer[] {
  const { role, content, parts } = message;
  if (role === "tool" || role === "function" || RESULT_TYPES.has(message.type))
    return [{ id: callIdOf(message), content: content ?? parts ?? message.output }];
  const blocks = Array.isArray(content) ? content : Array.isArray(parts) ? parts : [];
  return blocks.slice(0, PARTS_MAX).flatMap((block: unknown) => {
    if (typeof block !== "object" || block === null) return [];
    const part = block as Record<string, unknown>;
    if (!RESULT_TYPES.has(part.type)) return [];
    return [{ id: callIdOf(part), content: part.content ?? part.response ?? part.result ?? part.output }];
  });
}

/** The kind of file that a call named to which a chat shows the text as the answer. */
function fileInChat(payload: DetectorEvent["payload"], text: string): AgentFile | null {
  const messages = messagesOf(inputOf(payload))?.slice(-MESSAGES_MAX);
  if (messages === undefined) return null;
  const byId = new Map<string, AgentFile>();
  let named: AgentFile | null = null;
  for (const message of messages) {
    if (typeof message !== "object" || message === null) continue;
    const calls = callsInMessage(message);
    if (calls.length > 0) {
      const files = calls.map(({ args }) => fileNamed(args));
      for (const [at, { id }] of calls.entries()) {
        const file = files[at] ?? null;
        if (file !== null) byId.set(id, file);
      }
      named = files.every((one) => one === files[0]) ? (files[0] ?? null) : null;
    }
    for (const { id, content } of answersIn(message)) {
      const file = id === "" ? named : (byId.get(id) ?? null);
      if (file !== null && (flattenText(content).includes(text) || partsInclude(content, text))) return file;
    }
  }
  return null;
}

const partsInclude = (content: unknown, text: string): boolean =>
  Array.isArray(content) &&
  content.some((part) => flattenText((part as { text?: unknown } | null)?.text).includes(text));

/** The kind of file that a tool read the text from; null of any other text. */
export function agentFileOf(event: DetectorEvent, text: string): AgentFile | null {
  const { type, payload } = event;
  if (type === "llm_call") return fileInChat(payload, text);
  if (type !== "tool_call" && type !== "mcp_call") return null;
  return fileNamed(argumentsHoweverTold(payload));
}
