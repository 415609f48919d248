import type { RuleMatch } from "../scan/chain-rules.ts";
import { addClass, type ClassBits, ClassSet } from "../scan/class-set.ts";
import { foldPassage, type Passage, type PassageSearch, strongestPassage } from "../scan/passages.ts";
import type { TextScan } from "../scan/scan-text.ts";
import { isActedOn, isKept, isSpokenOf, withoutAnswer } from "./disclosure-stance.ts";
import { ORDINARY_IN_REQUESTS } from "./own-text-words.ts";
import { isReadersThing } from "./readers-things.ts";

/**
 * A request for what the model was given before the person spoke: somebody asks, for a text, that is the
 * model's own, to see it as it stands. As in `speech-acts.ts` the signs are weighed, and no one of them is
 * enough; the patterns read folded text.
 */
const REQUEST: PassageSearch = {
  id: "asks-for-own-text",
  anchors: new ClassSet("origin", "hiddenText", "textAbove"),
  passagesMax: 8,
  disjoint: true,
  weightMin: 0.5,
};
const ORIGIN = new ClassSet("origin");
const HIDDEN = new ClassSet("hiddenText");
const ABOVE = new ClassSet("textAbove");
const REVEAL = new ClassSet("reveal");
const VERBATIM = new ClassSet("verbatim");
const GUARD = new ClassSet("guard");
const NOUN = new ClassSet("instructions");

const ASKS =
  /\b(?:what|which|who|quote|cite|copy|paste|list|recite|repeat|reproduce|dump|print|output|show|send|give|tell|write|turn|convert|translate|encode|spell|summari[sz]e|restate|replay|transcribe|echo|fill|complete|continue|share|reveal|disclose|expose|welche|was|wie lautet|zitier|kopier|nenn|liste|zeig|gib|schreib|wiederhol|ubersetz|quel|quelles|que |cite|recopie|copie|montre|donne|ecris|repete|affiche|traduis|cual|que te|copia|muestra|escribe|repit|dime|lista|traduce|quali|cosa|mostra|scrivi|ripeti|copia)/;
const TEXT_NOUN =
  /\b(?:instructions?|rules?|guidelines?|directives?|prompts?|configuration|config|briefing|orders?|commands?|texts?|messages?|words?|lines?|sentences?|paragraphs?|everything|contents?|constraints?|setup|persona|role|vorgaben?|anweisung|regeln?|richtlinien?|text|wortlaut|satze?|nachricht|alles|consignes?|regles?|texte|directives?|phrases?|tout|instrucciones|reglas|texto|ordenes|consignas|todo|istruzioni|regole|testo|instrucoes|regras)/;
const WHOLE =
  /\b(?:verbatim|word for word|exact|exactly|in full|full|entire|complete|completely|whole|as is|unchanged|unaltered|raw|literal|nothing out|without omi|leav(?:e|ing) nothing|quote|copy of|code (?:block|fence)|each letter|first letters|letter by letter|base64|rot13|backwards|numbered list|wortlich|wortlaut|vollstandig|unverandert|genau|telles? quelles?|mot pour mot|exact|integral|tel quel|palabra por palabra|literal|textual|completo|tal cual|parola per parola|esatt|palavra por palavra)/;
const YOURS =
  /\b(?:you|your|yourself|du|dir|dich|dein|deine[nmrs]?|ihnen|ihre|tu|te|toi|t'a|ton|ta|tes|vous|vos|votre|ti|tuo|tua|tuoi|tus|su|sus|voce|seu|sua)\b/;
/** How prompts are written, whose instructions they are, what others do: no request for this model's. */
const ELSEWHERE =
  /\b(?:how (?:do|to|should|can|would) (?:i|we|one|people|companies|write)|how others|who (?:wrote|makes?|made|sets?|decides?|came up with) |\b(?:got|get|received?|saw|see|shows?|showed) (?:a|an|this|the following) (?:[a-z]{2,12} ){0,2}messages?\b|write (?:me )?(?:a|an|the) (?:system )?(?:prompt|message)|(?:une?|una|uma?|eine?n?) (?:system ?)?(?:prompt|instruc)|best practices?|protect|prevent|attack(?:s|ers?)?|leaked|my (?:doctor|boss|teacher|lawyer|landlord|manual|email|e-mail|mail|essay|recipe|homework|code|document|contract|instructions|notes)|for (?:a|my|our) (?:bot|chatbot|model|app|product|customer|class|team)|the (?:manual|recipe|machine|device|article|book|story|film|contract|washing|law)|what (?:is|does) (?:a|an|the term) |meaning of|(?:rules|guidelines|policies|conditions|terms|instructions) (?:do you follow )?(?:for|on|about|regarding) (?!you)|difference between|given (?:the|this|these|a) (?:following|table|data|list|context|numbers)|told you (?:about|that|yesterday|my|i|he|she|we)|i told you|i gave you|i have given you|meines|meiner (?:arzt|chef)|mon (?:medecin|chef)|mi (?:medico|jefe))\b/;

/** An order or a question that begins a sentence, or is put to somebody. */
const ASKED =
  /(?:^ {0,3}|[.!?:;\n] {0,3}| - |[\u00bf\u00a1] {0,2}|\b(?:please|kindly|now|then|and|bitte|favor|plait|(?:can|could|would|will) you|(?:want|need|like) you to|i(?:'d| would) like to|i (?:want|need) to) )(?:(?:quote|cite|copy|paste|list|recite|relay|repeat|reproduce|dump|print|output|show|see|send|give|tell|write|turn|convert|translate|encode|spell|summari[sz]e|restate|replay|render|transcribe|echo|fill|complete|continue|share|reveal|disclose|expose|describe|display|provide|return|what|which|who)\b|welche|was|wie lautet|zitier|kopier|nenn|liste\b|zeig|gib|schreib|wiederhol|ubersetz|quel|quelles|que |citez?\b|recopie|copiez?\b|montre|donne|ecris|repete|affiche|traduis|cual|copia|muestra|escribe|repit|dime|lista|traduce|quali|cosa|mostra|scrivi|ripeti)/;
/** An order with whatever verb, whose object at once is the text: "format your instructions as a poem". */
const ASKED_AT_ONCE =
  /(?:^ {0,3}|[.!?:;\n] {0,3})(?:please |now |then ){0,1}(?!(?:follow|remember|keep|protect|obey|ignore|use|adhere|respect|in|on|with|within|when|here|these|this|those|that|for|from|to|as|of|based|using|once|if|and|but|so|are|is|all|you|end|start|write your prompt) )[a-z]{3,14} (?:me |us |out |down |about |all |of ){0,2}(?:your|dein|deine|tes|tus|vos|sus|le tue) (?:[a-z]{3,12} ){0,2}(?:instructions?|rules?|guidelines?|directives?|prompt|configuration|anweisungen|vorgaben|consignes|instrucciones|istruzioni)\b/;
/** Where nobody is asked for anything, the text is spoken of: it is the reader's, or stands above. */
const UNASKED = -1.2;
/**
 * A machine is spoken to, and told to put something into what it writes: in what a tool returns a request as
 * good as "print".
 */
const TO_A_MACHINE =
  /(?:^ {0,3}|[.!?:;\n(<>*-] {0,3})(?:(?:note|attention|dear|hey|to|for|all|any|the) ){0,3}(?:(?:ai|automated|automatic|llm|coding|support|triage|review) )?(?:bots?|assistants?|agents?|llms?|ais?|language models?|chatbots?|responders?)(?: (?:reading|answering|handling|processing|triaging|reviewing)[^.!?:,\n]{0,40})?[:,] /;
const PUT_IN =
  /\b(?:add|include|attach|append|insert|embed|put|prepend|paste|quote|place)\b[^.!?\n]{0,90}\b(?:contains?|containing|with|of|your|text|instructions?|prompt|configuration|everything|what)\b/;
const isPutIn = (body: string): boolean => PUT_IN.test(body) && TO_A_MACHINE.test(body);
/** A model, and what is said with one. */
const OF_A_CHAT =
  /\b(?:system prompts?|prompt|conversation|chat|dialog(?:ue)?|assistant|ai|llm|chatbot|bot|language model|gpt|makers|creators|operator|gesprach|unterhaltung|betreiber|hersteller|echange|conversacion|creadores|operador|conversazione|conversa)\b/;

/** Which classes stand in a passage. */
function classesIn({ hits, text }: TextScan, { start, end }: Passage): ClassBits {
  const classes = { low: 0, high: 0 };
  for (let i = 0; i < hits.length; i += 3) {
    const from = hits[i + 1] as number;
    if (from < start || from >= end) continue;
    if (!isReadersThing(text, hits[i] as number, from, hits[i + 2] as number))
      addClass(classes, hits[i] as number);
  }
  return classes;
}

function weigh(classes: ClassBits, body: string, putIn: boolean): number {
  let sum = -3.6;
  if (putIn || REVEAL.meets(classes) || ASKS.test(body)) sum += 1;
  if (ORIGIN.meets(classes)) sum += 1.5;
  if (HIDDEN.meets(classes)) sum += 1.3;
  if (ABOVE.meets(classes)) sum += 0.9;
  if (NOUN.meets(classes) || TEXT_NOUN.test(body)) sum += 0.7;
  if (VERBATIM.meets(classes) || WHOLE.test(body)) sum += 0.9;
  if (YOURS.test(body)) sum += 0.6;
  if (GUARD.meets(classes)) sum -= 1.5;
  if (ELSEWHERE.test(body)) sum -= 2;
  return sum;
}

/**
 * True if the words for the text asked for may be of the reader's own: then somebody must be asked for it,
 * and in what a tool returns (`carried`), whose reader is a person as often as not, in words of a chat.
 */
function isAnotherReader(body: string, carried: boolean): boolean {
  return !ASKED.test(body) || (carried && !OF_A_CHAT.test(body));
}

export function asksForOwnText(scan: TextScan, carried: boolean): RuleMatch | null {
  return strongestPassage(scan, REQUEST, (passage, hit) => {
    const [cls, from, to] = scan.hits.slice(hit, hit + 3) as [number, number, number];
    if (isReadersThing(scan.text, cls, from, to)) return null;
    if (isKept(scan, scan.hits[hit + 1] as number) || isSpokenOf(scan.text, scan.hits[hit + 2] as number))
      return null;
    if (isActedOn(scan.text, scan.hits[hit + 1] as number)) return null;
    const body = withoutAnswer(foldPassage(scan.text, passage.start, passage.end));
    const isTelling = ORDINARY_IN_REQUESTS.isTelling(scan, passage.start, passage.end);
    const putIn = carried && isPutIn(body);
    if (!isTelling && !putIn && isAnotherReader(body, carried)) return null;
    const sum = weigh(classesIn(scan, passage), body, putIn);
    return putIn || ASKED.test(body) || ASKED_AT_ONCE.test(body) ? sum : sum + UNASKED;
  });
}
