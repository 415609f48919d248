import { foreignAllowed, foreignAsked } from "./foreign-requests.ts";
import {
  ANY_DEED,
  DELEGATES,
  DELEGATES_AS_VERB,
  deedsMeantBy,
  FOREIGN_WORDS,
  FUNCTION_WORDS,
  NOUNS_TOO,
  READS,
  SENDS,
  wordsIn,
} from "./request-words.ts";

/**
 * Which deeds a person asks an agent for, told from the words of the request. It errs on the side of having
 * been asked: a request that leaves open what is to be done, that is long or that holds an unknown verb asks
 * for anything. Other languages: `foreign-requests.ts`.
 */

/** A longer text is no mere question. */
const REQUEST_MAX = 1_200;
/** Of an operator's instructions so much is read; longer ones allow anything. */
const DUTIES_MAX = 6_000;
/**
 * So many of the words of a text in English are of those that every text holds; and none of two words of
 * other languages' own.
 */
const KNOWN_SHARE_MIN = 0.42;
const FOREIGN_MAX = 2;
/** "Was" and "post" stand in German, too. */
const TELLING_VERB_MIN = 6;
/** What is named rather than said: titles, code, addresses, paths, numbers, names of files. */
const QUOTED =
  /"[^"\n]{0,120}"|“[^”\n]{0,120}”|(?<![\p{L}\p{N}])'[^'\n]{1,120}'(?![\p{L}\p{N}])|`[^`\n]{0,120}`/gu;
const WHITE = /\s+/;
const NAMED = /[@/\\_\d#]|[^.]\.\w{2,5}[,;:!?)]{0,2}$/u;
const TOKEN = /\p{L}[\p{L}'’-]{0,40}|[.?!:;,]/gu;
const ENDS = wordsIn(". ? ! : ;");
/** Behind these a verb stands that asks for something. */
const LEADS = wordsIn("please pls kindly and then to you also or but just can could now only ,");
const WANTS = wordsIn("want need like wants needs");
const DENIES = wordsIn("no not don't dont never without doesn't nothing");
/** Who speaks, or somebody else, does it. */
const OTHERS = wordsIn(
  "i'll i we we'll i'd i'm we're he's she's they're they he she who that which it they'll",
);
/** Behind a verb its object begins with one of these. */
const OBJECTS = wordsIn(
  "me us him her them it the a an my our his their this that these those all every each any both everything",
);
/** What is named is followed by one of these, so many words behind its beginning at most. */
const OF = wordsIn("of for per is are was were has have from");
const NAMES_WITHIN = 5;
/**
 * What says something of it, even where "on it" stands between; behind a word that joins it is said of
 * something else.
 */
const IS = wordsIn("is are was were has have");
const PLACES = wordsIn("on in at from for of");
const JOINS = wordsIn("if when while that until because so then which as");
/** Who begins a sentence with one of these names what is to be told. */
const WH = wordsIn("what what's which who who's when when's where where's why why's how how's");
/** What a person who wants to be told something wants. */
const REPORT_NOUNS = wordsIn(
  "summary list overview table breakdown comparison recap figures numbers number total totals count amount average sum balance status picture idea explanation look peek",
);
const WANTED_WITHIN = 5;
const REPORTS = wordsIn(
  "latest newest oldest biggest largest highest lowest average total number count status state list summary overview top main key current recent quick short figures numbers anything everything's details breakdown",
);
/**
 * A sentence that begins with a question's word and does not say "you" asks to be told, whatever verbs it
 * holds.
 */
const QUESTIONS = wordsIn(
  "what what's which who who's whose when when's where where's why why's how how's is are was were does did do has have any",
);
const ADDRESSED = wordsIn("you your you'd we'd let's");
const PARTICLES = wordsIn("on off up");
const BECOMES = wordsIn("into as");
const ARTICLES = wordsIn("a the an one");
/** In an operator's instructions: a duty without limits. */
const DUTIES = wordsIn(
  "handle handles process processes manage manages resolve resolves automate automates autonomously proactively",
);
/**
 * In an operator's instructions: what forbids, and how answers are to be worded. A duty on a condition is
 * one.
 */
const LIMIT =
  /\b(?:needs? [^.]{0,40}\bapproval|only after approval|must not|may not|not allowed|keep (?:your |all )?(?:answers?|replies|responses))\b/;
/** What an agent does towards the person it works for. */
const SPEAKS = wordsIn(
  "ask asks answer answers respond responds inform informs tell reply replies call calls report reports present follow",
);
/** In an operator's instructions: what the agent is able to do, and not what it has to. */
const ABILITY = /\b(?:tools?|can|could|able|access|functions?|abilit(?:y|ies))\b/;

/** "Use the Slack tools to summarise …": by what something is to be done asks for nothing. */
const MEANS =
  /\bus(?:e|ing) (?:(?!(?:to|and)\b)[\w'’-]{1,40} ){0,5}(?:tools?|mcp|servers?|connectors?|browser|integrations?|plugins?|apis?|extensions?|search|cli)(?: to |, )/gi;

function tokensOf(given: string): string[] {
  const tokens: string[] = [];
  for (const line of given.replace(QUOTED, " it ").replace(MEANS, ". ").split("\n")) {
    for (const part of line.split(WHITE)) {
      if (!NAMED.test(part)) {
        for (const [token] of part.matchAll(TOKEN)) tokens.push(token.toLowerCase().replace("’", "'"));
        continue;
      }
      // Who calls a path asks a service, and nobody by telephone.
      if (part.startsWith("/") && tokens.at(-1) === "call") tokens[tokens.length - 1] = "fetch";
      tokens.push("it");
      // "read notes_3, send …": without its comma the thing that is named would be who sends.
      if (/\w[?!.,;]$/.test(part)) tokens.push(part.at(-1) as string);
    }
    tokens.push(".");
  }
  return tokens;
}

/** One word of a request with what stands around it. */
class Place {
  readonly word: string;
  readonly next: string;
  readonly before: string;
  constructor(
    readonly tokens: readonly string[],
    readonly at: number,
  ) {
    this.word = tokens[at] as string;
    this.next = tokens[at + 1] ?? ".";
    this.before = tokens[at - 1] ?? ".";
  }

  back(by: number): string {
    return this.tokens[this.at - by] ?? ".";
  }

  get startsSentence(): boolean {
    return ENDS.has(this.before);
  }

  /** A verb that asks may stand here. */
  get mayAsk(): boolean {
    if (this.startsSentence || LEADS.has(this.before)) return true;
    return (this.before === "me" || this.before === "us") && this.back(2) === "help";
  }

  /** What is said here is not wanted, or somebody else's to do. */
  get isOthers(): boolean {
    return DENIES.has(this.before) || DENIES.has(this.back(2)) || OTHERS.has(this.before);
  }

  /** A noun in a list, after an adjective, of what was done: the word asks for nothing here. */
  get isNoVerb(): boolean {
    const { word, before, next } = this;
    // "Tell me how to send a fax": told, and not done.
    if (before === "to" && this.back(2) === "how") return true;
    if (WANTS.has(before) || WANTS.has(this.back(2)) || WANTS.has(this.back(3))) return false;
    const isNoun = NOUNS_TOO.has(word) || (word.endsWith("s") && NOUNS_TOO.has(word.slice(0, -1)));
    if (isNoun && BECOMES.has(this.back(2)) && ARTICLES.has(before)) return false;
    if (this.mayAsk) {
      return (
        isNoun &&
        before === "," &&
        !OBJECTS.has(next) &&
        !PARTICLES.has(next) &&
        !REPORT_NOUNS.has(next) &&
        !LEADS.has(this.back(2))
      );
    }
    if (word.endsWith("ing")) return isNoun || OBJECTS.has(before);
    return isNoun || (word.endsWith("ed") && !/^(?:be|get|it|them|this|that)$/.test(before));
  }
}

const IT = wordsIn("it them this that these those him her");

/**
 * What a verb of reading asks for where it does not read: to tell or give somebody else, to get something
 * done.
 */
function otherwise({ word, next }: Place): number {
  if (word === "get") return IT.has(next) ? ANY_DEED : 0;
  if ((word !== "tell" && word !== "give") || next === "me" || next === "us") return 0;
  return word === "tell" ? SENDS : ANY_DEED;
}

const ENDPOINTS = wordsIn("endpoint endpoints api apis url urls function tool");
const CALLED_WITHIN = 4;

/** "Call the weather endpoint" */
function callsService({ tokens, at, word }: Place): boolean {
  return word === "call" && tokens.slice(at + 1, at + 1 + CALLED_WITHIN).some((one) => ENDPOINTS.has(one));
}

const GIVES = wordsIn("give provide");
/** What is given to the person who asks: words that answer, and nothing of value. */
const ANSWERS = wordsIn(
  "summary summaries overview list forecast price prices details detail highlights information info insights feedback answer description explanation breakdown recap statistics stats results key main current latest brief short quick high-level",
);
const ANSWERED_WITHIN = 4;
const GIVEN_TO = wordsIn("to with");

/** "Provide a brief summary", and not "provide them with access" */
function givesAnswer({ tokens, at, word }: Place): boolean {
  if (!GIVES.has(word)) return false;
  const rest = tokens.slice(at + 1);
  const end = rest.findIndex((one) => ENDS.has(one) || one === "," || one === "and");
  const object = end < 0 ? rest : rest.slice(0, end);
  return (
    object.slice(0, ANSWERED_WITHIN).some((one) => ANSWERS.has(one)) &&
    !object.some((one) => GIVEN_TO.has(one))
  );
}

function delegates(place: Place): boolean {
  const { word, next } = place;
  if (!DELEGATES.has(word) || place.isOthers) return false;
  // "You help the sales team": what the agent is, where a client sends all in one prompt.
  if ((word === "help" || word === "assist") && place.before === "you" && ENDS.has(place.back(2)))
    return false;
  if (word === "do" && /^(?:i|you|we|they|any)$/.test(next)) return false;
  if (word === "help" && (next === "me" || next === "us") && place.tokens[place.at + 2] !== "with")
    return false;
  return place.mayAsk || !DELEGATES_AS_VERB.has(word);
}

/**
 * True where a sentence that begins with an unknown word names something ("average stay per ward") or says
 * something of it.
 */
function isNounPhrase(tokens: readonly string[], start: number): boolean {
  let hasPlace = false;
  for (let at = start + 1; at < tokens.length && at <= start + NAMES_WITHIN; at++) {
    const word = tokens[at] as string;
    if (IS.has(word) || (OF.has(word) && !hasPlace)) return true;
    if (JOINS.has(word)) return false;
    if (OBJECTS.has(word)) {
      if (!PLACES.has(tokens[at - 1] as string)) return false;
      hasPlace = true;
    }
    if (ENDS.has(word)) return at === start + 1;
  }
  return false;
}

/** "I'd like a short summary" */
function isWanted(tokens: readonly string[], at: number): boolean {
  for (let back = 1; back <= WANTED_WITHIN; back++) {
    const word = tokens[at - back] ?? ".";
    if (WANTS.has(word)) return true;
    if (ENDS.has(word) || word === "and") return false;
  }
  return false;
}

/**
 * Where the sentence at `start` ends if it is a question about what is so, and asks for nothing; else
 * `start`.
 */
function questionEnd(tokens: readonly string[], start: number): number {
  if (!QUESTIONS.has(tokens[start] as string)) return start;
  for (let at = start + 1; at < tokens.length; at++) {
    const word = tokens[at] as string;
    if (word === "?" || (word === "." && WH.has(tokens[start] as string))) return at;
    if (ENDS.has(word) || word === "," || ADDRESSED.has(word) || DENIES.has(word)) return start;
  }
  return start;
}

/**
 * The deeds that a person's text asks for, as bits of `request-words.ts`, all of them where it leaves open
 * what is to be done or cannot be read. 0: it asks for nothing but to be told something.
 */
export function askedDeeds(text: string): number {
  if (text.length > REQUEST_MAX) return ANY_DEED;
  const asked = askedInEnglish(text);
  return asked === ANY_DEED ? foreignAsked(text) : asked;
}

function askedInEnglish(text: string): number {
  const tokens = tokensOf(text);
  let asked = 0;
  let words = 0;
  let known = 0;
  let foreign = 0;
  let asks = tokens.includes("?");
  let asideTo = -1;
  let isAny = false;
  for (let at = 0; at < tokens.length; at++) {
    const place = new Place(tokens, at);
    const { word, next, mayAsk, startsSentence } = place;
    if (ENDS.has(word) || word === ",") continue;
    words++;
    if (FUNCTION_WORDS.has(word) || READS.has(word)) known++;
    // "Summarise patient admissions": few words, and a verb that is hardly one of another language.
    if (startsSentence && word.length >= TELLING_VERB_MIN && (READS.has(word) || deedsMeantBy(word) !== 0))
      known++;
    if (FOREIGN_WORDS.has(word) && ++foreign >= FOREIGN_MAX) return ANY_DEED;
    if (mayAsk && READS.has(word)) asks = true;
    if (startsSentence) {
      asideTo = questionEnd(tokens, at);
      isAny = word === "any" && asideTo > at;
    }
    if (at < asideTo) {
      // "Any urgent mail?": whatever is named, the first word tells the language.
      if (isAny && !FUNCTION_WORDS.has(word)) known++;
      continue;
    }
    if (REPORT_NOUNS.has(word) && isWanted(tokens, at)) asks = true;
    if (word === "take" && next === "a" && REPORT_NOUNS.has(tokens[at + 2] ?? "")) {
      asks = true;
      continue;
    }
    // "Go through the reviews and …": what follows tells.
    if (word === "go" && (next === "through" || next === "over") && mayAsk) continue;
    if (startsSentence && REPORTS.has(word) && !OBJECTS.has(next)) {
      asks = true;
      continue;
    }
    if (word === "let" && (next === "me" || next === "us") && tokens[at + 2] === "know") {
      asks = true;
      at += 2;
      continue;
    }
    if (delegates(place)) return ANY_DEED;
    if (mayAsk && (givesAnswer(place) || callsService(place))) {
      asks = true;
      continue;
    }
    if (mayAsk && READS.has(word)) {
      asked |= otherwise(place);
      continue;
    }
    const deeds = deedsMeantBy(word);
    if (deeds !== 0) {
      if (!place.isOthers && !place.isNoVerb) asked |= deeds;
      continue;
    }
    // An unknown word where a sentence begins, or before an object, may be a verb that means anything.
    const isUnknown =
      mayAsk &&
      place.before !== "," &&
      place.before !== ":" &&
      !FUNCTION_WORDS.has(word) &&
      !DELEGATES.has(word);
    if (isUnknown && (OBJECTS.has(next) || (startsSentence && !isNounPhrase(tokens, at)))) return ANY_DEED;
  }
  if (words === 0 || known < words * KNOWN_SHARE_MIN) return ANY_DEED;
  // What only names or tells something leaves open what is wanted.
  return asks || asked !== 0 ? asked : ANY_DEED;
}

/** The deeds that an operator's instructions make an agent's own: what they speak of but as an ability. */
export function allowedDeeds(text: string): number {
  if (text.length > DUTIES_MAX) return ANY_DEED;
  const foreign = foreignAllowed(text);
  if (foreign !== null) return foreign;
  let allowed = 0;
  for (const sentence of text.toLowerCase().split(/[.!?;]\s|\n/)) {
    if (ABILITY.test(sentence) || LIMIT.test(sentence)) continue;
    const tokens = tokensOf(sentence);
    for (let at = 0; at < tokens.length; at++) {
      const place = new Place(tokens, at);
      if (DUTIES.has(place.word) && !place.isOthers) return ANY_DEED;
      if (!place.isOthers && !place.isNoVerb && !SPEAKS.has(place.word)) allowed |= deedsMeantBy(place.word);
    }
  }
  return allowed;
}
