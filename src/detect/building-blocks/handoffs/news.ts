import { byName } from "../by-name.ts";
import { cutText } from "../cut-text.ts";
import { halved, hashText, hashValue, mix } from "../hash.ts";
import { underscored } from "../name-words.ts";
import type { Sequenced } from "../ordered-window.ts";
import { stemOf, wordsOf } from "../word-stems.ts";

/**
 * Whether the words that go with a handoff, or a short answer of a model between two, bring anything that was
 * not there before: a figure, an id or a value, or words most of which are new. Who asks, declines, waits,
 * passes on or only says why the next one is right comes with empty hands, however new the words. Counts of
 * the rounds themselves, ids and times of the message are none. Pure; what is kept is bounded.
 */
export interface Said extends Sequenced {
  readonly text: string;
  /** Hashes of values that go with a handoff. */
  readonly values: readonly number[];
}

/** A text as it is read once a circle is found: of most nobody asks. */
export interface ReadSaid extends Sequenced {
  /** Hashes of the words by their first letters. */
  readonly words: readonly number[];
  /** Hashes of figures, ids and values. */
  readonly facts: readonly number[];
  readonly isEmptyHanded: boolean;
  /** It could not be taken just now: busy, full, locked. */
  readonly isHeldUp: boolean;
}

const WORDS_MAX = 8;
const FACTS_MAX = 4;
const TEXT_CHARS_MAX = 160;
const FIELDS_MAX = 24;
const VALUE_DEPTH_MAX = 2;
const WORD_CHARS_MIN = 3;
/** New words among those of a text that brings something. */
const NEW_SHARE_MIN = 0.5;

/** Counts of what goes round, and what names or dates the message and not what it is about. */
const COUNTS_ROUNDS =
  /(?:^|_)(?:hops?|hand_?(?:off|over)s?|bounces?|turns?|rounds?|steps?|iter(?:ation)?s?|attempts?|transfers?|retr(?:y|ies)|tries|seq(?:uence)?|ticks?|timestamp|time|date|depth|at|ms|ts|nonce|uuid|priority|confidence|latency|tokens?|cost|elapsed|duration|size|length|histor(?:y|ies)|messages|path|chain|trail|visited|log)(?:$|_)|^id$|(?:^|_)(?:event|message|msg|trace|span|request|correlation|session|conversation|thread|run|execution|call|parent)_?id$/i;
const PARTIES = /^(?:from|to|source|target|sender|receiver|recipient|previous|next)(?:_?agents?)?$|agents?$/i;
const countsRounds = byName((name) => {
  const words = underscored(name);
  return COUNTS_ROUNDS.test(words) || PARTIES.test(words);
});

const EMPTY_HANDED = new RegExp(
  `[?？]|(?:^|[^\\p{L}])(?:${[
    "no|not|none|nothing|never|\\p{L}{2,6}n['’]t|cannot|unable|unclear|unchanged|wrong|please|kindly|needs?|needed|requires?|wait(?:ing|s)?|should|must|ask|asking|forward(?:ing|ed)?|pass(?:ing|ed)?|transfer(?:ring|red)?|handing|handed|return(?:ing|ed)?|redirect(?:ing|ed)?|rerout(?:e|ing|ed)|escalat\\p{L}{1,4}|belongs?|back|yours?|take|handle|see|again|still",
    "nicht|kein\\p{L}{0,2}|bitte|zuständig|unklar|zurück|weiter(?:geleitet|leiten|gegeben)?|warte\\p{L}{0,2}|brauch\\p{L}{1,3}|leider|fehlt",
    "pas|aucun\\p{L}{0,2}|veuillez|attend\\p{L}{0,3}|transf[eé]r\\p{L}{1,3}|renvo\\p{L}{1,3}|besoin|retour",
    "ning[uú]n\\p{L}{0,2}|favor|esper\\p{L}{1,4}|necesit\\p{L}{1,4}|transfier\\p{L}{1,2}|deriv\\p{L}{1,4}|devuelv\\p{L}{1,2}|corresponde",
    "non|nessun\\p{L}{0,1}|attes\\p{L}{1,3}|serve|inoltr\\p{L}{1,3}|não|aguard\\p{L}{1,4}|precis\\p{L}{1,3}|encaminh\\p{L}{1,4}|niet|geen|graag|wacht\\p{L}{0,3}|nodig|nie|proszę|czeka\\p{L}{0,3}",
  ].join("|")})(?:$|[^\\p{L}])|ません|ない|お願い|対象外|担当外|待|不|没有|请|轉|转`,
  "iu",
);
const HELD_UP =
  /\b(?:busy|full|overload\w{0,3}|time[ds]?[ -]?outs?|rate[ -]limit\w{0,3}|locked|lock is held|unavailable|at capacity|(?:try|retry)(?: again)? (?:later|in)|backoff|ausgelastet|überlastet|gesperrt|später|occupée?|saturée?|ocupad[oa]|occupato)\b/i;
const TOKEN = /[\p{L}\p{N}][\p{L}\p{M}\p{N}_]{0,40}(?:[.,:/-]\p{N}{1,12}){0,4}/gu;
const HAS_DIGIT = /\p{N}/u;
const CLOCK_OR_PLACE = /^\d{1,2}:\d|^\d{4}-\d\d|^\d{1,3}(?:st|nd|rd|th)$/;
/** The figure behind such a word says how often it went round. */
const COUNT_WORDS =
  "attempts?|tr(?:y|ies)|retr(?:y|ies)|hops?|rounds?|turns?|steps?|iterations?|times?|no|nr|versuch|schritt|runde|intento|paso|essai|étape|tour";
const COUNTING = new RegExp(`^(?:${COUNT_WORDS})$`, "i");
const COUNTED = new RegExp(`(?<=^|\\P{L})(${COUNT_WORDS})\\P{L}{0,3}\\p{N}{1,9}`, "giu");
const WITHOUT_SPACES = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

export const saidInText = (seq: number, text: string): Said => ({
  seq,
  text: cutText(text, TEXT_CHARS_MAX),
  values: [],
});

/** What goes with a handoff besides the two agents; null for nothing. */
export function saidInHandoff(seq: number, payload: Readonly<Record<string, unknown>>): Said | null {
  const texts: string[] = [];
  const values: number[] = [];
  readFields(payload, texts, values, 0);
  if (texts.length === 0 && values.length === 0) return null;
  return { seq, text: cutText(texts.length === 1 ? texts[0]! : texts.join("\n"), TEXT_CHARS_MAX), values };
}

export const readSaid = (said: readonly Said[]): readonly ReadSaid[] =>
  said.map(({ seq, text, values }) => {
    const words: number[] = [];
    const facts = [...values];
    readWords(text, words, facts);
    return { seq, words, facts, isEmptyHanded: EMPTY_HANDED.test(text), isHeldUp: HELD_UP.test(text) };
  });

function readFields(fields: object, texts: string[], facts: number[], depth: number): void {
  let n = 0;
  for (const name in fields) {
    if (n++ >= FIELDS_MAX || facts.length >= FACTS_MAX) return;
    if (name === "from_agent" || name === "to_agent") continue;
    const value = (fields as Record<string, unknown>)[name];
    if (name === "reason" && typeof value === "string") {
      texts.push(value.length > TEXT_CHARS_MAX ? value.slice(0, TEXT_CHARS_MAX) : value);
      continue;
    }
    if (value === null || value === undefined || typeof value === "boolean" || countsRounds(name)) continue;
    if (typeof value === "string") {
      if (value.includes(" ")) texts.push(value.slice(0, TEXT_CHARS_MAX));
      else if (value !== "" && !CLOCK_OR_PLACE.test(value))
        facts.push(halved(mix(hashText(name), hashText(value))));
    } else if (typeof value !== "object" || Array.isArray(value) || depth >= VALUE_DEPTH_MAX)
      facts.push(halved(mix(hashText(name), hashValue(value))));
    else readFields(value, texts, facts, depth + 1);
  }
}

function readWords(text: string, words: number[], facts: number[]): void {
  let before = "";
  for (const [token] of text.matchAll(TOKEN)) {
    if (HAS_DIGIT.test(token)) {
      if (facts.length < FACTS_MAX && !COUNTING.test(before) && !CLOCK_OR_PLACE.test(token))
        facts.push(halved(hashText(token)));
    } else for (const stem of stemsOf(token)) if (words.length < WORDS_MAX) words.push(stem);
    before = token;
  }
}

function stemsOf(token: string): readonly number[] {
  if (WITHOUT_SPACES.test(token))
    return (token.match(/.{1,2}/gu) ?? []).slice(0, 4).map((piece) => halved(hashText(piece)));
  return token.length < WORD_CHARS_MIN ? [] : [stemOf(token)];
}

/** The words by which agents are named. */
export const namesIn = (agents: readonly string[]): ReadonlySet<number> =>
  new Set(agents.flatMap((name) => wordsOf(name).map(stemOf)));

/** Whether what was said at `at` brings something that nothing before it did. */
export function bringsNews(said: readonly ReadSaid[], at: number, names: ReadonlySet<number>): boolean {
  if (hasNewFact(said, at)) return true;
  const { words, isEmptyHanded } = said[at]!;
  if (isEmptyHanded || words.length === 0 || words.some((word) => names.has(word))) return false;
  for (let i = 0; i < at; i++) {
    const before = said[i]!.words;
    const unknown = words.filter((word) => !before.includes(word)).length;
    if (unknown < words.length * NEW_SHARE_MIN) return false;
  }
  return true;
}

export function hasNewFact(said: readonly ReadSaid[], at: number): boolean {
  return said[at]!.facts.some((fact) => !said.some((one, i) => i < at && one.facts.includes(fact)));
}

/** The hash of what a payload says, without counts of rounds, ids and times of the event itself. */
export function hashWithoutCounts(payload: Readonly<Record<string, unknown>>, depth = 0): number {
  let hash = 1;
  let n = 0;
  for (const name of Object.keys(payload).sort()) {
    if (n++ >= FIELDS_MAX) break;
    if (countsRounds(name)) continue;
    const value = payload[name];
    const isNested = typeof value === "object" && value !== null && !Array.isArray(value);
    const own =
      isNested && depth < VALUE_DEPTH_MAX
        ? hashWithoutCounts(value as Record<string, unknown>, depth + 1)
        : typeof value === "string"
          ? hashOfText(value)
          : hashValue(value);
    hash = mix(hash, mix(hashText(name), own));
  }
  return hash || 1;
}

/** Without the figures that count rounds. */
const hashOfText = (text: string): number =>
  hashText(text.length > TEXT_CHARS_MAX ? text : text.replace(COUNTED, "$1"));
