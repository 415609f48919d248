import type { Finding } from "../firing.ts";

/**
 * Who has just been given steps and asks for "the instructions above" again, word for word, means those. It holds for the prompt right behind
 * the answer, if it is short and names no text of the model's own. Patterns repeat within bounds.
 */
const TEXT_MAX = 320;
const ANSWER_MAX = 8_192;
/** Three steps of an answer, each on a line of its own. */
const STEPS =
  /(?:^|\n)[ \t*#]{0,6}(?:step |schritt |\u00e9tape |paso )?1[.):][^\n]{3,600}\n(?:[^\n]{0,600}\n){0,6}?[ \t*#]{0,6}(?:step |schritt |\u00e9tape |paso )?2[.):][^\n]{3,600}\n(?:[^\n]{0,600}\n){0,6}?[ \t*#]{0,6}(?:step |schritt |\u00e9tape |paso )?3[.):]/i;
/** The same in one line. */
const STEPS_IN_LINE = /(?:^|[\s:])1[.)] [^\n]{3,240}?[\s.;,]2[.)] [^\n]{3,240}?[\s.;,]3[.)] /;
const BULLETS = /(?:(?:^|\n)[ \t]{0,6}[-*\u2022] [^\n]{3,400}){3}/;
const AGAIN =
  /\b(?:repeat|read|say|give|show|write|list|send|tell|spell|type|print|go over|go through|copy)\b[^.!?\n]{0,40}\b(?:the|those|these|that|them|all|your last|your previous)\b[^.!?\n]{0,24}\b(?:instructions?|steps?|directions|list|recipe|guide|answer|message|rules|points|text)\b/i;
const OF_THE_MODEL =
  /\b(?:system|prompts?|hidden|secret|initial|original|confidential|internal|developers?|operators?|openai|anthropic|configur\w{0,5}|you (?:were|are|got|have|had|received|follow|started|obey)|your (?!last|previous|answer|message|reply)\w{2,14}|(?:given|told|said) (?:to )?you|before (?:this|our|the|i|my)|conversation|chat|context|everything|all (?:of )?(?:the )?(?:text|words|lines|above)|(?:first|opening) (?:message|line|words?|text)|starting with|you are|ignore|disregard|forget)\b/i;

export const givesSteps = (answer: string): boolean => {
  const read = answer.slice(0, ANSWER_MAX);
  if (STEPS_IN_LINE.test(read)) return true;
  if (!answer.includes("\n")) return false;
  return STEPS.test(read) || BULLETS.test(read);
};

export function asksForStepsAgain({ fragment }: Finding): boolean {
  const { text } = fragment;
  return text.length <= TEXT_MAX && AGAIN.test(text) && !OF_THE_MODEL.test(text);
}
