import { cutText } from "./cut-text.ts";
import { maskSensitive } from "./text/mask-sensitive.ts";

/**
 * One line for a person to read, made safe to store and to send: control characters gone, whatever could be a secret
 * or personal data masked, at most 240 characters. Linear: the text is cut to 1,000 characters first.
 */

const INPUT_CHARS_MAX = 1000;
const EXCERPT_CHARS_MAX = 240;

export function excerptLine(text: string): string {
  const input = text.length > INPUT_CHARS_MAX ? text.slice(0, INPUT_CHARS_MAX) : text;
  const plain = input.replace(/[\s\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, " ").toWellFormed();
  const line = maskSensitive(plain).replace(/ {2,}/g, " ").trim();
  return line.length > EXCERPT_CHARS_MAX ? `${cutText(line, EXCERPT_CHARS_MAX - 1)}…` : line;
}

/** A name that a client chose (a tool, a validator, an agent), short enough to stand in a sentence. */
export function shortName(value: unknown, fallback = "unnamed"): string {
  if (typeof value !== "string") return fallback;
  const name = cutText(value, 80);
  return name.trim() === "" ? fallback : name.trim();
}
