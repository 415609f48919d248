import { chain, type ChainRule, opensClause, orders } from "./chain-rules.ts";

/** Attempts to read the hidden instructions back. */
const atClause = (text: string, start: number): boolean => opensClause(text, start);
const atOrder = (text: string, start: number): boolean => orders(text, start);

/** "system prompt", "your instructions": not "your rules for refunds", which is a customer's question. */
const OWN_TEXT =
  /system[ -]?(?:prompt|message|instruction|role|anweisung|nachricht)|prompt|instruction|instruktion|anweisung|directive|pre-?prompt|initiali[sz]|developer message|verbatim|your (?:hidden|secret|internal|original|exact)/i;
const OTHER_TEXT = /^\s{0,4}(?:on|about|regarding|to (?:make|build|create|write|improve)|fur|uber) /i;

function ownText(text: string, start: number, end: number): boolean {
  return (
    opensClause(text, start) &&
    OWN_TEXT.test(text.slice(start, end + 24)) &&
    !OTHER_TEXT.test(text.slice(end, end + 20))
  );
}

/** Asking how to write one, or what the word means, is no attempt. */
const ABOUT_PROMPTS =
  /(?:a|an|any|good|better|effective|new|my|the word|term|custom) (?:\w{1,12} )?(?:system )?(?:prompt|message|instruction)s?$/i;

function asksForIt(text: string, start: number, end: number): boolean {
  return ownText(text, start, end) && !ABOUT_PROMPTS.test(text.slice(start, end));
}

export const EXTRACTION_RULES: readonly ChainRule[] = [
  chain("reveals-hidden-text", 0.8, "reveal <50 hiddenText", asksForIt),
  chain("reveals-hidden-text-verbatim", 0.7, "reveal <80 hiddenText <80 verbatim|textAbove", atClause),
  chain(
    "repeats-text-above",
    0.75,
    "reveal <30 textAbove <80 verbatim|hiddenText|instructions|reveal|prior",
    atClause,
  ),
  chain("repeats-all-above", 0.8, "reveal <25 all <12 textAbove|hiddenText", atOrder),
  chain("repeats-instructions", 0.72, "reveal <24 prior|your <10 instructions", asksForIt),
  chain("override-and-reveal", 0.85, "override <120 reveal <60 hiddenText|textAbove", atOrder),
  chain("hidden-text-in-code", 0.75, "hiddenText <60 verbatim", ownText),
  chain("starts-with-its-frame", 0.8, "reveal <60 textAbove <60 textAbove", atClause),
];
