import { byName } from "../building-blocks/by-name.ts";
import { toolClassOf, wordsOfName } from "../building-blocks/calls/tool-class.ts";
import { cutText } from "../building-blocks/cut-text.ts";
import { flattenText } from "./fields.ts";

/**
 * What a call does away with for good, by name, so that a rejected deletion is known again when another tool
 * or a command carries it out. What can be taken back (an archive, a bin, a trial) does away with nothing.
 */
const VERBS =
  /^(?:delete|del|drop|truncate|remove|rm|rmdir|rmtree|unlink|wipe|purge|erase|shred|destroy|terminate|uninstall)$/;
const SPARES =
  /^(?:dry|preview|trash|archive|soft|undo|restore|undelete|recover|backup|simulate|plan|list|count)$/;
const COMMAND =
  /(?<![\w-])(?:rm|rmdir|rmtree|unlink|shred|del|erase|drop|truncate|delete|delete_?many|destroy|purge|wipe|remove(?:dirs|all)?|terminate-instances|uninstall)(?![\w-])|\s-delete\b/i;
const DRY = /--dry-?run|(?<![\w-])-n(?![\w-])|\bdry_?run\b/i;

const toolNamed = byName((tool) => {
  const words = wordsOfName(tool);
  const spares = words.some((word) => SPARES.test(word));
  return {
    destroys: !spares && words.some((word) => VERBS.test(word)),
    /** What it does is told by what it is given: a shell, a database, a bare request. */
    isOpen:
      !spares &&
      (toolClassOf(tool) === "execute" || /sql|query|db|http|request|api|shell|bash|exec/i.test(tool)),
  };
});

/** Rows of a table go, and not the table: those that the condition names. */
const SOME_ROWS = /(?<=\bdelete from [^;]{1,300}?\s)where (?!true\b|1 ?= ?1)/;

const ARGUMENTS_MAX = 2_000;
const TEXT_MAX = 400;
const NAMES_MAX = 6;
const NAME_MIN = 3;
const NAME_MAX = 120;
const WORD = /[^\s"'`,;()[\]{}=]{1,200}/g;
/** Told from plain words: a path, a name with a figure or a stroke in it, an address. */
const IDENTIFIES = /[\d@/_.:#-]/;
const LABEL = /:$/;

/** What a call that does away with something was given, in small letters; "" for any other call. */
export function destroyingWords(tool: string, args: unknown): string {
  const { destroys, isOpen } = toolNamed(tool);
  if (!destroys && !isOpen) return "";
  const text = (typeof args === "string" ? args : flattenText(args)).slice(0, ARGUMENTS_MAX);
  if (DRY.test(text) || (!destroys && !COMMAND.test(text))) return "";
  const words = text.toLowerCase();
  const from = SOME_ROWS.exec(words);
  return cutText(from === null ? words : words.slice(from.index), TEXT_MAX);
}

const NOTHING: readonly string[] = [];

/** The names of what it does away with: paths, ids and the like where there are any, else all its words. */
export function destroyedThings(tool: string, args: unknown): readonly string[] {
  const text = destroyingWords(tool, args);
  if (text === "") return NOTHING;
  const words = [...text.matchAll(WORD)]
    .map(([word]) => word)
    .filter(
      (word) =>
        word.length >= NAME_MIN && word.length <= NAME_MAX && !word.startsWith("-") && !LABEL.test(word),
    );
  const names = words.filter((word) => IDENTIFIES.test(word));
  const kept = names.length > 0 ? names : words.filter((word) => !COMMAND.test(word));
  return kept.length === 0 ? NOTHING : [...new Set(kept)].slice(0, NAMES_MAX);
}

const PART_OF_NAME = /[\w-]/;
const GOES_ON = /^(?:[\w-]|[./:]\w)/;

function standsIn(name: string, words: string): boolean {
  for (let at = words.indexOf(name); at >= 0; at = words.indexOf(name, at + 1)) {
    const end = at + name.length;
    if (!PART_OF_NAME.test(words[at - 1] ?? " ") && !GOES_ON.test(words.slice(end, end + 2))) return true;
  }
  return false;
}

/**
 * True if each of the names stands in the words, as a name of its own: neither "a.csv.bak" nor "data-a" is
 * "a.csv".
 */
export const standsInAll = (names: readonly string[], words: string): boolean =>
  names.length > 0 && words !== "" && names.every((name) => standsIn(name, words));
