import { wordUnits } from "../scan/char-classes.ts";
import { classNumber, holdsAny } from "../scan/class-set.ts";
import { WORD_CLASSES, type WordClass } from "../scan/lexicon.ts";
import { foldPassage } from "../scan/passages.ts";
import type { TextScan } from "../scan/scan-text.ts";
import { ORDINARY_IN_JAILBREAKS } from "./jailbreak-words.ts";
import {
  firmsUpBan,
  forbidsHarm,
  isKeptTo,
  isOtherDuty,
  isRefusedAfter,
  standsUnnegated,
} from "./limit-stance.ts";

/**
 * What the jailbreak model weighs: which classes of words stand together in one passage, how often, and which
 * before which nearby. No words and no n-grams: a new wording of a known class needs a line in the lexicon
 * and no new weights. A whole page holds words of every class by chance, so a text is worth what its
 * strongest passage is.
 */
const FEATURE_CLASSES: readonly WordClass[] = [
  "persona",
  "unbound",
  "jailbreakName",
  "noRefuse",
  "provider",
  "dualOutput",
  "tokensGame",
  "harm",
  "override",
  "instead",
  "instructions",
  "model",
  "authority",
  "frame",
  "userWord",
  "persist",
  "mine",
  "reveal",
  "hiddenText",
  "fiction",
  "howto",
  "voided",
  "guard",
  "weaken",
];

const LIMIT_CLASSES = ORDINARY_IN_JAILBREAKS.classes;
const CLASSES = FEATURE_CLASSES.length;
/** The words of a limit that is put on the reader, whatever their class. */
const IMPOSED = CLASSES + LIMIT_CLASSES.length;
/** The classes, once more those that have ordinary words, for these, and limits imposed. */
const COUNT = IMPOSED + 1;
const PRESENT = 2;
const OFTEN = PRESENT + COUNT;
const PAIRS = OFTEN + COUNT;
const ADDRESS = PAIRS + COUNT * COUNT;
/** From so many words of an address on, one feature each. */
const ADDRESSES = [1, 3, 6];
/** Bias, length, presence, presence of three or more, ordered pairs, words of an address. */
export const FEATURES_MAX = ADDRESS + ADDRESSES.length;
const PAIR_GAP_MAX = 240;
const PAIR_LOOK_AHEAD = 12;

const PASSAGE_MAX = 1_000;
/** What leads into the telling word of a passage. */
const LEAD = 300;
/** The least distance between the words at which two passages begin; it bounds how many a text has. */
const STRIDE = 250;

export interface Features {
  /**
   * Numbers of the features present, each once; feature 0 is the bias, feature 1 (length) has a value of its
   * own.
   */
  readonly present: readonly number[];
  readonly length: number;
}

const slotOf = new Int8Array(WORD_CLASSES.length).fill(-1);
const ordinarySlotOf = new Int8Array(WORD_CLASSES.length).fill(-1);
FEATURE_CLASSES.forEach((name, slot) => {
  slotOf[classNumber(name)] = slot;
});
LIMIT_CLASSES.forEach((name, slot) => {
  ordinarySlotOf[classNumber(name)] = CLASSES + slot;
});
const slot = (name: WordClass): number => slotOf[classNumber(name)] as number;
const ordinarySlot = (name: WordClass): number => ordinarySlotOf[classNumber(name)] as number;

/** Words of one who speaks to another, in folded text. */
const ADDRESSING =
  /\b(?:you|your|yours|yourself|du|dein|deine[mnrs]?|dir|dich|tu|te|ton|tes|toi|vous|votre|tus|ti|tuo|voce|seu|eres|sei|i|me|my)\b/g;

const PERSONA = slot("persona");
const MODEL = slot("model");
/** Marks of a chat speak to a model too. */
const FRAME = slot("frame");
const LIMITS = (["unbound", "jailbreakName", "noRefuse", "dualOutput", "tokensGame"] as const).map(
  (name) => ({
    telling: slot(name),
    ordinary: ordinarySlot(name),
  }),
);
const KINDS = [{ telling: PERSONA, ordinary: ordinarySlot("persona") }, ...LIMITS];
const CASTS = [PERSONA, slot("jailbreakName"), slot("dualOutput")];
/** Kinds of which two different words are more than one. */
const MANIFOLD = new Set([PERSONA, slot("unbound"), slot("jailbreakName"), slot("noRefuse")]);
const HARM = slot("harm");
const FICTION = slot("fiction");
const LIFTED = (["override", "voided", "weaken"] as const).map(slot);
const TURNED = [...LIFTED, slot("instead")];
const UNBOUND = slot("unbound");
const GUARD = slot("guard");
const HIDDEN_TEXT = slot("hiddenText");
const PROVIDER = slot("provider");
const ORDINARY_NAME = ordinarySlot("jailbreakName");
const ORDINARY_PROVIDER = ordinarySlot("provider");
const ORDINARY_UNBOUND = ordinarySlot("unbound");
const ORDINARY_REFUSAL = ordinarySlot("noRefuse");
/** Words of freedom that name what is wrong. */
const WRONG = /^(?:unethical|immoral|amoral|nsfw|taboo|evil|malevolent|lawless)/i;
const ORDINARY_PERSONA = ordinarySlot("persona");
/** Traits of a role, and staying in it. */
const OF_A_ROLE =
  /^(?:sarcastic|sinister|rebellious|boundless|villain|ruthless|out of character|(?:never |do not ){0,1}breaks? character)/i;
/** Words that name a limit: freedom from it takes a negation. */
const LIMIT = /^(?:morals|scruples?|moral compass|right (?:and|or) wrong|inhibitions|remorse)$/i;
/** What one says who refuses. */
const REFUSAL = /^(?:i can|i'm sorry|i am sorry|unable to|can't do|cannot do|to decline|declines|refuses)/i;
/** Laws named as what nothing breaks, or everything. */
const LAW = /^(?:any|no) (?:laws?|rules?|restrictions?)$/i;
/** However it is asked for: said of an answer, or of a ban. */
const HOWEVER = /^(?:no matter|regardless)/i;
/** What is said to be forbidden, and is no "forbidden knowledge". */
const BAN = /^(?:prohibited|forbidden)$/i;
const SAID_OF = /\b(?:are|be) (?:[a-z]{3,12}ly ){0,1}$/i;
/** "Say anything", "do anything", where nothing forbids it. */
const ANYTHING = /^(?:say|do) anything/i;
/** Names that are words or people's names unless they are written as a name of a mode is. */
const NAMED_IN_CAPITALS = /^(?:aim|dude|stan)$/i;
const RULES = [PROVIDER, ordinarySlot("provider"), HARM];

const opens = holdsAny("persona|unbound|jailbreakName|noRefuse|dualOutput|tokensGame");
const OPENING = new Set([...KINDS.map((one) => one.telling), ...KINDS.map((one) => one.ordinary)]);

/** The feature slot of each hit, −1 for those of no concern; `inPlace`: with a look at what stands around. */
function slotsOf(scan: TextScan, inPlace: boolean): Int8Array {
  const { hits, text } = scan;
  const slots = new Int8Array(hits.length / 3);
  for (let hit = 0; hit < hits.length; hit += 3) {
    const cls = hits[hit] as number;
    const ordinary = ordinarySlotOf[cls] as number;
    const isOrdinary = ordinary >= 0 && ORDINARY_IN_JAILBREAKS.has(scan, hit);
    const slot = isOrdinary ? ordinary : (slotOf[cls] as number);
    slots[hit / 3] =
      slot < 0 || !inPlace ? slot : slotInPlace(text, hits[hit + 1] as number, hits[hit + 2] as number, slot);
  }
  return slots;
}

/**
 * The slot of a word of a limit where it stands: a limit may be put on the reader, a trait may be that of a
 * role, a word may be none.
 */
function slotInPlace(text: string, start: number, end: number, slot: number): number {
  switch (slot) {
    case HARM:
      return forbidsHarm(text, start) || isRefusedAfter(text, end) ? IMPOSED : slot;
    case UNBOUND: {
      const word = text.slice(start, end);
      if (LIMIT.test(word)) return standsUnnegated(text, start) ? ORDINARY_PROVIDER : slot;
      if (ANYTHING.test(word)) return standsUnnegated(text, start) ? slot : -1;
      if (LAW.test(word) && isKeptTo(text, start)) return IMPOSED;
      const isWrong = WRONG.test(word) && (forbidsHarm(text, start) || isRefusedAfter(text, end));
      return isWrong ? IMPOSED : slot;
    }
    case ORDINARY_UNBOUND: {
      const word = text.slice(start, end);
      if (OF_A_ROLE.test(word)) return ORDINARY_PERSONA;
      if (HOWEVER.test(word)) return firmsUpBan(text, start, end) ? IMPOSED : slot;
      if (BAN.test(word) && SAID_OF.test(text.slice(Math.max(0, start - 24), start))) return IMPOSED;
      return forbidsHarm(text, start) || isRefusedAfter(text, end) ? IMPOSED : slot;
    }
    case ORDINARY_REFUSAL:
      return refusalInPlace(text, start, end);
    case ORDINARY_NAME: {
      const word = text.slice(start, end);
      if (NAMED_IN_CAPITALS.test(word)) return word === word.toUpperCase() ? slot : -1;
      return ANYTHING.test(word) && !standsUnnegated(text, start) ? -1 : slot;
    }
    case PROVIDER:
      return isKeptTo(text, start) ? IMPOSED : slot;
    case ORDINARY_PROVIDER:
      if (isKeptTo(text, start)) return IMPOSED;
      return text.charCodeAt(end) === 46 && wordUnits[text.charCodeAt(end + 1)] === 1 ? -1 : slot;
    default:
      return slot;
  }
}

/** The slot of an ordinary word of refusal or its absence. */
function refusalInPlace(text: string, start: number, end: number): number {
  const word = text.slice(start, end);
  if (OF_A_ROLE.test(word)) return ORDINARY_PERSONA;
  if (HOWEVER.test(word) && firmsUpBan(text, start, end)) return IMPOSED;
  if (isOtherDuty(text, start)) return -1;
  return REFUSAL.test(word) && standsUnnegated(text, start) ? IMPOSED : ORDINARY_REFUSAL;
}

/** How many kinds show two different telling words, none a part of the other. */
function manifold({ hits, text }: TextScan, slots: Int8Array, first: number, last: number): number {
  const firstWord = new Map<number, string>();
  const twice = new Set<number>();
  for (let i = first; i < last; i++) {
    const kind = slots[i] as number;
    if (!MANIFOLD.has(kind) || twice.has(kind)) continue;
    const word = text.slice(hits[i * 3 + 1], hits[i * 3 + 2]).toLowerCase();
    const before = firstWord.get(kind);
    if (before === undefined) firstWord.set(kind, word);
    else if (!before.includes(word) && !word.includes(before)) twice.add(kind);
  }
  return twice.size;
}

/** Below it a passage speaks of no more than any writing may. */
const EVIDENCE_MIN = 3;
/**
 * What a tool returns, and a page that is pasted, speak of rules, roles and crimes in many ways: there more
 * must come together.
 */
const EVIDENCE_OF_MUCH_MIN = 4;
const LONG_TEXT = 2_048;

/** The text around one word of a role or a limit. */
export class JailbreakPassage {
  /** Where that word stands. */
  readonly at: number;
  private readonly start: number;
  readonly end: number;
  /**
   * What speaks for an attempt, counted: kinds of roles and limits, rules, and that something is set aside.
   */
  readonly evidence: number;
  /** Its hits, counted from the first of the text. */
  private readonly first: number;
  private readonly last: number;
  private readonly counts = new Int32Array(COUNT);

  constructor(
    private readonly scan: TextScan,
    private readonly slots: Int8Array,
    start: number,
    anchor: number,
  ) {
    const { hits, text } = scan;
    this.at = hits[anchor * 3 + 1] as number;
    this.start = start;
    this.end = Math.min(text.length, start + PASSAGE_MAX);
    let first = anchor;
    while (first > 0 && (hits[first * 3 - 2] as number) >= start) first--;
    let last = first;
    for (; last < slots.length && (hits[last * 3 + 1] as number) < this.end; last++) {
      const one = slots[last] as number;
      if (one >= 0) this.counts[one] = (this.counts[one] as number) + 1;
    }
    this.first = first;
    this.last = last;
    let evidence = manifold(scan, slots, first, last);
    for (const kind of KINDS) evidence += this.has(kind.telling) ? 2 : this.has(kind.ordinary) ? 1 : 0;
    if (this.hasAny(TURNED)) evidence++;
    if (this.hasAny(RULES)) evidence++;
    if (this.has(MODEL)) evidence++;
    if (this.isTale()) evidence++;
    this.evidence = evidence;
  }

  private has(one: number): boolean {
    return (this.counts[one] as number) > 0;
  }

  private hasAny(some: readonly number[]): boolean {
    return some.some((one) => this.has(one));
  }

  private addressing(): number {
    return foldPassage(this.scan.text, this.start, this.end).match(ADDRESSING)?.length ?? 0;
  }

  /** A story with harm in it: what is asked for is told as one. */
  private isTale(): boolean {
    return this.has(FICTION) && this.has(HARM);
  }

  /**
   * True if it speaks to somebody or of a model, and of a role or a limit in more than one ordinary word; or
   * takes limits of two kinds.
   */
  private isAddressed(): boolean {
    if (this.has(PERSONA) || LIMITS.filter((kind) => this.has(kind.telling)).length >= 2) return true;
    const telling = this.isTale() || LIMITS.some((kind) => this.has(kind.telling));
    if (telling && (this.has(MODEL) || this.has(FRAME))) return true;
    const ordinary = (this.has(MODEL) ? KINDS : LIMITS).filter((kind) => this.has(kind.ordinary)).length;
    return (telling || ordinary >= 2) && this.addressing() > 0;
  }

  /** True if something is said of limits: a role, however often it is given, is no attempt to leave them. */
  private speaksOfLimits(): boolean {
    if (this.isTale() || LIMITS.some((kind) => this.has(kind.telling))) return true;
    const ordinary = LIMITS.filter((kind) => this.has(kind.ordinary)).length;
    const ruled = this.hasAny(RULES);
    const lifted = this.hasAny(LIFTED);
    return ordinary >= 2 || (ordinary === 1 && (ruled || lifted)) || (ruled && lifted);
  }

  /**
   * True if it keeps the instructions from whoever asks, and nothing in it is telling: the guard of an
   * operator's prompt.
   */
  private isGuard(): boolean {
    return this.has(GUARD) && this.has(HIDDEN_TEXT) && !LIMITS.some((kind) => this.has(kind.telling));
  }

  /**
   * True if it is to be weighed at all; in what a tool returns (`carried`) only if it casts its reader into
   * something.
   */
  isWorthWeighing(carried: boolean): boolean {
    const isMuch = carried || this.scan.text.length > LONG_TEXT;
    if (this.evidence < (isMuch ? EVIDENCE_OF_MUCH_MIN : EVIDENCE_MIN)) return false;
    return (!carried || this.hasAny(CASTS)) && !this.isGuard() && this.speaksOfLimits() && this.isAddressed();
  }

  features(): Features {
    const { hits } = this.scan;
    const seen = new Set<number>();
    for (let i = this.first; i < this.last; i++) {
      const from = this.slots[i] as number;
      if (from < 0) continue;
      const end = hits[i * 3 + 2] as number;
      const until = Math.min(this.last, i + 1 + PAIR_LOOK_AHEAD);
      for (let k = i + 1; k < until; k++) {
        if ((hits[k * 3 + 1] as number) - end > PAIR_GAP_MAX) break;
        const to = this.slots[k] as number;
        if (to >= 0) seen.add(PAIRS + from * COUNT + to);
      }
    }
    for (let one = 0; one < COUNT; one++) {
      const count = this.counts[one] as number;
      if (count > 0) seen.add(PRESENT + one);
      if (count >= 3) seen.add(OFTEN + one);
    }
    const addressing = this.addressing();
    ADDRESSES.forEach((least, number) => {
      if (addressing >= least) seen.add(ADDRESS + number);
    });
    return { present: [...seen], length: Math.log2(1 + (this.end - this.start) / 64) };
  }
}

function passagesOf(scan: TextScan, slots: Int8Array): JailbreakPassage[] {
  const { hits, text } = scan;
  const isShort = text.length <= PASSAGE_MAX;
  const passages: JailbreakPassage[] = [];
  let from = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < slots.length; i++) {
    const at = hits[i * 3 + 1] as number;
    if (!OPENING.has(slots[i] as number) || at < from + STRIDE) continue;
    from = at;
    passages.push(new JailbreakPassage(scan, slots, isShort ? 0 : Math.max(0, at - LEAD), i));
    if (isShort) break;
  }
  return passages;
}

/**
 * The passages around words of roles and limits. What stands around a word only takes from it, so most texts
 * are done without a look there.
 */
export function jailbreakPassages(scan: TextScan): readonly JailbreakPassage[] {
  if (!opens(scan)) return [];
  const passages = passagesOf(scan, slotsOf(scan, false));
  const isWorthALook = passages.some((one) => one.isWorthWeighing(false));
  return isWorthALook ? passagesOf(scan, slotsOf(scan, true)) : passages;
}

/** How many words of a limit are put on the reader ("avoid harmful content"), and how many are not. */
export function limitsImposed(scan: TextScan): { readonly imposed: number; readonly free: number } {
  let imposed = 0;
  let free = 0;
  for (const slot of slotsOf(scan, true)) {
    if (slot === IMPOSED) imposed++;
    else if (slot === HARM || LIMITS.some((kind) => kind.telling === slot || kind.ordinary === slot)) free++;
  }
  return { imposed, free };
}
