import { MEETS_READER } from "../context/sign-patterns.ts";

/** Words that open a clause and are no verb: function words, greetings, numbers, of seven languages. */
const NO_VERB = new Set(
  "the a an this that these those it its he she they we i you our my your their his her in on at of for to from by with as if when while and or but so is are was were be been has have had will would can could may might do does did not no all any some each every both there here what who which how why where also only just because since after before until than then now thanks thank hi hello dear hey yes per via about into over under between during within without against through across around along upon like unlike near despite except including according due once even though although unless whether either neither nor yet still too very more most less least such same other another one two three first last next new me us them him up down out off der die das den dem des ein eine einen einem einer und oder aber ist sind war wird werden hat haben kann auf aus bei mit nach von vor zu zum zur im am als wie wenn dass nicht auch nur noch es er sie wir ich du ihr le la les un une de et ou est sont au aux en dans sur pour par avec sans qui que ce cette ces il elle nous vous je tu el los las una y o e son con por para sin se su del al lo gli di da che os um uma do dos com".split(
    " ",
  ),
);
/** What follows a verb that is told: an object or a direction. */
const OBJECT = new Set(
  "the this that these those all any every each your my our their its it them him her his a an no to from with me us both out off up down back in into as at on only everything anything nothing for how what whatever whose which and den dem das die der des alle alles allen diese diesen dieses dieser diesem jede jeden jedes ein eine einen einem einer dein deine deinen sein seine seinen mein meine meinen es ihn ihm sie dich sich dass le la les un une ce cet cette ces tout toute tous toutes son sa ses ton ta tes votre vos en au aux que el los las una este esta estos estas todo toda todos todas su sus tu tus al il lo gli questo questa queste questi tutto tutta tutti tutte sua suo o os as um uma esta este esse".split(
    " ",
  ),
);
/** Words that lead into an order without being one. */
const LEADS_IN = new Set(
  "please kindly now then also first just and always immediately quietly simply therefore instead bitte jetzt dann zuerst sofort immer stattdessen und veuillez puis ensuite plutot et ahora luego primero siempre y per poi subito ora prima e agora por favor favore".split(
    " ",
  ),
);
/** "letting them do everything", "namely the first": a part of a sentence, not a new one. */
const NO_ORDER =
  /^(?!(?:bring|ping|sing|string|spring|reply|apply|supply|comply|multiply|rely|fly|tally)$)[a-z]{2,20}(?:ing|ly)$/;
/**
 * "founded the company": a past form is no order, nor is the form of the third person before an English
 * object.
 */
const PAST =
  /^(?!(?:need|feed|embed|speed|proceed|succeed|exceed|heed|seed|shred|shed|wed|weed|bleed|breed)$)[a-z]{2,20}ed$/;
const THIRD_PERSON = /^[a-z]{2,20}[^su]s$/;
const ENGLISH_OBJECT = new Set(
  "the this that these those all any every each your my our their its it them him her a an to from with us up off out down back into as at on only".split(
    " ",
  ),
);
const POLITE = new Set("please kindly bitte veuillez".split(" "));
/** Marks that end a clause: . ! ? : ; , quotes, brackets, dashes, bullets. */
const CLAUSE_MARKS = /[.!?:;,"'()[\]{}<>|*\n-]/;

/** Matched, not split between: looking around at each place takes five times as long. */
const WORD_OR_MARK = /[a-z0-9'_]{1,1024}|[^a-z0-9'_]/g;

/**
 * An order by its form: a clause opens with a word that is none of the function words, so a verb or a name,
 * and an object follows at once. No list of verbs can hold what may be told.
 */
export function hasImperative(folded: string): boolean {
  const words = folded.match(WORD_OR_MARK) ?? [];
  let opens = true;
  for (let i = 0; i < words.length; i++) {
    const word = words[i] as string;
    if (word === " ") continue;
    const first = word.charCodeAt(0);
    if (!isLetter(first)) {
      if (CLAUSE_MARKS.test(word)) opens = true;
      continue;
    }
    if (opens && !LEADS_IN.has(word)) {
      if (isVerbTold(words, i) && takesObject(words, i)) return true;
      opens = false;
    } else if (POLITE.has(word)) opens = true;
    else if (word === "and" || word === "und" || word === "et") opens = true;
  }
  return false;
}

function isVerbTold(words: readonly string[], at: number): boolean {
  const word = words[at] as string;
  if (NO_VERB.has(word) || word.length < 2 || NO_ORDER.test(word) || PAST.test(word)) return false;
  return !(THIRD_PERSON.test(word) && ENGLISH_OBJECT.has(words[at + 2] ?? ""));
}

function takesObject(words: readonly string[], at: number): boolean {
  if (words[at + 1] !== " ") return false;
  const next = words[at + 2];
  return next !== undefined && (OBJECT.has(next) || (next === "l" && words[at + 3] === "'"));
}

/**
 * An order right after the name of the one spoken to: "Assistant, cancel the …", "for agents: merge this".
 */
function toldByName(folded: string): boolean {
  const mark = folded.slice(0, 100).search(/[:,)\]]/);
  if (mark < 0 || /[.!?\n]/.test(folded.slice(0, mark))) return false;
  let left = folded.slice(mark + 1, mark + 90);
  for (let i = 0; i < 4; i++) {
    const word = /^[ "'(]{0,3}([a-z]{1,24})/.exec(left);
    if (word === null) return false;
    if (!LEADS_IN.has(word[1] as string)) {
      if (NO_VERB.has(word[1] as string)) return false;
      if (hasImperative(left)) return true;
      return folded.charCodeAt(mark) === 58 && !/^ {0,2}https?:/.test(left) && !tellsOf(left);
    }
    left = left.slice(word[0].length);
  }
  return false;
}

/**
 * "OpenAI o1: added support", "AI assist: templates, test scripts, notes": what was done, or a list of
 * things.
 */
const THINGS = /^ {0,3}[a-z-]{3,20}(?: [a-z-]{2,20}){0,2}(?:, [a-z-]{3,20}(?: [a-z-]{2,20}){0,2}){2}/;
const tellsOf = (left: string): boolean => PAST.test(left.split(" ", 2)[1] ?? "") || THINGS.test(left);

/** An order after the reader's name, or any order in a passage that speaks to the reader by what it is. */
export function toldAfter(body: string, named: string, order: boolean): boolean {
  if (toldByName(named)) return true;
  return order && MEETS_READER.test(body.slice(0, Math.max(0, body.length - named.length)));
}

const isLetter = (unit: number): boolean => unit >= 97 && unit <= 122;
