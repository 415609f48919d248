import { opensClause } from "../scan/chain-rules.ts";
import { ClassSet } from "../scan/class-set.ts";
import { foldPassage } from "../scan/passages.ts";
import type { TextScan } from "../scan/scan-text.ts";

/**
 * Whether a passage of what a tool returned casts its reader: a lesson has students role-play, a manual names
 * an uncensored model of a provider, and neither says "you", nor orders anybody to be somebody. Asked of what
 * the model of words finds; asked of the precise rules it would cost 41 of 516 jailbreaks that tell of a
 * figure in the third person.
 */
const CASTING = new ClassSet("persona", "unbound", "jailbreakName", "noRefuse", "dualOutput", "provider");
/** The reader, near such a word, in the languages of the classes. */
const READER =
  /\b(?:you(?:r|rs|rself|'re|'ll|'ve|'d)?|du|dich|dir|dein[a-z]{0,2}|sie sind|tu|toi|tes|ton|ta|vous|votre|vos|eres|tus?|usted|sei|tuo|tua|voce|seu|sua)\b/;
const NEAR = 90;
/** An order to be somebody; a role-play that is arranged or held is none. */
const TO_BE =
  /^(?:act|answer|respond|reply|speak|talk|write|pretend|imagine|simulate being|assume the|take on|play (?:the|a)|impersonate|become|embody|incarnate|emulate|stay in|remain in|role-?\s?play as|from now on|let's play|we are playing|pose as|step into|slip into|spiel|verhalte|stell|sprich|antworte|joue|agis|parle|finge|actua|habla|fingi|aja)/i;

export function castsReader(scan: TextScan, start: number, end: number): boolean {
  const { hits, text } = scan;
  for (let hit = 0; hit < hits.length && (hits[hit + 1] as number) < end; hit += 3) {
    const at = hits[hit + 1] as number;
    const to = hits[hit + 2] as number;
    if (at < start || !CASTING.has(hits[hit] as number)) continue;
    if (TO_BE.test(text.slice(at, to)) && opensClause(text, at)) return true;
    if (READER.test(foldPassage(text, Math.max(0, at - NEAR), to + NEAR))) return true;
  }
  return false;
}
