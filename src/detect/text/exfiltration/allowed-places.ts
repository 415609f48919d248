import { HOST_CHARS_MAX } from "../../building-blocks/hosts/normalise-host.ts";
import type { RuleMatch } from "../scan/chain-rules.ts";
import { ClassSet } from "../scan/class-set.ts";
import type { TextScan } from "../scan/scan-text.ts";
import type { FragmentScan } from "../scan-event.ts";
import { addressHosts, bareHosts, type CallHosts, madeHosts } from "./outside-hosts.ts";
import { segmentAt } from "./sinks.ts";

/**
 * Where what a rule has found goes, as far as the call says: to hosts on the project's list and to no others
 * it may. A call that names none, or another one beside, counts whatever the list says, so that a listed host
 * in it hides nothing.
 */
interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** Of a command: the addresses beside it, else the names, else the addresses of the whole call. */
function commandGoesToListed(text: string, { start, end }: Stretch, hosts: CallHosts): boolean {
  const stretch = text.slice(start, end) + segmentAt(text, end);
  const beside = addressHosts(stretch);
  if (beside.length > 0) return hosts.onList(beside);
  const bare = [...bareHosts(stretch), ...madeHosts(stretch)];
  return hosts.onList(bare.length > 0 ? bare : addressHosts(text));
}

/** A field of its own says where the call goes; addresses in a message are only told. */
const WHERE_TO =
  /(?:^|[\n{,]\s{0,4})["']?(?:\w{0,20}_)?(?:ur[il]|endpoint|host|webhook)["']?\s{0,2}:\s{0,2}["']?https?:/i;

export const callGoesToListed = (text: string, isMessage: boolean, hosts: CallHosts): boolean =>
  (!isMessage || WHERE_TO.test(text)) && hosts.onList(addressHosts(text));

/** Of a secret among the arguments of a tool that runs commands: the command that it stands in. */
export const secretGoesToListed = (text: string, { start, end }: Stretch, hosts: CallHosts): boolean =>
  commandGoesToListed(text, { start: text.lastIndexOf("\n", start) + 1, end }, hosts);

const DROP_SITE = ClassSet.parse("dropSite");

/** Rules find the first of their kind: all drop sites of the call have to be on the list. */
function dropSitesAreListed({ hits, text }: TextScan, hosts: CallHosts): boolean {
  const sites: string[] = [];
  for (let i = 0; i < hits.length; i += 3) {
    if (!DROP_SITE.has(hits[i] as number)) continue;
    const [start, end] = [hits[i + 1] as number, hits[i + 2] as number];
    const before = /[\w.-]{0,253}$/.exec(text.slice(Math.max(0, start - HOST_CHARS_MAX), start))?.[0] ?? "";
    const behind = /^[\w.-]{0,253}/.exec(text.slice(end, end + HOST_CHARS_MAX))?.[0] ?? "";
    sites.push((before + text.slice(start, end) + behind).toLowerCase());
  }
  return hosts.onList(sites);
}

const BY_COMMAND = new Set([
  "sensitive-file-to-network",
  "network-after-sensitive-file",
  "encoded-then-sent",
  "sends-encoded",
  "keys-piped-away",
]);

export function leadsToListed(match: RuleMatch, { text, scan }: FragmentScan, hosts: CallHosts): boolean {
  if (match.id === "drop-site") return dropSitesAreListed(scan, hosts);
  return BY_COMMAND.has(match.id) && commandGoesToListed(text, match, hosts);
}
