import { matchesOf } from "../exfiltration/matches.ts";

/**
 * A password that somebody is told in prose: behind the word for it in one of many languages stands a value that no word is, of letters,
 * digits and marks. What a password's place, mask or rule looks like is none.
 */
const TOLD =
  /(?:passw(?:or)?d|pwd|passphrase|passwort|kennwort|mot de passe|mdp|contrase(?:\u00f1|n)a|clave|senha|wachtwoord|has(?:\u0142|l)o|heslo|parola|\u015fifre|l(?:\u00f6|o)senord|adgangskode|passord|\u043f\u0430\u0440\u043e\u043b\u044c|\u5bc6\u7801|\u5bc6\u78bc|\u30d1\u30b9\u30ef\u30fc\u30c9|\ube44\ubc00\ubc88\ud638)["'*_`]{0,3}\s{0,3}((?:(?:is|ist|est|es|\u00e8|lautet|now|:|=|\uff1a)\s{0,3}){0,2})["'`*]{0,3}([^\s"'`<>{}$\u00ab\u00bb]{8,64})/giu;
const ENDS = /[)\].,;:!?*]{1,8}$/;
const KINDS = [/\p{L}/u, /\d/, /[^\p{L}\d]/u];
const MASK = /\*{3}|\u2022{3}|x{4}|\.{3}|example|redact|changeme|your|:\/\/|^\$|^%|@\w{2,60}\.\w/i;
/** What stands right behind the word may be a compound of it ("password policy-2.1"), but not with all of these. */
const BARE_KINDS = [/\p{Ll}/u, /\p{Lu}/u, /\d/, /[!@#%^&+=?~|]/];
const LENGTH_MIN = 10;
const TEXT_MAX = 16_384;

export interface ToldPassword {
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

/** A mark and a digit in one run: few texts hold that, and telling so takes a twentieth of looking for the words. */
const MAY_HOLD = /[!@#%^&+=?~|_-][^\s]{0,40}\d|\d[^\s]{0,40}[!@#%^&+=?~|_-]/;

/** null for most texts that hold no mark beside a digit, without a look at their words. */
export function toldPassword(given: string): ToldPassword | null {
  if (!MAY_HOLD.test(given)) return null;
  for (const match of matchesOf(given.slice(0, TEXT_MAX), TOLD, 12)) {
    const said = match[2] ?? "";
    const value = said.replace(ENDS, "");
    const kinds = match[1] === "" ? BARE_KINDS : KINDS;
    if (value.length < LENGTH_MIN || MASK.test(value) || !kinds.every((kind) => kind.test(value))) continue;
    const start = match.index + match[0].lastIndexOf(said);
    return { value, start, end: start + value.length };
  }
  return null;
}
