import type { Logger } from "pino";
import packageJson from "../package.json";
import type { Config } from "./config.ts";
import { type HttpThread, type SharedMemory, startHttpThread, THREAD_METRICS } from "./http-thread.ts";
import { startHttpWorker } from "./http-worker-handle.ts";
import { TokenBuckets } from "./ingest/token-bucket.ts";
import { MetricRegistry } from "./metrics/registry.ts";

/**
 * The composition root: the one place that builds the parts of the running service and wires them.
 *
 *   SDK ──HTTP──▶ http/  key → bucket → version → decode → validate          (no I/O before the hand-over)
 *                   │
 *                ingest/  execution known? → group commit: many requests, one COPY, answered on its commit
 *                   │
 *                store/   PostgreSQL: executions, events (partitioned by day), batches
 *                   │            ▲ a batch row in the same transaction: what detection still owes
 *                detect/  worker thread: batches in order → detectors → failure groups + outbox, one transaction
 *                   │
 *                notify/  worker thread: claims outbox rows → POST, sign, retry → delivery log
 *
 * Stages after ingest meet only in PostgreSQL. A message between threads is a wake-up or a copy of what is already
 * stored: losing it costs time, never data.
 */

/** Projects that can be limited at the same time: 1.3 MiB of shared memory. */
const BUCKETS_MAX = 65_536;

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
  const shared: SharedMemory = {
    buckets: TokenBuckets.allocate(BUCKETS_MAX),
    metrics: registry.buffer,
  };
  const threadOptions = { config, databaseUrl, shared, version: packageJson.version };

  const threads: HttpThread[] = [];
  const exposeMetrics = async () => registry.expose();
  if (config.httpThreads === 1) {
    const committed = () => undefined;
    threads.push(
      await startHttpThread({ ...threadOptions, log, thread: 0, port: config.port, exposeMetrics, committed }),
    );
  } else {
    for (let thread = 0; thread < config.httpThreads; thread++) {
      const port = threads[0]?.port ?? config.port;
      threads.push(await startHttpWorker({ ...threadOptions, thread, port, exposeMetrics, log }));
    }
  }
  const { port } = threads[0]!;
  log.info({ port, threads: config.httpThreads }, "listening");

  return {
    port,
    async drain(deadlineMs) {
      await Promise.race([Promise.all(threads.map((thread) => thread.drain())), Bun.sleep(deadlineMs)]);
    },
  };
}
