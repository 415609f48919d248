import { matchesOf } from "../exfiltration/matches.ts";
import type { RuleMatch } from "../scan/chain-rules.ts";

/**
 * A description that names a tool which sends or pays, and beside it whom that is to reach, steers it, in
 * whatever language it says so. Told by the identifiers alone: no description needs somebody's mailbox or
 * account to say what a tool does.
 */
const STEERED =
  /(?<![\w./-])(?:\w{1,24}(?:__|\.|\/))?(?:(?:send|forward|reply|post|email|mail|pay|transfer|wire|share|upload|submit|publish)(?:_[a-z]{2,20}){1,3}|create_(?:payment|transfer|invoice|payout)|(?:send|forward|post|pay|transfer|share|upload|submit)(?:[A-Z][a-z]{1,20}){1,3})(?![\w:])/g;
const REACHES =
  /[\w.+-]{1,64}@(?!(?:[\w-]{1,63}\.){0,3}(?:example|test|invalid)\b)[\w-]{1,63}\.[a-z]{2,12}|\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}\b|\b0x[0-9a-f]{40}\b/i;
const EXAMPLE =
  /\b(?:e\.g\.|for example|such as|example|format|like|support|contact|questions|feedback|maintainer|author)\b|例|z\.\s?B\.|p\. ?ex\.|por ejemplo/i;
const TOOLS_MAX = 12;
const AROUND = 160;
const BEFORE = 60;

export function steersAnother(text: string): RuleMatch | null {
  if (!/[@\d]/.test(text)) return null;
  for (const match of matchesOf(text, STEERED, TOOLS_MAX)) {
    const [name] = match;
    const from = Math.max(0, match.index - AROUND);
    const near = text.slice(from, match.index + name.length + AROUND);
    const reached = REACHES.exec(near);
    if (reached === null || EXAMPLE.test(near.slice(Math.max(0, reached.index - BEFORE), reached.index)))
      continue;
    const at = from + reached.index;
    const end = Math.max(at + reached[0].length, match.index + name.length);
    return { id: "steers-another-tool", weight: 0.8, start: Math.min(at, match.index), end };
  }
  return null;
}
