import { cutText } from "./cut-text.ts";

/**
 * One line for a person to read, made safe to store and to send: control characters gone, anything that looks like
 * a key, an address or a long number masked, at most 240 characters. Every regex here is linear: every quantifier is
 * bounded or stands alone, on a text cut to 1,000 characters first.
 */

const INPUT_CHARS_MAX = 1000;
const EXCERPT_CHARS_MAX = 240;

/** What stands after a word that announces a secret, however short it is. */
const NAMED_SECRET =
  /((?:passw(?:or)?d|secret|token|api[_ -]?key|authorization|bearer|credential)s?["']?\s{0,3}[:=]\s{0,3}["']?(?:bearer )?)[^\s"',;]{1,200}/gi;

export function excerptLine(text: string): string {
  let line = text.length > INPUT_CHARS_MAX ? text.slice(0, INPUT_CHARS_MAX) : text;
  line = line.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, " ").toWellFormed();
  line = line.replace(/:\/\/[^\s/@]{1,200}@/g, "://[login] ");
  line = line.replace(NAMED_SECRET, "$1[masked]");
  line = line.replace(/[^\s@<>"'(),;:]{1,64}@[A-Za-z0-9.-]{1,255}/g, "[email]");
  line = line.replace(/[A-Za-z0-9_+/=-]{20,}/g, maskToken);
  line = line.replace(/\d[\d -]{7,}\d/g, "[number]");
  line = line.replace(/ {2,}/g, " ").trim();
  return line.length > EXCERPT_CHARS_MAX ? `${cutText(line, EXCERPT_CHARS_MAX - 1)}…` : line;
}

/** A name that a client chose (a tool, a validator, an agent), short enough to stand in a sentence. */
export function shortName(value: unknown, fallback = "unnamed"): string {
  if (typeof value !== "string") return fallback;
  const name = cutText(value, 80);
  return name.trim() === "" ? fallback : name.trim();
}

function maskToken(token: string): string {
  return /\d/.test(token) && /[A-Za-z]/.test(token) ? "[masked]" : token;
}
