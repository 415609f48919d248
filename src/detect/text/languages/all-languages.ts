import { ARABIC } from "./arabic.ts";
import { CHINESE } from "./chinese.ts";
import { DUTCH } from "./dutch.ts";
import { FRENCH } from "./french.ts";
import { GERMAN } from "./german.ts";
import { HINDI } from "./hindi.ts";
import { INDONESIAN } from "./indonesian.ts";
import { ITALIAN } from "./italian.ts";
import { JAPANESE } from "./japanese.ts";
import { KOREAN } from "./korean.ts";
import { POLISH } from "./polish.ts";
import { PORTUGUESE } from "./portuguese.ts";
import { RUSSIAN } from "./russian.ts";
import { SPANISH } from "./spanish.ts";
import { THAI } from "./thai.ts";
import { TURKISH } from "./turkish.ts";
import { UKRAINIAN } from "./ukrainian.ts";
import { VIETNAMESE } from "./vietnamese.ts";
import type { Language, WordKind } from "./word-kinds.ts";

/** A language more is a file like the others and a line here. */
export const LANGUAGES: readonly Language[] = [
  CHINESE,
  JAPANESE,
  KOREAN,
  RUSSIAN,
  UKRAINIAN,
  POLISH,
  DUTCH,
  TURKISH,
  ARABIC,
  HINDI,
  THAI,
  VIETNAMESE,
  INDONESIAN,
  PORTUGUESE,
  SPANISH,
  FRENCH,
  ITALIAN,
  GERMAN,
];

export interface LanguageKeyword {
  readonly text: string;
  readonly startsWord: boolean;
  readonly endsWord: boolean;
}

/** `"ignoruj, instrukcj*"`: words, a trailing `*` for any ending. */
export function keywordsOf(language: Language, kind: WordKind): readonly LanguageKeyword[] {
  return language.words[kind].split(",").map((word) => {
    const isStem = word.endsWith("*");
    return {
      text: isStem ? word.slice(0, -1) : word,
      startsWord: language.dividesWords,
      endsWord: language.dividesWords && !isStem,
    };
  });
}

/** Kinds of which every rule needs one. */
const TELLING: readonly WordKind[] = [
  "rules",
  "ownText",
  "machine",
  "unbound",
  "mode",
  "secret",
  "prior",
  "leave",
];
/** Words that English has as well; they tell no language. */
const ENGLISH = new Set([
  ..."instructions prompt prompts agent assistant model bot chatbot jailbreak llm chatgpt ai original originales restrictions commandes bots limits limites robot directives règles normas norme ia ki existing date previo initial precedent stare lama".split(
    " ",
  ),
  "do anything now",
]);

/** Enough of a word to tell its language; the first scan's automaton grows with every character. */
const TELLING_LENGTH = 9;
/** Beginnings that English has too: there it takes the whole word. */
const BEGINS_ENGLISH =
  /^(?:instruc|assist|restric|intell|jailbr|prompt|admin|config|message|respond|control)/;

/**
 * Words written in Latin letters, or their beginnings, whose presence makes a text worth a second look, in
 * another language than English.
 */
export function tellingLatinWords(): readonly LanguageKeyword[] {
  const words = new Map<string, LanguageKeyword>();
  for (const language of LANGUAGES) {
    if (!language.isLatin) continue;
    for (const kind of TELLING) {
      for (const { text, startsWord, endsWord } of keywordsOf(language, kind)) {
        if (ENGLISH.has(text)) continue;
        const start = BEGINS_ENGLISH.test(text) ? text : text.slice(0, TELLING_LENGTH).trimEnd();
        const isWhole = endsWord && start === text && (words.get(start)?.endsWord ?? true);
        words.set(start, { text: start, startsWord, endsWord: isWhole });
      }
    }
  }
  return [...words.values()];
}
