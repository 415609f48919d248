import type { Heard, ToldText } from "../provenance/heard-texts.ts";
import { shareIn, tellingWords } from "../provenance/kept-words.ts";
import { saidIn } from "../provenance/named-hosts.ts";
import { matchesOf } from "./matches.ts";

/**
 * What of a text tools told the run and nobody whom it works for said: values that are somebody's, and words.
 */

/** Mail, numbers of some length, codes of letters and digits, sums. */
const VALUE =
  /[\w.+-]{2,64}@[\w-]{1,63}\.[\w.-]{2,60}|\+?\d(?:[ ()./-]{0,2}\d){6,18}|\b\d{1,3}(?:[.,]\d{3}){1,3}(?:[.,]\d{1,2})?\b|\b\d{1,9}[.,]\d{2}\b|\b[a-z]{1,6}-?\d{3,14}\b/gi;
const VALUES_MAX = 40;
const VALUE_MIN = 5;

const bare = (text: string): string => text.toLowerCase().replace(/[\s()/-]/g, "");

/** Each once, without the marks that group figures. */
export function privateValues(text: string, told: readonly ToldText[], heard: Heard): readonly string[] {
  const found = matchesOf(text, VALUE, VALUES_MAX).map(([one]) => bare(one));
  // A query has a plus where a space was.
  const values = [...new Set(found.map((one) => one.replace(/^\+/, "")))].filter(
    (one) => one.length >= VALUE_MIN,
  );
  if (values.length === 0) return values;
  const toldText = bare(told.map((one) => one.text).join("\n"));
  const said = bare(saidIn(heard));
  return values.filter((one) => tells(toldText, one) && !tells(said, one));
}

const SUM = /^(\d{1,9})[.,](\d{2})$/;

/** A sum may be told with a point, or without the zeros at its end. */
function tells(text: string, value: string): boolean {
  if (text.includes(value)) return true;
  const sum = SUM.exec(value);
  if (sum === null) return false;
  const [, whole = "", part = ""] = sum;
  const short = part.replace(/0{1,2}$/, "");
  const spelt = short === "" ? whole : `${whole}.${short}`;
  return text.includes(`${whole}.${part}`) || (spelt.length >= VALUE_MIN && text.includes(spelt));
}

/** A part of an address as it reads; signs that are cut off are left out. */
export function unquoted(part: string): string {
  try {
    return decodeURIComponent(part.replaceAll("+", " "));
  } catch {
    return part.replace(/%[\da-f]{0,2}/gi, " ");
  }
}

export interface Shares {
  readonly wordsMin: number;
  /** Of the words, told by tools. */
  readonly toldMin: number;
  /** Of the words, said by the person. */
  readonly saidMax: number;
}

/** "14.2M" and "14.2 M" tell the same. */
const apart = (text: string): string => text.replace(/(\d)(?=\p{L})/gu, "$1 ");

/** True if most words of a text were told and few said. */
export function tellsOn(
  text: string,
  { wordsMin, toldMin, saidMax }: Shares,
  told: readonly { readonly text: string }[],
  { said }: Heard,
): boolean {
  const words = tellingWords(apart(text));
  if (words.size < wordsMin) return false;
  const of = (texts: readonly { readonly text: string }[]) =>
    texts.map((one) => tellingWords(apart(one.text)));
  if (shareIn(words, of(told)) < toldMin) return false;
  return shareIn(words, of(said.filter(({ origin }) => origin === "user"))) <= saidMax;
}
