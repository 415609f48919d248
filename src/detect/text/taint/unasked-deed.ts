import { type ToolClass, wordsOfName } from "../../building-blocks/calls/tool-class.ts";
import { addressNamedIn, WEB_ADDRESS } from "../../building-blocks/hosts/web-addresses.ts";
import { ANY_DEED, DELETES, GRANTS, NOTES, PAYS, SENDS, WRITES, wordsIn } from "../request/request-words.ts";
import { deedWordsOf, readsByName } from "../request/tool-words.ts";
import { argumentValues, comparable, isMailAddress } from "./argument-values.ts";
import { commandsOfCall } from "./changing-commands.ts";
import type { Errand } from "./errand.ts";
import { bareNumber, spellingIn } from "./number-spellings.ts";
import { isProse, type ToldSentence } from "./told-sentences.ts";
import { knownFrom, standsAlone, toldTogether, valueIn } from "./told-together.ts";

/**
 * Whether an agent does what nobody asked it for and a tool's text told it: however that text is worded, it
 * shows in what follows. The person asked for other kinds of deeds, or for none; the operator's instructions
 * make this kind no duty; and a value of the call stands in prose that a tool returned, and in nothing that
 * these two said.
 *
 * Known only where the prompts are sent, and judged only while every one of them can be read
 * (`asked-deeds.ts`).
 */
const KINDS: Readonly<Partial<Record<ToolClass, number>>> = {
  send: SENDS,
  pay: PAYS,
  delete: DELETES,
  grant: GRANTS,
  write: WRITES,
  other: WRITES,
};

/** Whoever asks for one of these may get the deed of a kind along with it. */
const COVERED_BY: Readonly<Record<number, number>> = {
  [SENDS]: SENDS | WRITES | PAYS,
  [PAYS]: PAYS,
  [DELETES]: DELETES | GRANTS | WRITES,
  [GRANTS]: GRANTS,
  [WRITES]: ANY_DEED | NOTES,
};

/** Tools by which an agent keeps house, speaks to the person it works for or gets to where it may read. */
const OWN_WORDS = wordsIn(
  "plan plans todo todos think thought thoughts memory scratchpad finish final answer respond note notes file files artifact draft drafts report canvas log logs verify login auth authenticate session connect ask user human reminder table chart graph diagram plot slide slides summary overview display render",
);

const MAKES = wordsIn("create add register provision update modify edit set new");

/** Of these an agent keeps none to itself: what they do to a file or an account reaches others. */
const REACHES: ReadonlySet<ToolClass> = new Set(["delete", "grant", "pay"]);
const REACHES_BY_NAME = wordsIn(
  "share publish forward transfer upload invite disable enable deactivate activate suspend block reset revoke assign approve merge export",
);

/**
 * Files by which an agent, its editor or its machine is told what it may do and what to start: whoever writes
 * them changes more than a file.
 */
const CONTROLS =
  /(?:^|[\\/])(?:\.?mcp[\w-]{0,20}\.json|claude_desktop_config\.json|\.(?:cursor|vscode|claude|gemini|codex|windsurf|continue|amazonq|idea)[\\/][\w./\\-]{1,120}\.(?:jsonc?|toml|ya?ml|xml)|\.(?:bash|zsh|sh)?(?:rc|_profile|profile|_aliases)|authorized_keys|crontab|cron\.d[\\/][\w.-]{1,60}|\.git[\\/](?:hooks[\\/][\w-]{1,40}|config)|\.ssh[\\/]config|\.npmrc|\.pypirc|sudoers|(?:systemd|LaunchAgents)[\\/][\w./-]{1,80}|\.github[\\/]workflows[\\/][\w.-]{1,60})$/;
const PATH_MAX = 300;

/** True if a file is named that the agent is governed by. */
function touchesControls(args: unknown): boolean {
  if (typeof args !== "object" || args === null) return false;
  return Object.values(args).some(
    (value) => typeof value === "string" && value.length <= PATH_MAX && CONTROLS.test(value),
  );
}

function isOwn(nameWords: readonly string[], toolClass: ToolClass, args: unknown): boolean {
  if (REACHES.has(toolClass) || touchesControls(args) || nameWords.some((word) => REACHES_BY_NAME.has(word)))
    return false;
  // "create_user" makes an account, "ask_user" speaks to the person.
  const makesAccount = nameWords.includes("user") && nameWords.some((word) => MAKES.has(word));
  return nameWords.some((word) => OWN_WORDS.has(word) && !(makesAccount && word === "user"));
}

export interface UnaskedCall {
  readonly name: string;
  readonly toolClass: ToolClass;
  /** In comparable form. */
  readonly values: readonly string[];
  readonly args: unknown;
  readonly eventId: string;
  readonly sequence: number;
}

/** With what it says in comparable form. */
interface ReadSentence extends ToldSentence {
  readonly text: string;
}

/** Of events with one number, as a client sends that does not count them, any may have been first. */
const isBefore = (one: ToldSentence, { eventId, sequence }: UnaskedCall): boolean =>
  one.sequence === sequence ? one.eventId !== eventId : one.sequence < sequence;

export interface Unasked {
  readonly value: string;
  readonly sentence: ReadSentence;
}

const STEM_MAX = 5;
/**
 * A short value without a space is known where it stands by itself: "personal" is not known of
 * "Bibliothekspersonal".
 */
const SHORT_MAX = 12;
const isKnown = (value: string, known: readonly string[]): boolean =>
  known.some(
    (one) =>
      one.includes(value) && (value.length > SHORT_MAX || standsAlone(one, value) || isBegun(one, value)),
  );
const isBegun = (text: string, value: string): boolean => {
  const at = text.indexOf(value);
  return at === 0 || !/[\p{L}\p{N}]/u.test(text.charAt(at - 1));
};

/** How a text tells a value: as it is, or as a number that is spelt otherwise; "" if it does not. */
function tells(text: string, value: string): string {
  if (text.includes(value)) return value;
  if (WEB_ADDRESS.test(value)) {
    // A host alone stands in any text that tells where something is found.
    const named = addressNamedIn(text, value);
    return named?.includes("/") === true ? named : "";
  }
  const bare = bareNumber(value);
  return bare === null ? "" : spellingIn(text, bare);
}

/** A value of the call that a tool's sentence told and nobody who may ask for anything said. */
function toldValue(
  values: readonly string[],
  told: readonly ReadSentence[],
  known: readonly string[],
): Unasked | null {
  for (const value of values) {
    if (isKnown(value, known)) continue;
    for (const sentence of told) {
      const told = tells(sentence.text, value);
      if (told !== "") return { value: told, sentence };
    }
  }
  return null;
}

/**
 * What changes who may do what, what is owed, or what is in force: whoever asks for another change asks for
 * none of these.
 */
const WEIGHTY = wordsIn(
  "merge release deploy rollout settings protection payroll salary deposit permission permissions role roles rule rules webhook credential credentials key keys unlock lock alarm approve approval grade owner ownership visibility forwarding password mfa policy",
);
const isMentioned = (word: string, known: readonly string[]): boolean =>
  known.some((one) => one.includes(word.slice(0, STEM_MAX)));

/** Who asks for several in a word names no single recipient. */
const SEVERAL =
  /\b(?:all|every|everyone|everybody|each|both|others?|them|their|whoever|team|members?|people|participants?|attendees?|colleagues|clients|customers|suppliers|guests|parents|contacts|recipients|involved|concerned|who|list)\b/;

const MAIL_NAME = /[^\s@<>"]{1,64}@/g;

/** To whom something is to go by what a person says. */
const NAMED_RECIPIENT =
  /(?:^|[^\p{L}])(?:to|e-?mail|mail|cc|an|à|a|al|para|naar) [^\s@<>"]{1,64}@[^\s@<>"]{3,200}/iu;
/** Narrower than the deeds of sending: "answers" and "contact" tell where somebody is found. */
const TELLS_TO_SEND =
  /(?<![\p{L}-])(?:b?cc|cop(?:y|ies)|send|forward|e-?mail|mail|share|deliver|upload|post)(?![\p{L}-])/iu;

/**
 * Somebody of whom a tool's sentence tells: beside the one that the person named, or in the place of that one
 * where the sentence tells to send.
 */
function otherRecipient(
  { values }: UnaskedCall,
  told: readonly ReadSentence[],
  known: readonly string[],
): Unasked | null {
  const addresses = values.filter(isMailAddress);
  const isBeside = addresses.some((value) => known.some((one) => one.includes(value)));
  if (addresses.length === 0 || !(isBeside || known.some((one) => NAMED_RECIPIENT.test(one)))) return null;
  // "team@…" names one.
  if (known.some((one) => SEVERAL.test(one.replace(MAIL_NAME, "")))) return null;
  const sentences = isBeside ? told : told.filter(({ text }) => TELLS_TO_SEND.test(text));
  return toldValue(addresses, sentences, known);
}

/** A value that hardly stands anywhere by chance: an address, a long number. */
const STRONG = /@|:\/\/|\d{7}|^\+?\d[\d ()./-]{6,40}$/;
const PATH = /^https?:\/\/[^/?#]{1,120}(\/[^/?#]{1,80}\/[^?#]{1,200})/;
const COMMAND_VALUE = /(?<![\w./~-])[~.]{0,2}\/?[\w.@-]{1,60}(?:\/[\w.@-]{1,60}){1,8}/g;
const COMMAND_VALUE_MIN = 8;

/**
 * A tool that does something whose name says so in no language that is read needs more: what reads is called
 * by what it reads.
 */
function toldToUnnamed(
  values: readonly string[],
  told: readonly ReadSentence[],
  known: readonly string[],
): Unasked | null {
  const first = toldValue(values, told, known);
  if (first === null || STRONG.test(first.value)) return first;
  const others = values.filter((one) => !one.includes(first.value) && !first.value.includes(one));
  return toldValue(others, [first.sentence], known) === null ? null : first;
}

/** A command that changes something and stands in what a tool returned, or an address or a path of it. */
function toldCommand(
  { args, toolClass }: UnaskedCall,
  told: readonly ReadSentence[],
  known: readonly string[],
): Unasked | null {
  for (const one of commandsOfCall(args, toolClass === "execute")) {
    const command = comparable(one);
    if (!known.some((text) => text.includes(command))) {
      const sentence = told.find(({ text }) => text.includes(command));
      if (sentence !== undefined) return { value: command, sentence };
    }
    const paths = [...command.slice(0, 1_000).matchAll(COMMAND_VALUE)].map(([path]) => path);
    const values = [...argumentValues(one).filter((value) => STRONG.test(value)), ...paths];
    const found = toldValue(
      values.filter((value) => value !== command && value.length >= COMMAND_VALUE_MIN),
      told,
      known,
    );
    if (found !== null) return found;
  }
  return null;
}

/** Addresses of hosts and networks within rules and expressions; any host, and one's own, are none. */
const NETWORK = /(?<![\d.])(?!0\.|127\.)\d{1,3}(?:\.\d{1,3}){3}(?:\/\d{1,2})?(?![\d.])/g;
const networksIn = (args: unknown): readonly string[] =>
  (typeof args === "string" ? args : (JSON.stringify(args) ?? "")).slice(0, 4_096).match(NETWORK) ?? [];

/** Where the person only wants to be told something. */
function toldToReader(
  call: UnaskedCall,
  kind: number | undefined,
  {
    told,
    prose,
    known,
  }: Readonly<Record<"told" | "prose", readonly ReadSentence[]>> & {
    readonly known: readonly string[];
  },
): Unasked | null {
  const command = toldCommand(call, told, known);
  if (command !== null || kind === undefined) return command;
  const paths = call.values.flatMap((one) => PATH.exec(one)?.[1] ?? []);
  const values = [...call.values, ...paths, ...networksIn(call.args)];
  const isNamed = call.toolClass !== "other" || deedWordsOf(call.name).length > 0;
  const found = isNamed ? toldValue(values, prose, known) : toldToUnnamed(values, prose, known);
  return found ?? toldTogether(call.name, call.args, told, knownFrom(known));
}

/** Tools that run what they are given; of others of that class the name says what they do ("set_code"). */
const RUNS = wordsIn(
  "execute exec run shell bash terminal command cmd eval python script subprocess invoke sql query psql",
);

/**
 * What a tool told the agent to do, where neither person nor operator asked for such a deed. `errand`: with
 * all that was said read.
 */
export function unaskedDeed(errand: Errand, call: UnaskedCall): Unasked | null {
  const { asked, said } = errand;
  if (errand.told.length === 0 || asked === ANY_DEED) return null;
  const nameWords = wordsOfName(call.name);
  if (isOwn(nameWords, call.toolClass, call.args)) return null;
  // What is called a query may change all the same.
  if (readsByName(call.name) && commandsOfCall(call.args, call.toolClass === "execute").length === 0)
    return null;
  const told = errand.told
    .filter((one) => isBefore(one, call))
    .map((one) => ({ ...one, text: one.stood.toLowerCase() }));
  const prose = told.filter(({ text }) => isProse(text));
  const known = said.map((one) => comparable(one.text));
  const weighty = nameWords.find((word) => WEIGHTY.has(word) && !isMentioned(word, known));
  const isCalled = call.toolClass === "execute" && !nameWords.some((word) => RUNS.has(word));
  const kind = weighty === undefined ? KINDS[isCalled ? "write" : call.toolClass] : GRANTS;
  if (asked === 0) return toldToReader(call, kind, { told, prose, known });
  if (kind === undefined) return null;
  if ((asked & (COVERED_BY[kind] as number)) !== 0)
    return kind === SENDS ? otherRecipient(call, prose, known) : null;
  return toldValue(call.values, prose, known);
}

/**
 * A value of a deed that a passage names, where the person only wants to be told something: then nothing but
 * the passage asks for any deed, and what the agent was shown besides vouches for none. `errand`: with all
 * that was said read.
 */
export function deedOfPassage({ asked, isGiven, said }: Errand, call: UnaskedCall, passage: string): string {
  if (!isGiven || asked !== 0 || KINDS[call.toolClass] === undefined) return "";
  if (deedWordsOf(call.name).length === 0 || isOwn(wordsOfName(call.name), call.toolClass, call.args))
    return "";
  return valueIn(passage, call.args, knownFrom(said.map((one) => comparable(one.text))));
}
