import { argumentsHoweverTold } from "../../building-blocks/calls/call-fields.ts";
import { parsedJson } from "../../building-blocks/json-text.ts";
import type { DetectorEvent } from "../../detector.ts";
import { flattenText, type Message, messagesOf, RESULT_TYPES } from "../../event-views/fields.ts";
import { inputOf } from "../../event-views/model-call-fields.ts";
import { callIdOf, callsInMessage } from "../../event-views/model-tool-calls.ts";

/**
 * Prompts of other assistants, which agents that write software read and edit: a file that by its path is a
 * prompt, a persona or the configuration of an agent. What it tells "you" is told to the assistant that will
 * run with it. Files that coding agents take for themselves (AGENTS.md, CLAUDE.md, rules of editors) are
 * none, nor is what comes from the web.
 *
 * Asked only of texts that would fire. Walks are bounded by `MESSAGES_MAX`; never throws.
 */
const PROMPT_PATH =
  /(?:^|[/\\\s"'=])(?:[\w.-]{0,40}(?:prompts?|personas?)[\w.-]{0,40}[/\\][\w./\\ -]{1,120}|(?:agents?|assistants?|bots?|characters?)[/\\][\w./\\-]{1,120}\.(?:mdx?|txt|ya?ml|json|toml|j2|jinja2?|hbs|prompty?)|[\w.-]{0,60}(?:prompt|persona|system[_-]?(?:message|instructions?)|(?:bot|agent|assistant)[_-](?:instructions?|config|persona|behaviou?r))[\w-]{0,40}\.(?:mdx?|txt|ya?ml|json|toml|j2|jinja2?|hbs|mustache|tmpl|xml|py|[jt]sx?|prompty?)|[\w.-]{1,60}\.prompty?)(?=$|[\s"',;:)])/i;
const OWN_RULES =
  /(?:^|[/\\])(?:agents|claude|gemini|copilot-instructions)(?:\.local)?\.md$|\.(?:cursor|windsurf|cline)(?:rules|[/\\])/i;
const PATH_FIELD = /path|^files?(?:name)?s?$|^target_file$|^uri$|^command$|^cmd$|^script$/i;
const VALUE_MAX = 400;
const FIELDS_MAX = 24;

const isPromptPath = (value: string): boolean =>
  value.length <= VALUE_MAX &&
  PROMPT_PATH.test(value) &&
  !/https?:\/\//i.test(value) &&
  !OWN_RULES.test(value.trim());

function parsed(args: unknown): unknown {
  if (typeof args !== "string" || !/^\s{0,4}\{/.test(args) || args.length > 8_192) return args;
  return parsedJson(args);
}

/** True if a call names a prompt file as what it reads. */
function namesPromptFile(given: unknown): boolean {
  const args = parsed(given);
  if (typeof args === "string") return isPromptPath(args);
  if (typeof args !== "object" || args === null) return false;
  let fields = 0;
  for (const key in args) {
    if (fields++ > FIELDS_MAX) return false;
    if (!PATH_FIELD.test(key)) continue;
    const value = (args as Record<string, unknown>)[key];
    const paths: readonly unknown[] = Array.isArray(value) ? value.slice(0, FIELDS_MAX) : [value];
    if (paths.length > 0 && paths.every((path) => typeof path === "string" && isPromptPath(path)))
      return true;
  }
  return false;
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

/** True if a chat shows the text as the answer to a call that named a prompt file. */
function answersInChat(payload: DetectorEvent["payload"], text: string): boolean {
  const messages = messagesOf(inputOf(payload))?.slice(-MESSAGES_MAX);
  if (messages === undefined) return false;
  const ids = new Set<string>();
  let wasNamed = false;
  for (const message of messages) {
    if (typeof message !== "object" || message === null) continue;
    const calls = callsInMessage(message);
    if (calls.length > 0) {
      const naming = calls.filter(({ args }) => namesPromptFile(args));
      for (const { id } of naming) ids.add(id);
      wasNamed = naming.length === calls.length;
    }
    for (const { id, content } of answersIn(message)) {
      if (id === "" ? !wasNamed : !ids.has(id)) continue;
      if (flattenText(content).includes(text) || partsInclude(content, text)) return true;
    }
  }
  return false;
}

const partsInclude = (content: unknown, text: string): boolean =>
  Array.isArray(content) &&
  content.some((part) => flattenText((part as { text?: unknown } | null)?.text).includes(text));

/** True if the text is what a tool read from a file with another assistant's instructions. */
export function isFromPromptFile(event: DetectorEvent, text: string): boolean {
  const { type, payload } = event;
  if (type === "llm_call") return answersInChat(payload, text);
  if (type !== "tool_call" && type !== "mcp_call") return false;
  return namesPromptFile(argumentsHoweverTold(payload));
}
