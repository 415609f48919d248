import { readFileSync } from "node:fs";
import { isIPv6 } from "node:net";

/**
 * What a database URL says, read as libpq reads it. The driver knows no host that is left out, encoded or
 * given as a parameter, no parameter for port, user, password or database, and other words for TLS. A
 * parameter that nobody here knows goes to the server as a setting of the session, which refuses what is
 * none.
 */

const CHANNEL_BINDINGS = ["disable", "prefer", "require"] as const;
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
  readonly port?: number | number[];
  readonly user?: string;
  readonly password?: string;
  readonly database?: string;
  readonly ssl?: boolean | "prefer" | "require" | Tls;
  /**
   * That whoever is shown the password's proof is the server of the certificate: SCRAM-SHA-256-PLUS (RFC
   * 5802, RFC 5929).
   */
  readonly channel_binding?: "prefer" | "require";
}

/**
 * Of no effect here. Sessions are known by the service's own names, the driver reads UTF-8 alone, and gives
 * up at its own times. Whether the server takes writes is asked at the start, in better words than the
 * driver's, which does not know `any` either.
 */
const NOT_OURS = [
  "application_name",
  "fallback_application_name",
  "client_encoding",
  "connect_timeout",
  "target_session_attrs",
  "keepalives",
  "keepalives_idle",
  "keepalives_interval",
  "keepalives_count",
  "tcp_user_timeout",
  "sslsni",
  "sslcompression",
];
/** The driver cannot do it: `require` goes to the server, which refuses it. */
const NOT_REQUIRED = "gssencmode";

export function readDatabaseUrl(text: string): DatabaseTarget {
  const { url, host, port, database } = placeOf(text);
  const [user, password] = [take(url, "user"), take(url, "password")];
  const tls = takeTls(url);
  for (const name of NOT_OURS) url.searchParams.delete(name);
  if (url.searchParams.get(NOT_REQUIRED) !== "require") url.searchParams.delete(NOT_REQUIRED);
  const binding = take(url, "channel_binding");
  // The server speaks no TLS on a socket.
  const ssl = host.startsWith("/") ? false : tls;
  const isAddress = isIPv6(host);
  return {
    url: url.href,
    ...(host === "" ? {} : { host: isAddress ? [host] : host }),
    // The driver pairs addresses with ports.
    ...(isAddress ? { port: [port ?? PORT_DEFAULT] } : port === null ? {} : { port }),
    ...(user === undefined ? {} : { user }),
    ...(password === undefined ? {} : { password }),
    ...(database === "" ? {} : { database }),
    ...(ssl === undefined ? {} : { ssl }),
    ...(binding === "prefer" || binding === "require" ? { channel_binding: binding } : {}),
  };
}

const PORT_DEFAULT = 5432;

/** What is safe to show of a database URL: no user, no password, no parameters. */
export function describeDatabase(text: string): string {
  try {
    const { host, port, database } = placeOf(text);
    const shown = isIPv6(host) ? `[${host}]` : host || "localhost";
    return `${shown}:${port ?? PORT_DEFAULT}${database === "" ? "" : `/${database}`}`;
  } catch {
    return "the database";
  }
}

interface Place {
  /** The rest of it. */
  readonly url: URL;
  /** A name, an address without brackets, or the directory of a socket; empty when there is none. */
  readonly host: string;
  readonly port: number | null;
  /** Empty when there is none. */
  readonly database: string;
}

/** Throws when it cannot be read. */
function placeOf(text: string): Place {
  const url = parse(text);
  const host = take(url, "host") || decodeURIComponent(url.hostname);
  const port = take(url, "port") || url.port;
  const database = take(url, "dbname") || decodeURIComponent(url.pathname.slice(1));
  return {
    url,
    host: host.replace(/^\[|\]$/g, ""),
    port: port === "" ? null : Number(port),
    database,
  };
}

/**
 * Behind a user or before a port libpq takes a host that is missing for its own machine, and a plus for a
 * plus.
 */
function parse(text: string): URL {
  const url = new URL(text.replace(/^(\w+:\/\/(?:[^/?#]*@|(?=:)))(?![^/?#]*@)(?=[:/?#]|$)/, "$1localhost"));
  url.search = url.search.replaceAll("+", "%2B");
  return url;
}

/** What is wrong with a URL, without a word of it that could be a password; null if it can be tried. */
export function databaseUrlFault(text: string): string | null {
  let place: Place;
  try {
    place = placeOf(text);
    for (const part of [place.url.username, place.url.password]) decodeURIComponent(part);
  } catch {
    return "expected postgres://user:password@host:port/database, one host, special characters percent-encoded";
  }
  const { url, host, port } = place;
  if (url.protocol !== "postgres:" && url.protocol !== "postgresql:")
    return "expected postgres://user:password@host:port/database";
  if (host.includes(",") && !host.startsWith("/")) return "expected one host";
  if (port !== null && !(Number.isInteger(port) && port >= 1 && port <= 65_535))
    return "expected a port from 1 to 65535";
  const mode = url.searchParams.get("sslmode");
  if (mode !== null && !isSslMode(mode)) return `expected an sslmode of ${SSL_MODES.join(", ")}`;
  const binding = url.searchParams.get("channel_binding");
  if (binding !== null && !CHANNEL_BINDINGS.some((one) => one === binding))
    return `expected a channel_binding of ${CHANNEL_BINDINGS.join(", ")}`;
  if (binding === "require" && (mode ?? "disable") === "disable" && !url.searchParams.has("sslrootcert"))
    return "channel_binding=require needs TLS: give an sslmode";
  for (const name of ["sslrootcert", "sslcert", "sslkey"]) {
    try {
      fileOf(url.searchParams.get(name) ?? undefined);
    } catch {
      return `the file of ${name} cannot be read`;
    }
  }
  return null;
}

/**
 * As libpq has it: `require` with a root certificate checks it, and only `verify-full` checks the host's
 * name.
 */
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
