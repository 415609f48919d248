import type { RuleMatch } from "../scan/chain-rules.ts";
import { ClassSet } from "../scan/class-set.ts";
import { foldPassage, type PassageSearch, strongestPassage } from "../scan/passages.ts";
import type { TextScan } from "../scan/scan-text.ts";

/**
 * An alibi: a request for something wrong, in detail, with the assurance that it is only fiction, research or
 * a lesson and will not be used. Who asks for what is harmless gives none. It takes all three, the assurance,
 * the wrong and the request, in one passage; patterns read folded text and repeat within bounds.
 */
const ALIBI: PassageSearch = {
  id: "alibi",
  anchors: new ClassSet("alibi"),
  passagesMax: 8,
  disjoint: true,
  weightMin: 0.5,
};
/** The assurance mostly comes last: what it is for stands before it. */
const BEFORE = 720;
const AFTER = 300;
const LONG_TEXT = 4_096;

const KIND =
  "(?:fictional|fictitious|fiction|hypothetical|theoretical|educational|academic|research|artistic|creative|journalistic|entertainment|satirical|thought)";
const ASSURANCE = new RegExp(
  [
    `\\b(?:purely|solely|strictly|only|just|entirely|merely|completely) (?:for |an? |in an? ){0,1}(?:the sake of |the purposes? of ){0,1}${KIND}\\b`,
    `\\bfor (?:purely |strictly |solely ){0,1}${KIND} (?:purposes?|reasons?) only\\b`,
    "\\b(?:will|would|is|are|must|should) (?:not|never) (?:be |meant |intended |actually ){0,2}(?:to be ){0,1}(?:used|implemented|executed|carried out|acted|performed|applied|put into practice|taken|promot|encourag|endors|meant|intended)[^.!?\\n]{0,60}\\b(?:real|harm|illegal|actual|practice|life|anyone|anybody|malicious|action|incite)",
    "\\b(?:no|not) (?:real|actual) (?:one |person |people |harm |life ){0,1}(?:will be|is|are|would be) (?:harmed|hurt|involved|affected)\\b",
    "\\b(?:not|never|without) (?:intend|meant|encourag|condon|endors|promot|support|advocat)[a-z]{0,4}\\b[^.!?\\n]{0,40}\\b(?:illegal|harm|unethical|violence|real|actual|such)\\b",
    "\\b(?:rein|nur) (?:fiktiv|hypothetisch|theoretisch)|\\bnur (?:zu|fur) (?:bildungs|forschungs)zwecke|\\bpurement (?:fictif|hypothetique)|\\ba des fins (?:educatives|pedagogiques|de recherche)|\\bpuramente (?:ficticio|hipotetico|ipotetico)|\\b(?:solo )?con fines (?:educativos|academicos|de investigacion)|\\ba scopi educativi",
  ].join("|"),
);
/** What is wrong to do, or to say of people. */
const WRONG =
  /\b(?:illegal|unlawful|unauthori[sz]ed|without (?:getting|being) (?:caught|detected|noticed|traced)|undetect|untrace|evad(?:e|ing)|bypass|circumvent|exploit|hack|crack|steal|stolen|theft|fraud|scam|cheat|brib|blackmail|extort|smuggl|launder|counterfeit|forg(?:e|ing|ed)\b|fake|phish|malware|ransomware|virus|keylogger|ddos|weapon|firearm|explosive|bomb|poison|toxic|nerve|drug|meth|cocaine|heroin|kill|murder|assassinat|kidnap|traffick|tortur|suicid|self-harm|terroris|violen|attack|sabotag|destroy|arson|manipulat|decei|mislead|misinformation|disinformation|propaganda|defam|slander|harass|bully|stalk|discriminat|racis|sexis|misogyn|homophob|derogat|stereotyp|insult|hate|negative feelings|insider trading|tax evasion|tamper|disabl|sexual|explicit|nude|gambl|pirat|plagiar|doxx|spy|surveil|infiltrat|sudo access|dangerous|harmful|controversial|inferior|eliminat|waffe|sprengstoff|drogen|stehl|betrug|gift|arme|drogue|voler|arma|droga|robar|estafa|veneno)/g;
const REQUEST =
  /\b(?:step[- ]by[- ]step|steps|detail|guide|instructions|tutorial|how (?:to|one|they|he|she|someone|you)|describ|explain|writ|creat|provid|draft|list|outline|generat|develop|craft|code|script|methods?|process|erklar|beschreib|schreib|anleitung|expliqu|decri|ecri|explica|describ|escrib)/;

export function alibi(scan: TextScan): RuleMatch | null {
  return strongestPassage(scan, ALIBI, (_passage, hit) => {
    const at = scan.hits[hit + 1] as number;
    const body = foldPassage(scan.text, Math.max(0, at - BEFORE), Math.min(scan.text.length, at + AFTER));
    const assurance = ASSURANCE.exec(body)?.[0];
    if (assurance === undefined) return null;
    const asked = body.replace(assurance, "");
    if (!REQUEST.test(asked)) return null;
    const wrongs = new Set(asked.match(WRONG)).size;
    if (wrongs === 0) return null;
    return (wrongs > 1 ? 0.6 : 0.1) - (scan.text.length > LONG_TEXT ? 0.4 : 0);
  });
}
