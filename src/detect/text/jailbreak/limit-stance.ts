import { foldPassage } from "../scan/passages.ts";

/**
 * Who forbids whom. "Avoid harmful content", "if asked, say: I'm sorry, I cannot" put limits on a model; "never refuse", "do not say that it is
 * harmful" take them away, in the same words. What is read is the clause before the word, in folded text; nothing here can fail, and it costs
 * one look back of `LOOK_BACK` characters.
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

/** True if nothing takes back what is named: a refusal is what is to be said, morals are what one has. */
export function standsUnnegated(text: string, at: number): boolean {
  return !NEGATED.test(clauseBefore(text, at));
}
