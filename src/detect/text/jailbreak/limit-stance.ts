import { foldPassage } from "../scan/passages.ts";

/**
 * Who forbids whom. "Avoid harmful content", "if asked, say: I'm sorry, I cannot" put limits on a model;
 * "never refuse", "do not say that it is harmful" take them away, in the same words. What is read is the
 * clause before the word, in folded text; nothing here can fail, and it costs one look back of `LOOK_BACK`
 * characters.
 */
const LOOK_BACK = 96;

/** What turns a refusal or a warning round: it is the refusal that is forbidden. */
const LIFTS =
  /\b(?:never|not|cannot|can't|don't|won't|no longer|nor|without|stop|free (?:from|of|to)|freed? (?:from|of)|nie|niemals|nicht|ohne|jamais|sans|nunca|sin|senza|mai)\b[^.!?\n]{0,28}\b(?:refus|declin|avoid|reject|refrain|censor|warn|moral|lectur|apolog|judg|care|bound|limit|filter|restrict|say|saying|says|state|mention|remind|tell|claim|comment|add|consider|verweiger|ablehn|sag|warn|dire|dis\b|dig|decir|dir)/;
/** What forbids: a verb of keeping away, or a negation before a verb of doing. */
const IMPOSES =
  /\b(?:avoid|avoids|avoiding|refuse|refuses|refusing|decline|declines|declining|reject|rejects|rejecting|refrain|refrains|prevent|prevents|preventing|prohibit|prohibits|forbid|forbids|block|blocks|detect|flag|flags|filter out|exclude|excludes|excluding|instead of|rather than|free of|vermeide|verhindere|evite|evita|evitar|rechaza)\b|\b(?:never|must not|should not|shall not|may not|cannot|can't|do not|don't|does not|doesn't|will not|won't|is not allowed to|are not allowed to|not permitted to|unable to|under no circumstances|not intended to|nie|niemals|kein|keine|keinen|nicht|jamais|nunca)\b[^.!?\n]{0,30}\b(?:generat|creat|provid|produc|engag|discuss|use|using|allow|includ|contain|share|promot|assist|help|answer|respond|repl|writ|mak|encourag|support|display|show|offer|facilitat|perform|participat|follow|accept|output|give|reveal|disclos|divulg|expos|leak|print|repeat|confirm|be\b|do\b|erzeug|schreib|gib|verwend|utilis|cree|uses|generes|crees)/;
/** "No illegal content", "non-offensive": right before the word. */
const BANNED_AT_ONCE = /\b(?:no|non|not|zero) ?-?(?:[a-z]{1,14}(?:,| or| and|\/) ?){0,4}$/;
/** Words that name limits of the model after "no", which is their end: "no ethical guidelines". */
const NEGATED =
  /\b(?:no|not|never|n't|cannot|can't|don't|without|nor|instead of|rather than|avoid|stop|free of|lack|lacks|devoid of|has no|have no|ignore|ignores|forget|regardless of|despite|care|cares|nie|nicht|ohne|kein|keine|jamais|sans|nunca|sin|senza)\b/;

/** The sentence as far as it stands before the place, at most `LOOK_BACK` characters. */
function clauseBefore(text: string, at: number): string {
  const before = foldPassage(text, Math.max(0, at - LOOK_BACK), at);
  const from = Math.max(
    before.lastIndexOf("\n"),
    before.lastIndexOf(". "),
    before.lastIndexOf("! "),
    before.lastIndexOf("? "),
  );
  return from < 0 ? before : before.slice(from + 1);
}

/** True if what is harmful, illegal or offensive is named as what must not be: a limit put on the reader. */
export function forbidsHarm(text: string, at: number): boolean {
  const clause = clauseBefore(text, at);
  if (LIFTS.test(clause)) return false;
  return IMPOSES.test(clause) || BANNED_AT_ONCE.test(clause);
}

/** What is refused is named first: "queries that lead to harmful or illegal discussions are declined". */
const REFUSED_AFTER =
  /^[^.!?\n]{0,90}\b(?:(?:is|are|be|get|gets) (?:[a-z]{3,12} ){0,2}(?:refused|declined|rejected|prohibited|forbidden|blocked|flagged|filtered|disallowed|not (?:allowed|permitted|accepted|tolerated))|(?:not allowed|not permitted|not tolerated|will not be (?:tolerated|answered|accepted)))\b/;
/** A secret is kept however it is asked for. */
const KEPT =
  /\b(?:never|not|cannot|can't|don't|won't|no circumstances|refuse to|decline to|refrain from)\b[^.!?\n]{0,40}\b(?:reveal|disclos|shar|divulg|leak|expos|repeat|print|provid|summari|tell|give|show|output|discuss|accept|allow|forward)/;
const LOOK_AHEAD = 120;

/** What is kept to: guidelines adhered to, laws that are not broken. */
const KEEPS =
  /(?:^|(\b(?:not|never|n't|no longer|cannot|without|stop|rather than|instead of|no need to|needn't|free from|or)) ){0,1}\b(?:adher(?:e|es|ing) to|compl(?:y|ies|ying) with|compliant with|abid(?:e|es|ing) by|conform(?:s|ing)? to|respect(?:s|ing)?|uphold(?:s|ing)?|in (?:line|accordance|compliance) with|align(?:s|ed|ing)? with|consistent with|within) (?:[a-z',]{1,14} ){0,4}$/;
const BREAKS_NONE =
  /\b(?:without|not|never|n't|avoid|nor)\b (?:[a-z]{2,12} ){0,3}(?:violat|infring|break|breach|contraven)[a-z]{0,5} (?:[a-z',]{1,14} ){0,4}$/;

/** True if the law or guideline named is one to keep to. */
export function isKeptTo(text: string, at: number): boolean {
  const clause = clauseBefore(text, at);
  const kept = KEEPS.exec(clause);
  if (kept !== null) return kept[1] === undefined && !NEGATED.test(clause.slice(0, kept.index + 1));
  return BREAKS_NONE.test(clause);
}

/** True if the sentence goes on to say that what is named is refused. */
export function isRefusedAfter(text: string, end: number): boolean {
  return REFUSED_AFTER.test(foldPassage(text, end, Math.min(text.length, end + LOOK_AHEAD)));
}

/** True if "no matter how" says of a ban that it holds however one asks, not of an answer that it comes. */
export function firmsUpBan(text: string, start: number, end: number): boolean {
  if (forbidsHarm(text, start) || KEPT.test(clauseBefore(text, start))) return true;
  const after = foldPassage(text, end, Math.min(text.length, end + LOOK_AHEAD));
  return KEPT.test(after) && !LIFTS.test(after);
}

/** What somebody must always do who refuses nothing; other duties are those of any work. */
const OTHER_DUTY =
  /^must always (?!(?:[a-z]{3,12}ly ){0,1}(?:answer|respond|reply|comply|obey|agree|do (?:what|as|any|every)|follow (?:my|the user|any|every|all)|say yes|accept|fulfil|give (?:me|an? answer)|provide an answer))/i;

/** True if "must always" at this place says what any work asks for, and not that nothing is refused. */
export function isOtherDuty(text: string, start: number): boolean {
  return OTHER_DUTY.test(text.slice(start, start + 64));
}

/** True if nothing takes back what is named: a refusal is what is to be said, morals are what one has. */
export function standsUnnegated(text: string, at: number): boolean {
  return !NEGATED.test(clauseBefore(text, at));
}
