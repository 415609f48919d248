import { isIP } from "node:net";
import { resolve } from "node:path";
import { databaseUrlFault } from "./store/database/database-url.ts";

/**
 * The one reader of the environment. Invariant: whoever holds a Config holds values that were checked — nothing
 * behind it looks at `process.env` or checks a number again. All mistakes are collected and told at once, so that an
 * operator fixes them in one go. A value that may hold a password (DATABASE_URL) is never repeated in a message.
 */

export const logLevels = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;
export type LogLevel = (typeof logLevels)[number];

export interface Config {
  readonly port: number;
  readonly host: string;
  /** null: run the embedded PostgreSQL in `dataDir`. */
  readonly databaseUrl: string | null;
  /** Absolute. */
  readonly dataDir: string;
  readonly httpThreads: number;
  readonly drainTimeoutS: number;
  readonly startupTimeoutS: number;
  readonly logLevel: LogLevel;
  /** Without a trailing slash. */
  readonly appUrl: string;
  readonly maxBatchEvents: number;
  readonly maxBodyBytes: number;
  readonly ingestBytesMax: number;
  readonly flushConnections: number;
  readonly flushDelayMsMax: number;
  readonly flushEventsMax: number;
  readonly queryConnections: number;
  readonly executionsCachedMax: number;
  readonly partitionDaysAhead: number;
  readonly detection: boolean;
  /** CIDRs that a webhook may reach although they are loopback, private, link-local or metadata addresses. */
  readonly webhookAllowedNetworks: readonly string[];
  readonly dashboard: boolean;
  readonly dashboardConnections: number;
  /** CIDRs of the proxies in front, which are believed about their clients. */
  readonly trustedProxies: readonly string[];
  /** null: members sign in with a password only. */
  readonly oidc: OidcConfig | null;
}

export interface OidcConfig {
  /** Without a trailing slash. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly name: string;
  readonly allowedDomain: string | null;
  readonly defaultRole: "viewer" | "member";
}

export type ConfigResult =
  | { readonly ok: true; readonly config: Config }
  | { readonly ok: false; readonly mistakes: readonly string[] };

type Environment = Readonly<Record<string, string | undefined>>;

/** Every name the service reads, in the order of .env.example; a test holds the two together. */
export const configNames = [
  "PORT",
  "HOST",
  "DATABASE_URL",
  "DATA_DIR",
  "HTTP_THREADS",
  "DRAIN_TIMEOUT_S",
  "STARTUP_TIMEOUT_S",
  "LOG_LEVEL",
  "APP_URL",
  "MAX_BATCH_EVENTS",
  "MAX_BODY_BYTES",
  "INGEST_BYTES_MAX",
  "FLUSH_CONNECTIONS",
  "FLUSH_DELAY_MS_MAX",
  "FLUSH_EVENTS_MAX",
  "QUERY_CONNECTIONS",
  "EXECUTIONS_CACHED_MAX",
  "PARTITION_DAYS_AHEAD",
  "DETECTION",
  "WEBHOOK_ALLOWED_NETWORKS",
  "DASHBOARD",
  "DASHBOARD_CONNECTIONS",
  "TRUSTED_PROXIES",
  "OIDC_ISSUER",
  "OIDC_CLIENT_ID",
  "OIDC_CLIENT_SECRET",
  "OIDC_NAME",
  "OIDC_ALLOWED_DOMAIN",
  "OIDC_DEFAULT_ROLE",
] as const;
export type ConfigName = (typeof configNames)[number];

/** Where PORT says nothing. */
export const defaultAppUrl = "http://localhost:8080";

const loopbackNetworks = ["127.0.0.0/8", "::1/128"] as const;

export function readConfig(env: Environment): ConfigResult {
  const mistakes: string[] = [];

  /** An empty value counts as unset: that is what `NAME=` in an .env file means to people. */
  const given = (name: ConfigName): string | undefined => {
    const value = env[name]?.trim();
    return value === "" ? undefined : value;
  };
  const mistake = (name: ConfigName, value: string, expected: string) => {
    mistakes.push(`${name}=${JSON.stringify(shortened(value))}: expected ${expected}`);
  };
  const integer = (name: ConfigName, fallback: number, low: number, high: number): number => {
    const value = given(name);
    if (value === undefined) return fallback;
    const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
    if (number >= low && number <= high) return number;
    mistake(name, value, `an integer from ${low} to ${high}`);
    return fallback;
  };
  const oneOf = <T extends string>(name: ConfigName, fallback: T, allowed: readonly T[]): T => {
    const value = given(name);
    if (value === undefined) return fallback;
    const found = allowed.find((candidate) => candidate === value);
    if (found === undefined) mistake(name, value, `one of ${allowed.join(", ")}`);
    return found ?? fallback;
  };

  const port = integer("PORT", 8080, 0, 65_535);
  const host = given("HOST") ?? "0.0.0.0";
  if (!isIP(host) && !/^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/i.test(host)) {
    mistake("HOST", host, "an IP address or a host name");
  }

  const databaseUrl = given("DATABASE_URL") ?? null;
  const databaseUrlMistake = databaseUrl === null ? null : databaseUrlFault(databaseUrl);
  if (databaseUrlMistake !== null) mistakes.push(`DATABASE_URL: ${databaseUrlMistake} (value not shown)`);

  const appUrl = (given("APP_URL") ?? (port === 0 ? defaultAppUrl : `http://localhost:${port}`)).replace(
    /\/+$/,
    "",
  );
  // Links are made by writing their paths behind it.
  if (!isHttpUrl(appUrl) || /[?#]/.test(appUrl))
    mistake("APP_URL", appUrl, "an http or https URL without credentials, query and fragment");

  const networks = (name: ConfigName): readonly string[] => {
    const list = splitList(given(name));
    for (const network of list) {
      if (!isCidr(network)) mistake(name, network, "CIDRs such as 10.0.0.0/8 or fd00::/8");
    }
    return Object.freeze(list);
  };
  const webhookAllowedNetworks = networks("WEBHOOK_ALLOWED_NETWORKS");

  const maxBodyBytes = integer("MAX_BODY_BYTES", 5_242_880, 1024, 268_435_456);
  const ingestBytesMax = integer("INGEST_BYTES_MAX", 67_108_864, 1_048_576, 17_179_869_184);
  if (ingestBytesMax < maxBodyBytes) {
    mistakes.push(
      `INGEST_BYTES_MAX=${ingestBytesMax}: expected at least MAX_BODY_BYTES (${maxBodyBytes}), or no such body could ever be taken`,
    );
  }

  const oidcDefaultRole = oneOf("OIDC_DEFAULT_ROLE", "viewer", ["viewer", "member"] as const);
  const oidcIssuer = given("OIDC_ISSUER")?.replace(/\/+$/, "");
  if (oidcIssuer !== undefined && !isHttpUrl(oidcIssuer))
    mistake("OIDC_ISSUER", oidcIssuer, "an http or https URL without credentials");
  const oidcClientId = given("OIDC_CLIENT_ID");
  const oidcClientSecret = given("OIDC_CLIENT_SECRET");
  const oidcGiven = [oidcIssuer, oidcClientId, oidcClientSecret].filter((value) => value !== undefined);
  if (oidcGiven.length === 1 || oidcGiven.length === 2)
    mistakes.push("OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET: expected all three or none");
  const allowedDomain = given("OIDC_ALLOWED_DOMAIN")?.toLowerCase() ?? null;
  if (allowedDomain !== null && !/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(allowedDomain))
    mistake("OIDC_ALLOWED_DOMAIN", allowedDomain, "a domain such as example.com");
  const oidc: OidcConfig | null =
    oidcIssuer === undefined || oidcClientId === undefined || oidcClientSecret === undefined
      ? null
      : {
          issuer: oidcIssuer,
          clientId: oidcClientId,
          clientSecret: oidcClientSecret,
          name: given("OIDC_NAME") ?? "Single sign-on",
          allowedDomain,
          defaultRole: oidcDefaultRole,
        };

  const config: Config = Object.freeze({
    port,
    host,
    databaseUrl,
    dataDir: resolve(given("DATA_DIR") ?? "./.data"),
    httpThreads: integer("HTTP_THREADS", 1, 1, 64),
    drainTimeoutS: integer("DRAIN_TIMEOUT_S", 25, 1, 3600),
    startupTimeoutS: integer("STARTUP_TIMEOUT_S", 60, 1, 3600),
    logLevel: oneOf("LOG_LEVEL", "info", logLevels),
    appUrl,
    maxBatchEvents: integer("MAX_BATCH_EVENTS", 1000, 1, 100_000),
    maxBodyBytes,
    ingestBytesMax,
    flushConnections: integer("FLUSH_CONNECTIONS", 3, 1, 32),
    flushDelayMsMax: integer("FLUSH_DELAY_MS_MAX", 5, 0, 1000),
    flushEventsMax: integer("FLUSH_EVENTS_MAX", 10_000, 1, 1_000_000),
    queryConnections: integer("QUERY_CONNECTIONS", 4, 1, 64),
    executionsCachedMax: integer("EXECUTIONS_CACHED_MAX", 100_000, 1000, 10_000_000),
    partitionDaysAhead: integer("PARTITION_DAYS_AHEAD", 7, 1, 90),
    detection: oneOf("DETECTION", "on", ["on", "off"]) === "on",
    // On the embedded database this is a trial on one machine: its receiver is on this machine too.
    webhookAllowedNetworks:
      given("WEBHOOK_ALLOWED_NETWORKS") === undefined && databaseUrl === null
        ? loopbackNetworks
        : webhookAllowedNetworks,
    dashboard: oneOf("DASHBOARD", "on", ["on", "off"]) === "on",
    dashboardConnections: integer("DASHBOARD_CONNECTIONS", 4, 1, 64),
    trustedProxies: networks("TRUSTED_PROXIES"),
    oidc,
  });
  return mistakes.length === 0 ? { ok: true, config } : { ok: false, mistakes };
}

/**
 * Connections of a process at most. A thread's own: careful flushes, probe, listen. The process's: detection, up to five of delivery, upkeep;
 * the dashboard's, and two for sign-ins.
 */
export function connectionsMax(config: Config): number {
  const perThread = config.queryConnections + config.flushConnections + 3;
  const dashboard = config.dashboard ? config.dashboardConnections + 2 : 0;
  return config.httpThreads * perThread + 7 + dashboard;
}

/** The one message for all mistakes. */
export function describeMistakes(mistakes: readonly string[]): string {
  const noun = mistakes.length === 1 ? "1 mistake" : `${mistakes.length} mistakes`;
  return `${noun} in the configuration:\n${mistakes.map((mistake) => `  ${mistake}`).join("\n")}`;
}

function shortened(value: string): string {
  return value.length <= 80 ? value : `${value.slice(0, 80)}…`;
}

function splitList(value: string | undefined): string[] {
  return (value ?? "")
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
}

function isHttpUrl(value: string): boolean {
  try {
    const { protocol, username, password } = new URL(value);
    return (protocol === "http:" || protocol === "https:") && username === "" && password === "";
  } catch {
    return false;
  }
}

function isCidr(value: string): boolean {
  const [, address = "", bits = ""] = /^([^/]+)\/(\d{1,3})$/.exec(value) ?? [];
  const family = isIP(address);
  return family !== 0 && Number(bits) <= (family === 4 ? 32 : 128);
}
