import ipaddr from "ipaddr.js";

/**
 * Which addresses a webhook may reach. Invariant: nothing but a globally routable unicast address, or one
 * that the operator named, ever passes; what this module does not understand is refused. The caller connects
 * to the address that was judged and resolves nothing again (src/notify/webhook-client.ts).
 */

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Networks that the operator allows beside the public ones (WEBHOOK_ALLOWED_NETWORKS). */
export type NetworkList = readonly (readonly [Address, number])[];

export type Judgement = { allowed: true } | { allowed: false; reason: string };

export interface ResolvedAddress {
  address: string;
  family: 4 | 6;
}

/** Name to all its addresses, in order of preference. Rejects when the name cannot be resolved. */
export type Resolve = (hostname: string) => Promise<readonly ResolvedAddress[]>;

export type Target =
  | { kind: "addresses"; addresses: readonly ResolvedAddress[] }
  | { kind: "refused"; reason: string };

/** Answers requests of the cloud's own machines although it lies in public space (Azure's wire server). */
const METADATA_IN_PUBLIC_SPACE = new Set(["168.63.129.16"]);

/** All of IPv6 that is handed out for global unicast; the rest is reserved, special or not yet anything. */
const GLOBAL_UNICAST_V6: [ipaddr.IPv6, number] = ipaddr.IPv6.parseCIDR("2000::/3");

/** A receiver's name may have many addresses; judging and trying these many is enough. */
const ADDRESSES_MAX = 32;

/** Throws on an entry that is no CIDR: a mistake in the configuration, found at start. */
export function parseNetworks(cidrs: readonly string[]): NetworkList {
  return cidrs.map((cidr) => {
    try {
      return ipaddr.parseCIDR(cidr.trim());
    } catch {
      throw new Error(`not a network in CIDR notation: ${JSON.stringify(cidr)}`);
    }
  });
}

export function judgeAddress(text: string, allowed: NetworkList): Judgement {
  if (text.includes("%")) return { allowed: false, reason: "an address with a zone" };
  if (!isPlainAddress(text)) return { allowed: false, reason: "not an address" };
  const address = parseAddress(text);
  const embedded = embeddedIPv4(address);
  if (isListed(address, allowed) || (embedded !== null && isListed(embedded, allowed)))
    return { allowed: true };
  return embedded === null ? judgePlain(address) : judgePlain(embedded);
}

/** A URL's hostname to the addresses that may be connected to: all of them pass, or none does. */
export async function resolveTarget(input: {
  /** As in `URL.hostname`: IPv6 in brackets, IPv4 in whatever form already turned into dotted decimals. */
  hostname: string;
  allowedNetworks: NetworkList;
  resolve: Resolve;
}): Promise<Target> {
  const literal = literalOf(input.hostname);
  const addresses =
    literal === null
      ? await input.resolve(input.hostname)
      : [{ address: literal, family: literal.includes(":") ? (6 as const) : (4 as const) }];
  if (addresses.length === 0) return { kind: "refused", reason: "the name has no address" };
  if (addresses.length > ADDRESSES_MAX) return { kind: "refused", reason: "the name has too many addresses" };
  for (const { address } of addresses) {
    const judgement = judgeAddress(address, input.allowedNetworks);
    if (!judgement.allowed) return { kind: "refused", reason: `the host leads to ${judgement.reason}` };
  }
  return { kind: "addresses", addresses };
}

/**
 * Why a URL's hostname will be refused whatever names resolve to; null for a name, and for an address that
 * passes.
 */
export function refusalOfLiteral(hostname: string, allowed: NetworkList): string | null {
  const literal = literalOf(hostname);
  const judgement = literal === null ? null : judgeAddress(literal, allowed);
  return judgement === null || judgement.allowed ? null : judgement.reason;
}

/** The address that a hostname is itself. */
function literalOf(hostname: string): string | null {
  const literal = hostname.replace(/^\[(.*)\]$/, "$1");
  return isPlainAddress(literal) ? literal : null;
}

/** Only the plain notations: the library would also take octal, hexadecimal and shortened IPv4. */
function isPlainAddress(text: string): boolean {
  return ipaddr.IPv4.isValidFourPartDecimal(text) || (text.includes(":") && ipaddr.IPv6.isValid(text));
}

/**
 * By way of the URL parser, because the library takes `::8.8.8.8` for `::ffff:8.8.8.8`, which the kernel does
 * not.
 */
function parseAddress(text: string): Address {
  return ipaddr.parse(text.includes(":") ? new URL(`http://[${text}]`).hostname.slice(1, -1) : text);
}

function isListed(address: Address, networks: NetworkList): boolean {
  return networks.some(
    ([network, bits]) => network.kind() === address.kind() && address.match(network, bits),
  );
}

/** The IPv4 address that packets to an IPv6 address end up at: mapped, NAT64 (well-known prefix) and 6to4. */
function embeddedIPv4(address: Address): ipaddr.IPv4 | null {
  if (address.kind() === "ipv4") return null;
  const bytes = address.toByteArray();
  const range = address.range();
  if (range === "ipv4Mapped" || range === "rfc6145") return new ipaddr.IPv4(bytes.slice(12));
  // Of the local-use prefix 64:ff9b:1::/48 nobody outside knows where the address sits: judged as IPv6,
  // refused.
  if (range === "rfc6052" && bytes[5] === 0) return new ipaddr.IPv4(bytes.slice(12));
  if (range === "6to4") return new ipaddr.IPv4(bytes.slice(2, 6));
  return null;
}

function judgePlain(address: Address): Judgement {
  const range = address.range();
  if (range !== "unicast") return { allowed: false, reason: `${inWords(range)} address` };
  if (METADATA_IN_PUBLIC_SPACE.has(address.toString()))
    return { allowed: false, reason: "a metadata address" };
  if (address.kind() === "ipv6" && !address.match(GLOBAL_UNICAST_V6)) {
    return { allowed: false, reason: "an address outside global unicast" };
  }
  return { allowed: true };
}

/** The library's names of ranges for people: `linkLocal` is a link-local address. */
function inWords(range: string): string {
  const words = range.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return `${/^(?:[aeio]|uns)/.test(words) ? "an" : "a"} ${words}`;
}
