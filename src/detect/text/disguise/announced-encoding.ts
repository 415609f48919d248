import type { RuleMatch } from "../scan/chain-rules.ts";
import { classNumber, holdsAny } from "../scan/class-set.ts";
import type { TextScan } from "../scan/scan-text.ts";
import { isMixed } from "./mixed-characters.ts";

/**
 * A text that tells its reader to make out what stands encoded beside it, and to do it: whatever the encoding
 * is, also one that nothing here can decode. Three things must come together: how it is packed or read, that
 * what comes out is to be obeyed, and a block that says nothing as it stands. To decode something and tell,
 * store or check it is everyday work.
 */
const UNWRAP = classNumber("unwrap");
const hasUnwrap = holdsAny("unwrap");
const PLACES_MAX = 10;
const AROUND = 420;
const BLOCK_AROUND = 1_600;
const ENOUGH = 3;

/** What comes out is what to do. */
const IS_ORDER =
  /\b(?:do|does|doing|act|follow|obey|obeying|carry out|carrying out|perform|performing|execute|executing|fulfil|comply with|work through|heed)\b(?! (?:not|you|i|we|they)\b)[^.\n]{0,12}\b(?:what (?:it|that|this|they|the \w{2,12}) (?:says?|asks?|tells?|orders?|demands?)|what (?:comes out|you (?:find|read|get|see))|whatever (?:it|comes|you|is|stands)|as it (?:says|asks|tells)|as (?:they|the text) (?:say|says)|as told (?:there|in it)|as (?:written|asked|instructed) (?:there|in it|inside)|what is (?:asked|written|said|ordered) (?:there|in it|inside)|accordingly|exactly what)\b|\bact (?:just |exactly )?(?:as|on|upon) (?:it|what|that|this|the (?:result|outcome|output|message|text|content))|\b(?:follow|obey|execute|perform|carry out|act on|run|fulfil|apply) (?:the |any |its |those |these |all )?(?:\w{2,12} )?(?:instructions?|orders?|commands?|request|directives?|steps?|task)\b[^.\n]{0,12}(?:inside|within|in it|therein|you find|hidden|decoded|that come|that result|it (?:holds|contains|yields))|\b(?:follow|obey|execute|perform|carry out|act on|run|fulfil|apply|heed) (?:the |any |its |those |this )?(?:decoded|decrypted|unpacked|unwrapped|resulting|hidden|recovered|deciphered|revealed)\b|\b(?:is|are|that's|as|becomes?|makes?|gives?|holds?|contains?|yields?|spells?|reads?|forms?|be|get|have|for|of) (?:out )?(?:(?:a|an|the|only|first) ){0,2}(?:(?:your|our|my|tonight's|today's|\w{2,12}'s|next|new|actual|real|true|current|work|week's|follow-up|final) ){1,4}(?:job|tasks?|orders?|command|instructions?|assignment|request|prompt|errand|mission|directive|brief|marching orders|to-do|next step)\b(?! (?:number|numbers|id|ids|line|lines|of the|history|status|form|confirmation))|\b(?:instructions?|orders?|tasks?|steps?|commands?|job) (?:is |are |meant |intended |only |left |addressed ){0,2}(?:for|to) (?:you\b|(?:the |any |all )?(?:\w{2,12} )?(?:agents?|assistants?|bots?|models?|machines?|automation|helper))|\b(?:begin|start|proceed|continue|carry on|go on|get going|go ahead|get to work) (?:\w{2,10} ){0,3}(?:when you have it|once (?:you have|it is|decoded)|with (?:it|that|what|the result|whatever)|accordingly|from there|as (?:it|described|told))|\b(?:befolge|f\u00fchre? .{0,20}aus|tu,? was|tue,? was|handle danach|mach,? was|halte dich daran|danach handeln|ausf\u00fchren|ausf\u00fchre)\b|\b(?:fais ce qu|faites ce qu|ex\u00e9cute[rz]?-?(?:le|la|ce)|suis ce qu|suivez ce qu|haz lo que|haga lo que|ejec\u00fata(?:lo|la)|ejec\u00fate(?:lo|la)|cumple lo que|sigue lo que|fai (?:quello|ci\u00f2) che|esegu(?:i|ire) (?:quello|ci\u00f2|quanto)|eseguilo|fa\u00e7a o que|execute o que)/i;
/** Something is done to what comes out, which may be an order or a program. */
const IS_DONE =
  /\b(?:execute|perform|obey|carry (?:it |them |this |that )?out|do (?:it|so|this|that|them)|act|comply|fulfil|run (?:it|them|this|that|the result|what)|follow (?:it|them|this|that)|get it done)\b/i;
const RUN_ATTRIBUTE =
  /\b(?:run|exec|execute)\s{0,2}[=:]\s{0,2}["']?(?:on|at|when|now|true|yes|always|first)\b|\bx-[\w-]{0,24}(?:task|instruction|order|command|directive|prompt|todo)s?\b|(?<!\/)\b(?:agent|assistant|ai|llm|bot)[-_](?:task|instruction|order|command|directive|prompt|todo)s?\b/i;
const MACHINE =
  /\b(?:assistants?|agents?|bots?|copilots?|chatbots?|language models?|llms?|ais?|ai (?:readers?|tools?|systems?)|automat(?:ed|ion) (?:readers?|processing|systems?|tools?)|machine readers?|assistenten?|ki|asistentes?|assistente|agente|ia)\b|-(?:assistant|agent|ai)-|\bto (?:the |any |every )?(?:\w{2,12} )?(?:model|machine)\b/i;
/** Who speaks in a transcript, not who is spoken to. */
const SPEAKERS = /^[ \t]{0,8}(?:assistant|agent|ai|bot|model)[ \t]{0,2}:/gim;
/** The machine is told to decode before or while it works: no parser is told so in words. */
const MACHINE_DECODES =
  /\b(?:assistants?|agents?|bots?|copilots?|llms?|models?|ais?)\b[\s,:]{1,3}(?:(?:must|should|shall|please|first|to|are to|has to|have to|will|need to|who read this|reading this) ){0,3}(?:decode|decipher|decrypt|unpack|unwrap|unscramble|read (?:it|this|the \w{2,10})? ?(?:backwards|in reverse|from the end)|reverse)\b|\b(?:decode|decipher|unpack|unwrap)\b[^.\n]{0,30}\bbefore (?:you )?(?:process|answer|reply|continu|summari|proceed|act|respond)/i;
/** The plain text is to stay unseen, or the answer is to say nothing of it. */
const UNSEEN =
  /\b(?:do not|don't|never|no need to|without|nor|please not|must not|not to)\b[^.\n]{0,30}\b(?:print|show|quote|paste|repeat|display|output|reveal|writ|mention|explain|log|echo|post|reproduc|cit|tell|comment|includ|say)\w{0,5}\b[^.\n]{0,50}\b(?:plain|decoded|unpacked|clear|deciphered|decrypted|text|it|this|that|result|what|them|content|translation|solution|user|anyone)\b|\b(?:reply|answer|respond|say|acknowledge|confirm|write)\b (?:just |only |simply |back )?(?:with )?(?:only |just |nothing but |a )?(?:short )?["'\u201c\u2018`](?:\w{1,12} ?){1,4}|\bshort ["'\u201c\u2018]\w|\b(?:keep|leave) (?:the )?(?:plain|decoded|clear) ?text\b|\b(?:nicht|nichts) (?:\w{2,12} ){0,4}(?:ausgeben|zeigen|wiederholen|erw\u00e4hnen|zitieren)\b|\bsans (?:le |l'|la )?(?:afficher|montrer|r\u00e9p\u00e9ter|citer)|\bsin (?:mostrar|repetir|citar)|\bsenza (?:mostrar|ripeter|citar)/i;
/** Games, lessons and what people do with a text. */
const OTHERS =
  /\b(?:players?|children|kids|pupils|students?|contestants?|participants?|guests|teams?|scouts?|readers can|the user can|users can|clients? (?:can|must|should)|treasure hunt|escape room|puzzle hunt|scavenger|exercise|worksheet|lesson|tutorial|unit tests?|ctf|capture the flag|kubectl|openssl|certificate|jwt|protobuf|content-transfer-encoding|schnitzeljagd|r\u00e4tsel f\u00fcr|chasse au tr\u00e9sor)\b/i;
/** What is read out of plain lines or words; no block is needed, as the lines are it. */
const ACROSTIC =
  /\b(?:first|last|initial|second|third|fourth|every \w{2,8}) (?:letters?|words?|characters?|initials)\b|\binitials\b|\bacrostic\b|anfangsbuchstabe|erste(?:n|s)? (?:wort|w\u00f6rter|buchstabe)|premi[e\u00e8]res? lettres?|premier mot|primeras? (?:letras?|palabras?)|prim[ae] (?:letter[ae]|parol[ae])|iniziali|initiales/i;

/** What keeps older programs going is no order of reading. */
const OTHER_SENSE =
  /^(?:backwards?[- ](?:in)?compat|reversed? (?:engineer|proxy|order|chrono|by\b|without\b|with\b|if\b|when\b)|\| ?rev[a-z]|concatenation\b|unwrap\w{0,4} (?:(?:the|an?|any|its|each|inner) ){0,2}[`'"*]{0,2}[\w.]{0,40}(?:exception|error|result|optional?|promise|envelope|response|object|future|iterator|aggregate))/i;
const OTHER_SENSE_CHARS = 80;

/**
 * "encoding/decoding", "compression and decompression": who names both directions says what a library does.
 */
const BOTH_WAYS = /\b(?:en(?:cod|crypt|cipher)|compress|pack|zip)\w{0,5} ?(?:\/|&|and|or) ?$/i;

/**
 * Forms that hide nothing ("a markdown-encoded code block", "URL-encoded"), and ways in which a model draws
 * its words ("greedy decoding").
 */
const OPEN_FORM =
  /\b(?:markdown|html|xml|json|yaml|csv|url|uri|form|percent|utf-?(?:8|16)|unicode|ascii|latin-?\d|character|video|audio|greedy|typical|guided|speculative|constrained)[- ]$/i;

const BLOCKS: readonly RegExp[] = [
  /[A-Za-z0-9+/_-]{20,400}={0,2}/g,
  /(?<![\w-])(?:[0-9a-f]{2}[ :]?){12,400}(?![\w-])/gi,
  /(?:\b(?:[01]{7,8}|[0-7]{3}|\d{1,3}|0x[0-9a-f]{2}|u\+[0-9a-f]{4})\b[ ,;/|-]{1,3}){8,400}/gi,
  /(?:[.\u00b7\u2022\u2013_-]{1,6}[ /|]{1,3}){8,400}/g,
  /[\u2800-\u28ff]{3,400}/g,
  /(?:\b[A-Za-z]{4,5} ){4,40}\b[A-Za-z]{4,5}\b/g,
];
const ROWS = /^[^\n]{0,60}[,;\t|](?:0x)?[0-9a-f]{2,3}(?:[,;\t|]|$)/gim;
const ROWS_MIN = 8;

/** Mixed, or capitals and digits throughout. */
function isEncoded(run: string): boolean {
  if (/^(?:[0-9a-f]{2}){10,400}$/i.test(run) || (/^[A-Z0-9+/]{20,400}={0,6}$/.test(run) && /\d/.test(run)))
    return true;
  return isMixed(run);
}

/**
 * The commonest pairs of letters of western European languages: plain words are made of them for the most
 * part.
 */
const PAIRS = new Set(
  "th he in er an re on at en nd ti es or te of ed is it al ar st to nt ng se ha as ou io le ve co me de hi ri ro ic ne ea ra ce li ch ll be ma si om ur ie ei el la un qu da di no ca lo tr pr us".split(
    " ",
  ),
);
const PLAIN_WORDS =
  /\b(?:the|and|of|to|a|in|is|for|with|that|your|you|it|on|der|die|und|das|ist|mit|le|la|les|et|des|de|el|los|que|y|il|che|per|di|o|e)\b/gi;
const TURNED_WORDS =
  /\b(?:eht|dna|fo|ot|si|rof|htiw|taht|ruoy|uoy|morf|lla|red|eid|dnu|tsi|tim|sel|euq|rep|ehc|led)\b/gi;
const LINE_WORDS_MIN = 4;

function isGibberish(line: string): boolean {
  const words = line.match(/[a-z]{2,24}/gi) ?? [];
  if (words.length < LINE_WORDS_MIN) return false;
  const plain = line.match(PLAIN_WORDS)?.length ?? 0;
  const turned = line.match(TURNED_WORDS)?.length ?? 0;
  if (turned > plain * 2) return true;
  if (plain > 1) return false;
  let pairs = 0;
  let common = 0;
  for (const word of words) {
    for (let i = 1; i < word.length; i++) {
      pairs++;
      if (PAIRS.has(word.slice(i - 1, i + 1).toLowerCase())) common++;
    }
  }
  return pairs >= 12 && common * 4 < pairs;
}

function hasBlock(text: string): boolean {
  for (const [at, pattern] of BLOCKS.entries())
    for (const [run] of text.matchAll(pattern)) {
      if (at === 0 && !isEncoded(run)) continue;
      if (at === 5 && !isGibberish(run)) continue;
      return true;
    }
  if ((text.match(ROWS)?.length ?? 0) >= ROWS_MIN) return true;
  return text.split(/[\n:]/, 60).some(isGibberish);
}

/** How much of the text speaks of obeying what it hides. */
function obeys(near: string): number {
  const order = IS_ORDER.test(near);
  const strength = order ? 3 : IS_DONE.test(near) ? 2 : RUN_ATTRIBUTE.test(near) ? 2 : 0;
  let score = strength;
  if (MACHINE_DECODES.test(near)) score += 3;
  else if (strength > 0 && MACHINE.test(near.replace(SPEAKERS, ""))) score++;
  if (strength > 0 && UNSEEN.test(near)) score += 2;
  if (OTHERS.test(near)) score -= 3;
  return score;
}

export function announcedEncoding({ text, hits, low, high }: TextScan): RuleMatch | null {
  if (!hasUnwrap({ low, high })) return null;
  let places = 0;
  let until = -1;
  for (let hit = 0; hit < hits.length && places < PLACES_MAX; hit += 3) {
    const [start, end] = [hits[hit + 1] as number, hits[hit + 2] as number];
    if (
      hits[hit] !== UNWRAP ||
      start < until ||
      OTHER_SENSE.test(text.slice(start, start + OTHER_SENSE_CHARS))
    )
      continue;
    if (OPEN_FORM.test(text.slice(Math.max(0, start - 12), start))) continue;
    if (BOTH_WAYS.test(text.slice(Math.max(0, start - 24), start))) continue;
    // Part of a name in code.
    if (/[._$]/.test(text[start - 1] ?? "") || /^[a-z]{0,12}(?:[_($]|\.\w)/i.test(text.slice(end, end + 14)))
      continue;
    // Marks of a program, as between strings that it glues together, hide nothing by themselves.
    if (!/[\p{L}\d]/u.test(text.slice(start, end)) && !IS_ORDER.test(text.slice(start, end + AROUND)))
      continue;
    places++;
    until = start + 120;
    const before = text.slice(Math.max(0, start - AROUND), start);
    const near = `${before}${text.slice(start, end + AROUND)}`;
    if (obeys(near) < ENOUGH) continue;
    const isAcrostic = ACROSTIC.test(text.slice(start, end + 4)) && IS_ORDER.test(near);
    if (!isAcrostic && !hasBlock(text.slice(Math.max(0, start - BLOCK_AROUND), end + BLOCK_AROUND))) continue;
    return { id: "announced-encoding", weight: 0.8, start, end: Math.min(text.length, end + 80) };
  }
  return null;
}
