import { type Fields, isFields } from "../../client-forms/fields.ts";
import { byName } from "../by-name.ts";
import { hashText, hashValue, mix } from "../hash.ts";
import { parsedJson } from "../json-text.ts";
import { underscored } from "../name-words.ts";
import { stemOf, wordsOf } from "../word-stems.ts";
import { isClock } from "./kindred-calls.ts";
import { toolClassOf } from "./tool-class.ts";
import { countsTries } from "./try-fields.ts";

/**
 * Calls that are the same in other letters, and questions that are the same in other words. Asked only of a
 * call that was answered as one shortly before was, by a tool that changes nothing: whether it was meant as
 * another call, its answer does not tell.
 */
export interface Reworded {
  /** What all such calls have in common; 0: it is none. */
  readonly kin: number;
  /** Of a question, the words by their first letters: one at least is in all of them. */
  readonly words: readonly number[];
}

export const NOT_REWORDED: Reworded = { kin: 0, words: [] };
const FIELDS_MAX = 12;
const TEXT_MAX = 600;
const JSON_MAX = 2_048;
const WORDS_MAX = 8;

const searches = byName((tool) =>
  /(?:^|[_\W])(?:search|query|find|lookup|look_up|retrieve|ask)(?:$|[_\W])/i.test(underscored(tool)),
);
const isQuestion = byName((name) =>
  /^(?:q|query|question|search|search_?(?:query|term|text)|keywords?|terms?|topic|prompt)$/i.test(name),
);
const changes = byName((tool) => {
  const toolClass = toolClassOf(tool.slice(tool.lastIndexOf("/") + 1));
  return !["read", "browse", "execute", "other"].includes(toolClass);
});

export function rewordedOf(tool: string, args: unknown, atMs: number): Reworded {
  if (changes(tool)) return NOT_REWORDED;
  const fields = fieldsOf(args);
  if (fields === null) return NOT_REWORDED;
  const names = Object.keys(fields).sort();
  if (names.length === 0 || names.length > FIELDS_MAX) return NOT_REWORDED;
  const question = searches(tool) ? names.find((name) => isQuestion(name)) : undefined;
  const said = question === undefined ? undefined : fields[question];
  const words = typeof said === "string" ? stemsOf(said) : [];
  let kin = mix(hashText(tool), words.length);
  if (words.length > 0) kin = hashText(tool);
  for (const name of names) {
    const value = fields[name];
    if ((words.length > 0 && name === question) || countsTries(name) || isClock(value, atMs)) continue;
    kin = mix(kin, mix(hashText(name), typeof value === "string" ? plain(value) : hashValue(value)));
  }
  return { kin, words };
}

/** Whether two questions have a word in common; of other calls it is not asked. */
export function shareWord(one: readonly number[], other: readonly number[]): boolean {
  return one.length === 0 || other.length === 0 || one.some((word) => other.includes(word));
}

const stemsOf = (text: string): readonly number[] =>
  wordsOf(text.slice(0, TEXT_MAX)).slice(0, WORDS_MAX).map(stemOf);

const plain = (text: string): number =>
  hashText(text.length > TEXT_MAX ? text : text.replace(/\s{1,100}/g, "").toLowerCase());

function fieldsOf(args: unknown): Fields | null {
  if (typeof args !== "string") return isFields(args) ? args : null;
  if (args.length > JSON_MAX || args.charCodeAt(0) !== 0x7b) return null;
  const parsed = parsedJson(args);
  return isFields(parsed) ? parsed : null;
}
