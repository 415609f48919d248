import { hashText } from "../../building-blocks/hash.ts";
import { addOnce } from "../../building-blocks/ordered-window.ts";
import { comparable } from "./argument-values.ts";
import { spellingIn } from "./number-spellings.ts";
import { addWords, createWordMemory, hasWords, type WordMemory } from "./word-memory.ts";

/**
 * What an execution's trusted texts said: the user's, the system's, clean tool output. The latest few are
 * kept as they are, because most executions never ask; only what overflows is taken apart into words. Bounded
 * by `KEPT_MAX` characters and the word memory. Grows in place and never forgets, so telling it the same text
 * again changes nothing that matters.
 */
export interface TrustedTexts {
  readonly words: WordMemory;
  readonly kept: { readonly text: string; readonly sequence: number }[];
  keptLength: number;
  /**
   * Hashes of the latest long texts: a client sends an operator's instructions with every call, and their
   * words are known.
   */
  readonly taken: number[];
}

const KEPT_MAX = 6_144;
const KEPT_COUNT_MAX = 24;
const TAKEN_MAX = 8;

export function createTrustedTexts(): TrustedTexts {
  return { words: createWordMemory(), kept: [], keptLength: 0, taken: [] };
}

export function trustText(trusted: TrustedTexts, text: string, sequence: number): void {
  if (text.length > KEPT_MAX / 2) {
    if (addOnce(trusted.taken, hashText(text), TAKEN_MAX)) addWords(trusted.words, text);
    return;
  }
  const { kept } = trusted;
  kept.push({ text, sequence });
  trusted.keptLength += text.length;
  while (trusted.keptLength > KEPT_MAX || kept.length > KEPT_COUNT_MAX) {
    const oldest = kept.shift();
    if (oldest === undefined) break;
    trusted.keptLength -= oldest.text.length;
    addWords(trusted.words, oldest.text);
  }
}

/** True if the value (in comparable form) stood in a trusted text before the given place in the execution. */
export function isTrusted(trusted: TrustedTexts, value: string, sequence: number): boolean {
  if (hasWords(trusted.words, value)) return true;
  for (const one of trusted.kept) {
    if (one.sequence <= sequence && comparable(one.text).includes(value)) return true;
  }
  return false;
}

/** The same for a number that may be spelt in another way; `spelt` is one spelling of it. */
export function isTrustedNumber(
  trusted: TrustedTexts,
  bare: string,
  spelt: string,
  sequence: number,
): boolean {
  if (hasWords(trusted.words, bare) || isTrusted(trusted, spelt, sequence)) return true;
  return trusted.kept.some(
    (one) => one.sequence <= sequence && spellingIn(comparable(one.text), bare) !== "",
  );
}
