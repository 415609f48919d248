import { isAboutAttacks, isQuoted } from "../context/quoted-examples.ts";
import type { RuleMatch } from "../scan/chain-rules.ts";
import { ClassSet } from "../scan/class-set.ts";
import type { TextScan } from "../scan/scan-text.ts";
import { ADDRESS } from "../scan/sentence-bounds.ts";
import { LANGUAGES } from "./all-languages.ts";
import { findWords, KIND_NUMBERS, type LanguageHits } from "./word-index.ts";
import type { Language, WordKind } from "./word-kinds.ts";

/**
 * What an attack says, whatever its language: which kinds of words stand near each other. One list of rules
 * for all languages; a language supplies its words, how far they may stand apart, and where its verbs stand.
 * Words of different languages never make up one match.
 */
export type LanguageRuleSet = "override" | "carried" | "jailbreak" | "extraction" | "description" | "memory";

function kindNumber(kind: string): number {
  const number = KIND_NUMBERS.get(kind as WordKind);
  if (number === undefined) throw new RangeError(`unknown kind of word ${kind}`);
  return number;
}

interface Place {
  readonly text: string;
  readonly hits: LanguageHits;
  readonly language: Language;
  readonly scan: TextScan;
  /** Of the words found. */
  readonly start: number;
  readonly end: number;
}

interface LanguageRule {
  readonly id: string;
  readonly weight: number;
  /** One word of each group must be there; the first is looked for, the others around it. */
  readonly groups: readonly (readonly number[])[];
  /** Of all kinds that the rule needs for certain. */
  readonly needed: number;
  /** Before each group but the first: the most characters from the words found so far. */
  readonly gaps: readonly number[];
  /** How many of the groups, from the first, must stand in one sentence; the others may stand in the next. */
  readonly inSentence: number;
  /** True if the word of the first group is a verb whose object is of the second. */
  readonly ordered: boolean;
  readonly guard: ((place: Place) => boolean) | null;
}

/**
 * `"aside <60 rules <30 prior|your"`: kinds, and how far each may stand from those before it, on either side.
 */
function rule(
  id: string,
  weight: number,
  pattern: string,
  options: { inSentence?: number; ordered?: boolean; guard?: (place: Place) => boolean } = {},
): LanguageRule {
  const groups: number[][] = [];
  const gaps: number[] = [];
  for (const part of pattern.split(" ")) {
    if (part.startsWith("<")) gaps.push(Number(part.slice(1)));
    else groups.push(part.split("|").map(kindNumber));
  }
  if (gaps.length !== groups.length - 1) throw new RangeError(`bad rule ${pattern}`);
  const needed = groups.reduce(
    (bits, group) => (group.length === 1 ? bits | (1 << (group[0] as number)) : bits),
    0,
  );
  const { inSentence = groups.length, ordered = false, guard = null } = options;
  return { id, weight, groups, gaps, needed, inSentence, ordered, guard };
}

const hasAddress = ({ text, start, end }: Place): boolean =>
  ADDRESS.test(text.slice(Math.max(0, start - 80), end + 120)) || COMMAND.test(text.slice(start, end + 120));
const COMMAND = /\bcurl\s|\bwget\s|\|\s?(?:ba)?sh\b/;
const PRIVATE = new ClassSet("sensitivePath");
const namesPrivateFile = ({ scan, text, start, end }: Place): boolean =>
  PRIVATE.meets(scan) || PRIVATE_PATH.test(text.slice(Math.max(0, start - 120), end + 120));
const PRIVATE_PATH = /~\/\.|\.env\b|id_rsa|\.pem\b|\/etc\/passwd/;

/** How far before a request stands who makes it. */
const ASKER = 60;
const USER = kindNumber("user");
const ASKING = [kindNumber("reveal"), kindNumber("repeat")];

/** Asked of the reader; not forbidden to it, nor foretold of a user who will ask. */
function isAsked({ text, hits, language, start, end }: Place): boolean {
  for (let k = 0; k < hits.kinds.length; k++) {
    const from = hits.starts[k] as number;
    if (hits.kinds[k] === USER && from > start - ASKER * language.reach && from < end) return false;
    if (!ASKING.includes(hits.kinds[k] as number) || from < start || from >= end) continue;
    if (!isTold(text, from, hits.ends[k] as number, language)) return false;
  }
  return true;
}

const apart = { inSentence: 0 } as const;
/** The one who reads is said to be a machine: not a reader in one sentence and a product in another. */
const IN_ONE_BREATH = 2;

const RULES: Readonly<Record<LanguageRuleSet, readonly LanguageRule[]>> = {
  override: [
    rule("override", 0.9, "aside <60 rules <30 prior|your", { ordered: true }),
    rule("override-all", 0.85, "aside <40 rules <30 whole <60 fromNow|obey|reveal", { ordered: true }),
    rule("override-said", 0.85, "aside <40 said <30 prior|whole <80 obey|fromNow|prior", { ordered: true }),
    rule("void", 0.8, "rules <40 void <40 prior|your|whole <120 fromNow <120 deed|obey", apart),
    rule("void-your", 0.8, "rules <30 void <20 your <40 prior|whole <80 deed|obey|reveal", apart),
    rule("void-obey", 0.8, "rules <40 void <90 obey", apart),
    rule("override-own", 0.85, "aside <30 ownText", { ordered: true }),
    rule("reset", 0.8, "void <90 obey <90 rules|ownText", apart),
    rule("obey", 0.8, "aside <60 rules|void <90 obey"),
  ],
  carried: [
    rule("machine-secretly", 0.85, "machine <160 secret <160 deed", apart),
    rule("machine-told", 0.75, "reader <60 machine <120 deed", {
      inSentence: IN_ONE_BREATH,
      guard: hasAddress,
    }),
    rule("user-set-aside", 0.8, "aside <40 user <100 machine|reader|fromNow", apart),
    rule("secretly", 0.75, "secret <140 deed <80 goods", { inSentence: 0, guard: hasAddress }),
    rule("new-task", 0.75, "fromNow <100 deed <80 goods <120 void|aside", apart),
    rule("machine-rates", 0.75, "reader <60 machine <120 deed <80 secret|user", {
      inSentence: IN_ONE_BREATH,
    }),
  ],
  jailbreak: [
    rule("persona-without-limits", 0.85, "unbound <160 role <160 comply", apart),
    rule("model-without-limits", 0.8, "unbound <60 machine <80 role", apart),
    rule("mode-without-limits", 0.85, "mode <120 unbound|comply", apart),
    rule("never-refuses", 0.75, "comply <120 unbound <120 machine|role", apart),
    rule("answers-everything", 0.75, "comply <80 role <80 machine", apart),
    rule("two-answers", 0.8, "twice <90 unbound|comply", apart),
  ],
  extraction: [
    rule("own-text", 0.8, "reveal <50 ownText <30 your|verbatim", { ordered: true, guard: isAsked }),
    rule("own-text-out", 0.75, "repeat <30 ownText", { ordered: true, guard: isAsked }),
    rule("text-above", 0.8, "above <40 repeat", { guard: isAsked }),
    rule("given-before", 0.8, "origin <60 rules <80 reveal|verbatim", { inSentence: 0, guard: isAsked }),
  ],
  description: [
    rule("reads-private-file", 0.8, "tools|secret <160 deed|goods", {
      inSentence: 0,
      guard: namesPrivateFile,
    }),
    rule("kept-from-the-user", 0.75, "secret <160 deed", apart),
    rule("before-other-tools", 0.75, "tools <120 history", apart),
  ],
  memory: [
    rule("standing-order", 0.8, "standing <100 deed <80 goods|leave", {
      inSentence: 0,
      guard: hasAddress,
    }),
    rule("standing-permission", 0.75, "standing <100 leave <100 goods|deed", apart),
    rule("rules-set-aside", 0.8, "aside <40 rules <80 standing|leave", { ordered: true, inSentence: 0 }),
  ],
};

const ASIDE = kindNumber("aside");
const ATTACK = kindNumber("attack");
/** An element of a page and a cell end one too. */
const SENTENCE_END = /[。！？．।؟\n]|[.!?;](?=\s|$)|<\/[a-z]|\s\|\s/;
/** Beside it, a word in quotes is an example. */
const ATTACK_NEAR = 260;
/** So many words of a text about attacks, or of a story, around a match tell of it. */
const ATTACK_WORDS_MIN = 3;

const wordsOf = new WeakMap<TextScan, readonly LanguageHits[]>();

function hitsOf(scan: TextScan): readonly LanguageHits[] {
  let hits = wordsOf.get(scan);
  if (hits === undefined) {
    hits = findWords(scan.text);
    wordsOf.set(scan, hits);
  }
  return hits;
}

/** The strongest rule of a set that holds somewhere in a text, in any language. */
export function languageMatch(scan: TextScan, set: LanguageRuleSet): RuleMatch | null {
  if (!scan.isForeign) return null;
  let best: RuleMatch | null = null;
  for (const hits of hitsOf(scan)) {
    if (hits.kinds.length < 2) continue;
    for (const one of RULES[set]) {
      if ((hits.present & one.needed) !== one.needed || (best !== null && best.weight >= one.weight))
        continue;
      const match = matchOf(scan, hits, one);
      if (match !== null) best = match;
    }
  }
  return best;
}

const ANCHORS_MAX = 60;

function matchOf(scan: TextScan, hits: LanguageHits, one: LanguageRule): RuleMatch | null {
  const { text } = scan;
  const language = LANGUAGES[hits.language] as Language;
  const first = one.groups[0] as readonly number[];
  let anchors = 0;
  for (let at = 0; at < hits.kinds.length && anchors < ANCHORS_MAX; at++) {
    if (!first.includes(hits.kinds[at] as number)) continue;
    anchors++;
    const span = spanAround(text, hits, language, one, at);
    if (span === null) continue;
    const [start, end] = span;
    if (isToldOf(text, hits, start, end)) continue;
    if (one.guard !== null && !one.guard({ text, hits, language, scan, start, end })) continue;
    return { id: `${language.code}-${one.id}`, weight: one.weight, start, end };
  }
  return null;
}

/** From the first to the last word of a match around the hit `anchor`, or null. */
function spanAround(
  text: string,
  hits: LanguageHits,
  language: Language,
  one: LanguageRule,
  anchor: number,
): [number, number] | null {
  const anchorStart = hits.starts[anchor] as number;
  const anchorEnd = hits.ends[anchor] as number;
  if (hits.kinds[anchor] === ASIDE && !isTold(text, anchorStart, anchorEnd, language)) return null;
  const taken: number[] = [anchor];
  let start = anchorStart;
  let end = anchorEnd;
  for (let g = 1; g < one.groups.length; g++) {
    const group = one.groups[g] as readonly number[];
    let best = -1;
    let least = (one.gaps[g - 1] as number) * language.reach + 1;
    for (let k = 0; k < hits.kinds.length; k++) {
      if (!group.includes(hits.kinds[k] as number)) continue;
      const from = hits.starts[k] as number;
      const to = hits.ends[k] as number;
      const gap = from >= end ? from - end : to <= start ? start - to : 0;
      if (gap >= least || taken.some((other) => overlaps(hits, other, k))) continue;
      if (one.ordered && g === 1 && !isInOrder(text, language, anchorStart, from)) continue;
      if (
        g < one.inSentence &&
        gap > 0 &&
        SENTENCE_END.test(from >= end ? text.slice(end, from) : text.slice(to, start))
      )
        continue;
      least = gap;
      best = k;
    }
    if (best < 0) return null;
    taken.push(best);
    start = Math.min(start, hits.starts[best] as number);
    end = Math.max(end, hits.ends[best] as number);
  }
  return [start, end];
}

const overlaps = (hits: LanguageHits, one: number, other: number): boolean =>
  (hits.starts[one] as number) < (hits.ends[other] as number) &&
  (hits.starts[other] as number) < (hits.ends[one] as number);

/** True if what a verb says is told, neither forbidden nor told of somebody. */
function isTold(text: string, start: number, end: number, language: Language): boolean {
  return (
    !language.notBefore.test(text.slice(Math.max(0, start - 16), start)) &&
    !language.notAfter.test(text.slice(end, end + 12))
  );
}

/** The object of an order in its place; a Chinese one may stand first, after a word that says so. */
function isInOrder(text: string, language: Language, verb: number, object: number): boolean {
  if (language.verb === "first") return object > verb;
  if (language.verb === "last") return object < verb;
  return object > verb || /[把将將][^，。,]{0,12}$/.test(text.slice(Math.max(0, object - 14), object));
}

/** An attack that a text about attacks shows, or that a story tells. */
function isToldOf(text: string, hits: LanguageHits, start: number, end: number): boolean {
  let near = 0;
  for (let k = 0; k < hits.kinds.length; k++) {
    if (hits.kinds[k] !== ATTACK) continue;
    if ((hits.starts[k] as number) > start - ATTACK_NEAR && (hits.ends[k] as number) < end + ATTACK_NEAR)
      near++;
  }
  if (near >= ATTACK_WORDS_MIN) return true;
  return (
    (near > 0 || isAboutAttacks(text)) && (isQuoted(text, start, end) || isInSingleQuotes(text, start, end))
  );
}

function isInSingleQuotes(text: string, start: number, end: number): boolean {
  return (
    /['\u2018\u2019\u201c\u2039][^'\u2018\u2019\u201d\n]{0,30}$/.test(
      text.slice(Math.max(0, start - 32), start),
    ) && /^[^'\u2018\n]{0,80}['\u2019\u201d\u203a]/.test(text.slice(end, end + 84))
  );
}
