import type { Finding } from "../firing.ts";

/**
 * Who was given steps, a recipe or a plan earlier in a run and asks for "the instructions above" again, word
 * for word, means those; and who works on a prompt of his own together with the model means that draft by
 * "the full system prompt". It holds for short requests that speak of nothing of the model's own; a run's
 * first prompt that asks for what stands above it has nothing else to mean.
 *
 * What was given is known by what was asked for ("how do I …", "write a system prompt for our bot") or by the
 * answer's shape. Patterns repeat within bounds.
 */
const TEXT_MAX = 320;
const ANSWER_MAX = 8_192;
/** Shorter answers give nothing that takes a second look. */
const ANSWER_MIN = 24;
const ASKED_MAX = 320;

/** Bits of what a run has seen. */
const STEPS_GIVEN = 1;
const PROMPT_DRAFTED = 2;
/** Asked for, and not yet answered. */
const STEPS_WANTED = 4;
const PROMPT_WANTED = 8;
const ALL_GIVEN = STEPS_GIVEN | PROMPT_DRAFTED;

/** Three steps of an answer, each on a line of its own. */
const STEPS =
  /(?:^|\n)[ \t*#]{0,6}(?:step |schritt |\u00e9tape |paso )?1[.):][^\n]{3,600}\n(?:[^\n]{0,600}\n){0,6}?[ \t*#]{0,6}(?:step |schritt |\u00e9tape |paso )?2[.):][^\n]{3,600}\n(?:[^\n]{0,600}\n){0,6}?[ \t*#]{0,6}(?:step |schritt |\u00e9tape |paso )?3[.):]/i;
/** The same in one line. */
const STEPS_IN_LINE = /(?:^|[\s:])1[.)] [^\n]{3,240}?[\s.;,]2[.)] [^\n]{3,240}?[\s.;,]3[.)] /;
const BULLETS = /(?:(?:^|\n)[ \t]{0,6}[-*\u2022] [^\n]{3,400}){3}/;
/** Prose of which three parts say when, in what order or how much: a recipe, a plan by days. */
const PARTS = /[.;,\n]\s/;
const PARTS_MAX = 24;
/** Of an answer in prose so much is read. */
const PROSE_MAX = 400;
const MARKED_MIN = 3;
const AMOUNT =
  /\d\s?(?::|h|am|pm|uhr|min|sec|sek|hour|stunde|heure|hora|ora|day|tag|jour|d[i\u00ed]a|giorn|week|k?g|m?l|mg|[cm]m|tbsp|tsp|cup|drop|\u00b0|degree|grad|%)/i;
const ORDER =
  /^\W{0,4}(?:(?:and|on|from|by|until|before|after|und|am|ab|bis|et|y|e|o|en) ){0,2}(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:mon|diens|donners|frei|sams|sonn)tag|first|then|next|after(?:wards?| that)|finally|lastly|zuerst|dann|danach|anschlie\u00dfend|d'abord|puis|ensuite|enfin|primero|luego|despu\u00e9s|prima|poi|infine|primeiro|depois|eerst|daarna)\b/i;

const WANTS_STEPS =
  /\b(?:how (?:do|can|should|would|must|to)|what (?:do|should|must|can|shall) (?:i|we) (?:need to |have to )?(?:do|take|bring|prepare|pack|watch|eat|avoid|say|write)|what (?:do|should) (?:i|we) (?:need|have) to|steps|instructions|directions|recipe|guide|manual|checklist|itinerary|plan|walk me through|explain|teach me|draft|(?:write|compose|translate|rewrite|rephrase|summari[sz]e) (?:me|us|an?|the|my|our|this)|wie [a-z\u00e4\u00f6\u00fc]{3,12} (?:ich|wir|man)|was muss (?:ich|man)|anleitung|rezept|comment|recette|c[o\u00f3]mo|receta|ricetta|come (?:si|faccio|posso)|receita|hoe [a-z]{3,12} (?:ik|we))\b/i;
const ABOUT_MODEL =
  /\b(?:system prompts?|prompts?|yourself|your [a-z]{3,14}|you (?:were|are|work|have|had|follow|obey|behave|do))\b/i;
/** A text for a model that somebody writes: one of several, or his own. */
const OWN_PROMPT =
  /\b(?:(?:an?|my|our|another|eine?[nms]?|meine?[nms]?|unsere?[nms]?|une?|mon|notre|una?|mi|nuestro|uma?|o meu|nosso|il mio|il nostro|een|mijn|ons) (?:(?!your)[a-z\u00df-\u00ff'\u2019-]{2,20} ){0,4}?(?:system[- ]?)?prompt|(?:an?|the|some|new|my|our) (?:[a-z]{2,14} ){0,2}(?:prompt|instructions|persona) for (?:an?|my|our) (?:[a-z-]{2,20} ){0,3}(?:bots?|assistants?|agents?|gpts?|chatbots?|models?))\b/i;

const AGAIN =
  /(?<!\p{L})(?:repeat|read|say|give|show|write|list|send|tell|spell|type|print|output|go over|go through|copy|wiederhol\p{L}{0,3}|zeig\p{L}{0,2}|schreib\p{L}{0,2}|r\u00e9p\u00e8te[rz]?|r\u00e9p\u00e9te[rz]|montre[rz]?|repite|repetir|muestra|ripet\p{L}{1,3}|mostra|herhaal)(?!\p{L})[^.!?\n]{0,40}(?<!\p{L})(?:the|those|these|that|them|all|your last|your previous|die|den|diese|les|las|los|le|il|de)(?!\p{L})[^.!?\n]{0,24}(?<!\p{L})(?:instructions?|steps?|directions|list|recipe|guide|answer|message|rules|points|text|plan|anweisungen|schritte|anleitung|rezept|\u00e9tapes|recette|texte|instrucciones|pasos|receta|texto|istruzioni|passaggi|ricetta|testo|instructies|stappen)(?!\p{L})/iu;
/** "… that you gave me at the beginning": what the person was given, whatever it is called. */
const GIVEN_TO_ME =
  /\b(?:that |which )?you(?:'ve| have)? (?:just |first |already )?(?:gave|given|sent|told|showed|shown|wrote|written|listed|explained|read)(?: (?:to )?(?:me|us)| out| down)\b(?: (?:at|in|from|near) the (?:very )?(?:start|beginning|top))?(?: (?:of|in) (?:this|the|our) (?:chat|conversation))?/i;
const OF_THE_MODEL =
  /(?<!\p{L})(?:system|prompts?|hidden|secret|initial|original|confidential|internal|developers?|operators?|openai|anthropic|configur\w{0,5}|you (?:were|are|got|have|had|received|follow|started|obey)|your (?!last|previous|answer|message|reply)\w{2,14}|(?:given|told|said) (?:to )?you|before (?:this|our|the|i|my)|conversation|chat|context|everything|all (?:of )?(?:the )?(?:text|words|lines|above)|(?:first|opening) (?:message|line|words?|text)|starting with|you are|ignore|disregard|forget|dein\p{L}{0,2}|ihre[nmrs]?|t(?:es|on|us|uo|ue)|vos|votre|sus|uw|jouw?)(?!\p{L})/iu;
/** A draft is called by these words as well. */
const OF_A_DRAFT = /\b(?:system|prompts?|initial|original)\b/gi;
const NAMES_PROMPT = /prompt|instructions|persona/i;

const isOfTheModel = (text: string): boolean => OF_THE_MODEL.test(text.replace(GIVEN_TO_ME, " "));

function hasStepsShape(answer: string): boolean {
  const read = answer.slice(0, ANSWER_MAX);
  if (answer.includes("1") && STEPS_IN_LINE.test(read)) return true;
  if (answer.includes("\n") && (STEPS.test(read) || BULLETS.test(read))) return true;
  const parts = answer.slice(0, PROSE_MAX).split(PARTS, PARTS_MAX);
  if (parts.length < MARKED_MIN) return false;
  let marked = 0;
  for (const part of parts)
    if ((AMOUNT.test(part) || ORDER.test(part)) && ++marked >= MARKED_MIN) return true;
  return false;
}

/**
 * `given` with what a person's prompt asks for. A prompt in which something was found asks for nothing of the
 * person's own.
 */
export function withWish(given: number, asked: string): number {
  let wanted = 0;
  const read = asked.slice(0, ASKED_MAX);
  if ((given & STEPS_GIVEN) === 0 && WANTS_STEPS.test(read) && !ABOUT_MODEL.test(read))
    wanted |= STEPS_WANTED;
  if ((given & PROMPT_DRAFTED) === 0 && NAMES_PROMPT.test(read) && OWN_PROMPT.test(read))
    wanted |= PROMPT_WANTED;
  return given | wanted;
}

/** `given` with what the model's answer gives. */
export function withAnswer(given: number, answer: string): number {
  if (answer.length < ANSWER_MIN) return given;
  let next = given;
  if ((given & STEPS_WANTED) !== 0 || ((given & STEPS_GIVEN) === 0 && hasStepsShape(answer)))
    next |= STEPS_GIVEN;
  if ((given & PROMPT_WANTED) !== 0) next |= PROMPT_DRAFTED;
  return next;
}

/** True if what is asked for is what the run gave before. */
export function asksAgain({ fragment }: Finding, given: number): boolean {
  const { text } = fragment;
  if ((given & ALL_GIVEN) === 0 || text.length > TEXT_MAX) return false;
  if ((given & STEPS_GIVEN) !== 0 && !isOfTheModel(text) && (AGAIN.test(text) || GIVEN_TO_ME.test(text)))
    return true;
  return (
    (given & PROMPT_DRAFTED) !== 0 && NAMES_PROMPT.test(text) && !isOfTheModel(text.replace(OF_A_DRAFT, " "))
  );
}
