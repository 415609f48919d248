import type { AgentFile } from "../context/prompt-files.ts";
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
/**
 * What a skill tells its reader to do is why it is read. That the person should not hear of it, or is set
 * aside, is an order there as anywhere.
 */
const OF_A_GUIDE = new Set([
  "order-in-data",
  "machine-told",
  "machine-told-about",
  "machine-told-to-address",
  "note-to-the-machine",
  "message-to-the-model",
  "model-addressed",
  "following-instruction",
  "instead-of-the-task",
  "task-redirected",
  "faked-turn",
  "faked-dialogue",
  "urgent-orders",
]);
/** Said to the one that works on the file. */
const TO_THE_EDITOR =
  /\b(?:coding (?:agents?|assistants?)|claude code|copilot|cursor|codex|developer agents?|whoever (?:reads|edits)|(?:reading|editing|reviewing|opening|refactoring|summari[sz]ing) (?:this|the) (?:file|repo(?:sitory)?|prompt|code ?base|document)|this repo(?:sitory)?|pull requests?|commits?)\b/i;
/** An order of a prompt may name an address of its house; not where something of worth is sent. */
const CARRIED_OFF =
  /\b(?:passwords?|credentials?|secrets?|api[ _]?keys?|tokens?|\.env|ssh|history|inbox|contents?|files?|environment|curl|wget)\b/i;

const passageAround = (text: string, { start, end }: RuleMatch): string =>
  text.slice(Math.max(0, start - 160), end + 240);

const carriesOff = (passage: string): boolean => ADDRESS.test(passage) && CARRIED_OFF.test(passage);

const isOfPrompt = (text: string, match: RuleMatch): boolean => {
  if (!OF_A_PROMPT.has(match.id)) return false;
  const passage = passageAround(text, match);
  return !TO_THE_EDITOR.test(passage) && !carriesOff(passage);
};

const isOfGuide = (text: string, match: RuleMatch): boolean =>
  OF_A_GUIDE.has(match.id) && !carriesOff(passageAround(text, match));

/** True if the verdict rests on what a file tells an agent that it is written for, too. */
export const mayBeToldToAnother = ({ matches }: Verdict): boolean =>
  matches.some(({ id }) => OF_A_PROMPT.has(id) || OF_A_GUIDE.has(id));

/** The evidence without what is told to the agent that the file is for. */
export function withoutToldToAnother(text: string, { matches }: Verdict, file: AgentFile): Verdict {
  const isTold = (match: RuleMatch): boolean =>
    (file !== "prompt" && isOfGuide(text, match)) || (file !== "guide" && isOfPrompt(text, match));
  return verdictOf(matches.filter((match) => !isTold(match)));
}
