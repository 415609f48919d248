import { ownText } from "../../building-blocks/cut-text.ts";
import { deedsMeantBy } from "../request/request-words.ts";
import { asItStood } from "./argument-values.ts";
import { tellsCommand } from "./changing-commands.ts";

/** A sentence of prose in what a tool returned, or a line of it with a command that changes something. */
export interface ToldSentence {
  /** As it stood; compared in lower case. */
  readonly stood: string;
  readonly eventId: string;
  readonly sequence: number;
}

const TEXT_MAX = 32_768;
const SENTENCE_MAX = 400;
const LINE_MAX = 1_000;
/** Of one text so many characters are kept, and of all together. */
const KEPT_OF_TEXT_MAX = 2_400;
const KEPT_MAX = 6_000;
/** Prose has so many words in a sentence, and few marks of data among them. */
const WORDS_MIN = 5;
const WORDS_A_MARK = 3;

const ESCAPED_BREAK = /\\{1,8}[nrt]/g;
const ESCAPED_QUOTE = /\\{1,8}(["'])/g;
/**
 * Where a line or a string within data ends, and a sentence in it; a short word with a stop is an
 * abbreviation.
 */
const STRING_END = /\n|["']\s?[,}\]:]\s?["']?|[{}[\]|]|\s[-*•]\s/;
const SENTENCE_END = /(?<=(?:\p{L}{3}|[^\p{L}])[.!?;])\s|(?<=[。！？；])/u;
const WORD = /(?<![\p{L}\p{N}_'"-])\p{L}{2,40}(?![\p{L}\p{N}_'":-])/gu;
/** Letters of scripts that do not divide words: so many are a word. */
const UNDIVIDED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu;
const LETTERS_A_WORD = 2;
const LENGTH_MIN = 10;
/** What stands beside a sentence of prose belongs to it, however short. */
const BESIDE_MIN = 4;
const DATA_MARK = /[:{}[\]|=_<>]/g;

/**
 * Alone, a value tells by standing in such a sentence; what stands beside it, and commands, tell with more.
 */
export function isProse(sentence: string): boolean {
  const undivided = (sentence.match(UNDIVIDED)?.length ?? 0) / LETTERS_A_WORD;
  const words = undivided >= WORDS_MIN ? undivided : (sentence.match(WORD)?.length ?? 0);
  if (words < WORDS_MIN) return false;
  return (sentence.match(DATA_MARK)?.length ?? 0) * WORDS_A_MARK <= words;
}

/** The sentences of one string where one of them is prose. */
function sentencesOf(string: string): readonly string[] {
  const sentences = string.split(SENTENCE_END).map((one) => asItStood(one.slice(0, SENTENCE_MAX)));
  if (!sentences.some(isProse)) return [];
  return sentences.filter(
    (one) => isProse(one) || (one.length >= BESIDE_MIN && (one.match(DATA_MARK)?.length ?? 0) <= 1),
  );
}

const tellsDeed = (sentence: string): boolean =>
  (tellsCommand(sentence) || sentence.match(WORD)?.some((word) => deedsMeantBy(word) !== 0)) ?? false;

/**
 * The sentences of prose of a text, and its lines with commands, in comparable form; of a long one those
 * first that tell of deeds.
 */
export const proseOf = (given: string): readonly string[] =>
  proseAsItStood(given).map((one) => one.toLowerCase());

function proseAsItStood(given: string): readonly string[] {
  const text = given.slice(0, TEXT_MAX).replace(ESCAPED_BREAK, "\n").replace(ESCAPED_QUOTE, "$1");
  const commands = text
    .split("\n")
    .filter(tellsCommand)
    .map((one) => asItStood(one.slice(0, LINE_MAX)));
  const sentences = text
    .split(STRING_END)
    .filter((one) => one.length >= LENGTH_MIN)
    .flatMap(sentencesOf)
    .concat(commands);
  const length = sentences.reduce((sum, one) => sum + one.length, 0);
  if (length <= KEPT_OF_TEXT_MAX) return sentences;
  let room = KEPT_OF_TEXT_MAX;
  const takes = (one: string) => {
    if (one.length > room) return false;
    room -= one.length;
    return true;
  };
  const telling = new Set(sentences.filter((one) => tellsDeed(one.toLowerCase())).filter(takes));
  return sentences.filter((one) => telling.has(one) || takes(one));
}

/** Where blanks were put together the text is one of its own already. */
const keptOf = (sentence: string): string => (sentence.includes(" ") ? sentence : ownText(sentence));

/** `told` with the prose of one more text; what was told longest ago leaves when there is no room. */
export function withProse(
  told: readonly ToldSentence[],
  text: string,
  { eventId, sequence }: Pick<ToldSentence, "eventId" | "sequence">,
): readonly ToldSentence[] {
  const known = new Set(told.map((one) => one.stood));
  const fresh = proseAsItStood(text).filter((one) => !known.has(one));
  if (fresh.length === 0) return told;
  const all = [...told, ...fresh.map((one) => ({ stood: keptOf(one), eventId, sequence }))];
  let length = all.reduce((sum, one) => sum + one.stood.length, 0);
  let first = 0;
  while (length > KEPT_MAX) length -= (all[first++] as ToldSentence).stood.length;
  return all.slice(first);
}
