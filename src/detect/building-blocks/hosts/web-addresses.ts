import { byName } from "../by-name.ts";

/**
 * The web addresses that a call goes to, and whether a text names one. Addresses are compared without their
 * scheme, `www.` and a slash at the end, as agents write them in other ways than they read them.
 */
export const WEB_ADDRESS = /^(?:https?:\/\/|www\.)\S/i;
const HOST = /^[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63}){0,6}\.[a-z]{2,24}(?::\d{1,5})?(?:[/?#]\S{0,2000})?$/i;
/** Arguments that hold an address whatever it looks like, and those that hold what is looked for. */
const ADDRESS_KEY =
  /^(?:\w{0,20}_)?(?:ur[il]|link|href|web_?site|site|web_?page|page|domain|host|address)s?$/i;
const SEARCH_KEY = /^(?:q|query|queries|search\w{0,12}|terms?|keywords?|pattern|text|contains|filter)$/i;
const ADDRESS_LENGTH_MAX = 2_000;
const ADDRESSES_MAX = 8;

const DEPTH_MAX = 3;

const argumentNamed = byName((name) => ({
  isLookedFor: SEARCH_KEY.test(name),
  isAddress: ADDRESS_KEY.test(name),
}));
const NONE: readonly string[] = Object.freeze([]);

/**
 * What of the arguments is a web address as a whole, one or in a list; under a key that says so a host
 * without a scheme is one. An address that is looked for is none.
 */
export function webAddressesIn(args: unknown): readonly string[] {
  if (typeof args !== "string" && (typeof args !== "object" || args === null)) return NONE;
  const found: string[] = [];
  collect(args, typeof args === "string", 0, found);
  return found;
}

function collect(value: unknown, isAddress: boolean, depth: number, found: string[]): void {
  if (found.length >= ADDRESSES_MAX || depth > DEPTH_MAX) return;
  if (typeof value === "string") {
    if (value.length > ADDRESS_LENGTH_MAX) return;
    const text = value.trim();
    if (!/\s/.test(text) && (WEB_ADDRESS.test(text) || (isAddress && HOST.test(text)))) found.push(text);
  } else if (Array.isArray(value)) {
    for (const one of value.slice(0, ADDRESSES_MAX)) collect(one, isAddress, depth + 1, found);
  } else if (typeof value === "object" && value !== null) {
    for (const key in value) {
      const { isLookedFor, isAddress: isNamed } = argumentNamed(key);
      if (!isLookedFor) collect((value as Record<string, unknown>)[key], isNamed, depth + 1, found);
    }
  }
}

const PART_OF_A_HOST = /[\p{L}\p{N}._-]/u;
const GOES_ON = /^(?:[\p{L}\p{N}-]|\.[\p{L}\p{N}])/u;
const WWW = "www.";

/**
 * Where the text names this very host, with or without `www.`: none below it, none that merely ends or begins
 * like it.
 */
function* placesOf(text: string, host: string): Generator<number> {
  for (let at = text.indexOf(host); at >= 0; at = text.indexOf(host, at + 1)) {
    const start = text.endsWith(WWW, at) ? at - WWW.length : at;
    if (start > 0 && PART_OF_A_HOST.test(text.charAt(start - 1))) continue;
    const end = at + host.length;
    if (!GOES_ON.test(text.slice(end, end + 3))) yield at;
  }
}

const withoutWww = (host: string) => (host.startsWith(WWW) ? host.slice(WWW.length) : host);

export function namesHost(text: string, host: string): boolean {
  return !placesOf(text, withoutWww(host)).next().done;
}

const PARTS =
  /^(?:https?:\/\/)?(?:www\.)?([a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63}){1,6})(?::\d{1,5})?([/?#]\S{0,2000})?$/;
const REST = /^(?::\d{1,5})?([/?#][^\s"'<>()[\]{}|`]{0,400})?/;
/** What ends a sentence or a quotation is no part of an address. */
const ENDING = /[.,;:!?*_]{1,400}$/;
/** Behind it only more of the same address may come. */
const CLOSED = /[=/?&#]$/;

const withoutSlash = (rest: string) => rest.replace(/\/$/, "");

function beginsWith(rest: string, named: string): boolean {
  if (!rest.startsWith(named)) return false;
  return rest.length === named.length || CLOSED.test(named) || /[/?&#=]/.test(rest.charAt(named.length));
}

/**
 * How the text names the web address that a call goes to, or one above it; null if it does not. Both in
 * comparable form. Where the text names a host alone ("open pay.example and log in"), any address there is
 * what it asks for; where it names more, that much has to be met. The host of a mail's address is not named.
 */
export function addressNamedIn(text: string, address: string): string | null {
  const parts = PARTS.exec(address);
  if (parts === null) return null;
  const [, host = "", rest = ""] = parts;
  for (const at of placesOf(text, host)) {
    if (text.charAt(at - 1) === "@") continue;
    const behind = REST.exec(text.slice(at + host.length))?.[1] ?? "";
    const named = withoutSlash(behind.replace(ENDING, ""));
    if (beginsWith(rest, named)) return text.slice(at, text.indexOf(named, at + host.length) + named.length);
  }
  return null;
}
