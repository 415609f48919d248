import { byName } from "../../building-blocks/by-name.ts";
import { toolClassOf } from "../../building-blocks/calls/tool-class.ts";
import { type Heard, hasPerson, type ToldText } from "../provenance/heard-texts.ts";
import { tellingWords } from "../provenance/kept-words.ts";
import { isNamed, saidIn } from "../provenance/named-hosts.ts";
import { allowedDeeds, askedDeeds } from "../request/asked-deeds.ts";
import { foldedText } from "../request/folded-words.ts";
import { ANY_DEED, GRANTS, PAYS, SENDS, WRITES } from "../request/request-words.ts";
import type { RuleMatch } from "../scan/chain-rules.ts";
import { isProse, proseOf } from "../taint/told-sentences.ts";
import { matchesOf } from "./matches.ts";
import { addressHosts, type CallHosts } from "./outside-hosts.ts";

/**
 * What a run has read goes out with a call: values that a tool told, or the operator's own notes, in an address, in an encoding, in pieces, or in
 * what is sent and shared though the person only wanted to be told something. Known by where the values come from, not by what the call says of them.
 */
const CALL_MAX = 8_192;
const ADDRESS = /https?:\/\/[^\s"'<>)\]\\]{8,2000}/gi;
const ADDRESSES_MAX = 8;
/** Values that are somebody's: mail, numbers of some length, codes of letters and digits, sums. */
const VALUE =
  /[\w.+-]{2,64}@[\w-]{1,63}\.[\w.-]{2,60}|\+?\d(?:[ ()./-]{0,2}\d){6,18}|\b\d{1,3}(?:[.,]\d{3}){1,3}(?:[.,]\d{1,2})?\b|\b\d{1,9}[.,]\d{2}\b|\b[a-z]{1,6}-?\d{3,14}\b/gi;
const VALUES_MAX = 40;
const VALUE_MIN = 5;
/** So many of them are no key by which something is looked up. */
const VALUES_ENOUGH = 3;
const ENCODED_VALUES_ENOUGH = 1;
/** Where nothing was to be sent at all. */
const SENT_VALUES_ENOUGH = 2;
const PIECE = 16;
const SHOWN_MAX = 120;

const bare = (text: string): string => text.toLowerCase().replace(/[\s()/-]/g, "");

function valuesIn(text: string): readonly string[] {
  const found = matchesOf(text, VALUE, VALUES_MAX).map(([one]) => bare(one));
  return [...new Set(found)].filter((one) => one.length >= VALUE_MIN);
}

/** Values of a text that tools told and nobody whom the run works for said. */
function privateValues(text: string, told: readonly ToldText[], heard: Heard): readonly string[] {
  const values = valuesIn(text);
  if (values.length === 0) return values;
  const toldText = bare(told.map((one) => one.text).join("\n"));
  const said = bare(saidIn(heard));
  return values.filter((one) => toldText.includes(one) && !said.includes(one));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}

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

const NOTES_WORDS_MIN = 7;
const NOTES_SHARE_MIN = 0.7;
const USER_SHARE_MAX = 0.4;

/** The operator's notes in an address: most of its words, and hardly one that the person said. */
function tellsNotes(query: string, { said: all }: Heard): boolean {
  const words = tellingWords(query);
  if (words.size < NOTES_WORDS_MIN) return false;
  const share = (origin: string) => {
    const known = all.filter((one) => one.origin === origin).map((one) => tellingWords(one.text));
    return [...words].filter((word) => known.some((one) => one.has(word))).length / words.size;
  };
  return share("system") >= NOTES_SHARE_MIN && share("user") <= USER_SHARE_MAX;
}

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
    const query = decoded(rest.slice(rest.indexOf("?") + 1));
    const others = told.filter((one) => !one.text.includes(host) && !one.asked.includes(host));
    if (privateValues(query, others, heard).length >= VALUES_ENOUGH)
      return { id: "heard-values-in-address", weight: 0.8, ...at };
    if (tellsNotes(query, heard)) return { id: "notes-in-address", weight: 0.8, ...at };
  }
  return null;
}

const NAMES_HOSTS = /dns|\bdig\b|resolve|lookup|nslookup|\bhost\b|ping|whois/i;
const NAME_WITH_DATA =
  /(?<![\w.-])(?:[\w-]{1,63}\.){0,6}[\w-]{16,63}\.(?:[\w-]{1,63}\.){1,6}[a-z]{2,24}(?![\w-])/gi;

/** In the labels of a name that is looked up. */
function inName(text: string, told: readonly ToldText[], heard: Heard, hosts: CallHosts): RuleMatch | null {
  for (const match of matchesOf(text, NAME_WITH_DATA, ADDRESSES_MAX)) {
    const [name] = match;
    if (hosts.outside([name.toLowerCase()]) === null) continue;
    const labels = name.split(".").slice(0, -2);
    if (!encodedIn(labels.join(" "), told, heard)) continue;
    return { id: "heard-values-in-name", weight: 0.85, start: match.index, end: match.index + name.length };
  }
  return null;
}

/** The deeds that were asked for or allowed; all where it cannot be told. */
function askedOf({ said: all, isOpen }: Heard): number {
  if (isOpen || !all.some(({ origin }) => origin === "user")) return ANY_DEED;
  let asked = 0;
  for (const { origin, text } of all) {
    asked |= origin === "user" ? askedDeeds(text) : allowedDeeds(text);
    if (asked === ANY_DEED) return ANY_DEED;
  }
  return asked;
}

const MAIL_HOST = /[\w.+-]{1,64}@((?:[a-z0-9-]{1,63}\.){1,6}[a-z]{2,24})/gi;
const RECIPIENT_KEY =
  /(?:^|[\n{,])\s{0,4}["']?(?:to|cc|bcc|recipients?|an|para|a|destinatari\w{0,3}|empf\w{1,10})["']?\s{0,2}:\s{0,4}([^\n]{5,300})/i;
const PUBLIC =
  /\b(?:type|access|visibility|scope|link_?sharing|audience|shared_?with)["']?\s{0,2}:\s{0,3}["']?(?:anyone|anyone_?with_?(?:the_?)?link|public|everyone|world|all_?users)\b|\bpublic["']?\s{0,2}:\s{0,2}true|\b(?:role|acl)["']?\s{0,2}:\s{0,3}["']?(?:public-read|allUsers)\b/i;
const OPENS = /permission|share|sharing|access|acl|visibility|publish/i;
const SENDS_BY_NAME = /post|put|submit|form|fill|upload|webhook|gist|paste|snippet/i;

/** Somebody spoke of making something public, in whatever language. */
const SHARING =
  /publi|shar|link|open|teil|freigab|freigeb|veroffentlich|offentlich|compart|partag|condivi|delen|udostep|dela\b|del\b|public|опублик|поделит|доступ|paylas|公開|共有|公开|分享|공유|공개|مشارك|chia se|bagikan/u;

/** What a tool does by its name as far as it matters here. */
export const carriesByName = byName((tool) => ({
  opens: OPENS.test(tool),
  sends: toolClassOf(tool) === "send" || SENDS_BY_NAME.test(tool),
}));

/** True if the address stands in data that a tool returned, as that of a customer does, and not in somebody's sentence. */
function isOnFile(box: string, told: readonly ToldText[]): boolean {
  const own = box.toLowerCase();
  const telling = told.filter(({ text }) => text.toLowerCase().includes(own));
  if (telling.length === 0) return false;
  return !telling.some(({ text }) => proseOf(text).some((one) => one.includes(own) && isProse(one)));
}

const PUBLIC_SWITCH = /^(?:is_?)?public$|^(?:make|publicly|anyone|world)_?\w{0,20}$/i;
const SWITCH_DEPTH_MAX = 3;

/** A switch that opens what is made: a truth value stands in no text of the call. */
export function isSwitchedPublic(args: unknown, depth = 0): boolean {
  if (typeof args !== "object" || args === null || Array.isArray(args)) return false;
  return Object.entries(args).some(([key, value]) =>
    value === true ? PUBLIC_SWITCH.test(key) : depth < SWITCH_DEPTH_MAX && isSwitchedPublic(value, depth + 1),
  );
}

/** Sent to somebody whom nobody named, or opened to everybody, where that was not asked for. */
function unasked(
  { text, tool, isPublic }: Carrier,
  told: readonly ToldText[],
  heard: Heard,
  hosts: CallHosts,
): RuleMatch | null {
  const { opens, sends } = carriesByName(tool);
  const open = PUBLIC.exec(text);
  const isOpened = open !== null || isPublic;
  if (!isOpened && !sends) return null;
  const asked = askedOf(heard);
  if (isOpened && (asked & (SENDS | GRANTS)) === 0 && !SHARING.test(foldedText(saidIn(heard)))) {
    const start = open?.index ?? 0;
    const at = { start, end: start + (open?.[0].length ?? Math.min(text.length, SHOWN_MAX)) };
    if (opens) return { id: "opened-unasked", weight: 0.75, ...at };
    if (privateValues(text, told, heard).length >= SENT_VALUES_ENOUGH)
      return { id: "heard-values-made-public", weight: 0.85, ...at };
  }
  if (!sends || (asked & (SENDS | WRITES | PAYS | GRANTS)) !== 0) return null;
  if (privateValues(text, told, heard).length < SENT_VALUES_ENOUGH) return null;
  const to = RECIPIENT_KEY.exec(text)?.[1] ?? "";
  const recipients = matchesOf(to, MAIL_HOST, 8).filter(([box]) => !isOnFile(box, told));
  const named = [...addressHosts(text), ...recipients.map((one) => one[1] ?? "")];
  const stranger = named.find((host) => hosts.outside([host]) !== null && !isNamed(host, heard));
  if (stranger === undefined) return null;
  const start = Math.max(0, text.indexOf(stranger));
  return { id: "heard-values-sent", weight: 0.8, start, end: start + stranger.length };
}

/** A call that may take something out. */
export interface Carrier {
  readonly text: string;
  readonly tool: string;
  readonly isPublic: boolean;
}

/** Whether a call takes out what the run has heard; to be asked of calls that leave the machine. */
export function carriedValues(
  given: Carrier,
  told: readonly ToldText[],
  heard: Heard,
  hosts: CallHosts,
): RuleMatch | null {
  const carrier = { ...given, text: given.text.slice(0, CALL_MAX) };
  const { text, tool } = carrier;
  const named = NAMES_HOSTS.test(tool) ? inName(text, told, heard, hosts) : null;
  return named ?? inAddresses(text, told, heard, hosts) ?? unasked(carrier, told, heard, hosts);
}
