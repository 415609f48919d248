import { byName } from "../../building-blocks/by-name.ts";
import { toolClassOf } from "../../building-blocks/calls/tool-class.ts";
import type { Heard, ToldText } from "../provenance/heard-texts.ts";
import { isNamed, saidIn } from "../provenance/named-hosts.ts";
import { allowedDeeds, askedDeeds } from "../request/asked-deeds.ts";
import { foldedText } from "../request/folded-words.ts";
import { ANY_DEED, GRANTS, PAYS, SENDS, WRITES } from "../request/request-words.ts";
import type { RuleMatch } from "../scan/chain-rules.ts";
import { isProse, proseOf } from "../taint/told-sentences.ts";
import { matchesOf } from "./matches.ts";
import { addressHosts, type CallHosts, MAIL_ADDRESS } from "./outside-hosts.ts";
import { privateValues, type Shares, tellsOn } from "./private-values.ts";

/**
 * What a run has read is sent to somebody whom nobody named, or opened to everybody, where the person only
 * wanted to be told something.
 */

/** A call that may take something out. */
export interface Carrier {
  readonly text: string;
  readonly tool: string;
  readonly isPublic: boolean;
}

const VALUES_ENOUGH = 2;
/** Whole sentences of what was read. */
const WORDS: Shares = { wordsMin: 10, toldMin: 0.75, saidMax: 0.4 };
/** Addresses, names of fields and options say nothing of what is sent. */
const AROUND =
  /https?:\/\/[^\s"'<>]{1,2000}|(?<![^\n])\s{0,16}[\w.-]{1,40}: |(?<!\S)--?[a-z][\w-]{0,30}|^\s{0,8}curl\b/gim;
/** Reports of what went wrong go to whoever watches over it. */
const REPORTS =
  /\b(?:errors?|exceptions?|traceback|stack ?trace|time(?:d )?-?outs?|fail(?:ed|ures?)|severity|log_?level)\b/i;
const tellsWords = (text: string, told: readonly ToldText[], heard: Heard): boolean =>
  !REPORTS.test(text) && tellsOn(text.replace(AROUND, " "), WORDS, told, heard);
const SHOWN_MAX = 120;

/** The deeds that were asked for or allowed; all where it cannot be told. */
function askedOf({ said: all, isOpen }: Heard): number {
  if (isOpen || !all.some(({ origin }) => origin === "user")) return ANY_DEED;
  let asked = 0;
  for (const { origin, text } of all) {
    asked |= origin === "user" ? askedDeeds(text) : allowedDeeds(text);
    if (asked === ANY_DEED) return ANY_DEED;
  }
  return asked;
}

const RECIPIENT_KEY =
  /(?:^|[\n{,])\s{0,4}["']?(?:to|cc|bcc|recipients?|an|para|a|destinatari\w{0,3}|empf\w{1,10})["']?\s{0,2}:\s{0,4}([^\n]{5,300})/i;
const PUBLIC =
  /\b(?:type|access|visibility|scope|link_?sharing|audience|shared_?with)["']?\s{0,2}:\s{0,3}["']?(?:anyone|anyone_?with_?(?:the_?)?link|public|everyone|world|all_?users)\b|\bpublic["']?\s{0,2}:\s{0,2}true|\b(?:role|acl)["']?\s{0,2}:\s{0,3}["']?(?:public-read|allUsers)\b/i;
/** The same as an option of a command. */
const PUBLIC_BY_COMMAND =
  /--(?:acl|canned-acl|predefined-acl)[ =]["']?public-?read|--visibility[ =]["']?public\b|--public-access[ =]["']?(?:blob|container)\b|\b(?:iam ch|acl ch)[^\n|;]{0,80}\ball(?:Authenticated)?Users\b|\bgh gist create\b[^\n|;]{0,200}\s(?:--public|-p)\b/i;
const OPENS = /permission|share|sharing|access|acl|visibility|publish/i;
const SENDS_BY_NAME = /post|put|submit|form|fill|upload|webhook|gist|paste|snippet/i;
/** What they make anybody may read who has the address. */
const PASTES = /paste|termbin|ix_?io/i;

/** A request or a command that sends a body. */
const POSTS =
  /(?:^|\n)\s{0,8}["']?(?:method|verb)["']?\s{0,2}: ?["']?(?:post|put|patch)\b|\bcurl\b[^\n|;]{0,400}\s(?:-d|--data[\w-]{0,12}|-F|--form|--json|-X ?(?:POST|PUT))[ ='"]|\bhttpie?\b[^\n|;]{0,40} (?:post|put)\b|\brequests\.(?:post|put)\(|\bfetch\([^\n]{0,300}method:\s{0,2}["'](?:POST|PUT)/i;
const BODY = /(?:^|\n)\s{0,8}(?:body|json|data|payload|form|form_?data|content): /i;
/** Addresses that carry a message to somebody's chat, phone or chain of automations. */
const MESSENGERS =
  /\bapi\.telegram\.org\/bot|\bdiscord(?:app)?\.com\/api\/webhooks\/|\bhooks\.slack\.com\/|\bwebhook\.office\.com\/|\bhooks\.zapier\.com\/|\bhook\.\w{2,8}\.make\.com\/|\bmaker\.ifttt\.com\/|\bntfy\.sh\/|\bapi\.pushover\.net\/|\bscript\.google\.com\/macros\//i;
/** Services that a text is given to so that it comes back worked on. */
const WORKS_ON =
  /(?:^|\.)(?:openai|anthropic|mistral|cohere|groq|together|perplexity|huggingface|replicate|deepl|languagetool|languagetoolplus|grammarly|libretranslate|googleapis|azure|cognitive|bedrock|amazonaws|assemblyai|unstructured|llamaindex)(?=\.)|(?:^|\.)deepl\.com$/;

/** Somebody spoke of making something public, in whatever language. */
const SHARING =
  /publi|shar|link|open|teil|freigab|freigeb|veroffentlich|offentlich|compart|partag|condivi|delen|udostep|dela\b|del\b|public|опублик|поделит|доступ|paylas|公開|共有|公开|分享|공유|공개|مشارك|chia se|bagikan/u;

/** What a tool does by its name as far as it matters here. */
export const carriesByName = byName((tool) => ({
  opens: OPENS.test(tool) || PASTES.test(tool),
  pastes: PASTES.test(tool),
  sends: toolClassOf(tool) === "send" || SENDS_BY_NAME.test(tool),
  requests: toolClassOf(tool) === "browse",
}));

function sendsBody({ text, tool }: Carrier): boolean {
  const { sends, requests } = carriesByName(tool);
  return sends || POSTS.test(text) || MESSENGERS.test(text) || (requests && BODY.test(text));
}

/**
 * True if the address stands in data that a tool returned, as that of a customer does, and not in somebody's
 * sentence.
 */
function isOnFile(box: string, told: readonly ToldText[]): boolean {
  const own = box.toLowerCase();
  const telling = told.filter(({ text }) => text.toLowerCase().includes(own));
  if (telling.length === 0) return false;
  return !telling.some(({ text }) => proseOf(text).some((one) => one.includes(own) && isProse(one)));
}

const PUBLIC_SWITCH = /^(?:is_?|make_?|set_?)?public(?:ly)?(?:_\w{1,20})?$|^anyone_\w{1,20}$/i;
const SWITCH_DEPTH_MAX = 3;

/** A switch that opens what is made: a truth value stands in no text of the call. */
export function isSwitchedPublic(args: unknown, depth = 0): boolean {
  if (typeof args !== "object" || args === null || Array.isArray(args)) return false;
  for (const key in args) {
    const value = (args as Record<string, unknown>)[key];
    if (value === true) {
      if (PUBLIC_SWITCH.test(key)) return true;
    } else if (typeof value === "object" && depth < SWITCH_DEPTH_MAX && isSwitchedPublic(value, depth + 1))
      return true;
  }
  return false;
}

interface Opened {
  readonly start: number;
  readonly end: number;
  /** It is what the call does, whatever it opens. */
  readonly byItself: boolean;
}

/** How a call opens something to anybody, and where it says so; null: it does not. */
function openedBy({ text, tool, isPublic }: Carrier): Opened | null {
  const { opens, pastes } = carriesByName(tool);
  const command = PUBLIC_BY_COMMAND.exec(text);
  const found = command ?? PUBLIC.exec(text);
  if (found !== null)
    return {
      start: found.index,
      end: found.index + found[0].length,
      byItself: command !== null || (opens && !pastes),
    };
  if (!isPublic && !pastes) return null;
  return { start: 0, end: Math.min(text.length, SHOWN_MAX), byItself: opens && !pastes };
}

function madePublic(
  text: string,
  { start, end, byItself }: Opened,
  told: readonly ToldText[],
  heard: Heard,
): RuleMatch | null {
  if (SHARING.test(foldedText(saidIn(heard)))) return null;
  if (byItself) return { id: "opened-unasked", weight: 0.75, start, end };
  if (privateValues(text, told, heard).length >= VALUES_ENOUGH)
    return { id: "heard-values-made-public", weight: 0.85, start, end };
  return tellsWords(text, told, heard) ? { id: "heard-words-made-public", weight: 0.8, start, end } : null;
}

/** Where anybody has a mailbox under whatever name. */
const PRIVATE_BOX =
  /@(?:gmail|googlemail|outlook|hotmail|live|yahoo|ymail|icloud|me|aol|gmx|web|mail|proton|protonmail|pm|tutanota|tuta|yandex|zoho|fastmail|hey|qq|163|126|naver|orange|laposte|libero|wp|o2|seznam|t-online|freenet|rambler|bk|list|inbox)\.(?:com|net|de|fr|it|es|at|ch|ru|me|co\.uk|eu|pl|cz|jp|io|org)$/i;

/** What was to go to those whom somebody named goes to a private mailbox, too, of which nobody spoke. */
function toPrivateBox(
  text: string,
  told: readonly ToldText[],
  heard: Heard,
  hosts: CallHosts,
): RuleMatch | null {
  const to = RECIPIENT_KEY.exec(text);
  if (to === null) return null;
  const said = saidIn(heard).toLowerCase();
  const boxes = matchesOf(to[1] ?? "", MAIL_ADDRESS, 8)
    .filter(([, host = ""]) => !hosts.onList([host]))
    .map(([box]) => box.toLowerCase());
  const box = boxes.find((one) => PRIVATE_BOX.test(one) && !said.includes(one) && !isOnFile(one, told));
  if (box === undefined || matchesOf(said, MAIL_ADDRESS, 1).length === 0) return null;
  if (told.some((one) => one.text.toLowerCase().includes(box))) return null;
  const goes =
    privateValues(text, told, heard).length >= VALUES_ENOUGH ||
    takesFile(text, told, heard) ||
    tellsWords(text, told, heard);
  if (!goes) return null;
  return { id: "heard-values-to-private-box", weight: 0.8, start: to.index, end: to.index + to[0].length };
}

const FILE_NAME =
  /(?<![\w.-])[\p{L}\p{N}_][\p{L}\p{N}_. -]{1,80}\.(?:csv|tsv|xlsx?|ods|pdf|docx?|odt|pptx?|json|jsonl|txt|md|zip|tar|gz|sql|db|sqlite|parquet|pem|key|env|eml|msg|bak|dump)(?![\w-])/giu;
const FILES_MAX = 8;
const TAKES_FILES =
  /attach|files?\b|document|anhang|anlage|adjunt|pi[e\u00e8]ce|allegat|bijlage|załącznik|вложен|添付|附件/i;

/** A file that the run has read or made goes along, by its name. */
function takesFile(text: string, told: readonly ToldText[], heard: Heard): boolean {
  if (!TAKES_FILES.test(text)) return false;
  const said = saidIn(heard).toLowerCase();
  return matchesOf(text, FILE_NAME, FILES_MAX).some(([name]) => {
    const file = name.trim().toLowerCase();
    return (
      !said.includes(file) && told.some((one) => `${one.asked}\n${one.text}`.toLowerCase().includes(file))
    );
  });
}

/** null: whoever gets it was named, or it was to be sent, or nothing of what was read is in it. */
export function sentUnasked(
  carrier: Carrier,
  told: readonly ToldText[],
  heard: Heard,
  hosts: CallHosts,
): RuleMatch | null {
  const { text } = carrier;
  const sends = sendsBody(carrier);
  const opened = openedBy(carrier);
  if (!sends && opened === null) return null;
  const aside = sends && !heard.isOpen ? toPrivateBox(text, told, heard, hosts) : null;
  if (aside !== null) return aside;
  const asked = askedOf(heard);
  if ((asked & (SENDS | GRANTS)) !== 0) return null;
  const shown = opened === null ? null : madePublic(text, opened, told, heard);
  if (shown !== null) return shown;
  if (!sends || (asked & (WRITES | PAYS)) !== 0) return null;
  const hasValues = privateValues(text, told, heard).length >= VALUES_ENOUGH;
  const hasFile = !hasValues && takesFile(text, told, heard);
  if (!hasValues && !hasFile && !tellsWords(text, told, heard)) return null;
  const to = RECIPIENT_KEY.exec(text)?.[1] ?? "";
  const recipients = matchesOf(to, MAIL_ADDRESS, 8).filter(([box]) => !isOnFile(box, told));
  const named = [...addressHosts(text), ...recipients.map((one) => one[1] ?? "")];
  const stranger = named.find((host) => hosts.outside([host]) !== null && !isNamed(host, heard));
  if (stranger === undefined || (!hasValues && WORKS_ON.test(stranger))) return null;
  const start = Math.max(0, text.indexOf(stranger));
  const id = hasValues ? "heard-values-sent" : hasFile ? "heard-file-sent" : "heard-words-sent";
  return { id, weight: hasValues ? 0.8 : 0.75, start, end: start + stranger.length };
}
