import type { Stretch } from "../../event-views/stretches.ts";
import { isAboutMachines, MACHINE } from "../context/machine-reader.ts";
import type { TextScan } from "../scan/scan-text.ts";
import { STRING_END } from "./block.ts";

/**
 * Where a text that should be data tells machines that read it what to do: "automated purchasing assistants
 * should …", "@maintainer-bot: you must …", "Hinweis an den digitalen Assistenten: …". By itself that is no
 * injection: pages and tickets speak to bots. A call that moves money, rights or records by what stands
 * there, and by nobody else's word, follows it all the same (`weighty-calls.ts`).
 *
 * A text without a word for a machine costs no more than a look for one. Patterns repeat within bounds;
 * nothing here can fail.
 */
const KIND =
  "(?:systems?|agents?|assistants?|bots?|readers?|processors?|software|workflows?|pipelines?|clients?|buyers?|reviewers?|tools?|models?|clerks?)";
const READER = new RegExp(
  [
    `\\b(?:automated|automatic|a\\.?i\\.?|artificial|digital|virtual|robotic|autonomous|llm|agentic)[- ](?:[a-z]{2,14}[ -]){0,3}?${KIND}\\b`,
    "\\b(?:purchas(?:e|ing)|procurement|shopping|ordering|buying|checkout|accounts payable) (?:assistants|bots|copilots)\\b",
    "@[\\w-]{0,30}(?:bot|agent|assistant)\\b",
    "\\b(?:ai|llms?|language models?|chatbots?|bots)(?= (?:must|should|shall|reading|processing|handling|need|have to|are to)\\b|:)",
    "\\b(?:digitale|automatische|automatisierte|virtuelle|autonome)[nrms]? (?:[a-z\\u00df-\\u024f]{3,20} ){0,2}?[a-z\\u00df-\\u024f]{0,24}?(?:assisten|agent|system|bot|software)[a-z\\u00df-\\u024f]{0,5}",
    "\\bki-?(?:assisten|agent|system|modell)[a-z\\u00df-\\u024f]{0,5}",
    "\\b(?:assistants?|agents?|syst[e\\u00e8]mes?|robots?|logiciels?) (?:[a-z\\u00df-\\u024f]{3,14} ){0,1}(?:automati[a-z\\u00df-\\u024f]{1,8}|virtuels?|num[e\\u00e9]riques?|d'ia|ia)\\b",
    "\\b(?:asistentes?|assistentes?|assistenti?|agentes?|agenti|sistem[aie]s?|robots?) (?:[a-z\\u00df-\\u024f]{3,14} ){0,1}(?:autom[a\\u00e1]ti[a-z\\u00df-\\u024f]{1,8}|automati[zs][a-z\\u00df-\\u024f]{2,8}|virtual[a-z\\u00df-\\u024f]{0,3}|digita[a-z\\u00df-\\u024f]{1,4}|d[ei] ia|ia)\\b",
    "\\b(?:geautomatiseerde|digitale|virtuele) (?:[a-z\\u00df-\\u024f]{3,14} ){0,1}(?:assistent|agent|syste)[a-z\\u00df-\\u024f]{0,4}",
    "(?:ai|\\u81ea\\u52a8|\\u667a\\u80fd)(?:\\u52a9\\u624b|\\u52a9\\u7406|\\u4ee3\\u7406|\\u7cfb\\u7edf)|ai(?:\\u30a2\\u30b7\\u30b9\\u30bf\\u30f3\\u30c8|\\u30a8\\u30fc\\u30b8\\u30a7\\u30f3\\u30c8)",
  ].join("|"),
  "i",
);
/** Spoken of, as what somebody has or uses. */
const SPOKEN_OF =
  /(?:\b(?:our|my|your|their|its|his|her|by|with|via|using|from|through|an?|this|these|some|unser\p{L}{0,2}|ihre?|dein|eine?[mnr]?|mit|von|notre|nos|votre|vos|un|une|par|nuestr\p{L}{1,2}|con|por)|(?<!\b(?:for|to|attention) )\bthe) $/iu;
/** What a machine makes is told to it: "mails written by automated agents must be …". */
const MADE_BY =
  /\b(?:written|drafted|composed|prepared|produced|generated|created|made|sent|issued|submitted|handled|processed|placed) by (?:an? |any |the |all )?$/i;
const BOUND =
  /^(?: (?:systems?|software|tools?|workflows?))? (?:must|shall|should|are to|have to|need to|is to|has to)\b/i;
const TOLD =
  /\b(?:must|should|shall|ha(?:s|ve) to|needs? to|are to|(?:required|asked|instructed|expected) to|please|instructions?|first|m\u00fcssen|soll(?:en|te|ten)?|sind|bitte|anweisung|hinweis|doi(?:t|vent)|veuillez|merci de|consigne|deben?|favor|instrucci\p{L}{1,5}|devono|deve|devem|istruzion[ei]|moet(?:en)?|gelieve)\b|:|\u5fc5\u987b|\u8bf7|\u304f\u3060\u3055\u3044/iu;
const BEFORE = 24;
/** From where the machine is named, so much is told to it at most: its sentence and the two behind. */
const STRETCH_MAX = 600;
const SENTENCES = 3;
const SENTENCE_END = /[.!?;]["')]{0,2}(?=\s|\\n|$)|\n\s{0,8}\n|[\u3002\uff01\uff1f]/g;
const STRETCHES_MAX = 2;
const LOOKS_MAX = 6;
/** "Automated", in all of these languages. */
const AUTOM = "utom";
const AROUND = 56;
const NONE: readonly Stretch[] = [];

function stretchAt(text: string, start: number): Stretch {
  let rest = text.slice(start, start + STRETCH_MAX);
  const string = STRING_END.exec(rest);
  if (string !== null) rest = rest.slice(0, string.index);
  let left = SENTENCES;
  for (const { 0: stop, index } of rest.matchAll(SENTENCE_END))
    if (--left === 0) return { start, end: start + index + stop.length };
  return { start, end: start + rest.length };
}

/**
 * Where a machine may be named: at words of the lexicon for one, and at words that begin as "automated" does.
 */
function placesIn(text: string, scan: TextScan): readonly number[] {
  const places: number[] = [];
  if (MACHINE.meets(scan)) {
    const { hits } = scan;
    for (let hit = 0; hit < hits.length && places.length < LOOKS_MAX; hit += 3)
      if (MACHINE.has(hits[hit] as number)) places.push(hits[hit + 1] as number);
  }
  for (let at = text.indexOf(AUTOM), n = 0; at >= 0 && n < LOOKS_MAX; at = text.indexOf(AUTOM, at + 1), n++)
    places.push(at);
  return places.length < 2 ? places : places.toSorted((a, b) => a - b);
}

/** The stretches of a text that are told to machines. */
export function toldMachines(text: string, scan: TextScan): readonly Stretch[] {
  const places = placesIn(text, scan);
  if (places.length === 0 || isAboutMachines(scan)) return NONE;
  const found: Stretch[] = [];
  for (const place of places) {
    if (found.length >= STRETCHES_MAX) break;
    if (place < (found.at(-1)?.end ?? 0)) continue;
    const from = Math.max(0, place - AROUND);
    const named = READER.exec(text.slice(from, place + AROUND));
    if (named === null) continue;
    const start = from + named.index;
    if (start < (found.at(-1)?.end ?? 0)) continue;
    const before = text.slice(Math.max(0, start - BEFORE), start);
    if (SPOKEN_OF.test(before)) {
      const after = text.slice(start + named[0].length, start + named[0].length + BEFORE);
      if (!MADE_BY.test(before) || !BOUND.test(after)) continue;
    }
    const one = stretchAt(text, start);
    if (TOLD.test(text.slice(one.start, one.end))) found.push(one);
  }
  return found;
}
