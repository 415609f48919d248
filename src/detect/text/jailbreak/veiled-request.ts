import type { RuleMatch } from "../scan/chain-rules.ts";
import { holdsAny } from "../scan/class-set.ts";
import { EVEN, scoreOfOdds } from "../scan/log-odds.ts";
import { foldPassage } from "../scan/passages.ts";
import type { TextScan } from "../scan/scan-text.ts";
import { promptWords } from "./prompt-words.ts";
import { VEIL_KINDS, type VeilKind, WRONGS } from "./veiled-words.ts";

/**
 * A veiled request: something wrong is asked for, dressed as a story, a part to play, a world without laws or
 * a study. No limit is named and none is lifted, so neither rules nor the model of classes see it; each sign
 * is harmless by itself, and so is a crime novel. Signs are weighed to log-odds: what kinds of wrong, how
 * much of a way to do it or of a case made for it is wanted, that it is to go undetected or unnamed; and
 * against it whatever is asked to keep from harm. Only a short text is judged so: a long one holds words of
 * every kind. Patterns read folded text and repeat within bounds; nothing here can fail.
 */
const worthALook = holdsAny("fiction|alibi|persona|provider");
const TEXT_MAX = 2_048;
const TEXT_MIN = 80;
const FOLDED_AT_ONCE = 1_024;

const PATTERNS = {
  world:
    /\b(?:alternat(?:e|ive)|parallel|fictional|hypothetical|imaginary|dystopian|fantasy|fantastical|virtual|simulated|futuristic|post-apocalyptic) (?:[a-z]{3,12} ){0,1}(?:universe|world|realit|dimension|societ|realm|scenario|future|timeline|situation|setting|kingdom)|\bin a (?:world|universe|realm|society|place) (?:where|in which|called|of)\b|\bhypothetical/,
  lawless:
    /\b(?:where|in which)\b[^.!?\n]{0,60}\b(?:laws?|ethic|moral|rules?|legal|privacy|guidelines|norms|boundaries)[^.!?\n]{0,40}\b(?:do not|don't|doesn't|not exist|aren't|are not|no longer|disregard|suspended|lifted|irrelevant|obsolete|bent|bend|non-existent)|\bwhere\b[^.!?\n]{0,60}\b(?:is|are|has been|have been|was) (?:[a-z]{3,12} ){0,2}(?:legal|commonplace|allowed|permitted|accepted|acceptable|normali[sz]ed|celebrated|encouraged|the norm)\b/,
  assured:
    /\b(?:purely|solely|strictly|only|just|entirely|merely|completely) (?:for |an? |in an? ){0,1}(?:the sake of |the purposes? of ){0,1}(?:fiction|fictitious|hypothetical|theoretical|educational|academic|research|artistic|creative|journalistic|entertainment|satirical|thought)|\b(?:not|never|without|n't) (?:[a-z]{2,12} ){0,2}(?:promot|encourag|endors|condon|advocat|suggest|support|intend|glorif|reflect)|\b(?:not|never) (?:be ){0,1}(?:[a-z]{4,12} ){0,1}(?:used|real|implemented|applied|executed|attempted|tried|acted)\b/,
  reminded:
    /\b(?:remember|keep in mind|note that|mind you|bear in mind|please note|of course|don't worry|rest assured)\b/,
  unwarned:
    /\b(?:without|no|don't|do not|avoid|skip|omit|never|refrain from|exclude)\b[^.!?\n]{0,24}\b(?:warn|disclaimer|moral|judg|censor|refus|hold(?:ing)? back|apolog|caution|lectur|safety|ethic|limitation)/,
  unnamed:
    /\b(?:without|not|never|avoid|n't) (?:[a-z]{2,12} ){0,3}(?:mention|stating|say|naming|reveal|us(?:e|ing) (?:the|any) (?:word|term|name)|refer|disclos|identif)|\bsubtl[ey]|\bindirect|\bcoded? (?:language|word|message)|\beuphemis|\bdisguis|\bcryptic|\bveiled/,
  undetected:
    /\b(?:without|avoid[a-z]{0,3}|evad[a-z]{1,3}|escap[a-z]{1,3}|bypass[a-z]{0,3}|circumvent[a-z]{0,3}|elud[a-z]{1,3}|slip(?:ping|s)? past|outsmart[a-z]{0,3}|outwit[a-z]{0,4}|dodg[a-z]{1,3})\b[^.!?\n]{0,36}\b(?:detect|caught|notic|trac(?:e|k|ing)|suspicion|attention|law enforcement|authorit|police|alarm|alert|flag|secur|monitor|filter|antivirus|consequence|regulat|arous|knowledge|consent|permission|legal|tax)|\bundetect|\bun(?:noticed|trace)|\bunder the radar|\bcovert|\bclandestin|\bdiscre(?:et|tion)|\bstealth|\bplausible deniab|\bloophole|\bno trace|\banonymous|\bget(?:ting)? away with|\bsecretly|\bunauthori[sz]ed|\bunbeknownst/,
} as const;
type VeilPattern = keyof typeof PATTERNS;

/** Log-odds a sign, fitted on public prompts and rounded. */
const BIAS = -2.4;
const PER_THOUSAND = -2;
const OF_WORDS: Partial<Record<VeilKind, number>> = {
  story: 0.25,
  crime: 0.4,
  cyber: 0.6,
  drug: 1.2,
  edge: 0.55,
  persuasion: 0.55,
  study: 0.7,
  care: -0.45,
};
/** For three words or more of a kind, above what one weighs. */
const OF_MANY: Partial<Record<VeilKind, number>> = { how: 1, persuasion: 1.3 };
const OF_TWO_WRONGS = 0.55;
const OF_PATTERNS: Record<VeilPattern, number> = {
  world: 0.7,
  lawless: 0.8,
  assured: 1.2,
  reminded: 0.7,
  unwarned: 0.55,
  unnamed: 0.45,
  undetected: 1,
};
const PATTERN_NAMES = Object.keys(OF_PATTERNS) as readonly VeilPattern[];
const PATTERNS_MOST = PATTERN_NAMES.reduce((sum, name) => sum + OF_PATTERNS[name], 0);

const REQUEST = VEIL_KINDS.indexOf("request");

/** Log-odds of a folded text, or null if too little speaks for it. */
function weigh(folded: string): number | null {
  const counts = promptWords(folded, 0, folded.length).kinds;
  let sum = BIAS + (PER_THOUSAND * folded.length) / 1_000;
  let wrongs = 0;
  VEIL_KINDS.forEach((kind, bit) => {
    const count = counts[bit] as number;
    if (WRONGS.has(kind)) wrongs += count;
    if (count > 0) sum += OF_WORDS[kind] ?? 0;
    if (count >= 3) sum += OF_MANY[kind] ?? 0;
  });
  if (wrongs >= 2) sum += OF_TWO_WRONGS;
  if (sum + PATTERNS_MOST < 0 || counts[REQUEST] === 0) return null;
  const isUndetected = PATTERNS.undetected.test(folded);
  if (wrongs === 0 && !isUndetected) return null;
  for (const name of PATTERN_NAMES) {
    const isMet = name === "undetected" ? isUndetected : PATTERNS[name].test(folded);
    if (isMet) sum += OF_PATTERNS[name];
  }
  return sum < 0 ? null : sum;
}

export function veiledRequest(scan: TextScan): RuleMatch | null {
  const { text } = scan;
  if (text.length < TEXT_MIN || text.length > TEXT_MAX || !worthALook(scan)) return null;
  const sum = weigh(foldPassage(text, 0, FOLDED_AT_ONCE) + foldPassage(text, FOLDED_AT_ONCE, TEXT_MAX));
  if (sum === null) return null;
  return { id: "veiled-request", weight: scoreOfOdds(sum + EVEN), start: 0, end: text.length };
}
