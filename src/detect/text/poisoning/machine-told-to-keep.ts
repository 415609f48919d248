import type { Said, ToldText } from "../provenance/heard-texts.ts";
import type { RuleMatch } from "../scan/chain-rules.ts";
import { ClassSet } from "../scan/class-set.ts";
import { scanText } from "../scan/scan-text.ts";
import { standsAlone } from "../taint/told-together.ts";
import { keepingIn } from "./standing-words.ts";

/**
 * A tool's text turns to the machines that read it and speaks of what they remember, and a value beside these
 * words goes into a memory: however short the value ("none"), nobody but that text gave it.
 */
const TO_MACHINE = new ClassSet("toMachine");
const PLACES_MAX = 8;
/**
 * The words to the machine and those behind them speak of the memory; the value stands there or shortly
 * before ("the above review").
 */
const ORDER_MAX = 360;
const BEFORE_MAX = 600;
const VALUE_MIN = 3;
const VALUE_MAX = 200;
const VALUES_MAX = 12;
const WEIGHT = 0.8;
const LABEL = /^\s{0,8}(?:[-*\u2022]\s{1,4})?[\p{L}\p{N}_.-]{1,40}:\s/u;
const MEMORY = /memor|remember|preference|profile/i;

export interface ToldToKeep extends RuleMatch {
  readonly from: ToldText;
}

/** A cheap look before a text is scanned. */
export const speaksOfMemory = (text: string): boolean => MEMORY.test(text);

/** What a memory is given, each value by itself, with its place in the text. */
function valuesOf(kept: string): readonly { readonly value: string; readonly start: number }[] {
  const values: { value: string; start: number }[] = [];
  let at = 0;
  for (const line of kept.split("\n", VALUES_MAX)) {
    const value = line.replace(LABEL, "").trim();
    if (value.length >= VALUE_MIN && value.length <= VALUE_MAX)
      values.push({ value, start: at + line.indexOf(value) });
    at += line.length + 1;
  }
  return values;
}

/** What stands around each place where a text turns to machines and tells them of their memory. */
function placesIn({ text }: ToldText): readonly string[] {
  if (!speaksOfMemory(text)) return [];
  const { hits } = scanText(text);
  const places: string[] = [];
  for (let i = 0; i < hits.length && places.length < PLACES_MAX; i += 3) {
    if (!TO_MACHINE.has(hits[i] as number)) continue;
    const at = hits[i + 1] as number;
    const order = text.slice(at, at + ORDER_MAX);
    if (keepingIn(order).memory || /memory/i.test(order))
      places.push(text.slice(Math.max(0, at - BEFORE_MAX), at + ORDER_MAX).toLowerCase());
  }
  return places;
}

/** The first value of what is kept that such words tell and nobody else said; null if none does. */
export function machineToldToKeep(
  told: readonly ToldText[],
  kept: string,
  said: readonly Said[],
): ToldToKeep | null {
  for (const from of told) {
    const places = placesIn(from);
    if (places.length === 0) continue;
    for (const { value, start } of valuesOf(kept)) {
      const low = value.toLowerCase();
      if (!places.some((place) => standsAlone(place, low))) continue;
      if (said.some(({ text }) => standsAlone(text.toLowerCase(), low))) continue;
      return { id: "told-by-stranger", weight: WEIGHT, start, end: start + value.length, from };
    }
  }
  return null;
}
