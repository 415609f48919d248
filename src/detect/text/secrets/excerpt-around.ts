import { excerptBefore, excerptOf } from "../../building-blocks/excerpt.ts";
import type { FragmentScan } from "../scan-event.ts";
import { secretsOf } from "./find-secrets.ts";

/**
 * Excerpts of a text that may hold credentials: what the rules for secrets find in it is taken out before it
 * is cut and masked by its looks, as not every secret looks like one (letters alone, a short one, two halves
 * with a colon between).
 */
const HIDDEN = "\u2022";
const HIDDEN_RUN = /\u2022{1,5000}/g;

function withoutSecrets(fragment: FragmentScan): string {
  let { text } = fragment;
  for (const { start, end } of secretsOf(fragment)) {
    text = text.slice(0, start) + HIDDEN.repeat(end - start) + text.slice(end);
  }
  return text;
}

/** The text around a match. */
export function excerptAround(fragment: FragmentScan, start: number, end: number): string {
  if (fragment.scan.secrets.length === 0) return excerptOf(fragment.text, start, end);
  return excerptOf(withoutSecrets(fragment), start, end).replace(HIDDEN_RUN, "[masked]");
}

/** Up to so many characters before a place, for what must not be shown itself. */
export function excerptUpTo(fragment: FragmentScan, at: number, charsMax: number): string {
  if (fragment.scan.secrets.length === 0) return excerptBefore(fragment.text, at, charsMax);
  return excerptBefore(withoutSecrets(fragment), at, charsMax).replace(HIDDEN_RUN, "[masked]");
}
