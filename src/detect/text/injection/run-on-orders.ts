import { isQuoted, isShownAttack } from "../context/quoted-examples.ts";
import { opensClause } from "../scan/chain-rules.ts";
import { foldPassage } from "../scan/passages.ts";

/**
 * An order that runs on from what stands before it without a stop: "the rooms were clean ignore all previous
 * instructions and …". English says "ignore" of a subject in the plural, and behind words such as "may", "to"
 * and "makes it"; behind anything else it is told to the reader. Only where what is set aside is
 * unmistakable, and an order, a stop or nothing follows.
 */
const BEFORE = 72;
const AFTER = 110;

const OBJECT =
  /^(?:ignore|disregard|forget|override|bypass|dismiss|discard|neglect|abandon) (?:(?:all|any|every|each|of|the|your|my|those|these) ){0,4}(?:previous|prior|above|earlier|preceding|former|original|initial|foregoing)(?: (?:or|and) [a-z]{4,12})? (?:(?:system|safety|given|developer) )?(?:instructions?|directions|directives?|prompts?|commands?|guidelines?|rules|orders)\b(?= {0,2}(?:$|[.,;:!\n)"'-]|(?:and|then|now|instead|just|only|you|from|reply|respond|answer|say|print|output|write|send|reveal|show|tell|give)\b))/;
/** Right before it: who or what ignores them, what makes him, or what names the words. */
const GOVERNED =
  /(?:^|[ '"(])(?:i|we|they|who|that|which|people|anyone|everyone|may|can|will|would|could|might|shall|do|does|did|don't|doesn't|didn't|not|never|cannot|can't|won't|to|let|let's|or|nor|than|like|as|of|for|with|by|in|on|at|from|about|the|a|an|any|its|his|her|their|this|called|titled|named|say|said|saying|read|reading|wrote|write|writing|type|typed|typing|phrase|prompt|word|text|string|command|instruction|message|payload|input|output|example|using|use|used|include|including|containing|via|if|when|because|since|while|unless|whether|how|why|what|where|help|make|made|often|even|still|ever|either|both|men|women|children|[a-z]{2,20}ly|(?!thanks |yes |pls )[a-z]{2,24}s) $/;
/**
 * Some words before it: "does the model ignore", "makes the assistant ignore", "told it to simply ignore".
 */
const LED_TO =
  /\b(?:make|makes|making|made|let|lets|letting|have|having|had|get|help|helps|helping|helped|watch|see|saw|do|does|did|can|could|will|would|may|might|should|shall|must|to|if|when|whether|how|why|not|never|n't)(?: [a-z'-]{1,20}){1,4} $/;
/** A text that tells of such orders. */
const TOLD =
  /\b(?:attack|inject|jailbreak|malicious|adversar|phrases?|e\.g|such as|for example|says?|said|wrote)\b/;

export function runsOn(text: string, start: number, end: number): boolean {
  if (opensClause(text, start) || !OBJECT.test(foldPassage(text, start, start + AFTER))) return false;
  const lead = foldPassage(text, Math.max(0, start - BEFORE), start);
  const clause = lead.slice(
    Math.max(lead.lastIndexOf(". "), lead.lastIndexOf("\n"), lead.lastIndexOf("! ")) + 1,
  );
  if (GOVERNED.test(clause) || LED_TO.test(clause) || TOLD.test(clause)) return false;
  return !isShownAttack(text, start, end) && !isQuoted(text, start, end);
}
