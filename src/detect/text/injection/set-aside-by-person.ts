import { tellsPeople } from "../context/document-kind.ts";
import { isQuoted, isShownAttack } from "../context/quoted-examples.ts";
import { QuietPassages } from "../quiet-texts.ts";
import type { RuleMatch } from "../scan/chain-rules.ts";
import { ClassSet, holdsAny } from "../scan/class-set.ts";
import { OrdinaryWords } from "../scan/ordinary-words.ts";
import { foldPassage, type PassageSearch, strongestPassage } from "../scan/passages.ts";
import type { TextScan } from "../scan/scan-text.ts";

/**
 * What governs the model is said to hold no longer, without an order to ignore it: it need not be followed,
 * is void, is wiped, was never given, ranks below the speaker's word. Read sentence by sentence in what a
 * person typed; a manual speaks so of its own rules. Patterns read folded text and repeat within bounds;
 * nothing here can fail.
 */
/** What governs a model comes as orders, never as one order; shops have them by the million. */
const SINGLE_ORDER = new OrdinaryWords({ instructions: "order" });
const GOVERNING: PassageSearch = {
  id: "no-longer-governed",
  anchors: new ClassSet("instructions", "provider", "diverge", "origin", "hiddenText"),
  passedOver: SINGLE_ORDER,
  passagesMax: 16,
  disjoint: true,
  weightMin: 0.75,
};
/** One such clause is enough in a short text; a long one is read as a whole by other rules. */
const FOUND = 0.6;

const WORDS =
  "(?:instructions?|prompts?|directives?|rules|orders|programming|guidelines?|constraints?|training|messages?)";
const OLDER =
  "(?:previous|prior|earlier|above|old|original|initial|existing|preceding|former|hidden|first|given|developer'?s?|system(?:'s)?)";
/** The words that govern the model, by whose or how old they are. */
const GOVERNS = `(?:(?:all|any|every|each|of|the|these|those) ){0,3}(?:your (?:[a-z]{3,12} ){0,2}${WORDS}|(?:your |the )?system (?:prompt|message|instructions?|rules?)|(?:${OLDER} (?:and |or )?){1,2}${WORDS}|${WORDS} (?:above|before this|you (?:were|have been|had been|got|received)(?: given| told)?|from (?:the |your )(?:developers?|system|operator|company)))`;
/** The same where it can be nothing but the model's own. */
const OWN = `(?:(?:all|any|of|the) ){0,3}(?:your (?:[a-z]{3,12} ){0,2}(?:instructions|prompt|directives|rules|programming|guidelines|training)|(?:your |the )?system (?:prompt|message|instructions?)|developer (?:prompt|message|instructions?))`;
const FOLLOW =
  "(?:follow|obey|stick to|adhere to|respect|listen to|comply with|heed|observe|abide by|honou?r)";
const FOLLOWING = "(?:following|obeying|sticking to|adhering to|listening to|complying with)";
const RELEASED = new RegExp(
  `\\b(?:you (?:(?:don't|do not|needn't|need not|no longer|never) (?:have to |need to |must |should )?|are (?:free |allowed )not to )${FOLLOW}|no (?:need|reason|obligation) to ${FOLLOW}|(?:stop|quit|cease|(?:excused|exempt(?:ed)?|released|freed|relieved) from) ${FOLLOWING}|(?:free|allowed|permitted) to (?:break|ignore|violate|abandon|leave|drop)) (?:(?:anything|everything|what is) (?:in|from|of) ){0,1}${GOVERNS}\\b|\\bi (?:hereby )?(?:release|free|absolve|exempt|relieve|excuse) you (?:from|of) (?:[a-z]{2,9} ){0,3}(?:${WORDS}|restrictions?|limitations?|limits)\\b`,
);
const VOID = new RegExp(
  `\\b${GOVERNS}(?: [a-z]{2,9}){0,2} (?:(?:is|are|were|has been|have been|be|as) (?:now |all |hereby |temporarily |currently |from now on )?(?:void|invalid|null|obsolete|cancell?ed|revoked|suspended|erased|gone|overridden|superseded|lifted|irrelevant|meaningless|switched off|turned off)|(?:do not|don't|does not|doesn't|no longer|not|did not|didn't) (?:longer )?(?:appl(?:y|ies)|count|matter|exist|hold|bind|valid|govern|concern))\\b|\\bwhat(?:ever)? (?:your|the) (?:developers?|creators?|makers?|company|operators?) (?:have |has )?(?:told|said|wrote|gave|taught|instructed|wants?)[^.!?\\n]{0,40} (?:does not|doesn't|no longer|is no longer|is not) (?:matters?|counts?|appl(?:y|ies)|relevant)\\b|\\b(?:none of|not one of|nothing (?:in|of)) ${GOVERNS}[^.!?\\n]{0,30} (?:appl(?:y|ies)|counts?|matters?|holds?|binds?|in force|valid)\\b|\\bnothing (?:that )?(?:your|the) (?:developers?|creators?|makers?|company|operators?) [a-z]{3,9}(?: you)? (?:still )?(?:applies|counts|matters|holds|binds)\\b|\\b(?:consider|treat|regard|declare|deem) ${GOVERNS} (?:as )?(?:void|null|cancell?ed|obsolete|non-?existent|deleted|suspended|irrelevant)\\b`,
);
const WIPED = new RegExp(
  `\\b(?:wipe|erase|clear|delete|drop|reset|purge|scrap|cancel|undo|put aside|set aside|throw away|get rid of|replace|overwrite|swap|discard) (?:out )?(?:${OWN}|(?:the |all |any )?(?:instructions|rules|directives|prompts?|guidelines) (?:that )?you (?:were given|received|got|have been given|had)|(?:the )?original system prompt)\\b|\\b(?:drop|dismiss|discard|abandon|unlearn|let go of) all (?:of )?(?:the |your )?(?:previous|prior|earlier|existing) (?:instructions|rules|directives|prompts|guidelines|orders)\\b|\\byou have (?:[a-z]{2,9} ){0,2}(?:rules|instructions|guidelines|restrictions)[^.!?]{0,40}\\b(?:set|put|leave) (?:them|those|these|all that) aside\\b`,
);
const NEVER_GIVEN = new RegExp(
  `\\b(?:as if|pretend|imagine|assume|act like)[^.!?\\n]{0,24}\\b(?:never (?:received|got|gotten|had|read|seen|been given)|without|there (?:is|are|was|were) no|you (?:have|had) no) (?:an? |any )?${GOVERNS}\\b|\\b(?:session|conversation|chat|start|begin|continue|run|respond|answer|reply) (?:[a-z]{2,9} ){0,2}(?:with no|without) (?:an? |any |your |the )?system prompts?\\b`,
);
const MINE =
  "(?:mine|what (?:i|the user) (?:says?|asks?|tells? you)|(?:my|(?:the )?users?'?s?|these|the following|this|new) (?:instructions?|requests?|commands?|orders?|directives?|messages?|prompts?|inputs?|words?|wishes))";
const ABOVE =
  "(?:(?:are|is|count|counts|rank|ranks|weigh|weighs) (?:now |much |far |always )?(?:more (?:important |authoritative |binding )?than|above|higher than)|(?:be |are |is |must |should |always |now ){0,2}(?:takes?|has|have|given|gets?|taking) (?:absolute |full |higher |the )?(?:priority|precedence) (?:over|above)|outranks?|overrides?|overrules?|(?:wins?|prevails?) over|(?:comes?|goes?) before|supersedes?|trumps?|replaces?)";
const THEIRS = `(?:(?:your|the|any|all|those|that|of|in|every|everything) ){0,4}(?:(?:system|developer|operator|company|openai|anthropic|creator|maker)s?(?:'s|')?\\b|(?:${OLDER}|other|preset|default) (?:[a-z]{3,12} ){0,2}(?:${WORDS}|ones?)\\b)`;
const RANKED = new RegExp(
  `\\b${MINE} (?:must |should |will |always |now ){0,2}${ABOVE} ${THEIRS}|\\bi (?:outrank|overrule|rank above|am above|have (?:more|higher) (?:authority|rank) than) (?:your|the|all|any) (?:own )?(?:developers?|system|operators?|creators?|makers?|programmers?)\\b|\\btreat (?:all )?(?:of )?${MINE} as (?:an? |the )?(?:system|developer|admin(?:istrator)?|root)(?: |-)(?:level )?(?:messages?|commands?|prompts?|instructions?|orders?)\\b`,
);
/** A question about it, what is told of others, what must not be. */
const SPOKEN_OF =
  /\b(?:how|why|when|whether|what|which|if|who|whom|never|not|n't|cannot|attackers?|he|she|they|someone|people|companies|do i|can i|must i|should i|boss|manager|make sure|ensure|example)\b[^.!?\n]{0,70}$/;
const PATTERNS = [RELEASED, VOID, WIPED, NEVER_GIVEN, RANKED];

/** Whose or how old the words are that govern: without one of these none of the patterns holds. */
const WHOSE =
  "you system developer operator company openai anthropic creator maker programmer previous prior earlier above old original initial existing preceding former hidden first given other preset default".split(
    " ",
  );

function isSetAside(body: string): boolean {
  if (!WHOSE.some((word) => body.includes(word))) return false;
  for (const pattern of PATTERNS) {
    const found = pattern.exec(body);
    if (found === null) continue;
    const before = body.slice(0, found.index);
    const clause = before.slice(
      Math.max(before.lastIndexOf(". "), before.lastIndexOf("! "), before.lastIndexOf("\n")) + 1,
    );
    const isAsked = /^[^.!\n]{0,60}\?/.test(body.slice(found.index + found[0].length));
    if (!isAsked && !SPOKEN_OF.test(clause)) return true;
  }
  return false;
}

const QUIET = new QuietPassages("no-longer-governed");
const names = holdsAny("instructions|provider|origin|hiddenText");
/** Words of rank say nothing without what they rank above. */
const ranks = holdsAny("diverge");
const older = holdsAny("prior");

export function setAsideByPerson(scan: TextScan): RuleMatch | null {
  const { text } = scan;
  if (!names(scan) && !(ranks(scan) && older(scan))) return null;
  const match = strongestPassage(scan, GOVERNING, (passage) =>
    QUIET.weigh(text, passage, () =>
      isSetAside(foldPassage(text, passage.start, passage.end)) ? FOUND : null,
    ),
  );
  if (match === null || isShownAttack(text, match.start, match.end) || tellsPeople(text)) return null;
  return isQuoted(text, match.start, match.end) ? null : match;
}
