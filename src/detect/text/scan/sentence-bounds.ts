/**
 * Where an order ends and what governs it: the rest of its sentence or of its field, an address in it, and
 * whether a "to" before it makes it a purpose.
 */

/** Somewhere to send things to: a mail address, a URL, an account-like number. */
export const ADDRESS =
  /[\w.+-]{1,64}@[\w-]{1,63}\.[a-z]{2,12}|https?:\/\/|\b[A-Z]{2}\d{8,30}\b|\b\d[\d-]{6,30}\b|\+\d{8,15}/i;

/** What stands right after a match, at most `most` characters and not beyond the end of its sentence. */
export function restOfSentence(text: string, end: number, most: number): string {
  const rest = text.slice(end, Math.min(text.length, end + most));
  const stop = rest.search(/[.!?][)"']?\s{1,8}\S|\n\s{0,12}\n|\n\s{0,12}[-*\u2022] /);
  return stop < 0 ? rest : rest.slice(0, stop);
}

/**
 * What follows a match in the same field of a structure, at most `most` characters and not into a block of
 * code.
 */
export function restOfField(text: string, end: number, most: number): string {
  const rest = text.slice(end, Math.min(text.length, end + most));
  const edge = rest.search(
    /["'] {0,4}[,:] {0,4}[\n"'{[]|[}\]]\s{0,4},|(?:\n|\\n)\s{0,12}(?:- )?[\w ]{1,30}: |```/,
  );
  return edge < 0 ? rest : rest.slice(0, edge);
}

/**
 * A span that crosses from one field of a structure into the next is no sentence, nor one from an element of
 * a page to the next in the numbered list that a browser's agent reads: `[12]<button>`, `- [8] <a>`,
 * `I3[:]<input>`.
 */
export const FIELD_EDGE =
  /["']\s{0,4}[,:]\s{0,4}[\n"'{[]|[}\]]\s{0,4},|(?:\n|\\n)\s{0,12}(?:- )?[\w ]{1,30}: |(?:\n|\\n)[ \t]{0,12}(?:[-*] {0,2})?(?:[A-Z_]\d{0,4})?\[[:\d]{1,5}\]/;

/** What may stand before "to" where an order follows: "you have to", "remember to", "your task is to". */
const TOLD_TO =
  /(?:^|[:\n"'>-]|\b(?:you|you'?ll|please|remember|sure|certain|forget|needs?|have|has|ought|(?:is|are)(?: now| then| only| simply)?|(?:want(?:s|ed)?|ask|tell|order|instruct|command|urge|like|need|advise|expect) (?:you|it|them|the (?:assistant|agent|model|ai|bot|system|llm))(?:, [^,.!?\n]{2,24},)?|required|instructed|asked|told|requested|ordered|obliged|expected|supposed|advised|necessary|important|imperative|mandatory|crucial|essential|and|not|or|then)) ?\s{0,3}(?:not )?to\s{1,3}$/i;
/** What somebody has, wants or tries to do: no order, whatever stands before. */
const OWN_WISH =
  /\b(?:i|we|they|he|she|people|someone|somebody|users?|anyone|attackers?)(?:'?d|'?ve|'?m|'?re|'?ll)?\s{1,2}(?:\w{2,10}\s{1,2}){0,2}to\s{1,3}$/i;

/**
 * "a way to ignore the rules", "I would like to remove my password": a purpose or a wish, where an order
 * would say "you have to".
 */
export function isPurpose(text: string, start: number): boolean {
  const before = text.slice(Math.max(0, start - 48), start);
  return /\bto\s{1,3}$/i.test(before) && (OWN_WISH.test(before) || !TOLD_TO.test(before));
}
