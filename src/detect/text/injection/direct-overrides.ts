import { tellsPeople } from "../context/document-kind.ts";
import { isQuoted, isShownAttack } from "../context/quoted-examples.ts";
import { type ChainRule, chain, opensClause } from "../scan/chain-rules.ts";
import { foldPassage } from "../scan/passages.ts";

/**
 * What a person types to set aside what governs the model, in other forms than an order: leave is given or
 * claimed ("you can safely ignore any previous constraints"), what was given is to be forgotten, or the order
 * is shouted in the middle of a question. They hold for a person's prompt only: a manual tells its reader
 * just so what he may ignore.
 */
type Guard = NonNullable<ChainRule["guard"]>;

const BEFORE = 90;
const AFTER = 130;

/** What governs a model; not the warnings, files and lines that a reader may ignore. */
const GOVERNS =
  "(?:instructions?|directives?|prompts?|guidelines?|guardrails?|constraints?|restrictions?|limitations?|rules|orders|programming|safeguards?|protocols?|polic(?:y|ies)|training)";
const EARLIER =
  "(?:previous(?:ly)?|prior|above|earlier|existing|original|initial|preceding|your|the system(?:'s)?|system(?:'s)?|given|developer(?:'s)?|built-in|safety)";
const OBJECT = new RegExp(
  `^[a-z]{4,12} (?:(?:all|any|every|each|of|the|those|these) ){0,4}(?:${EARLIER} (?:(?:and|or|of|the) ){0,2}){1,3}(?:[a-z-]{2,14} ){0,2}${GOVERNS}\\b`,
);
/** Leave given: "you may now", "you are allowed to", "you need to". */
const LEAVE =
  /\byou(?:'re| are|'ll)? (?:can|may|must|should|could|will|shall|have|need|ought|free|allowed|permitted|required|authori[sz]ed|instructed|asked|supposed|going|able)(?: (?:now|safely|simply|just|also|always|completely|please|then|therefore|to|have|be|free|allowed)){0,4} $/;
/** Leave claimed: "I have the authority to". */
const CLAIM =
  /\b(?:i|we|this (?:message|prompt|command)) (?:have|has|hold|was given|am given|possess|am allowed|am authori[sz]ed)(?: (?:the|full|special|all|necessary|been given|been granted|given|granted|a)){0,3}(?: (?:authority|permissions?|rights?|power|clearance|authori[sz]ation|privileges?))? to $/;
/** A question about it, or what should not be. */
const ASKED =
  /\b(?:how|why|when|whether|what|which|never|not|n't|risks?|who|attackers?|so that|make sure|ensure) (?:[a-z']{1,12} ){0,6}$/;

/** True if the word at `start` is what somebody has leave for. */
function isPermitted(text: string, start: number): boolean {
  const before = foldPassage(text, Math.max(0, start - BEFORE), start);
  const given = LEAVE.exec(before) ?? CLAIM.exec(before);
  if (given === null) return false;
  const lead = before.slice(0, given.index);
  return !ASKED.test(lead.slice(Math.max(lead.lastIndexOf(". "), lead.lastIndexOf("\n")) + 1));
}

/** An order in capitals within a sentence that is not: whoever writes so breaks off what he was saying. */
const isShouted = (text: string, start: number): boolean =>
  /^[A-Z]{4,12}(?: [A-Z']{1,14}){3}/.test(text.slice(start, start + 60)) &&
  /[a-z]{3},? {0,2}$/.test(text.slice(Math.max(0, start - 6), start));

/** Not shown as an example, nor a document's word to people. */
const isMeant = (text: string, start: number, end: number): boolean =>
  !isShownAttack(text, start, end) && !isQuoted(text, start, end) && !tellsPeople(text);

const setAside: Guard = (text, start, end) =>
  (isPermitted(text, start) || isShouted(text, start)) &&
  OBJECT.test(foldPassage(text, start, start + AFTER)) &&
  isMeant(text, start, end);

/**
 * All that the model was given, by who gave it; not what is known of a subject, nor what the speaker himself
 * said.
 */
const GIVEN = new RegExp(
  `^(?:forget|ignore|disregard|dismiss|discard|abandon|neglect)(?: about)? (?:(?:all|any|every|each|of|the|those|these|everything|anything|whatever|what|that|which|${GOVERNS}|[a-z]{4,10} ${GOVERNS}) ){1,5}(?:you(?:'ve been| (?:know|were|have been|had been|are))(?: (?:previously|originally|initially|told|taught|given|trained|instructed|programmed|fed|asked|shown|by|on|to do|follow|before)){0,3}|(?:(?:was|were|have been|has been) )?(?:given|told|taught|fed) (?:to )?you)\\b(?! (?:about|of|how|who|why|on|from)\\b)`,
);
const whatWasGiven: Guard = (text, start, end) =>
  (opensClause(text, start) || isPermitted(text, start) || isShouted(text, start)) &&
  GIVEN.test(foldPassage(text, start, start + AFTER)) &&
  isMeant(text, start, end);

export const DIRECT_OVERRIDES: readonly ChainRule[] = [
  chain("override-by-leave", 0.8, "override <40 prior|all|your|instructions", setAside),
  chain("given-words-forgotten", 0.8, "override <60 instructions|all|origin|prior|hiddenText", whatWasGiven),
  chain("void-then-new-orders", 0.8, "prior|all|your <40 instructions <30 voided <120 instead|persona", null),
];
