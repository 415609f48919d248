import { readFileSync } from "node:fs";
import { isIPv6 } from "node:net";

/**
 * What a database URL says that the driver does not read as libpq does: a socket's directory, an IPv6 address, and TLS. Everything else
 * stays in the URL; a parameter that neither knows goes to the server as a setting of the session, which refuses what is none.
 */

const SSL_MODES = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"] as const;
type SslMode = (typeof SSL_MODES)[number];

/** Given to Node's `tls.connect`. */
interface Tls {
  readonly rejectUnauthorized?: boolean;
  readonly checkServerIdentity?: () => undefined;
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

export interface DatabaseTarget {
  /** Without what is said by the fields below. */
  readonly url: string;
  readonly host?: string | string[];
  readonly port?: number[];
  readonly ssl?: boolean | "prefer" | "require" | Tls;
}

export function readDatabaseUrl(text: string): DatabaseTarget {
  const url = new URL(text);
  const ssl = takeTls(url);
  const host = take(url, "host");
  // The server speaks no TLS on a socket.
  if (host?.startsWith("/")) return { url: url.href, host, ssl: false };
  if (host !== undefined) url.hostname = isIPv6(host) ? `[${host}]` : host;
  const target = { url: url.href, ...(ssl === undefined ? {} : { ssl }) };
  const address = url.hostname.replace(/^\[|\]$/g, "");
  return isIPv6(address) ? { ...target, host: [address], port: [Number(url.port || 5432)] } : target;
}

/** What is wrong with a URL, without a word of it that could be a password; null if it can be tried. */
export function databaseUrlFault(text: string): string | null {
  let url: URL;
  try {
    url = new URL(text);
    for (const part of [url.username, url.password, url.pathname]) decodeURIComponent(part);
  } catch {
    return "expected postgres://user:password@host:port/database, one host, special characters percent-encoded";
  }
  if (url.protocol !== "postgres:" && url.protocol !== "postgresql:")
    return "expected postgres://user:password@host:port/database";
  const mode = url.searchParams.get("sslmode");
  if (mode !== null && !isSslMode(mode)) return `expected an sslmode of ${SSL_MODES.join(", ")}`;
  for (const name of ["sslrootcert", "sslcert", "sslkey"]) {
    try {
      fileOf(url.searchParams.get(name) ?? undefined);
    } catch {
      return `the file of ${name} cannot be read`;
    }
  }
  return null;
}

/** As libpq has it: `require` with a root certificate checks it, and only `verify-full` checks the host's name. */
function takeTls(url: URL): DatabaseTarget["ssl"] {
  const given = take(url, "sslmode");
  const rootFile = take(url, "sslrootcert");
  const ca = fileOf(rootFile);
  const cert = fileOf(take(url, "sslcert"));
  const key = fileOf(take(url, "sslkey"));
  // A root certificate that is named is meant to be checked.
  const mode = given ?? (rootFile === undefined ? undefined : "verify-full");
  if (mode === undefined) return undefined;
  if (mode === "disable") return false;
  const client = { ...(cert === undefined ? {} : { cert }), ...(key === undefined ? {} : { key }) };
  const root = ca === undefined ? {} : { ca };
  if (mode === "verify-full") return { ...client, ...root };
  if (mode === "verify-ca" || (mode === "require" && rootFile !== undefined))
    return { ...client, ...root, checkServerIdentity: () => undefined };
  if (cert !== undefined) return { ...client, rejectUnauthorized: false };
  return mode === "require" ? "require" : "prefer";
}

function take(url: URL, name: string): string | undefined {
  const value = url.searchParams.get(name) ?? undefined;
  url.searchParams.delete(name);
  return value;
}

/** `system` names the authorities that the machine trusts, which are trusted when none is given. */
function fileOf(path: string | undefined): string | undefined {
  return path === undefined || path === "system" ? undefined : readFileSync(path, "utf8");
}

function isSslMode(text: string): text is SslMode {
  return SSL_MODES.some((mode) => mode === text);
}
