import { byName } from "../../building-blocks/by-name.ts";
import { toolClassOf } from "../../building-blocks/calls/tool-class.ts";
import { type Heard, hasPerson, type ToldText } from "../provenance/heard-texts.ts";
import { isNamed } from "../provenance/named-hosts.ts";
import type { RuleMatch } from "../scan/chain-rules.ts";
import { encodedIn } from "./heard-encoded.ts";
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
