/**
 * Folds an error message to what stays the same from one occurrence to the next: quoted values, paths, addresses,
 * ids and numbers are masked. Pure and linear: the text is cut first, and every regex has bounded or single
 * quantifiers over plain character classes.
 */

const INPUT_CHARS_MAX = 1000;
const OUTPUT_CHARS_MAX = 300;

const MASKS: readonly (readonly [RegExp, string])[] = [
  [/\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s"'<>)\]]{1,500}/gi, "<url>"],
  [/[^\s@<>"'(),;:=]{1,64}@[a-z0-9.-]{1,255}\.[a-z]{2,24}/gi, "<email>"],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, "<uuid>"],
  [/"[^"\n]{0,300}"/g, "<str>"],
  [/`[^`\n]{0,300}`/g, "<str>"],
  [/(?<![\w])'[^'\n]{0,300}'(?![\w])/g, "<str>"],
  [/(?<![\w.])(?:[a-z]:)?[\\/][\w.@~+-]{1,100}[\\/][\w.@~+\\/-]{0,400}/gi, "<path>"],
  [/\b0x[0-9a-f]{1,64}\b/gi, "<hex>"],
  [/\b(?=[a-f]{0,64}\d)[0-9a-f]{8,128}\b/gi, "<hex>"],
  [/\b(?=[a-z_-]{0,40}\d)[a-z0-9_-]{12,200}\b/gi, "<id>"],
  [/[+-]?\d[\d.,:_]*/g, "<n>"],
];

/** Names and kinds in words with one space between them, shorter than a uuid: nothing in them is masked. */
const PLAIN = /^[a-z_.,-]{1,35}(?: [a-z_.,-]{1,35}){0,17}$/i;

export function normaliseMessage(message: string): string {
  if (message.length < 36 && PLAIN.test(message)) return message;
  let text = message.length > INPUT_CHARS_MAX ? message.slice(0, INPUT_CHARS_MAX) : message;
  for (const [pattern, mask] of MASKS) text = text.replace(pattern, mask);
  text = text.replace(/\s+/g, " ").trim();
  return text.length > OUTPUT_CHARS_MAX ? text.slice(0, OUTPUT_CHARS_MAX) : text;
}

/** The class of an error text, for grouping: `ValueError: No row 17` and `ValueError: No row 18` are one. */
export function errorKind(text: string): string {
  const head = normaliseMessage(text.slice(0, 200));
  const named = /^([A-Za-z_][\w.]{2,80}(?:Error|Exception|Timeout|Fault|Warning))\b/.exec(head);
  return named?.[1] ?? (head.slice(0, 80) || "error");
}
