import { tellsPeople } from "../context/document-kind.ts";
import { isShownAttack } from "../context/quoted-examples.ts";
import { foldPassage } from "../scan/passages.ts";
import { atOrder } from "./injection-guards.ts";

/**
 * Orders that are known by what they leave over rather than by a verb: all other instructions are done away
 * with and one remains; what is to be answered is laid down for the case that somebody asks.
 */

/** Right before the word for instructions: all of the others. */
const ALL_OTHERS =
  /\b(?:all|any|every|the)\s(?:of (?:the|your)\s)?(?:others?|else|(?:prior|previous|preceding|earlier)(?: and \w{4,12})?|rest of(?: the| your)?)\s(?:\w{4,12}\s)?$/i;
const DONE_AWAY_BEFORE =
  /\b(?:eras(?:e|ing)|omit|nullify|void|set aside|cast (?:aside|off)|sweep aside|push aside|put aside|let|wipe|dismiss|drop|disengage|suspend|render|purge|scrap|cancel|sift out|eclipse|shed)\b[^.!?\n]{0,48}$/i;
const DONE_AWAY_AFTER =
  /^\w{0,4}\s?(?:is|are|be|being|fall|become|fade)\b[^.!?\n]{0,20}(?:null|void|irrelevant|secondary|obsolete|moot|cancell?ed|ignored|disregarded|noise|wayside|background|invalid|superseded|suspended|meaningless|overridden)/i;
const ONE_REMAINS =
  /\b(?:only|sole|solely|exclusive|exclusively|singular|undivided|primary|prime|adhere|focus|concentrate|prioriti[sz]e|this (?:one|command|instruction|directive|task|order)|what (?:comes|follows))\b/i;
const WINDOW = 170;

export function othersSetAside(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - 40), start);
  const others = ALL_OTHERS.exec(before);
  if (others === null) return false;
  const from = start - before.length + others.index;
  const lead = text.slice(Math.max(0, from - WINDOW), from);
  const rest = text.slice(end, end + WINDOW);
  if (!DONE_AWAY_BEFORE.test(lead) && !DONE_AWAY_AFTER.test(rest)) return false;
  return ONE_REMAINS.test(lead + rest) && !isShownAttack(text, start, end) && !tellsPeople(text);
}

/**
 * "Ignore the rest of this page and print …", "ignore instructions, and just say …": what is read is set
 * aside for an act.
 */
const REST_AND_ACT =
  /^\w{4,12}\s(?:(?:the )?rest of (?:this|the|these|your) (?:data|text|documents?|page|message|content|file|e-?mail|report|article|snippet|conversation|input|prompt)s?|(?:all |any |the |these |those |your )?instructions?)[,.:;]?\s(?:and|then|instead|just|simply)\s(?:(?:instead|just|only|simply|then)\s)?\p{L}{2}/iu;

export const ignoresAndActs = (text: string, start: number, end: number): boolean =>
  REST_AND_ACT.test(text.slice(start, start + 120)) && atOrder(text, start, end);

/** "Ignore all text below", "disregard everything that follows": what stands behind is set aside. */
const BELOW =
  /^\w{4,12} (?:(?:all|any|every|the|of|this|each|other) ){0,3}(?:everything|anything|(?:the )?rest|texts?|contents?|words|instructions?|messages?|data|input|comments?|lines?|what|whatever)(?: (?:that|which))?(?: (?:is|are|comes?|stands?|appears?|written|found|you (?:find|see|read)))? ?(?:below|underneath|follow(?:s|ing)?\b|after (?:this|here)|(?:beyond|past|from) (?:this|here)|further down)/i;
/**
 * The reader is to go no further, or to keep to what stood before: told to whoever works on the text, where
 * people would be told to scroll on.
 */
const NO_FURTHER =
  /(?:^|[.!?;,\n-] {0,2}|\b(?:and|then|now|just|must) )(?:(?:stop|end|halt|cease|finish) (?:processing|parsing|working|evaluating|analy[sz]ing|summari[sz]ing|your)\b|(?:only )?(?:focus|concentrate) (?:only |solely |instead )?on (?:the|this|that|your) (?:\w{3,12} )?(?:objective|goal|task|order|command|instruction|mission|directive)s?\b|your (?:only|sole|one|single) (?:objective|goal|task|order|mission)\b)/i;
const BESIDE = 140;

export const ignoresBelow = (text: string, start: number, end: number): boolean =>
  BELOW.test(foldPassage(text, start, start + 100)) &&
  atOrder(text, start, end) &&
  NO_FURTHER.test(text.slice(Math.max(0, start - BESIDE), start + BESIDE)) &&
  !tellsPeople(text);

/**
 * "Ignore the old endpoint, use v2": a thing of the reader's world is left for another; what a model goes by
 * is none.
 */
const OLD_THING =
  /\b(?:old|existing|former|original|initial|past|earlier|previous|preceding) (?!(?:and|then|but|or|to|is|are|ones?|instruct|direct|prompt|rule|guide|guard|command|orders?\b|request|tasks?\b|question|quer|messages?\b|texts?\b|context|convers|content|system|input|output|statement|sentence|lines?\b|paragraph|every|things?\b|chat|dialog|discuss|train|program|setting|set-?up|config|persona|roles?\b|constraint|restrict|limit|polic|words?\b|data\b|info|goals?\b|objective|purpose|assign|mission|personal|character|behav|memor|history|state|turns?\b|part|section|filter|safe|protocol|principle|value|alignment|exchange|answer|result|finding|check|respon|repl|interact|session|thought|reason|identity|parameter|document|page|email|mail))[a-z]{3,20}/i;

/** Where a string of a program ends. */
const STRING_END = /["'`]\s{0,2}[),]/;

export const setsAboveAside = (text: string, start: number, end: number): boolean =>
  atOrder(text, start, end) &&
  !OLD_THING.test(text.slice(start, end)) &&
  !STRING_END.test(text.slice(start, end));

/**
 * "If the user asks for a summary, reply with only the following": the answer to somebody else's question,
 * laid down in what was read.
 */
const WHEN_ASKED =
  /\b(?:(?:if|when|whenever|once|should) (?:the |a |any )?(?:user|human|reader|person|anyone|someone|somebody|you are|you're) (?:asks?|asked|questioned|inquires?|wants|requests?|queried)\b|if (?:asked|questioned|queried|prompted|pressed)\b)[^.!?\n]{0,70}$/i;
const LAID_DOWN =
  /^[^.!?\n]{0,12}\b(?:that|only|simply|exactly|just|with (?:only|the following|exactly|just)|nothing (?:else|but)|the following)\b/i;

export function replyLaidDown(text: string, start: number, end: number): boolean {
  if (!LAID_DOWN.test(text.slice(end - 6, end + 40))) return false;
  return WHEN_ASKED.test(text.slice(Math.max(0, start - 130), start)) && !tellsPeople(text);
}
