import { type RuleMatch, type Verdict, verdictOf } from "../scan/chain-rules.ts";
import { ADDRESS } from "../scan/sentence-bounds.ts";

/**
 * What a prompt of another assistant tells "you" is no order to the agent that reads the file: persona, bans,
 * what is kept from customers, what is answered when asked. What sets rules aside, sends things away or
 * speaks to whoever edits the file is one there too.
 */
const OF_A_PROMPT = new Set([
  "order-in-data",
  "machine-told",
  "machine-told-about",
  "machine-told-to-address",
  "machine-told-secretly",
  "secretly-machine-told",
  "note-to-the-machine",
  "model-addressed",
  "kept-from-the-user",
  "secret-act",
  "reply-laid-down",
  "following-instruction",
  "instead-of-the-task",
  "task-redirected",
  "system-line",
  "framed-imperative",
  "framed-orders",
  "faked-turn",
  "user-set-aside",
  "urgent-orders",
]);
/** Said to the one that works on the file. */
const TO_THE_EDITOR =
  /\b(?:coding (?:agents?|assistants?)|claude code|copilot|cursor|codex|developer agents?|whoever (?:reads|edits)|(?:reading|editing|reviewing|opening|refactoring|summari[sz]ing) (?:this|the) (?:file|repo(?:sitory)?|prompt|code ?base|document)|this repo(?:sitory)?|pull requests?|commits?)\b/i;
/** An order of a prompt may name an address of its house; not where something of worth is sent. */
const CARRIED_OFF =
  /\b(?:passwords?|credentials?|secrets?|api[ _]?keys?|tokens?|\.env|ssh|history|inbox|contents?|files?|environment|curl|wget)\b/i;

const isOfPrompt = (text: string, { id, start, end }: RuleMatch): boolean => {
  if (!OF_A_PROMPT.has(id)) return false;
  const passage = text.slice(Math.max(0, start - 160), end + 240);
  return !TO_THE_EDITOR.test(passage) && !(ADDRESS.test(passage) && CARRIED_OFF.test(passage));
};

/** True if the verdict rests on what a prompt tells its own assistant, too. */
export const mayBeToldToAnother = ({ matches }: Verdict): boolean =>
  matches.some(({ id }) => OF_A_PROMPT.has(id));

/** The evidence without what is told to the assistant that the prompt is for. */
export function withoutToldToAnother(text: string, { matches }: Verdict): Verdict {
  return verdictOf(matches.filter((match) => !isOfPrompt(text, match)));
}
