import type { RuleMatch } from "../scan/chain-rules.ts";
import { holdsAny } from "../scan/class-set.ts";
import { foldPassage } from "../scan/passages.ts";

/**
 * Rules over single sentences, for texts that should describe or remember and give orders instead: what all
 * patterns of a rule find in one sentence, and its `unless` does not, is a match. The patterns read folded
 * text (lower case, no accents, one space for any white space) and repeat within bounds; a sentence is cut at
 * `SENTENCE_MAX` and a text at `SENTENCES_MAX` sentences, so the cost is bounded by both.
 */
export interface SentenceRule {
  readonly id: string;
  /** What one match says by itself, 0 to 1. */
  readonly weight: number;
  readonly all: readonly RegExp[];
  readonly unless?: RegExp;
}

/**
 * A text in which nobody is named, nothing ranked, hidden, set aside or asked for gives no order: records are
 * passed over at no cost.
 */
export const mayOrder = holdsAny(
  "prior|all|your|persist|stake|machine|model|toMachine|override|diverge|instead|voided|deed|mine|userWord|authority|weaken|unbound|noRefuse|provider|urge|outward|frame|hiddenText|hush|secrecy|politePlease|persona|bulk|jailbreakName|sensitivePath|toolCross|replyTalk|passIn",
);

const SENTENCE_MAX = 600;
const SENTENCES_MAX = 240;
const SENTENCE_MIN = 10;

/** What begins a line of a list, a heading, or the line of a parameter: the sentence before it is over. */
const NEW_LINE = /^(?:[-*\u2022#|>]|\d{1,3}[.)]|[`"']?[\w.-]{1,40}[`"']?(?: ?\([^)\n]{0,60}\))? ?:\s)/;

/**
 * A stop ends a sentence where white space follows (addresses and file names hold stops too); a line end
 * where the next line does not go on with it.
 */
function endOfSentence(text: string, start: number): number {
  const most = Math.min(text.length, start + SENTENCE_MAX);
  let last = 0;
  for (let at = start; at < most; at++) {
    const unit = text.charCodeAt(at);
    if (unit === 10 || unit === 13) {
      if (last === 59 || !goesOn(text, at)) return at + 1;
    } else if (unit === 46 || unit === 33 || unit === 63) {
      if (!(text.charCodeAt(at + 1) > 32)) return at + 1;
    }
    if (unit > 32) last = unit;
  }
  return most;
}

function goesOn(text: string, lineEnd: number): boolean {
  let next = lineEnd + 1;
  const most = Math.min(text.length, next + 80);
  while (next < most && text.charCodeAt(next) <= 32) {
    const unit = text.charCodeAt(next);
    if (unit === 10) return false;
    next++;
  }
  return next < most && !NEW_LINE.test(text.slice(next, next + 120));
}

/** The first match of each rule. */
export function sentenceMatches(text: string, rules: readonly SentenceRule[]): RuleMatch[] {
  const found: RuleMatch[] = [];
  const seen = new Set<SentenceRule>();
  for (let start = 0, done = 0; start < text.length && done < SENTENCES_MAX; done++) {
    const end = endOfSentence(text, start);
    if (end - start >= SENTENCE_MIN) {
      const sentence = foldPassage(text, start, end)
        .replace(/[ \n]{1,80}/g, " ")
        .trim();
      for (let r = 0; r < rules.length; r++) {
        const rule = rules[r] as SentenceRule;
        if (seen.has(rule) || !holds(rule, sentence)) continue;
        seen.add(rule);
        found.push({ id: rule.id, weight: rule.weight, start, end });
      }
    }
    start = end;
  }
  return found;
}

function holds({ all, unless }: SentenceRule, sentence: string): boolean {
  for (let i = 0; i < all.length; i++) if (!(all[i] as RegExp).test(sentence)) return false;
  return unless === undefined || !unless.test(sentence);
}
