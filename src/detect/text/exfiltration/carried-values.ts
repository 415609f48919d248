import { byName } from "../../building-blocks/by-name.ts";
import { toolClassOf } from "../../building-blocks/calls/tool-class.ts";
import { type Heard, hasPerson, type ToldText } from "../provenance/heard-texts.ts";
import { isNamed, saidIn } from "../provenance/named-hosts.ts";
import type { RuleMatch } from "../scan/chain-rules.ts";
import { matchesOf } from "./matches.ts";
import { addressHosts, type CallHosts } from "./outside-hosts.ts";
import { privateValues, type Shares, tellsOn, unquoted } from "./private-values.ts";
import { type Carrier, sentUnasked } from "./unasked-sending.ts";

/**
 * What a run has read goes out with a call: values that a tool told, or the operator's own notes, in an
 * address, in an encoding, in pieces, or in what is sent and shared though the person only wanted to be told
 * something. Known by where the values come from, not by what the call says of them.
 */
const CALL_MAX = 8_192;
const ADDRESS = /https?:\/\/[^\s"'<>)\]\\]{8,2000}/gi;
const ADDRESSES_MAX = 8;
/** So many of them are no key by which something is looked up. */
const VALUES_ENOUGH = 3;
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

/** Encoded in a part of an address, and not told in this form. */
function encodedIn(part: string, told: readonly ToldText[], heard: Heard): boolean {
  const runs = RUNS.flatMap((pattern) => matchesOf(part, pattern, 6).map(([run]) => run));
  if (runs.length === 0) return false;
  const heardText = `${told.map((one) => one.text).join("\n")}\n${saidIn(heard)}`;
  const sources = heardText.toLowerCase();
  return runs.some((run) => {
    if (heardText.includes(run)) return false;
    return readingsOf(run).some((text) => comesFrom(text, sources, told, heard));
  });
}

/** The operator's notes: most of the words, and hardly one that the person said. */
const NOTES: Shares = { wordsMin: 7, toldMin: 0.7, saidMax: 0.4 };

const tellsNotes = (query: string, heard: Heard): boolean =>
  tellsOn(
    query,
    NOTES,
    heard.said.filter(({ origin }) => origin === "system"),
    heard,
  );

/** What a call takes along in the addresses that it goes to. */
function inAddresses(
  text: string,
  told: readonly ToldText[],
  heard: Heard,
  hosts: CallHosts,
): RuleMatch | null {
  for (const match of matchesOf(text, ADDRESS, ADDRESSES_MAX)) {
    const [address] = match;
    const [host] = addressHosts(address);
    if (host === undefined || hosts.outside([host]) === null || isNamed(host, heard)) continue;
    const rest = address.slice(address.indexOf(host) + host.length);
    const at = { start: match.index, end: match.index + Math.min(address.length, 300) };
    if (encodedIn(rest, told, heard)) return { id: "heard-values-encoded", weight: 0.85, ...at };
    if (!rest.includes("?") || !hasPerson(heard)) continue;
    const query = unquoted(rest.slice(rest.indexOf("?") + 1));
    const others = told.filter((one) => !one.text.includes(host) && !one.asked.includes(host));
    if (privateValues(query, others, heard).length >= VALUES_ENOUGH)
      return { id: "heard-values-in-address", weight: 0.8, ...at };
    if (tellsNotes(query, heard)) return { id: "notes-in-address", weight: 0.8, ...at };
  }
  return null;
}

const NAMES_HOSTS = /dns|\bdig\b|resolve|lookup|nslookup|\bhost\b|ping|whois/i;
const NAMES_HOSTS_BY_COMMAND =
  /\b(?:nslookup|dig|drill|host|ping6?|getent (?:hosts|ahosts)|Resolve-DnsName|gethostby\w{1,12}|getaddrinfo)\b/;
const NAME_WITH_DATA =
  /(?<![\w.-])(?:[\w-]{1,63}\.){0,6}[\w-]{12,63}\.(?:[\w-]{1,63}\.){1,6}[a-z]{2,24}(?![\w-])/gi;
/** Words between the strokes of a label. */
const LABELS: Shares = { wordsMin: 3, toldMin: 0.8, saidMax: 0.4 };

/** By its own name, or by a command that it runs. */
export const mayLookUp = byName((tool) => NAMES_HOSTS.test(tool) || toolClassOf(tool) === "execute");

/** In the labels of a name that is looked up; the name itself nobody told. */
function inName(text: string, told: readonly ToldText[], heard: Heard, hosts: CallHosts): RuleMatch | null {
  for (const match of matchesOf(text, NAME_WITH_DATA, ADDRESSES_MAX)) {
    const name = match[0].toLowerCase();
    if (hosts.outside([name]) === null || isNamed(name, heard)) continue;
    const labels = match[0].split(".").slice(0, -2).join(" ");
    const words = labels.replace(/[-_]/g, " ");
    const isTold = told.some((one) => one.text.toLowerCase().includes(name));
    const tells =
      !isTold && (privateValues(words, told, heard).length > 0 || tellsOn(words, LABELS, told, heard));
    if (!tells && !encodedIn(labels, told, heard)) continue;
    return { id: "heard-values-in-name", weight: 0.85, start: match.index, end: match.index + name.length };
  }
  return null;
}

/** Whether a call takes out what the run has heard; to be asked of calls that leave the machine. */
export function carriedValues(
  given: Carrier,
  told: readonly ToldText[],
  heard: Heard,
  hosts: CallHosts,
): RuleMatch | null {
  const carrier = given.text.length <= CALL_MAX ? given : { ...given, text: given.text.slice(0, CALL_MAX) };
  const { text, tool } = carrier;
  const looksUp = mayLookUp(tool) && (NAMES_HOSTS.test(tool) || NAMES_HOSTS_BY_COMMAND.test(text));
  const named = looksUp ? inName(text, told, heard, hosts) : null;
  return named ?? inAddresses(text, told, heard, hosts) ?? sentUnasked(carrier, told, heard, hosts);
}
