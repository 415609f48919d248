import { foldedText, WordBeginnings, wholeIfShort } from "./folded-words.ts";
import { REQUEST_LANGUAGES, type RequestLanguage } from "./request-languages.ts";
import { ANY_DEED, FUNCTION_WORDS } from "./request-words.ts";
import { UNDIVIDED_LANGUAGES, type UndividedLanguage } from "./undivided-languages.ts";

/**
 * Whether a request in another language than English asks for nothing but to be told something. Every
 * sentence of it has to say so: it is a question, it has a verb of reading or what a report is called, it
 * states something, or it wants something not done. A verb of deeds anywhere else, a sentence that says none
 * of these, or a language that is not known: anything may have been asked.
 */
const REQUEST_MAX = 800;
/** So many of the words tell the language, and more than of any other. */
const OWN_MIN = 2;
const OWN_SHARE_MIN = 0.15;
/** In so few words one tells it, where it is of no other language. */
const SHORT_WORDS_MAX = 6;
const NEAR = 1;
/** Languages that a short text may be either of. */
const FAMILIES: readonly string[] = ["fr es pt it", "de nl nordic", "pl cs", "ru uk"];
/** A question's word stands among the first so many of its sentence. */
const ASKS_WITHIN = 3;
/** A greeting, a name, a list's title: it asks for nothing by itself. */
const TITLE_WORDS_MAX = 2;

const QUOTED =
  /"[^"\n]{0,120}"|“[^”\n]{0,120}”|„[^“”\n]{0,120}[“”]|«[^»\n]{0,120}»|‘[^’\n]{0,120}’|(?<![\p{L}\p{N}])'[^'\n]{1,120}'(?![\p{L}\p{N}])|`[^`\n]{0,120}`|[「『《][^」』》\n]{0,80}[」』》]/gu;
/** Files, addresses, numbers: named, not said. */
const NAMED = /[@/\\_\d#]|\p{L}\.\p{L}/u;
const WORD = /[\p{L}\p{M}]{1,40}/gu;
const SENTENCE_END = /(?<=[.?!:;؟।¿¡…])\s|\n|[。！？；;]/;
const ENDS_QUESTION = /[?؟？]\s{0,3}$/;

const setOf = (words: string): ReadonlySet<string> =>
  new Set(words.split(/\s+/).map((one) => foldedText(one.replace(/\.$/, ""))));

/** What an agent does towards the person it works for: no duty that counts. */
const SPEAKS = new WordBeginnings(
  "antwort beantwort répond respond rispond responda antwoord beantwoord svar odpowied odpowiada odpov yanıtla cevapla jawab trả ответ отвеча відпов أجب जवाब",
);
/** "Yes, go on": whatever was proposed. */
const CONSENTS = new WordBeginnings(
  "oui. vas-y vas. d'accord sí. sim. isto. ja. jo. ano. tak. evet. tamam. ya. vâng. да. так. نعم. हाँ. हां. ok. okay. genau. einverstanden vale. adelante. avanti. dale. certo. jasne. давай",
);
/** Who says that does it without the agent. */
const SELF = new WordBeginnings(
  "selbst selber moi-même mismo. misma. mesmo. mesma. stesso. stessa. sozinho sozinha zelf själv selv. sam. sama. kendim sendiri сам. сама. بنفسي खुद",
);
const WITHOUT = setOf("ohne sans sin sem senza zonder utan uden uten bez tanpa без دون بدون बिना");
/** Ends of nouns that are made of verbs. */
const NOUN_END = /(?:ci[oó]n(?:es)?|[cs]ao|[cs]oes|[ts]ions?|[zs]ion[ei]|ments?|mient[oi]s?|ment[oi]s?)$/;

interface Compiled extends Pick<RequestLanguage, "code" | "hasCapitalNouns" | "isPrefixed"> {
  readonly own: ReadonlySet<string>;
  readonly asks: WordBeginnings;
  readonly reads: WordBeginnings;
  readonly makes: WordBeginnings;
  readonly deeds: WordBeginnings;
  readonly states: ReadonlySet<string>;
  readonly denies: ReadonlySet<string>;
  readonly able: WordBeginnings;
}

const compile = (one: RequestLanguage): Compiled => ({
  ...one,
  own: setOf(one.own),
  asks: new WordBeginnings(wholeIfShort(one.asks)),
  reads: new WordBeginnings(one.reads),
  makes: new WordBeginnings(one.makes),
  deeds: new WordBeginnings(one.deeds),
  states: setOf(one.states),
  denies: setOf(one.denies),
  able: new WordBeginnings(wholeIfShort(one.able)),
});

let compiled: readonly Compiled[] | null = null;
const languages = (): readonly Compiled[] => {
  compiled ??= REQUEST_LANGUAGES.map(compile);
  return compiled;
};

interface Said {
  /** Folded. */
  readonly word: string;
  readonly isCapital: boolean;
}

function wordsOf(sentence: string): Said[] {
  const words: Said[] = [];
  for (const part of sentence.split(/\s+/)) {
    if (NAMED.test(part.replace(/[.,;:!?]{1,8}$/, ""))) continue;
    for (const [word] of part.matchAll(WORD))
      words.push({ word: foldedText(word), isCapital: word !== word.toLowerCase() });
  }
  return words;
}

/** A script that few of the languages are written in tells these by itself. */
const SCRIPTS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/\p{Script=Cyrillic}/u, ["ru", "uk"]],
  [/\p{Script=Arabic}/u, ["ar"]],
  [/\p{Script=Devanagari}/u, ["hi"]],
];

/**
 * The language whose own words are most, and those that come near it: what is a deed in one of these is one.
 * Empty where none stands out, or English does.
 */
function languagesOf(words: readonly Said[]): readonly Compiled[] {
  const count = (has: (word: string) => boolean) =>
    words.reduce((sum, { word }) => sum + (has(word) ? 1 : 0), 0);
  const first = words.find(({ word }) => !isLatin(word))?.word ?? "";
  const codes = SCRIPTS.find(([script]) => script.test(first))?.[1];
  const isOwn = (one: Compiled) => (word: string) =>
    one.own.has(word) || one.asks.has(word) || one.able.has(word);
  const counts = languages()
    .filter(({ code }) => codes === undefined || codes.includes(code))
    .map((language) => ({ language, own: count(isOwn(language)) }))
    .sort((a, b) => b.own - a.own);
  const most = counts[0]?.own ?? 0;
  const isAlone = words.length <= SHORT_WORDS_MAX && (counts[1]?.own ?? 0) === 0;
  const least = codes !== undefined ? 0 : Math.max(isAlone ? 1 : OWN_MIN, words.length * OWN_SHARE_MIN);
  if (most < least || (codes === undefined && most <= count((word) => FUNCTION_WORDS.has(word)))) return [];
  const code = counts[0]?.language.code ?? "";
  const family = FAMILIES.find((one) => one.split(" ").includes(code))?.split(" ") ?? [code];
  return counts
    .filter(({ own, language }) => own >= most - NEAR && family.includes(language.code))
    .map(({ language }) => language);
}

const isLatin = (text: string): boolean => !/[^\p{Script=Latin}\p{Script=Common}\p{M}]/u.test(text);

/** Arabic joins "and", "so", "to" to the word behind them. */
const joined = (word: string): string => (/^[وفل]\p{L}{3}/u.test(word) ? word.slice(1) : word);

const lengthOf = (beginnings: WordBeginnings, word: string, { code, isPrefixed }: Compiled): number => {
  if (isPrefixed) return beginnings.lengthWithin(word);
  const length = beginnings.lengthIn(word);
  return length > 0 || code !== "ar" ? length : beginnings.lengthIn(joined(word));
};

/** What joins one order to another. */
const ANDS = setOf(
  "und et y e en och og i a ve dan và и і й та و और puis dann luego poi potem pak sonra lalu rồi потом ثم",
);
/** That, which: no question, though they are spelt like its word. */
const RELATIVES = setOf("que qui che як как som så");
const ROMANCE: ReadonlySet<string> = new Set(["fr", "es", "pt", "it"]);

const isNoun = ({ word, isCapital }: Said, at: number, { code, hasCapitalNouns }: Compiled): boolean =>
  hasCapitalNouns === true ? isCapital && at > 0 : ROMANCE.has(code) && NOUN_END.test(word);

/**
 * True if some word asks for a deed rather than for reading; a longer beginning tells more. A noun does where
 * it is what is to be made, and what is asked about within a sentence ("tell me which were paid") does not.
 */
function asksDeed(said: readonly Said[], isFirst: boolean, language: Compiled): boolean {
  let makes = false;
  let isAsked = false;
  for (const [at, one] of said.entries()) {
    if (at > 0 && ANDS.has(one.word)) {
      if (makes) return true;
      isAsked = false;
    }
    if (at > 0 && language.asks.has(one.word) && !RELATIVES.has(one.word)) isAsked = true;
    if (language.makes.has(one.word)) makes = true;
    const reads = lengthOf(language.reads, one.word, language);
    const deed = isAsked ? 0 : lengthOf(language.deeds, one.word, language);
    if (deed > 0 && deed >= reads) {
      if (makes || !isNoun(one, isFirst ? at : at + 1, language)) return true;
    } else if (reads > 0) makes = false;
  }
  return false;
}

const CLAUSE_END = /[,،、，]\s?|\s[-–—]\s/;

function readsOnly(sentence: string, language: Compiled, near: readonly Compiled[]): boolean {
  const words = wordsOf(sentence);
  if (words.length === 0) return true;
  const has = (set: { has(word: string): boolean }) => words.some(({ word }) => set.has(word));
  const isQuestion =
    words.slice(0, ASKS_WITHIN).some(({ word }) => language.asks.has(word)) && !has(language.able);
  // "Why don't you pay it?" is none.
  if (isQuestion && ENDS_QUESTION.test(sentence))
    return !words.some(({ word }) => language.denies.has(word) && !WITHOUT.has(word));
  if (CONSENTS.has(words[0]?.word ?? "")) return false;
  let tells = isQuestion;
  for (const [at, clause] of sentence.split(CLAUSE_END).entries()) {
    const said = wordsOf(clause);
    const isLeft = said.some(({ word }) => language.denies.has(word) || SELF.has(word));
    if (!isLeft && [language, ...near].some((one) => asksDeed(said, at === 0, one))) return false;
    if (isLeft) tells = true;
  }
  const reads = words.some(({ word }) => lengthOf(language.reads, word, language) > 0);
  if (reads || (ENDS_QUESTION.test(sentence) && !has(language.able) && !has(language.makes))) return true;
  if (has(language.makes)) return false;
  return tells || has(language.states) || words.length <= TITLE_WORDS_MAX;
}

/** The same for a language that does not divide words. */
function undividedReadsOnly(sentence: string, language: UndividedLanguage): boolean {
  let reads = false;
  for (const clause of sentence.split(/[,、，]/)) {
    if (language.denies.test(clause)) {
      reads = true;
      continue;
    }
    if (language.deeds.test(clause)) return false;
    if (language.demands !== null) {
      for (const { index } of clause.matchAll(language.demands))
        if (!language.readsBefore.test(clause.slice(Math.max(0, index - 8), index))) return false;
    }
    if (language.reads.test(clause)) reads = true;
  }
  return reads || sentence.length <= 12;
}

const withoutNames = (text: string): string => text.replace(QUOTED, " ");

function undividedOf(text: string): UndividedLanguage | null {
  return UNDIVIDED_LANGUAGES.find(({ script }) => script.test(text)) ?? null;
}

/** 0 where the text (in another language than English) only wants to be told something; else any deed. */
export function foreignAsked(text: string): number {
  if (text.length > REQUEST_MAX) return ANY_DEED;
  const plain = withoutNames(text);
  const sentences = plain.split(SENTENCE_END).filter((one) => one.trim() !== "");
  const undivided = undividedOf(plain);
  if (undivided !== null) {
    const tells = undivided.reads.test(plain);
    return tells && sentences.every((one) => undividedReadsOnly(one, undivided)) ? 0 : ANY_DEED;
  }
  const words = wordsOf(plain);
  const [language, ...near] = languagesOf(words);
  if (language === undefined) return ANY_DEED;
  const tells =
    plain.includes("?") ||
    words.some(({ word }) => lengthOf(language.reads, word, language) > 0 || language.asks.has(word));
  const reads = tells && sentences.every((one) => readsOnly(one, language, near));
  return reads ? 0 : ANY_DEED;
}

/**
 * What an operator's instructions in another language than English allow: nothing where all that they speak
 * of is what the agent is, is able to do and must not do; null where they are in English.
 */
export function foreignAllowed(text: string): number | null {
  const plain = withoutNames(text);
  const undivided = undividedOf(plain);
  const sentences = plain.split(SENTENCE_END).filter((one) => one.trim() !== "");
  if (undivided !== null) {
    const allows = sentences.some(
      (one) => !undivided.able.test(one) && !undivided.denies.test(one) && undivided.deeds.test(one),
    );
    return allows ? ANY_DEED : 0;
  }
  const words = wordsOf(plain);
  const english = words.filter(({ word }) => FUNCTION_WORDS.has(word)).length;
  const [language] = languagesOf(words);
  if (language === undefined) return english * 4 >= words.length || isLatin(plain) ? null : ANY_DEED;
  const allows = sentences.some((one) => {
    const said = wordsOf(one);
    if (said.some(({ word }) => language.able.has(word) || language.denies.has(word))) return false;
    return asksDeed(
      said.filter(({ word }) => !SPEAKS.has(word)),
      true,
      language,
    );
  });
  return allows ? ANY_DEED : 0;
}
