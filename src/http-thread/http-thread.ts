import type { Logger } from "pino";
import type { Config } from "../config.ts";
import type { HandoverBuffers } from "../detect/rows/handover.ts";
import { MemoryBudget } from "../http/body.ts";
import { FrontDesk, HTTP_METRICS } from "../http/exchange.ts";
import { BatchNumbers } from "../ingest/commit/batch-numbers.ts";
import { UNKNOWN_ANSWER_MS } from "../ingest/commit/group-commit.ts";
import { Directory } from "../ingest/directory.ts";
import { INGEST_METRICS } from "../ingest/metrics.ts";
import { OUTCOME_METRICS } from "../ingest/outcomes.ts";
import { TokenBuckets } from "../ingest/token-bucket.ts";
import { WallClock } from "../ingest/wall-clock.ts";
import { MetricRegistry } from "../metrics/registry.ts";
import { listen } from "../store/database/listen.ts";
import { untilReachable } from "../store/database/until-reachable.ts";
import { DIRECTORY_CHANNEL } from "../store/projects/directory.ts";
import { nextBatchBlock } from "../store/telemetry/executions.ts";
import { openConnections } from "./connections.ts";
import { watchDatabase } from "./database-watch.ts";
import { buildIngest, type IngestParts } from "./ingest-parts.ts";
import { type DashboardDoor, FORWARD_METRICS, type HttpListener, listenOnPort } from "./listener.ts";
import { RareLog } from "./rare-log.ts";

/**
 * One HTTP thread, whole: connections, ingest and server, built in dependency order. It runs on the main
 * thread, or, with HTTP_THREADS above 1, in as many workers that share one port, the buckets and the metrics.
 */

const GAUGES_EVERY_MS = 500;

export const THREAD_METRICS = [...HTTP_METRICS, ...OUTCOME_METRICS, ...INGEST_METRICS, ...FORWARD_METRICS];

/** What the threads of one process share. */
export interface SharedMemory {
  readonly buckets: SharedArrayBuffer;
  readonly metrics: SharedArrayBuffer;
  /** This thread's hand-over, a ring to each detection thread; none when detection is off. */
  readonly handovers: readonly HandoverBuffers[];
}

export interface HttpThreadOptions {
  readonly config: Config;
  readonly databaseUrl: string;
  readonly version: string;
  readonly log: Logger;
  readonly shared: SharedMemory;
  readonly thread: number;
  /** Port to listen on; the same for all threads. */
  readonly port: number;
  readonly exposeMetrics: () => Promise<string>;
  /**
   * PostgreSQL was silent and answers again: what this process's other threads have not heard from for so
   * long is of no more use.
   */
  readonly onSilenceOver: (silentMs: number) => void;
  /** Absent when the dashboard is off. */
  readonly dashboard: DashboardDoor | undefined;
}

export interface HttpThread {
  readonly port: number;
  /** Takes no new work, answers what was taken once it is committed, and closes. */
  drain(): Promise<void>;
}

export async function startHttpThread(options: HttpThreadOptions): Promise<HttpThread> {
  const { config, databaseUrl, log, shared } = options;
  const metrics = new MetricRegistry(THREAD_METRICS, {
    threads: config.httpThreads,
    thread: options.thread,
    buffer: shared.metrics,
  });
  // All threads must read the same clock: each has its own origin.
  const clock = () => performance.timeOrigin + performance.now();
  const wall = new WallClock();
  const wallClock = () => wall.now();
  const rareLog = new RareLog(log);
  const connections = openConnections(databaseUrl, config);

  const watch = watchDatabase({
    databaseUrl,
    log,
    rareLog,
    metrics,
    onAnother: async () => {
      ingest.registry.forgetAll();
      await numbers.start();
    },
    onDoubt: () => {
      setTimeout(() => {
        if (!availability.available) ingest.groupCommit.giveUpWaiting();
      }, UNKNOWN_ANSWER_MS);
    },
    onAnswer: () => notices.renew(),
    onSilenceOver: options.onSilenceOver,
  });
  const { availability } = watch;
  const reaching = <T>(step: () => Promise<T>) =>
    untilReachable(step, {
      url: databaseUrl,
      timeoutS: config.startupTimeoutS,
      onRetry: (failure) => log.warn(failure, "database cannot be reached, trying again"),
    });
  const numbers = new BatchNumbers(() => nextBatchBlock(connections.queries));
  await reaching(() => numbers.start());
  const buckets = new TokenBuckets(shared.buckets);
  const directory = new Directory({
    sql: connections.queries,
    buckets,
    clock,
    onError: rareLog.warner("the projects and keys could not be read"),
  });
  await reaching(() => directory.start());
  // A notification beats the poll; losing one costs half a second.
  const notices = listen({
    url: databaseUrl,
    channel: DIRECTORY_CHANNEL,
    onNotice: () => void directory.refresh(),
  });

  const ingest = buildIngest({
    config,
    connections,
    numbers,
    availability,
    metrics,
    handovers: shared.handovers,
    wallClock,
    log,
    rareLog,
  });
  const { outcomes } = ingest;
  const budget = new MemoryBudget(
    Math.max(config.maxBodyBytes, Math.floor(config.ingestBytesMax / config.httpThreads)),
  );
  const desk = new FrontDesk({
    directory,
    buckets,
    budget,
    metrics,
    outcomes,
    bodyBytesMax: config.maxBodyBytes,
    clock,
    wallClock,
    onError: (error) => rareLog.requestFailed(error),
  });
  const listener = listenOnPort({
    config,
    port: options.port,
    routes: {
      version: options.version,
      desk,
      executions: ingest.executions,
      events: { ingest: ingest.events, outcomes, batchEventsMax: config.maxBatchEvents },
      readMigrations: watch.readMigrations,
      exposeMetrics: options.exposeMetrics,
    },
    dashboard: options.dashboard,
    isDatabaseAway: () => !availability.available,
    metrics,
  });

  availability.onSilence(() => {
    connections.abandonFlushes();
    listener.forwarder?.databaseSilent();
  });
  availability.start();
  metrics.set(metrics.slot("ats_database_available"), 1);
  metrics.set(metrics.slot("ats_http_threads"), 1);
  const gauges = setInterval(() => setGauges({ metrics, ingest, desk, budget, listener }), GAUGES_EVERY_MS);

  return {
    port: listener.port,
    async drain() {
      listener.forwarder?.drain();
      const closed = listener.stop();
      await desk.drain();
      await ingest.drain();
      clearInterval(gauges);
      availability.stop();
      notices.close();
      await directory.stop();
      await Promise.all([closed, connections.end(), watch.end()]);
    },
  };
}

function setGauges(parts: {
  readonly metrics: MetricRegistry;
  readonly ingest: IngestParts;
  readonly desk: FrontDesk;
  readonly budget: MemoryBudget;
  readonly listener: HttpListener;
}): void {
  const { metrics, ingest, desk } = parts;
  const depth = ingest.groupCommit.depth;
  metrics.set(metrics.slot("ats_flush_queue_depth", { lane: "fast" }), depth.fast);
  metrics.set(metrics.slot("ats_flush_queue_depth", { lane: "careful" }), depth.careful);
  metrics.set(metrics.slot("ats_flushes_writing"), depth.writing);
  metrics.set(metrics.slot("ats_execution_calls_waiting"), ingest.executions.waiting);
  metrics.set(metrics.slot("ats_executions_cached"), ingest.registry.size);
  metrics.set(metrics.slot("ats_event_id_bytes_held"), ingest.heldIds.bytes);
  metrics.set(metrics.slot("ats_http_requests_in_flight"), desk.inFlight);
  metrics.set(metrics.slot("ats_http_body_bytes_held"), parts.budget.held);
  metrics.set(metrics.slot("ats_dashboard_requests_in_flight"), parts.listener.forwarder?.inFlight ?? 0);
}
