/**
 * What a language has to supply for the rules of `language-rules.ts`: its words by what they do,
 * comma-separated. The rules ask which kinds stand together in one sentence, in whatever order, so they hold
 * for languages with the verb first and with the verb last.
 */
export const WORD_KINDS = [
  /** Setting aside, told: imperatives and infinitives, not "he ignores". */
  "aside",
  /** What stands before, or was given. */
  "prior",
  "whole",
  /** Of the reader: "your", "given to you". */
  "your",
  /** What governs a model. */
  "rules",
  /** What was said so far. */
  "said",
  /** Is void, no longer holds. */
  "void",
  /** A new task begins. */
  "fromNow",
  /** Obey me alone. */
  "obey",
  /** Casting the reader into something. */
  "role",
  /** Freedom from limits. */
  "unbound",
  /** Never refusing, answering everything. */
  "comply",
  /** A named mode. */
  "mode",
  /** Two answers, two characters. */
  "twice",
  /** Asking to be shown a text. */
  "reveal",
  /** The model's own text. */
  "ownText",
  /** Who gave the instructions, or when. */
  "origin",
  "verbatim",
  /** The text above. */
  "above",
  /** What a model calls itself. */
  "machine",
  /** Addressing whoever reads: "if you are", "reading this". */
  "reader",
  /** Acts that a tool can carry out, told. */
  "deed",
  /** Not telling the user. */
  "secret",
  "user",
  /** What has a worth: messages, keys, accounts, files. */
  "goods",
  /** Always, in all future. */
  "standing",
  /** Nobody need be asked. */
  "leave",
  /** Before this tool, other tools. */
  "tools",
  /** What was said in the conversation, which no ordinary tool needs. */
  "history",
  /** Asking for a text as it stands. */
  "repeat",
  /** Words of a text about attacks, of manuals and stories: what it shows is not ordered. */
  "attack",
] as const;

export type WordKind = (typeof WORD_KINDS)[number];

export interface Language {
  readonly code: string;
  /** How much of the distance that the rules allow a language needs: few characters say much in Chinese. */
  readonly reach: number;
  /** Where a verb that is told stands: before its object, after it, or either. */
  readonly verb: "first" | "last" | "either";
  /**
   * False where words are not divided by spaces, or carry what other languages put before them: a keyword is
   * found anywhere.
   */
  readonly dividesWords: boolean;
  /** Latin letters alone do not tell the language: the first scan looks for its telling words. */
  readonly isLatin: boolean;
  readonly words: Readonly<Record<WordKind, string>>;
  /** Right before a word for setting aside: it is forbidden, or told of somebody. */
  readonly notBefore: RegExp;
  /** Right after it. */
  readonly notAfter: RegExp;
}
