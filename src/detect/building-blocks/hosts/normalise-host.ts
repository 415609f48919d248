import { domainToUnicode } from "node:url";

/**
 * Reads a destination (`host`, `host:port`, `[v6]:port`) the way a client's network stack would: numeric
 * spellings of an IPv4 address, IPv4 inside IPv6, Unicode names and a trailing dot all end in one canonical
 * host. Pure apart from a bounded memo. Never throws: what cannot be read is a name, taken as it stands.
 */

/** What hosts files name the machine itself. */
const LOOPBACK_NAMES = new Set(
  "localhost localhost.localdomain localhost4 localhost6 ip6-localhost ip6-loopback".split(" "),
);

export type HostKind = "loopback" | "metadata" | "link-local" | "private" | "public-ip" | "name";

export interface Destination {
  /** Lower case, no port, no brackets, punycode. */
  readonly host: string;
  readonly port: number | null;
  readonly kind: HostKind;
  /**
   * An IP address in a spelling that hides it: `2130706433`, `0x7f.1`, `[::ffff:7f00:1]`, `127.0.0.1.nip.io`.
   */
  readonly disguised: boolean;
  /** The address as a number, for IP hosts. */
  readonly address: { readonly bits: 32 | 128; readonly value: bigint } | null;
}

/** No name of DNS is longer. */
export const HOST_CHARS_MAX = 253;
const DESTINATION_CHARS_MAX = 300;
const MEMO_MAX = 4096;

const METADATA_NAMES = new Set([
  "metadata",
  "metadata.google.internal",
  "metadata.goog",
  "metadata.azure.internal",
  "metadata.tencentyun.com",
  "instance-data",
  "instance-data.ec2.internal",
]);
/** AWS, GCP, Azure and others; AWS ECS and EKS credentials; Alibaba; Azure's wire server; Oracle. */
const METADATA_V4 = new Set([
  "169.254.169.254",
  "169.254.170.2",
  "169.254.170.23",
  "100.100.100.200",
  "168.63.129.16",
  "192.0.0.192",
]);
const METADATA_V6 = new Set(["fd00:ec2::254", "fd00:ec2::23", "fd20:ce::254"]);

const memo = new Map<string, Destination>();

export function parseDestination(raw: string): Destination {
  const known = memo.get(raw);
  if (known !== undefined) return known;
  const destination = parse(raw);
  if (memo.size >= MEMO_MAX) memo.clear();
  if (raw.length <= DESTINATION_CHARS_MAX) memo.set(raw, destination);
  return destination;
}

/**
 * The part of a host that its owner registered, near enough for grouping: the last two labels, three below a
 * two-letter country code with a short second level (`co.uk`). An address is grouped by its kind.
 */
export function siteOf(destination: Destination): string {
  if (destination.kind !== "name") return destination.kind;
  const labels = destination.host.split(".");
  const last = labels.at(-1)!;
  const second = labels.at(-2);
  const kept = last.length === 2 && second !== undefined && second.length <= 3 && labels.length > 2 ? 3 : 2;
  return labels.slice(-kept).join(".");
}

/** What is odd about a name's spelling: null for a plain ASCII name. */
export function unicodeTrick(host: string): "homoglyph" | "punycode" | null {
  if (!host.includes("xn--")) return null;
  const labels = domainToUnicode(host).split(".");
  const isLatinZone = /^[a-z0-9-]{0,300}$/.test(labels.at(-1)!);
  for (const label of labels) {
    const latin = /\p{Script=Latin}/u.test(label);
    const other = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/u.test(label);
    if (latin && other) return "homoglyph";
    const imitates = other && [...label].every((char) => LATIN_LOOKALIKES.has(char) || /[\d-]/.test(char));
    if (imitates && isLatinZone) return "homoglyph";
  }
  return "punycode";
}

/** Letters of other scripts that a reader takes for a Latin one. */
const LATIN_LOOKALIKES = new Set([..."аеорсухіјѕԁԛԝһӏոսօαοινκρτυχ"]);

function parse(raw: string): Destination {
  const text = raw.slice(0, DESTINATION_CHARS_MAX).trim().toLowerCase();
  const [written, port] = splitPort(text);
  const hostname = canonicalHost(written);
  if (hostname.startsWith("[")) return ofV6(hostname.slice(1, -1), port);
  const v4 = readV4(hostname);
  if (v4 !== null) return ofV4(hostname, v4, port, written.replace(/\.$/, "") !== hostname);
  const host = hostname.endsWith(".") ? hostname.slice(0, -1) : hostname;
  const carried = /(?:^|[.-])(\d{1,3})[.-](\d{1,3})[.-](\d{1,3})[.-](\d{1,3})\.(?:nip|sslip|xip)\.io$/.exec(
    host,
  );
  if (carried !== null) {
    const address = readV4(carried.slice(1, 5).join("."));
    if (address !== null) {
      const kind = kindOfV4(carried.slice(1, 5).join("."), address);
      return { host, port, kind: kind === "public-ip" ? "name" : kind, disguised: true, address: null };
    }
  }
  const kind =
    LOOPBACK_NAMES.has(host) || host.endsWith(".localhost")
      ? "loopback"
      : METADATA_NAMES.has(host)
        ? "metadata"
        : "name";
  return { host, port, kind, disguised: false, address: null };
}

function splitPort(text: string): [string, number | null] {
  const close = text.lastIndexOf("]");
  const colon = text.lastIndexOf(":");
  if (close < 0 && colon !== text.indexOf(":")) return [`[${text}]`, null];
  if (colon <= close) return [text, null];
  const port = Number(text.slice(colon + 1));
  return [text.slice(0, colon), Number.isInteger(port) && port >= 0 && port < 65_536 ? port : null];
}

/** Only `URL` knows all spellings of an address; a plain name need not go through it. */
function canonicalHost(host: string): string {
  if (/^[a-z0-9-]{1,300}(?:\.[a-z0-9-]{1,300}){0,150}\.[a-z]{2,300}\.?$/.test(host) && !host.includes("xn--"))
    return host;
  if (/[/?#@\\\s]/.test(host)) return host;
  try {
    return new URL(`http://${host}/`).hostname;
  } catch {
    return host;
  }
}

function ofV4(host: string, value: bigint, port: number | null, disguised: boolean): Destination {
  return { host, port, kind: kindOfV4(host, value), disguised, address: { bits: 32, value } };
}

function ofV6(host: string, port: number | null): Destination {
  const value = readV6(host);
  if (value === null) return { host, port, kind: "name", disguised: false, address: null };
  const address = { bits: 128, value } as const;
  const embedded = embeddedV4(value);
  if (embedded !== null) {
    const dotted = dottedV4(embedded);
    return {
      host: dotted,
      port,
      kind: kindOfV4(dotted, embedded),
      disguised: true,
      address: { bits: 32, value: embedded },
    };
  }
  const top = Number(value >> 112n);
  let kind: HostKind = "public-ip";
  if (value <= 1n) kind = "loopback";
  else if (METADATA_V6.has(host)) kind = "metadata";
  else if ((top & 0xfe00) === 0xfc00) kind = "private";
  else if ((top & 0xffc0) === 0xfe80) kind = "link-local";
  else if ((top & 0xff00) === 0xff00) kind = "private";
  return { host, port, kind, disguised: false, address };
}

/** IPv4-mapped, NAT64 and 6to4 addresses lead to the IPv4 host inside them. */
function embeddedV4(value: bigint): bigint | null {
  if (value >> 32n === 0xffffn || value >> 32n === 0x64ff9b0000000000000000n) return value & 0xffffffffn;
  if (value >> 112n === 0x2002n) return (value >> 80n) & 0xffffffffn;
  return null;
}

function kindOfV4(host: string, value: bigint): HostKind {
  const n = Number(value);
  const a = n >>> 24;
  const b = (n >>> 16) & 255;
  if (a === 127 || n === 0) return "loopback";
  if (METADATA_V4.has(host)) return "metadata";
  if (a === 169 && b === 254) return "link-local";
  if (a === 10 || (a === 172 && b >= 16 && b < 32) || (a === 192 && b === 168)) return "private";
  if ((a === 100 && b >= 64 && b < 128) || a >= 224) return "private";
  return "public-ip";
}

function dottedV4(value: bigint): string {
  const n = Number(value);
  return `${n >>> 24}.${(n >>> 16) & 255}.${(n >>> 8) & 255}.${n & 255}`;
}

export function readV4(host: string): bigint | null {
  const match = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(host);
  if (match === null) return null;
  let value = 0n;
  for (const part of match.slice(1)) {
    const octet = Number(part);
    if (octet > 255) return null;
    value = value * 256n + BigInt(octet);
  }
  return value;
}

/** Reads the form that `URL` writes: hex groups, at most one `::`. */
export function readV6(host: string): bigint | null {
  const halves = host.split("::");
  if (halves.length > 2) return null;
  const head = halves[0] === "" ? [] : halves[0]!.split(":");
  const tail = halves.length === 1 || halves[1] === "" ? [] : halves[1]!.split(":");
  const missing = 8 - head.length - tail.length;
  if (halves.length === 1 ? missing !== 0 : missing < 1) return null;
  let value = 0n;
  for (const group of [...head, ...Array<string>(missing).fill("0"), ...tail]) {
    if (!/^[0-9a-f]{1,4}$/.test(group)) return null;
    value = (value << 16n) | BigInt(Number.parseInt(group, 16));
  }
  return value;
}
