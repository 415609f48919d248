import { rmSync } from "node:fs";
import { deleteExpired } from "../store/accounts/account-expiry.ts";
import { connect } from "../store/database/connect.ts";
import { codeOf } from "../store/database/failure.ts";
import { closeSilentSockets } from "../store/database/open-sockets.ts";
import { watchSilence } from "../store/database/silent-connections.ts";
import { dashboardRoutes } from "./api/routes.ts";
import { openAccounts } from "./auth/accounts.ts";
import { openPages } from "./pages.ts";
import type { DashboardOptions, FromThread, ToThread } from "./protocol.ts";
import { buildSite } from "./site.ts";

/**
 * Entry of the dashboard's thread: pages, API and accounts, on a UNIX socket that the HTTP threads forward
 * to. Everything that a person causes — a query, a password's hash, a page of JSON — is worked off here, and
 * never on a thread that takes events. It keeps nothing that the database does not have, so it may die at any
 * moment.
 */

declare const self: Worker;

const BODY_BYTES_MAX = 1_048_576;
const STATEMENT_TIMEOUT_MS = 5_000;
/**
 * The sort of what a graph of 10,000 events is drawn from fits in, and costs a quarter less than on the disk.
 */
const WORK_MEM_MB = 16;
const IDLE_TIMEOUT_S = 60;
const EXPIRY_EVERY_MS = 3_600_000;
const ALIVE_EVERY_MS = 1_000;
/**
 * Only the HTTP threads connect, which have their own limits; ten seconds, as by default, would end a quiet
 * stream. Bun's types deny a UNIX server this option, and its `timeout()`, which they offer instead, does
 * nothing on one.
 */
const noIdleLimit: object = { idleTimeout: 0 };

const tell = (message: FromThread) => self.postMessage(message);
let stop: () => Promise<void> = async () => {};

async function start(options: DashboardOptions, socketPath: string): Promise<void> {
  const { databaseUrl, appUrl } = options;
  const warn = (message: string) => tell({ kind: "warning", message });
  const sql = connect({
    url: databaseUrl,
    connectionsMax: options.connectionsMax,
    applicationName: "ats dashboard",
    connectTimeoutS: 3,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    workMemMb: WORK_MEM_MB,
    idleTimeoutS: IDLE_TIMEOUT_S,
  });
  stop = () => sql.end({ timeout: 1 });
  const silence = watchSilence({ url: databaseUrl, warn });
  const pages = openPages({ warn });
  const accounts = await openAccounts({ databaseUrl, sql, appUrl, oidc: options.oidc, warn });
  const routes = dashboardRoutes({ sql, appUrl, memberOf: accounts.memberOf, accounts });
  const site = buildSite({ api: (request) => routes.fetch(request), page: pages.serve, warn });
  // What a thread that died has left behind.
  rmSync(socketPath, { force: true });
  const server = Bun.serve({
    unix: socketPath,
    maxRequestBodySize: BODY_BYTES_MAX,
    fetch: site,
    ...noIdleLimit,
  });
  const expire = () =>
    void deleteExpired(sql).catch((error: unknown) => warn(`what expired was not deleted: ${codeOf(error)}`));
  expire();
  const expiry = setInterval(expire, EXPIRY_EVERY_MS);
  stop = async () => {
    clearInterval(expiry);
    silence.stop();
    await server.stop(true);
    await Promise.all([accounts.end(), sql.end({ timeout: 1 })]);
  };
  tell({ kind: "listening" });
}

setInterval(() => tell({ kind: "alive" }), ALIVE_EVERY_MS);

self.onmessage = async ({ data }: MessageEvent<ToThread>) => {
  if (data.kind === "stop") {
    await stop();
    tell({ kind: "stopped" });
    return;
  }
  if (data.kind === "close_silent") {
    closeSilentSockets(data.silentMs);
    return;
  }
  try {
    await start(data.options, data.socketPath);
  } catch (error) {
    await stop();
    tell({ kind: "failed", reason: error instanceof Error ? error.message : String(error) });
  }
};
