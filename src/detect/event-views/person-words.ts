import { hashText } from "../building-blocks/hash.ts";
import type { DetectorEvent } from "../detector.ts";
import { flattenText, type Message, messagesOf, originOfRole } from "./fields.ts";
import { inputOf } from "./model-call-fields.ts";

/**
 * What a person said last before a model call, as a hash: 0 where nobody did or it cannot be told. A long
 * text is more likely a prompt that grows, or a page, than a question. Of a chat only the end is looked at,
 * behind which the answers of tools to the same question may stand.
 */
const LAST_MESSAGES = 8;
const PROMPT_MAX = 600;
const SAID_MAX = 2_000;
const JSON_MAX = 8_192;

export function personSaid({ payload }: DetectorEvent): number {
  const input = inputOf(payload);
  if (input === undefined || input === null) return 0;
  if (typeof input === "string" && input.length > JSON_MAX) return 0;
  const messages = messagesOf(input);
  if (messages === null)
    return typeof input === "string" && input.length <= PROMPT_MAX ? hashText(input.trim()) : 0;
  const first = Math.max(0, messages.length - LAST_MESSAGES);
  for (let at = messages.length - 1; at >= first; at--) {
    const text = wordsIn(messages[at] as Message);
    if (text !== "") return text.length <= SAID_MAX ? hashText(text) : 0;
  }
  return 0;
}

/** Another agent speaks as a user too, but under its name. */
function wordsIn({ role, name, content, parts, text }: Message): string {
  if (role === undefined || name !== undefined || originOfRole(role, "other") !== "user") return "";
  const said = content ?? parts ?? text;
  if (!Array.isArray(said)) return flattenText(said).trim();
  const words = said.map((part: unknown) => {
    if (typeof part === "string") return part;
    const inner = (part as { text?: unknown } | null)?.text;
    return typeof inner === "string" ? inner : "";
  });
  return words.join("\n").trim();
}
