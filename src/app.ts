import type { Logger } from "pino";
import packageJson from "../package.json";
import type { Config } from "./config.ts";
import { type Dashboard, startDashboard } from "./dashboard/dashboard.ts";
import { type Detection, startDetection } from "./detect/thread/detection-threads.ts";
import { exposeDetection } from "./detect/thread/exposition.ts";
import {
  type HttpThread,
  type SharedMemory,
  startHttpThread,
  THREAD_METRICS,
} from "./http-thread/http-thread.ts";
import { startHttpWorker } from "./http-thread/http-worker-handle.ts";
import { TokenBuckets } from "./ingest/token-bucket.ts";
import { counterText } from "./metrics/exposition.ts";
import { MetricRegistry } from "./metrics/registry.ts";
import { exposeNotifier } from "./notify/exposition.ts";
import { startNotifier } from "./notify/notifier.ts";
import { closeSilentSockets } from "./store/database/open-sockets.ts";

/**
 * The composition root: the one place that builds the parts of the running service and wires them.
 *
 *   SDK ──HTTP──▶ http/  key → bucket → version → decode → validate          (no I/O before the hand-over)
 *                   │
 *                ingest/  execution known? → group commit: many requests, one COPY, answered on its commit
 *                   │
 *                store/   PostgreSQL: executions, events (partitioned by day), batches
 *                   │            ▲ a batch row in the same transaction: what detection still owes
 *                detect/  worker threads, each for its projects: batches in order → detectors → failure groups + outbox, one transaction
 *                   │
 *                notify/  worker thread: claims outbox rows → POST, sign, retry → delivery log
 *
 *   person ──HTTP──▶ /app ──▶ dashboard/  worker thread: pages, accounts and an API that reads store/
 *
 * Stages after ingest meet only in PostgreSQL. A message between threads is a wake-up or a copy of what is
 * already stored: losing it costs time, never data.
 */

/** Projects that can be limited at the same time: 1.3 MiB of shared memory. */
const BUCKETS_MAX = 65_536;
/**
 * Of each HTTP thread's hand-over: about half a second of a busy one. What does not fit is read from the
 * store.
 */
const HANDOVER_BYTES = 32 << 20;
/** How long a stop waits for detection and delivery to catch up. */
const DRAIN_GRACE_MS = 3_000;
const DASHBOARD_RESTARTS = "ats_dashboard_thread_restarts_total";

export interface App {
  readonly port: number;
  /** Takes no new work, finishes what was taken, and settles within `deadlineMs` from now. */
  drain(deadlineMs: number): Promise<void>;
}

export interface AppOptions {
  readonly config: Config;
  readonly databaseUrl: string;
  readonly log: Logger;
}

export async function startApp({ config, databaseUrl, log }: AppOptions): Promise<App> {
  const registry = new MetricRegistry(THREAD_METRICS, { threads: config.httpThreads, thread: 0 });
  const detection: Detection | undefined = config.detection
    ? startDetection({
        databaseUrl,
        appUrl: config.appUrl,
        ingestThreads: config.httpThreads,
        threads: config.detectionThreads,
        log,
        handoverBytes: HANDOVER_BYTES,
      })
    : undefined;
  const notifier = startNotifier({
    databaseUrl,
    allowedNetworks: config.webhookAllowedNetworks,
    log: (level, fields, message) => log[level](fields, message),
  });
  const dashboard: Dashboard | undefined = config.dashboard
    ? startDashboard({
        databaseUrl,
        appUrl: config.appUrl,
        connectionsMax: config.dashboardConnections,
        oidc: config.oidc,
        log: (level, fields, message) => log[level](fields, message),
      })
    : undefined;
  const exposeMetrics = async () =>
    registry.expose() +
    (detection === undefined ? "" : exposeDetection(detection.metrics())) +
    exposeNotifier(notifier.metrics(), Date.now()) +
    counterText(DASHBOARD_RESTARTS, "Deaths of the dashboard's thread.", [
      { value: dashboard?.restarts() ?? 0 },
    ]);

  const onSilenceOver = (silentMs: number) => {
    closeSilentSockets(silentMs);
    detection?.closeSilent(silentMs);
    notifier.closeSilent(silentMs);
    dashboard?.closeSilent(silentMs);
  };
  const threadOptions = (thread: number) => {
    const shared: SharedMemory = {
      buckets,
      metrics: registry.buffer,
      handovers: detection?.handovers[thread] ?? [],
    };
    return {
      config,
      databaseUrl,
      shared,
      version: packageJson.version,
      thread,
      exposeMetrics,
      onSilenceOver,
      log,
      dashboard,
    };
  };
  const buckets = TokenBuckets.allocate(BUCKETS_MAX);
  const threads: HttpThread[] = [];
  try {
    if (config.httpThreads === 1)
      threads.push(await startHttpThread({ ...threadOptions(0), port: config.port }));
    else {
      for (let thread = 0; thread < config.httpThreads; thread++) {
        // The first may be given any free port; the others share it.
        const port = threads[0]?.port ?? config.port;
        threads.push(await startHttpWorker({ ...threadOptions(thread), port }));
      }
    }
  } catch (error) {
    await Promise.all([
      ...threads.map((thread) => thread.drain()),
      detection?.stop(),
      notifier.stop(),
      dashboard?.stop(),
    ]);
    throw error;
  }
  const { port } = threads[0]!;
  log.info({ port, threads: config.httpThreads }, "listening");

  return {
    port,
    async drain(deadlineMs) {
      const deadline = Bun.sleep(deadlineMs);
      await Promise.race([Promise.all(threads.map((thread) => thread.drain())), deadline]);
      // What detection and delivery still owe is in the database, and the next start goes on with it.
      const grace = Bun.sleep(DRAIN_GRACE_MS);
      await Promise.race([Promise.all([detection?.drain(), notifier.drain()]), deadline, grace]);
      await Promise.race([Promise.all([detection?.stop(), notifier.stop(), dashboard?.stop()]), deadline]);
    },
  };
}
