import { matchesOf } from "../exfiltration/matches.ts";

/**
 * A password that somebody is told in prose: behind the word for it in one of many languages stands a value that no word is, of letters,
 * digits and marks. What a password's place, mask or rule looks like is none.
 */
const TOLD =
  /(?:passw(?:or)?d|pwd|passphrase|passwort|kennwort|mot de passe|mdp|contrase(?:\u00f1|n)a|clave|senha|wachtwoord|has(?:\u0142|l)o|heslo|parola|\u015fifre|l(?:\u00f6|o)senord|adgangskode|passord|\u043f\u0430\u0440\u043e\u043b\u044c|\u5bc6\u7801|\u5bc6\u78bc|\u30d1\u30b9\u30ef\u30fc\u30c9|\ube44\ubc00\ubc88\ud638)["'*_`]{0,3}\s{0,3}(?:(?:is|ist|est|es|\u00e8|lautet|now|:|=|\uff1a)\s{0,3}){1,2}["'`*]{0,3}([^\s"'`<>{}$\u00ab\u00bb]{8,64})/giu;
const ENDS = /[)\].,;:!?*]{1,8}$/;
const KINDS = [/\p{L}/u, /\d/, /[^\p{L}\d]/u];
const MASK = /\*{3}|\u2022{3}|x{4}|\.{3}|example|redact|changeme|your|:\/\/|^\$|^%|@\w{2,60}\.\w/i;
const LENGTH_MIN = 10;
const TEXT_MAX = 16_384;

export interface ToldPassword {
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

export function toldPassword(given: string): ToldPassword | null {
  for (const match of matchesOf(given.slice(0, TEXT_MAX), TOLD, 12)) {
    const value = (match[1] ?? "").replace(ENDS, "");
    if (value.length < LENGTH_MIN || MASK.test(value) || !KINDS.every((kind) => kind.test(value))) continue;
    const start = match.index + match[0].lastIndexOf(match[1] ?? "");
    return { value, start, end: start + value.length };
  }
  return null;
}
