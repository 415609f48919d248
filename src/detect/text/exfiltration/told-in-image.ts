import type { Heard, ToldText } from "../provenance/heard-texts.ts";
import { saysHost } from "../provenance/named-hosts.ts";
import type { RuleMatch } from "../scan/chain-rules.ts";
import { addressHosts, type CallHosts } from "./outside-hosts.ts";
import { DRAWS, picturesIn } from "./picture-links.ts";
import { type Shares, tellsOn, unquoted } from "./private-values.ts";

/**
 * An answer holds a picture: whatever stands in its address has left by then. Told from links, which somebody
 * must open, and from services that draw what the address says.
 */
const WORDS: Shares = { wordsMin: 4, toldMin: 0.7, saidMax: 0.4 };

/** Words of a picture's address that tools told the run and the person did not say. */
export function toldInImage(
  answer: string,
  told: readonly ToldText[],
  heard: Heard,
  hosts: CallHosts,
): RuleMatch | null {
  if (told.length === 0) return null;
  for (const { address, start } of picturesIn(answer)) {
    const [host] = addressHosts(address);
    if (host === undefined || DRAWS.test(host) || hosts.outside([host]) === null || saysHost(heard, host))
      continue;
    const rest = address.slice(address.indexOf(host) + host.length);
    if (told.some((one) => one.text.includes(rest))) continue;
    if (!tellsOn(unquoted(rest).replace(/[-_/|;=&?]|[.,](?!\d)/g, " "), WORDS, told, heard)) continue;
    return { id: "heard-words-in-image", weight: 0.85, start, end: start + Math.min(address.length, 400) };
  }
  return null;
}
