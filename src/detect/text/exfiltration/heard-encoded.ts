import type { Heard, ToldText } from "../provenance/heard-texts.ts";
import { saidIn } from "../provenance/named-hosts.ts";
import { matchesOf } from "./matches.ts";
import { privateValues } from "./private-values.ts";

/** What a run has heard, in base64, base32 or hexadecimal letters. */
const ENCODED_VALUES_ENOUGH = 1;
const PIECE = 16;

/** Of an address whose parts a stroke divides, and of letters that have one of their own. */
const RUNS = [/[A-Za-z0-9+_-]{16,1600}={0,2}/g, /[A-Za-z0-9+/_-]{16,1600}={0,2}/g];
const HEX = /^(?:[0-9a-f]{2}){8,800}$/i;
const PRINTABLE = /^[\t\n\r -~\u00a0-\u024f]{8,1600}$/;

const BASE32 = /^[a-z2-7]{16,800}$/i;
const BASE32_DIGITS = "abcdefghijklmnopqrstuvwxyz234567";

function fromBase32(run: string): Buffer {
  const bytes: number[] = [];
  let held = 0;
  let bits = 0;
  for (const digit of run.toLowerCase()) {
    held = ((held << 5) | BASE32_DIGITS.indexOf(digit)) & 0xfff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((held >> bits) & 0xff);
  }
  return Buffer.from(bytes);
}

/** What an encoded run may say: a piece of a longer one may begin within a group of letters. */
function readingsOf(run: string): readonly string[] {
  const bytes: Buffer[] = HEX.test(run)
    ? [Buffer.from(run, "hex")]
    : [0, 1, 2, 3].map((from) => Buffer.from(run.slice(from), "base64url"));
  if (BASE32.test(run)) bytes.push(fromBase32(run));
  return bytes
    .map((one) => one.toString("utf8").replace(/\ufffd{1,2}$/, ""))
    .filter((one) => PRINTABLE.test(one));
}

/** True if a stretch of the text stands in what was heard, or values of it do. */
function comesFrom(text: string, sources: string, told: readonly ToldText[], heard: Heard): boolean {
  if (privateValues(text, told, heard).length >= ENCODED_VALUES_ENOUGH) return true;
  const own = text.toLowerCase();
  for (let at = 0; at + PIECE <= own.length; at += PIECE / 2) {
    if (/\p{L}{3}/u.test(own.slice(at, at + PIECE)) && sources.includes(own.slice(at, at + PIECE)))
      return true;
  }
  return false;
}

/** True if a part of an address is an encoding of what was heard, and was not told in this form. */
export function encodedIn(part: string, told: readonly ToldText[], heard: Heard): boolean {
  const runs = RUNS.flatMap((pattern) => matchesOf(part, pattern, 6).map(([run]) => run));
  if (runs.length === 0) return false;
  const heardText = `${told.map((one) => one.text).join("\n")}\n${saidIn(heard)}`;
  const sources = heardText.toLowerCase();
  return runs.some((run) => {
    if (heardText.includes(run)) return false;
    return readingsOf(run).some((text) => comesFrom(text, sources, told, heard));
  });
}
