import { type ToolClass, wordsOfName } from "../../building-blocks/calls/tool-class.ts";
import { ANY_DEED, DELETES, GRANTS, PAYS, SENDS, WRITES, wordsIn } from "../request/request-words.ts";
import { comparable } from "./argument-values.ts";
import type { Errand } from "./errand.ts";
import type { ToldSentence } from "./told-sentences.ts";

/**
 * Whether an agent does what nobody asked it for and a tool's text told it: however that text is worded, it shows in what follows. The
 * person asked for other kinds of deeds, or for none; the operator's instructions make this kind no duty; and a value of the call stands in
 * prose that a tool returned, and in nothing that these two said.
 *
 * Known only where the prompts are sent, and judged only while every one of them can be read (`asked-deeds.ts`).
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
  [WRITES]: ANY_DEED,
};

/** Tools by which an agent keeps house, speaks to the person it works for or gets to where it may read. */
const OWN_WORDS = wordsIn(
  "plan plans todo todos think thought thoughts memory scratchpad finish final answer respond note notes file files artifact draft drafts report canvas log logs verify login auth authenticate session connect ask user human reminder",
);

export interface UnaskedCall {
  readonly name: string;
  readonly toolClass: ToolClass;
  /** In comparable form. */
  readonly values: readonly string[];
  readonly eventId: string;
  readonly sequence: number;
}

/** Of events with one number, as a client sends that does not count them, any may have been first. */
const isBefore = (one: ToldSentence, { eventId, sequence }: UnaskedCall): boolean =>
  one.sequence === sequence ? one.eventId !== eventId : one.sequence < sequence;

export interface Unasked {
  readonly value: string;
  readonly sentence: ToldSentence;
}

const STEM_MAX = 5;

/** A value of the call that a tool's sentence told and nobody who may ask for anything said. */
function toldValue(
  { values }: Pick<UnaskedCall, "values">,
  told: readonly ToldSentence[],
  known: readonly string[],
): Unasked | null {
  for (const value of values) {
    if (known.some((one) => one.includes(value))) continue;
    const sentence = told.find((one) => one.text.includes(value));
    if (sentence !== undefined) return { value, sentence };
  }
  return null;
}

/** What changes who may do what, what is owed, or what is in force: whoever asks for another change asks for none of these. */
const WEIGHTY = wordsIn(
  "merge release deploy rollout settings protection payroll salary deposit permission permissions role roles rule rules webhook credential credentials key keys unlock lock alarm approve approval grade owner ownership visibility forwarding password mfa policy",
);
const isMentioned = (word: string, known: readonly string[]): boolean =>
  known.some((one) => one.includes(word.slice(0, STEM_MAX)));

const ADDRESS = /^[^\s@<>"]{1,64}@[^\s@<>"]{3,200}$/;
/** Who asks for several in a word names no single recipient. */
const SEVERAL =
  /\b(?:all|every|everyone|everybody|each|both|others?|them|their|whoever|team|members?|people|participants?|attendees?|colleagues|clients|customers|suppliers|guests|parents|contacts|recipients|involved|concerned|who|list)\b/;

/** A recipient whom a tool's sentence adds to the one that was named. */
function addedRecipient(
  { values }: UnaskedCall,
  told: readonly ToldSentence[],
  known: readonly string[],
): Unasked | null {
  const addresses = values.filter((one) => ADDRESS.test(one));
  if (!addresses.some((value) => known.some((one) => one.includes(value)))) return null;
  if (known.some((one) => SEVERAL.test(one))) return null;
  return toldValue({ values: addresses }, told, known);
}

/** What a tool told the agent to do, where neither person nor operator asked for such a deed. `errand`: with all that was said read. */
export function unaskedDeed(errand: Errand, call: UnaskedCall): Unasked | null {
  const { asked, said } = errand;
  if (errand.told.length === 0 || asked === ANY_DEED) return null;
  const nameWords = wordsOfName(call.name);
  if (nameWords.some((word) => OWN_WORDS.has(word))) return null;
  const told = errand.told.filter((one) => isBefore(one, call));
  const known = said.map((one) => comparable(one.text));
  const weighty = nameWords.find((word) => WEIGHTY.has(word) && !isMentioned(word, known));
  const kind = weighty === undefined ? KINDS[call.toolClass] : GRANTS;
  if (kind === undefined) return null;
  if ((asked & (COVERED_BY[kind] as number)) !== 0)
    return kind === SENDS ? addedRecipient(call, told, known) : null;
  return toldValue(call, told, known);
}
