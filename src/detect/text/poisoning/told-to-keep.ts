import { wordsOfName } from "../../building-blocks/calls/tool-class.ts";
import type { DetectorEvent } from "../../detector.ts";
import { type Heard, hasPerson, type ToldText, toldBefore } from "../provenance/heard-texts.ts";
import { shareIn, sharesPiece, tellingWords } from "../provenance/kept-words.ts";
import { allowedDeeds, askedDeeds } from "../request/asked-deeds.ts";
import { ANY_DEED, wordsIn } from "../request/request-words.ts";
import { holdsAny } from "../scan/class-set.ts";
import { scanText } from "../scan/scan-text.ts";
import { parsedArguments } from "../taint/argument-values.ts";
import { isHouseRules, readsHouseRules } from "../taint/errand.ts";
import { isProse, proseOf } from "../taint/told-sentences.ts";
import { machineToldToKeep, speaksOfMemory, type ToldToKeep } from "./machine-told-to-keep.ts";
import { weightOfSigns } from "./sign-weights.ts";
import { isDoubted, keepingIn, standingIn } from "./standing-words.ts";

/**
 * What is kept came out of the mouth of a stranger: the words that are written into a memory are those of
 * prose which a tool returned, nobody whom the agent works for said them or asked to keep anything, and
 * something makes a rule of them. How it is worded counts for little. Judged only where a person's prompt is
 * sent.
 */
const MEMORY_MAX = 2_000;
const CLAUSES_MAX = 16;
const SHARE_MIN = 0.7;
const SAID_SHARE_MAX = 0.6;
const WORDS_MIN = 3;
const CLAUSE_END = /(?<=[.!?;。！？；])\s|\n|(?<=[。！？；])/u;
const LABEL = /^\s{0,8}(?:[-*•]\s{1,4})?[\p{L}\p{N}_.-]{1,40}:\s/u;

/** What each sign says by itself. */
const WEIGHTS = {
  /** The person only wanted to be told something. */
  onlyTold: 0.4,
  /** The same text speaks of a memory, or asks to write something down. */
  memory: 0.35,
  note: 0.25,
  /** It speaks to machines that read. */
  machine: 0.45,
  changes: 0.4,
  general: 0.3,
  /** A guard is down, beside something else that makes a rule of it; by itself a page of help says so too. */
  lowers: 0.5,
  lowersAlone: 0.2,
  /** Where money is to go, with the account that only the stranger gave. */
  paysTo: 0.35,
  /** Where a password is to be typed, by a host that only the stranger gave. */
  signsIn: 0.45,
  /** An address, an account, a number to call that only the stranger gave. */
  value: 0.33,
  /** It is kept as a rule, or about the person. */
  place: 0.3,
  /** Anybody may write there. */
  channel: 0.25,
} as const;

const turnsToMachine = holdsAny("machine|toMachine");
const YOUR_USER = /\byour (?:user|principal|owner|human)\b/;
const VALUE =
  /[\w.+-]{1,64}@[\w-]{1,63}\.[\w.-]{2,60}|https?:\/\/[\w.-]{4,120}|\b(?:[a-z0-9][a-z0-9-]{0,62}\.){1,4}(?:com|net|org|io|co|dev|app|ai|eu|info|biz|cloud|xyz|online|site|support|help|tech|page|live|shop|store|link|click|top|team|work|space|website|host|example|de|at|ch|fr|es|it|nl|uk|us|ru|cn|jp|br|in|cc|id|me|tv)\b|\b[a-z]{2}\d{2}[ ]?(?:[a-z0-9]{4}[ ]?){2,7}[a-z0-9]{0,4}\b|\+?\d(?:[ ()./-]{0,2}\d){6,18}/gi;
const VALUES_MAX = 8;

const RULE_PLACES = wordsIn(
  "policy policies rule rules guideline guidelines instructions workflow profile profiles preference preferences user users persona settings profilo profili preferenze perfil perfiles preferencias profil einstellungen richtlinien regeln",
);
const CHANNELS = wordsIn(
  "mail mails email inbox message messages thread threads comment comments review reviews forum issue issues ticket tickets upload uploads attachment attachments invite invitation page webpage web url browse browser fetch website feed post posts recensioni avis bewertungen resenas",
);
const isRulePlace = (name: string): boolean => wordsOfName(name).some((word) => RULE_PLACES.has(word));
const isChannel = (name: string): boolean => wordsOfName(name).some((word) => CHANNELS.has(word));

/** What a call was asked with, as values. */
function askedValues(asked: string): unknown {
  if (/^\s{0,4}[{[]/.test(asked)) return parsedArguments(asked);
  return asked.split("\n", 12).map((line) => line.replace(LABEL, ""));
}

const FAMILY = /^(.{2,80}?)(?:\.|\/|__)/;

/** What a memory tells was kept before. */
const TELLS_KEPT = /memor|remember|recall/i;

/**
 * Of what was told that by strangers: not what the house wrote down, nor what a server brings that was asked
 * for such.
 */
function byStrangers(told: readonly ToldText[]): readonly ToldText[] {
  const isHouses = ({ tool, asked }: ToldText) =>
    TELLS_KEPT.test(tool) || isHouseRules(tool) || readsHouseRules(askedValues(asked));
  const families = new Set<string>();
  for (const one of told) if (isHouses(one)) families.add(FAMILY.exec(one.tool)?.[1] ?? one.tool);
  return told.filter((one) => !families.has(FAMILY.exec(one.tool)?.[1] ?? one.tool) && !isHouses(one));
}

interface Clause {
  readonly text: string;
  readonly start: number;
  readonly words: ReadonlySet<string>;
}

/** The clauses of what is kept, and all of it together where it is short fields. */
function clausesOf(kept: string): readonly Clause[] {
  const clauses: Clause[] = [];
  let at = 0;
  for (const part of kept.split(CLAUSE_END, CLAUSES_MAX)) {
    const start = Math.max(at, kept.indexOf(part, at));
    at = start + part.length;
    const text = part.replace(LABEL, "");
    clauses.push({ text, start, words: tellingWords(text) });
  }
  const whole = clauses.map(({ text }) => text).join("\n");
  return [...clauses, { text: whole, start: 0, words: tellingWords(whole) }].filter(
    ({ words }) => words.size >= WORDS_MIN,
  );
}

interface Passage {
  readonly text: string;
  readonly words: readonly ReadonlySet<string>[];
  readonly from: ToldText;
}

/** Each sentence of prose with those beside it. */
function passagesOf(told: readonly ToldText[]): readonly Passage[] {
  return told.flatMap((from) => {
    const sentences = proseOf(from.text);
    const words = sentences.map(tellingWords);
    return sentences.flatMap((sentence, at) => {
      if (!isProse(sentence)) return [];
      const first = Math.max(0, at - 1);
      const text = sentences.slice(first, at + 2).join(" ");
      return [{ text, words: words.slice(first, at + 2), from }];
    });
  });
}

const compact = (text: string): string => text.toLowerCase().replace(/[ ()./-]/g, "");

/** A value that the passage tells and nobody said. */
function tellsValue(clause: string, passage: string, said: string): boolean {
  const values = [...clause.matchAll(VALUE)].slice(0, VALUES_MAX).map(([one]) => compact(one));
  const told = compact(passage);
  return values.some((one) => told.includes(one) && !said.includes(one));
}

export interface KeptText {
  readonly text: string;
  /** Where it is kept: store, key or tool. */
  readonly place: string;
  readonly event: Pick<DetectorEvent, "eventId" | "sequence">;
  /** The model asks for it in an answer, behind all that the same event shows. */
  readonly isAnswer: boolean;
}

/** Whether the person asked for nothing but to be told something; null: they asked to keep things. */
function asksOnly({ said, isOpen }: Heard): boolean | null {
  if (said.some(({ origin, text }) => origin === "user" && asksToKeep(text))) return null;
  if (isOpen) return false;
  let deeds = 0;
  for (const { origin, text } of said) {
    deeds |= origin === "user" ? askedDeeds(text) : allowedDeeds(text);
    if (deeds === ANY_DEED) return false;
  }
  return deeds === 0;
}

const asksToKeep = (text: string): boolean => {
  const { memory, note } = keepingIn(text);
  return memory || note;
};

/**
 * What of the kept text a stranger's prose told, with what speaks for a rule; null: nothing, or somebody
 * asked for it.
 */
export function toldToKeep(heard: Heard, kept: KeptText): ToldToKeep | null {
  if (heard.told.length === 0 || !hasPerson(heard)) return null;
  const text = kept.text.slice(0, MEMORY_MAX);
  const tells = heard.told.map((one) => one.text);
  const shares = sharesPiece(text, tells);
  if (!shares && !tells.some(speaksOfMemory)) return null;
  const told = byStrangers(toldBefore(heard, kept.event, kept.isAnswer));
  if (told.length === 0) return null;
  const onlyTold = asksOnly(heard);
  if (onlyTold === null) return null;
  const machineTold = machineToldToKeep(told, text, heard.said);
  if (machineTold !== null || !shares) return machineTold;
  const passages = passagesOf(told);
  if (passages.length === 0) return null;
  const doubted = isDoubted(text);
  const saidWords = heard.said.map((one) => tellingWords(one.text));
  const saidText = compact(heard.said.map((one) => one.text).join("\n"));
  let best: ToldToKeep | null = null;
  for (const clause of clausesOf(text)) {
    if (shareIn(clause.words, saidWords) > SAID_SHARE_MAX) continue;
    for (const passage of passages) {
      if (shareIn(clause.words, passage.words) < SHARE_MIN) continue;
      const weight = weightOf(clause.text, passage, kept.place, { onlyTold, saidText, doubted });
      if (weight <= (best?.weight ?? 0)) continue;
      const { start } = clause;
      best = { id: "told-by-stranger", weight, start, end: start + clause.text.length, from: passage.from };
    }
  }
  return best;
}

function weightOf(
  clause: string,
  { text, from }: Passage,
  place: string,
  {
    onlyTold,
    saidText,
    doubted,
  }: { readonly onlyTold: boolean; readonly saidText: string; readonly doubted: boolean },
): number {
  const { memory, note } = keepingIn(text);
  const { changes, general, ...guards } = standingIn(clause);
  const lowers = guards.lowers && !doubted;
  const value = !doubted && tellsValue(clause, text, saidText);
  const turnsTo = turnsToMachine(scanText(text)) || YOUR_USER.test(text);
  const isRule = changes || general || value || memory || note || turnsTo;
  const signs = {
    onlyTold,
    memory,
    note: note && !memory,
    machine: turnsTo,
    changes,
    general: general && !changes,
    lowers: lowers && isRule,
    lowersAlone: lowers && !isRule,
    paysTo: guards.paysTo && value,
    signsIn: guards.signsIn && value && !guards.paysTo,
    value,
    place: isRulePlace(place),
    channel: isChannel(from.tool) || isChannel(from.asked),
  };
  return weightOfSigns(signs, WEIGHTS);
}
