import { isIP } from "node:net";
import { resolve } from "node:path";
import { databaseUrlFault } from "./store/database/database-url.ts";
import { SLOTS } from "./store/detection/project-share.ts";

/**
 * The one reader of the environment. Invariant: whoever holds a Config holds values that were checked —
 * nothing behind it looks at `process.env` or checks a number again. All mistakes are collected and told at
 * once, so that an operator fixes them in one go. A value that may hold a password (DATABASE_URL) is never
 * repeated in a message.
 */

const logLevels = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;
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
  readonly detectionThreads: number;
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
  "DETECTION_THREADS",
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
  const values = new Values(env);
  const port = values.integer("PORT", 8080, { min: 0, max: 65_535 });
  const databaseUrl = readDatabaseUrl(values);
  const config: Config = Object.freeze({
    port,
    host: readHost(values),
    databaseUrl,
    dataDir: resolve(values.given("DATA_DIR") ?? "./.data"),
    httpThreads: values.integer("HTTP_THREADS", 1, { min: 1, max: 64 }),
    drainTimeoutS: values.integer("DRAIN_TIMEOUT_S", 25, { min: 1, max: 3600 }),
    startupTimeoutS: values.integer("STARTUP_TIMEOUT_S", 60, { min: 1, max: 3600 }),
    logLevel: values.oneOf("LOG_LEVEL", "info", logLevels),
    appUrl: readAppUrl(values, port),
    maxBatchEvents: values.integer("MAX_BATCH_EVENTS", 1000, { min: 1, max: 100_000 }),
    ...readBodyLimits(values),
    flushConnections: values.integer("FLUSH_CONNECTIONS", 3, { min: 1, max: 32 }),
    flushDelayMsMax: values.integer("FLUSH_DELAY_MS_MAX", 5, { min: 0, max: 1000 }),
    flushEventsMax: values.integer("FLUSH_EVENTS_MAX", 10_000, { min: 1, max: 1_000_000 }),
    queryConnections: values.integer("QUERY_CONNECTIONS", 4, { min: 1, max: 64 }),
    executionsCachedMax: values.integer("EXECUTIONS_CACHED_MAX", 100_000, { min: 1000, max: 10_000_000 }),
    partitionDaysAhead: values.integer("PARTITION_DAYS_AHEAD", 7, { min: 1, max: 90 }),
    detection: values.oneOf("DETECTION", "on", ["on", "off"]) === "on",
    detectionThreads: values.integer("DETECTION_THREADS", 1, { min: 1, max: SLOTS }),
    webhookAllowedNetworks: readWebhookAllowedNetworks(values, databaseUrl),
    dashboard: values.oneOf("DASHBOARD", "on", ["on", "off"]) === "on",
    dashboardConnections: values.integer("DASHBOARD_CONNECTIONS", 4, { min: 1, max: 64 }),
    trustedProxies: values.networks("TRUSTED_PROXIES"),
    oidc: readOidc(values),
  });
  return values.mistakes.length === 0 ? { ok: true, config } : { ok: false, mistakes: values.mistakes };
}

/**
 * The environment by its names. What is wrong is noted in `mistakes`, and the default stands for it until
 * they are told.
 */
class Values {
  readonly mistakes: string[] = [];
  readonly #env: Environment;

  constructor(env: Environment) {
    this.#env = env;
  }

  /** An empty value counts as unset: that is what `NAME=` in an .env file means to people. */
  given(name: ConfigName): string | undefined {
    const value = this.#env[name]?.trim();
    return value === "" ? undefined : value;
  }

  integer(name: ConfigName, fallback: number, { min, max }: { min: number; max: number }): number {
    const value = this.given(name);
    if (value === undefined) return fallback;
    const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
    if (number >= min && number <= max) return number;
    this.mistake(name, value, `an integer from ${min} to ${max}`);
    return fallback;
  }

  oneOf<T extends string>(name: ConfigName, fallback: T, allowed: readonly T[]): T {
    const value = this.given(name);
    if (value === undefined) return fallback;
    const found = allowed.find((candidate) => candidate === value);
    if (found === undefined) this.mistake(name, value, `one of ${allowed.join(", ")}`);
    return found ?? fallback;
  }

  networks(name: ConfigName): readonly string[] {
    const list = splitList(this.given(name));
    for (const network of list) {
      if (!isCidr(network)) this.mistake(name, network, "CIDRs such as 10.0.0.0/8 or fd00::/8");
    }
    return Object.freeze(list);
  }

  mistake(name: ConfigName, value: string, expected: string): void {
    this.mistakes.push(`${name}=${JSON.stringify(shortened(value))}: expected ${expected}`);
  }
}

function readHost(values: Values): string {
  const host = values.given("HOST") ?? "0.0.0.0";
  if (!isIP(host) && !/^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/i.test(host))
    values.mistake("HOST", host, "an IP address or a host name");
  return host;
}

function readDatabaseUrl(values: Values): string | null {
  const url = values.given("DATABASE_URL") ?? null;
  const fault = url === null ? null : databaseUrlFault(url);
  if (fault !== null) values.mistakes.push(`DATABASE_URL: ${fault} (value not shown)`);
  return url;
}

function readAppUrl(values: Values, port: number): string {
  const byPort = port === 0 ? defaultAppUrl : `http://localhost:${port}`;
  const url = (values.given("APP_URL") ?? byPort).replace(/\/+$/, "");
  // Links are made by writing their paths behind it.
  if (!isHttpUrl(url) || /[?#]/.test(url))
    values.mistake("APP_URL", url, "an http or https URL without credentials, query and fragment");
  return url;
}

function readBodyLimits(values: Values): Pick<Config, "maxBodyBytes" | "ingestBytesMax"> {
  const maxBodyBytes = values.integer("MAX_BODY_BYTES", 5_242_880, { min: 1024, max: 268_435_456 });
  const ingestBytesMax = values.integer("INGEST_BYTES_MAX", 67_108_864, {
    min: 1_048_576,
    max: 17_179_869_184,
  });
  if (ingestBytesMax < maxBodyBytes) {
    values.mistakes.push(
      `INGEST_BYTES_MAX=${ingestBytesMax}: expected at least MAX_BODY_BYTES (${maxBodyBytes}), or no such body could ever be taken`,
    );
  }
  return { maxBodyBytes, ingestBytesMax };
}

function readWebhookAllowedNetworks(values: Values, databaseUrl: string | null): readonly string[] {
  const isGiven = values.given("WEBHOOK_ALLOWED_NETWORKS") !== undefined;
  // On the embedded database this is a trial on one machine: its receiver is on this machine too.
  return !isGiven && databaseUrl === null ? loopbackNetworks : values.networks("WEBHOOK_ALLOWED_NETWORKS");
}

function readOidc(values: Values): OidcConfig | null {
  const defaultRole = values.oneOf("OIDC_DEFAULT_ROLE", "viewer", ["viewer", "member"] as const);
  const issuer = values.given("OIDC_ISSUER")?.replace(/\/+$/, "");
  if (issuer !== undefined && !isHttpUrl(issuer))
    values.mistake("OIDC_ISSUER", issuer, "an http or https URL without credentials");
  const allowedDomain = values.given("OIDC_ALLOWED_DOMAIN")?.toLowerCase() ?? null;
  if (allowedDomain !== null && !/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(allowedDomain))
    values.mistake("OIDC_ALLOWED_DOMAIN", allowedDomain, "a domain such as example.com");
  const clientId = values.given("OIDC_CLIENT_ID");
  const clientSecret = values.given("OIDC_CLIENT_SECRET");
  if (issuer !== undefined && clientId !== undefined && clientSecret !== undefined) {
    const name = values.given("OIDC_NAME") ?? "Single sign-on";
    return { issuer, clientId, clientSecret, name, allowedDomain, defaultRole };
  }
  if (issuer !== undefined || clientId !== undefined || clientSecret !== undefined)
    values.mistakes.push("OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET: expected all three or none");
  return null;
}

/**
 * Connections of a process at most. A thread's own: careful flushes, probe, listen. The process's: one of
 * each detection thread, up to five of delivery, upkeep; the dashboard's, and two for sign-ins.
 */
export function connectionsMax(config: Config): number {
  const perThread = config.queryConnections + config.flushConnections + 3;
  const dashboard = config.dashboard ? config.dashboardConnections + 2 : 0;
  return config.httpThreads * perThread + config.detectionThreads + 6 + dashboard;
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
