import { type Destination, parseDestination, readV4, readV6 } from "./normalise-host.ts";

/**
 * A project's allow-list of hosts. An entry is a host (`api.example.com`), a host and port
 * (`db.internal:5432`), every host below a name (`*.example.com`, not the name itself) or a network
 * (`10.0.0.0/8`, `fd00::/8`). An entry that is none of these matches nothing; `isHostEntry` tells it
 * beforehand.
 */
interface Matcher {
  /** Hosts that are named, and what stands behind `*.`. */
  readonly names: readonly string[];
  readonly hosts: ReadonlySet<string>;
  readonly suffixes: readonly string[];
  readonly networks: readonly { readonly bits: 32 | 128; readonly value: bigint; readonly shift: bigint }[];
}

const compiled = new WeakMap<readonly string[], Matcher>();

export function hostAllowed(destination: Destination, allow: readonly string[]): boolean {
  if (allow.length === 0) return false;
  const matcher = matcherOf(allow);
  const { host, port, address } = destination;
  if (matcher.hosts.has(host) || (port !== null && matcher.hosts.has(`${host}:${port}`))) return true;
  if (matcher.suffixes.some((suffix) => host.endsWith(suffix))) return true;
  return (
    address !== null &&
    matcher.networks.some((net) => net.bits === address.bits && address.value >> net.shift === net.value)
  );
}

/** The names in it, which another host may imitate. */
export const namesAllowed = (allow: readonly string[]): readonly string[] =>
  allow.length === 0 ? [] : matcherOf(allow).names;

/** Whether an entry can match anything. */
export function isHostEntry(raw: string): boolean {
  const entry = raw.trim();
  if (entry.includes("/")) return readNetwork(entry) !== null;
  const host = entry.startsWith("*.") ? entry.slice(2) : entry;
  return /^[^\s@?#*]+$/.test(host);
}

function matcherOf(allow: readonly string[]): Matcher {
  let matcher = compiled.get(allow);
  if (matcher === undefined) {
    matcher = compile(allow);
    compiled.set(allow, matcher);
  }
  return matcher;
}

function compile(allow: readonly string[]): Matcher {
  const hosts = new Set<string>();
  const suffixes: string[] = [];
  const networks: Matcher["networks"][number][] = [];
  for (const raw of allow) {
    const entry = raw.trim();
    if (entry === "") continue;
    if (entry.startsWith("*.")) {
      if (entry.length > 2) suffixes.push(`.${parseDestination(entry.slice(2)).host}`);
    } else if (entry.includes("/")) {
      const network = readNetwork(entry);
      if (network !== null) networks.push(network);
    } else {
      const { host, port } = parseDestination(entry);
      hosts.add(port === null ? host : `${host}:${port}`);
    }
  }
  const names = [...hosts].map((host) => parseDestination(host).host);
  return { names: [...names, ...suffixes.map((one) => one.slice(1))], hosts, suffixes, networks };
}

function readNetwork(entry: string): Matcher["networks"][number] | null {
  const slash = entry.indexOf("/");
  const base = entry
    .slice(0, slash)
    .toLowerCase()
    .replace(/^\[|\]$/g, "");
  const length = Number(entry.slice(slash + 1));
  const v4 = readV4(base);
  const value = v4 ?? readV6(base);
  const bits = v4 === null ? 128 : 32;
  if (value === null || entry.slice(slash + 1) === "" || !Number.isInteger(length)) return null;
  if (length < 0 || length > bits) return null;
  const shift = BigInt(bits - length);
  return { bits, value: value >> shift, shift };
}
