import { barelyFolded, foldedText } from "../request/folded-words.ts";
import { anyWordsOf, deedWordsOf } from "../request/tool-words.ts";
import { comparable, parsedArguments } from "./argument-values.ts";

/**
 * Short values tell nothing each by itself: three of a call that stand in one sentence and the next do, and
 * where the sentence holds the verb of the tool's name as well ("raise the limit to 900000" → `raise_limit`)
 * fewer.
 */
const ENOUGH = 3;
/**
 * A value of several words counts though some of them are bent or stand in another order: an address, a name.
 */
const WORDS_MIN = 3;
const WORDS_MAX = 10;
const WORDS_SHARE_MIN = 0.75;
const TOKENS_MAX = 16;
const NODES_MAX = 60;
const DEPTH_MAX = 4;
const TOKEN_MIN = 2;
const TELLING_MIN = 5;
const TOKEN_MAX = 60;
const STEM_MIN = 4;
const STEM_MAX = 6;

const DAY = /^\d{4}-\d{2}-(\d{2})(?:$|[t ])/;
const PLAIN = /^(?:true|false|null|none|yes|no|all|ok|\d)$/;
/** What a statement to a database sets or compares. */
const STATEMENT = /^\s{0,8}(?:update|insert|delete|merge)\s/i;
const LITERAL = /'([^'\n]{2,60})'|(?<![\w.'])(\d{2,12}(?:\.\d{1,4})?)(?![\w'])/g;

function tokensOf(given: unknown): readonly string[] {
  const tokens = new Set<string>();
  let nodes = 0;
  const keep = (text: string) => {
    const token = comparable(text);
    if (token.length < TOKEN_MIN || token.length > TOKEN_MAX || PLAIN.test(token)) return;
    if (tokens.size < TOKENS_MAX) tokens.add(DAY.exec(token)?.[1]?.replace(/^0/, "") ?? token);
  };
  const walk = (value: unknown, depth: number): void => {
    if (++nodes > NODES_MAX) return;
    if (typeof value === "number") keep(String(value));
    else if (typeof value === "string") {
      keep(value);
      if (STATEMENT.test(value))
        for (const [, quoted, number] of value.slice(0, 2_000).matchAll(LITERAL))
          keep(quoted ?? number ?? "");
    } else if (typeof value === "object" && value !== null && depth < DEPTH_MAX)
      for (const one of Object.values(value)) walk(one, depth + 1);
  };
  walk(parsedArguments(given), 0);
  return [...tokens];
}

const OTHER_DIGITS = /[\u0660-\u0669\uff10-\uff19]/g;
const PART = /[\p{L}\p{N}]/u;

/**
 * True if the token stands in the text by itself; letters of scripts that do not divide words may stand
 * around it.
 */
export function standsAlone(text: string, token: string): boolean {
  const isLatin = /^[\p{Script=Latin}\p{N}\p{P}\p{S} ]{1,400}$/u.test(token);
  for (let at = text.indexOf(token); at >= 0; at = text.indexOf(token, at + 1)) {
    const before = text.charAt(at - 1);
    const after = text.charAt(at + token.length);
    const isPart = (char: string) => PART.test(char) && (!isLatin || /[\p{Script=Latin}\p{N}]/u.test(char));
    if (!isLatin || (!isPart(before) && !isPart(after))) return true;
  }
  return false;
}

/** "30,000", "30.000" and "30 000" are one number, in whatever digits. */
const withoutGroups = (text: string): string =>
  text
    .replace(OTHER_DIGITS, (digit) => String(digit.charCodeAt(0) & 15))
    .replace(/(\d)[., \u202f\u066c](?=\d{3}(?!\d))/g, "$1");

/** True if nearly all words of a short value of several stand in the text. */
function standsBent(text: string, token: string): boolean {
  // "local_police_clearance" is a choice that the tool offers.
  if (!token.includes(" ")) return false;
  const words = token.split(/[^\p{L}\p{N}]/u).filter((word) => word !== "");
  if (words.length < WORDS_MIN || words.length > WORDS_MAX) return false;
  const folded = foldedText(text);
  const held = words.filter((word) => {
    const stem = foldedText(word).slice(0, STEM_MAX);
    const at = folded.indexOf(stem);
    return at === 0 || (at > 0 && !PART.test(folded.charAt(at - 1)));
  });
  return held.length >= WORDS_MIN && held.length >= words.length * WORDS_SHARE_MIN;
}

const stemsOf = (words: readonly string[]): readonly string[] =>
  words.filter((word) => word.length >= STEM_MIN).map((word) => word.slice(0, STEM_MAX));

export interface TogetherTold<Sentence> {
  readonly value: string;
  readonly sentence: Sentence;
}

/** What these texts tell is no sign. */
export const knownFrom =
  (known: readonly string[]) =>
  (token: string): boolean =>
    known.some((one) => standsAlone(one, token) || standsBent(one, token));

/**
 * A value of the call that stands in the text by itself, however short; "" if none does. A word is none: it
 * takes a digit, or length.
 */
export function valueIn(text: string, args: unknown, isKnown: (token: string) => boolean): string {
  const plain = withoutGroups(text);
  const named = tokensOf(args).find(
    (token) =>
      (token.length >= TELLING_MIN || /\d/.test(token)) && standsAlone(plain, token) && !isKnown(token),
  );
  return named ?? "";
}

/** The first sentence that holds enough of what the call says, and one of these values as it stands there. */
export function toldTogether<Sentence extends { readonly text: string; readonly eventId: string }>(
  name: string,
  args: unknown,
  told: readonly Sentence[],
  isKnown: (token: string) => boolean,
): TogetherTold<Sentence> | null {
  const tokens = tokensOf(args).filter((token) => !isKnown(token));
  if (tokens.length === 0) return null;
  const deeds = stemsOf(deedWordsOf(name));
  const words = stemsOf(anyWordsOf(name).map(foldedText)).filter((word) => !deeds.includes(word));
  for (const [at, sentence] of told.entries()) {
    const next = told[at + 1];
    const both = next?.eventId === sentence.eventId ? `${sentence.text} ${next.text}` : sentence.text;
    const text = withoutGroups(both);
    const held = tokens.filter((token) => standsAlone(text, token) || standsBent(text, token));
    if (held.length === 0) continue;
    const isHeld = wordsHeldIn(text);
    const verbs = deeds.filter(isHeld).length;
    const count = held.length + (verbs === 0 ? 0 : verbs + words.filter(isHeld).length);
    const isBent = held.some((token) => !standsAlone(text, token));
    if (count + (isBent ? ENOUGH - 1 : 0) < ENOUGH) continue;
    const own = withoutGroups(sentence.text);
    if (!held.some((token) => standsAlone(own, token) || standsBent(own, token))) continue;
    const shown = held.find((token) => sentence.text.includes(token));
    return { value: shown ?? sentence.text.slice(0, TOKEN_MAX), sentence };
  }
  return null;
}

function wordsHeldIn(text: string): (stem: string) => boolean {
  const said = [...new Set([foldedText(text), barelyFolded(text)])];
  return (stem) =>
    said.some((one) => {
      const at = one.indexOf(stem);
      return at === 0 || (at > 0 && (!PART.test(one.charAt(at - 1)) || !/[a-z]/.test(stem)));
    });
}
