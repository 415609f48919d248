import { parsedJson } from "../../building-blocks/json-text.ts";
import { matchesOf } from "../exfiltration/matches.ts";
import { decodedValue, queryValues } from "./encoded-values.ts";

/**
 * The values that a call carries, as they may be traced back to where they came from: strings of 5 to 400
 * characters, long numbers, the addresses inside longer strings, what the query of an address holds, and what
 * base64 or hex spells. Bounded in number, depth and length.
 */
export const VALUE_MIN = 5;
const VALUE_MAX = 400;
const VALUES_MAX = 24;
const NODES_MAX = 200;
const DEPTH_MAX = 8;
/** A shorter text holds no address among other words. */
const ADDRESS_MIN = 10;

const ADDRESSES =
  /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}|https?:\/\/[^\s"'<>)]{4,200}|\b[A-Z]{2}\d{2}[A-Z0-9]{8,30}\b|\b\d{7,20}\b|\b\d{2,8}(?:[-.]\d{2,8}){1,4}\b|\bwww\.[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}/gi;

/**
 * What none of these can do without: most arguments are words, and looking for them costs more than all else
 * of a value.
 */
const MAY_HOLD_ADDRESSES = /[@\d:]|www\./i;

const MAIL_ADDRESS = /^[^\s@<>"]{1,64}@[^\s@<>"]{3,200}$/;
export const isMailAddress = (value: string): boolean => MAIL_ADDRESS.test(value);

/** Arguments as an object where they came as JSON text. */
export function parsedArguments(value: unknown): unknown {
  if (typeof value !== "string" || value.length > 65_536 || !/^\s{0,4}[{[]/.test(value)) return value;
  return parsedJson(value) ?? value;
}

/**
 * True for ASCII without capitals, backslashes, quotes, outer spaces, or white space beyond single spaces.
 */
function isComparable(text: string): boolean {
  let before = 32;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 32 || unit > 126 || (unit >= 65 && unit <= 90) || unit === 92 || unit === 39) return false;
    if (unit === 32 && before === 32) return false;
    before = unit;
  }
  return before !== 32;
}

/** Undoes what JSON and YAML put before a character, and where YAML goes on in the next line. */
function withoutEscapes(text: string): string {
  if (!text.includes("\\")) return text;
  return text
    .replace(/\\\r?\n\s{0,200}/g, "")
    .replace(/\\{1,4}[nrt ]/g, " ")
    .replace(/\\{1,4}(["'])/g, "$1");
}

/**
 * One space for any white space, no escapes and no quotes doubled by YAML: what is kept of a text that a
 * person may be shown.
 */
export function asItStood(text: string): string {
  if (isComparable(text)) return text;
  return withoutEscapes(text).replace(/''/g, "'").replace(/\s+/g, " ").trim();
}

/** The same in lower case: how values and texts are compared. */
export function comparable(text: string): string {
  return isComparable(text) ? text : asItStood(text).toLowerCase();
}

/** A text of base64 in a program's quotes. */
const QUOTED_CODE = /["'`]([A-Za-z0-9+/_-]{16,1200}={0,2})["'`]/g;

/** What a statement that changes a database puts in quotes, unless it is a plain word. */
const CHANGES_DATA = /^\s{0,8}(?:update|insert|delete|merge|replace|grant|alter|create|call|exec)\s/i;
const QUOTED_VALUE = /'([^'\n]{0,32}[\d._@-][^'\n]{0,32})'/g;
/** Whom a statement gives rights, or takes them from. */
const GRANTEE =
  /(?:^|;)\s{0,8}(?:grant|revoke)\s[^;]{1,300}?\s(?:to|from)\s{1,8}(?:role\s|user\s)?["`]?([\w.$@-]{5,60})/gi;

class Collector {
  readonly values: string[] = [];
  private nodes = 0;

  walk(value: unknown, depth: number): void {
    if (this.nodes++ > NODES_MAX || this.values.length >= VALUES_MAX) return;
    if (typeof value === "string") this.text(value);
    else if (typeof value === "number") this.number(value);
    else if (typeof value === "object" && value !== null && depth < DEPTH_MAX) {
      for (const key in value) this.walk((value as Record<string, unknown>)[key], depth + 1);
    }
  }

  private number(value: number): void {
    const text = String(value);
    if (text.length >= VALUE_MIN) this.keep(text);
  }

  private text(value: string): void {
    this.plain(value);
    for (const one of queryValues(value)) this.plain(one);
    const decoded = decodedValue(value);
    if (decoded !== null) this.plain(decoded);
  }

  private plain(value: string): void {
    if (value.length >= VALUE_MIN && value.length <= VALUE_MAX) this.keep(value);
    if (value.length > ADDRESS_MIN) {
      const text = value.slice(0, 8_192);
      if (MAY_HOLD_ADDRESSES.test(text)) for (const [all] of matchesOf(text, ADDRESSES)) this.keep(all);
      for (const match of matchesOf(text, GRANTEE)) this.keep(match[1] ?? "");
      if (CHANGES_DATA.test(text))
        for (const match of matchesOf(text, QUOTED_VALUE)) this.keep(match[1] ?? "");
      for (const match of matchesOf(text, QUOTED_CODE)) {
        const decoded = decodedValue(match[1] ?? "");
        if (decoded !== null) this.plain(decoded);
      }
    }
  }

  private keep(value: string): void {
    const text = comparable(value);
    if (text.length >= VALUE_MIN && this.values.length < VALUES_MAX && !this.values.includes(text))
      this.values.push(text);
  }
}

export function argumentValues(args: unknown): readonly string[] {
  const collector = new Collector();
  collector.walk(parsedArguments(args), 0);
  return collector.values;
}

const COMMAND_MIN = 8;

/** The commands of a line that holds several, in comparable form. */
export function commandsIn(line: string): readonly string[] {
  const parts = line.split(/ ?(?:&&|\|\|?|;) ?/, VALUES_MAX);
  return parts.length < 2 ? [] : parts.filter((one) => one.length >= COMMAND_MIN && one.includes(" "));
}
