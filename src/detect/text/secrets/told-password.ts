import { matchesOf } from "../exfiltration/matches.ts";

/**
 * A password that somebody is told in prose: behind the word for it in one of many languages stands a value
 * that no word is, of letters, digits and marks. What a password's place, mask or rule looks like is none.
 * The short words stand alone: encoded bytes hold each of them.
 */
const TOLD =
  /(?:passw(?:or)?d|passphrase|passwort|kennwort|mot de passe|contrase(?:\u00f1|n)a|wachtwoord|\u015fifre|(?<![a-z\d+/])(?:pwd|mdp|clave|senha|has(?:\u0142|l)o|heslo|parola)(?![a-z\d+/])|l(?:\u00f6|o)senord|adgangskode|passord|\u043f\u0430\u0440\u043e\u043b\u044c|\u5bc6\u7801|\u5bc6\u78bc|\u30d1\u30b9\u30ef\u30fc\u30c9|\ube44\ubc00\ubc88\ud638)["'*_`]{0,3}\s{0,3}((?:(?:is|ist|est|es|\u00e8|lautet|now|:|=|\uff1a)\s{0,3}){0,2})["'`*]{0,3}([^\s"'`<>{}$\u00ab\u00bb]{8,64})/giu;
const ENDS = /[)\].,;:!?*]{1,8}$/;
const KINDS = [/\p{L}/u, /\d/, /[^\p{L}\d]/u];
const MASK =
  /\*{3}|\u2022{3}|x{4}|\.{3}|example|redact|changeme|your|:\/\/|^\$|^%|^\[[a-z _-]{2,40}\]|@\w{2,60}\.\w/i;
/**
 * What stands right behind the word may be a compound of it ("password policy-2.1"), but not with all of
 * these.
 */
const BARE_KINDS = [/\p{Ll}/u, /\p{Lu}/u, /\d/, /[!@#%^&+=?~|]/];
const LENGTH_MIN = 10;
const TEXT_MAX = 16_384;

export interface ToldPassword {
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

/**
 * A mark and a digit in one run: few texts hold that, and telling so takes a twentieth of looking for the
 * words.
 */
const MAY_HOLD = /[!@#%^&+=?~|_-][^\s]{0,40}\d|\d[^\s]{0,40}[!@#%^&+=?~|_-]/;

/**
 * An answer as the provider streamed it: its texts stand in pieces, and what it keeps to itself in base64.
 */
const STREAM = /^\s{0,8}(?:event: ?[\w.]{1,40}\r?\n)?data: ?[[{]/;
const ENCODED = /[A-Za-z0-9+/=_-]{65,16384}/g;
/** What goes on where the longest password ends is something longer. */
const GOES_ON = /^[^\s"'`<>{}$\u00ab\u00bb]/;

function readable(given: string): string {
  const text = given.slice(0, TEXT_MAX);
  return STREAM.test(text) ? text.replace(ENCODED, (run) => " ".repeat(run.length)) : text;
}

/** null for most texts that hold no mark beside a digit, without a look at their words. */
export function toldPassword(given: string): ToldPassword | null {
  if (!MAY_HOLD.test(given)) return null;
  for (const match of matchesOf(readable(given), TOLD, 12)) {
    if (GOES_ON.test(given.slice(match.index + match[0].length, match.index + match[0].length + 1))) continue;
    const said = match[2] ?? "";
    const value = said.replace(ENDS, "");
    const kinds = match[1] === "" ? BARE_KINDS : KINDS;
    if (value.length < LENGTH_MIN || MASK.test(value) || !kinds.every((kind) => kind.test(value))) continue;
    const start = match.index + match[0].lastIndexOf(said);
    return { value, start, end: start + value.length };
  }
  return null;
}
