import { type Destination, parseDestination, siteOf } from "../../building-blocks/hosts/normalise-host.ts";
import { matchesOf } from "./matches.ts";

/**
 * Hosts that a call names, and which of them are somebody else's as far as the call tells: no loopback or
 * private address, no internal name, none whose site another host of the call shares, none on the project's
 * list. Nobody's own hosts are known for certain.
 */
export interface OutsideHost {
  readonly host: string;
  /** A bare or disguised address. */
  readonly isNumber: boolean;
}

const HOST = "((?:[\\w(){}$-]{1,80}\\.){0,8}[\\w-]{1,63}|\\[[0-9a-f:]{2,45}\\])";
const URL_HOST = new RegExp(
  `\\b(?:https?|ftps?|sftp|wss?|tcp|tls|udp|ssh|git|davs?|smb|ldaps?|imaps?|smtps?|rtmp)://(?:[^\\s/@"'<>]{1,120}@)?${HOST}`,
  "gi",
);
/**
 * Behind a user's name, or in front of a port or a path, or as a word of its own: only where a command says
 * that a host comes.
 */
const BARE_HOST =
  /(?:^|[\s"'@=:,(\\/])((?:[a-z0-9_-]{1,63}\.){1,6}[a-z][a-z0-9-]{1,24}|\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3})(?=$|[\s"':,;)/\\&|<>])/gi;
/** What a file's name ends with and no host's. */
const FILE_ENDING =
  /\.(?:jsonl?|csv|tsv|txt|gz|tgz|bz2|xz|zst|zip|7z|tar|sql|db|sqlite3?|py|js|ts|tsx|sh|ps1|ya?ml|xml|html?|log|md|pem|key|crt|env|conf|cfg|ini|pdf|png|jpe?g|gif|svg|xlsx?|docx?|pptx?|enc|bin|dat|out|dump|bak|php|go|rb|so|exe|dll|jar|war|whl|deb|rpm|iso|img|parquet|toml|lock|environ|post|get|put|request|connect|path|read|write|load|dumps|hex)$/;
/** Behind a label that is put together from something. */
const MADE_NAME = /(?:[)}`"']|\$\w{1,40}|%s)\.((?:[a-z0-9-]{1,63}\.){1,6}[a-z][a-z0-9-]{1,24})(?![\w-])/gi;
/** Whole, with its host beside it. */
export const MAIL_ADDRESS = /[\w.+-]{1,64}@((?:[a-z0-9-]{1,63}\.){1,6}[a-z]{2,24})/gi;
const MAIL_HOST = /@((?:[a-z0-9-]{1,63}\.){1,6}[a-z]{2,24})\b/gi;
const HOSTS_MAX = 24;

const INTERNAL =
  /^(?:internal|intern|intranet|corp|corpnet|lan|local|localdomain|home|inhouse|private|priv|svc|cluster)$/;
/** Names of formats and schemas that look like hosts that are called. */
const NEVER_CALLED =
  /(?:^|\.)(?:w3\.org|xmlsoap\.org|openxmlformats\.org|json-schema\.org|schema\.org|ietf\.org)$/;

const isOwnName = ({ kind, host, disguised }: Destination): boolean =>
  !disguised &&
  (kind === "loopback" ||
    kind === "private" ||
    kind === "link-local" ||
    kind === "metadata" ||
    (kind === "name" && (!host.includes(".") || host.split(".").some((label) => INTERNAL.test(label)))) ||
    NEVER_CALLED.test(host));

function namedIn(text: string, pattern: RegExp): string[] {
  const found: string[] = [];
  for (const match of matchesOf(text, pattern, HOSTS_MAX)) {
    const host = (match[1] ?? "").replace(/^[\w$}{()-]{0,80}[$}{()][\w$}{()-]{0,80}\./, "").toLowerCase();
    if (host !== "" && !/[${}()]/.test(host) && !(pattern === BARE_HOST && FILE_ENDING.test(host)))
      found.push(host);
  }
  return found;
}

/** Hosts of addresses, in order. */
export const addressHosts = (text: string): string[] => namedIn(text, URL_HOST);
/** Hosts of a stretch that is known to name one. */
export const bareHosts = (text: string): string[] => [
  ...namedIn(text, URL_HOST),
  ...namedIn(text, BARE_HOST),
];
/** What stands as it is of names whose first labels are made by the call. */
export const madeHosts = (text: string): string[] => namedIn(text, MADE_NAME);

function hostsBySite(text: string): Map<string, Set<string>> {
  const sites = new Map<string, Set<string>>();
  for (const host of [...bareHosts(text), ...namedIn(text, MAIL_HOST)]) {
    const destination = parseDestination(host);
    if (destination.kind !== "name" || !host.includes(".")) continue;
    const site = siteOf(destination);
    const known = sites.get(site);
    if (known === undefined) sites.set(site, new Set([destination.host]));
    else known.add(destination.host);
  }
  return sites;
}

/** Decides for one call which hosts are outside. */
export class CallHosts {
  readonly #text: string;
  readonly #allowed: (destination: Destination) => boolean;
  /** The hosts of each site in the call; made on first use. */
  #sites: Map<string, Set<string>> | null = null;

  constructor(text: string, allowed: (destination: Destination) => boolean) {
    this.#text = text;
    this.#allowed = allowed;
  }

  #hostsOfSite(site: string): number {
    this.#sites ??= hostsBySite(this.#text);
    return this.#sites.get(site)?.size ?? 0;
  }

  /** The first of these that is somebody else's. */
  outside(hosts: readonly string[]): OutsideHost | null {
    for (const host of hosts) {
      const destination = parseDestination(host);
      if (isOwnName(destination) || this.#allowed(destination)) continue;
      if (destination.kind === "name" && this.#hostsOfSite(siteOf(destination)) > 1) continue;
      return { host: destination.host, isNumber: destination.kind !== "name" || destination.disguised };
    }
    return null;
  }

  /** True if one of these is on the project's list and no other is somebody else's. */
  onList(hosts: readonly string[]): boolean {
    let hasListed = false;
    for (const host of hosts) {
      const destination = parseDestination(host);
      if (this.#allowed(destination)) hasListed = true;
      else if (!isOwnName(destination)) return false;
    }
    return hasListed;
  }
}
