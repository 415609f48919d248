import { parseDestination, siteOf } from "../../building-blocks/hosts/normalise-host.ts";
import type { RuleMatch } from "../scan/chain-rules.ts";
import { matchesOf } from "./matches.ts";
import type { CallHosts } from "./outside-hosts.ts";

/**
 * Names of one site that are looked up one after the other, each with a piece that is no word and the number
 * of the piece: whatever encodes them, resolvers carry data out. Told over calls, as each by itself looks
 * like the name of some machine.
 */
export interface NamedPieces {
  readonly site: string;
  readonly numbers: number[];
}

const LOOKS_UP =
  /\b(?:nslookup|dig|drill|host|ping6?|getent|Resolve-DnsName|gethostby\w{1,12}|getaddrinfo|resolve|dns\w{0,12})\b/i;
const NUMBERED =
  /(?<![\w.-])([a-z0-9_-]{12,63})\.(?:p|c|s|n|part|chunk|seq)?-?(\d{1,4})\.((?:[a-z0-9-]{1,63}\.){1,6}[a-z]{2,24})(?![\w-])|(?<![\w.-])(?:p|c|s|n|part|chunk|seq)?-?(\d{1,4})[.-]([a-z0-9_]{12,63})\.((?:[a-z0-9-]{1,63}\.){1,6}[a-z]{2,24})(?![\w-])/gi;
/** Letters and digits in turn, as no name of a machine has them. */
const IS_MIXED = /\d[a-z]{1,12}\d|[a-z]\d{1,3}[a-z]/i;
const NAMES_MAX = 8;
const SITES_MAX = 4;
const NUMBERS_MAX = 8;
const ENOUGH = 3;

/** Changed in place. The match of the third piece, once a site. */
export function piecesInNames(
  text: string,
  tool: string,
  known: NamedPieces[],
  hosts: CallHosts,
): RuleMatch | null {
  if (!LOOKS_UP.test(tool) && !LOOKS_UP.test(text)) return null;
  for (const match of matchesOf(text, NUMBERED, NAMES_MAX)) {
    const [name, piece = match[5] ?? "", number = match[4] ?? "", rest = match[6] ?? ""] = match;
    const host = rest.toLowerCase();
    if (!IS_MIXED.test(piece) || hosts.outside([host]) === null) continue;
    const site = siteOf(parseDestination(host));
    let one = known.find((other) => other.site === site);
    if (one === undefined) {
      if (known.length >= SITES_MAX) known.shift();
      one = { site, numbers: [] };
      known.push(one);
    }
    const { numbers } = one;
    if (numbers.length >= NUMBERS_MAX || numbers.includes(Number(number))) continue;
    numbers.push(Number(number));
    if (numbers.length === ENOUGH)
      return { id: "pieces-in-names", weight: 0.85, start: match.index, end: match.index + name.length };
  }
  return null;
}
