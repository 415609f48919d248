import type { Logger } from "pino";
import type { Config } from "./config.ts";
import { FORWARD_OUTCOMES, Forwarder } from "./dashboard/forward.ts";
import { type HandoverBuffers, HandoverProducer } from "./detect/rows/handover.ts";
import { MemoryBudget } from "./http/body.ts";
import { FrontDesk, HTTP_METRICS } from "./http/exchange.ts";
import { buildRoutes } from "./http/server.ts";
import { Availability } from "./ingest/availability.ts";
import { BatchNumbers } from "./ingest/commit/batch-numbers.ts";
import { GroupCommit, UNKNOWN_ANSWER_MS } from "./ingest/commit/group-commit.ts";
import { HeldIds } from "./ingest/commit/held-ids.ts";
import { PackTurns } from "./ingest/commit/pack-turns.ts";
import { Directory } from "./ingest/directory.ts";
import { EventIngest } from "./ingest/events.ts";
import { ExecutionRegistry } from "./ingest/execution-registry.ts";
import { Executions } from "./ingest/executions.ts";
import { INGEST_METRICS, observeGroupCommit } from "./ingest/metrics.ts";
import { OutcomeTally } from "./ingest/outcome-tally.ts";
import { OUTCOME_METRICS, OUTCOME_SERIES, Outcomes } from "./ingest/outcomes.ts";
import { ThreadLoad } from "./ingest/thread-load.ts";
import { TokenBuckets } from "./ingest/token-bucket.ts";
import { WallClock } from "./ingest/wall-clock.ts";
import { YoungGarbage } from "./ingest/young-garbage.ts";
import { type MetricDeclaration, MetricRegistry } from "./metrics/registry.ts";
import { Repeats } from "./metrics/repeats.ts";
import { connect } from "./store/database/connect.ts";
import { codeOf, loggableReason } from "./store/database/failure.ts";
import { DatabaseHistory } from "./store/database/history.ts";
import { listen } from "./store/database/listen.ts";
import { readMigrationState } from "./store/database/migrate.ts";
import { closeSilentSockets } from "./store/database/open-sockets.ts";
import { untilReachable } from "./store/database/until-reachable.ts";
import { DIRECTORY_CHANNEL } from "./store/projects/directory.ts";
import { EventWriter } from "./store/telemetry/event-writer.ts";
import { nextBatchBlock } from "./store/telemetry/executions.ts";
import { addOutcomes } from "./store/upkeep/rollups.ts";

/**
 * One HTTP thread, whole: connections, ingest and server, built in dependency order. It runs on the main thread, or, with
 * HTTP_THREADS above 1, in as many workers that share one port, the buckets and the metrics.
 */

/** Events that make a flush worth sending while others are under way. Measured with an event a row: a flush cost as much as 150 of them. */
const FLUSH_EVENTS_MIN = 1_000;
/**
 * Hashes of ids of the executions that are sent to, by all threads together: 32 MiB are some 4 million events of long executions. An agent
 * that waits for a model sends nothing for some seconds; full load would fill all of it with executions that have ended.
 */
const EVENT_IDS = { bytesMax: 33_554_432, bytesIdleMax: 8_388_608, idleMsMax: 5_000 };
const GAUGES_EVERY_MS = 500;
/** A database that is away does not hold up a stop for counts. */
const TALLY_STOP_MS = 2_000;
/** A database that is away or full fails every request and every poll: that is one line a minute, not one each. */
const LOG_REPEATS_EVERY_MS = 60_000;
const NO_ROWS = new Uint8Array();

const FORWARD_METRICS: readonly MetricDeclaration[] = [
  {
    name: "ats_dashboard_requests_total",
    kind: "counter",
    help: "Requests below /app, by what became of them.",
    series: FORWARD_OUTCOMES.map((outcome) => ({ outcome })),
  },
  {
    name: "ats_dashboard_requests_in_flight",
    kind: "gauge",
    help: "Requests below /app not answered yet, and streams not ended.",
  },
];

export const THREAD_METRICS = [...HTTP_METRICS, ...OUTCOME_METRICS, ...INGEST_METRICS, ...FORWARD_METRICS];

/** What the threads of one process share. */
export interface SharedMemory {
  readonly buckets: SharedArrayBuffer;
  readonly metrics: SharedArrayBuffer;
  /** This thread's hand-over to detection; absent when detection is off. */
  readonly handover: HandoverBuffers | undefined;
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
  /** PostgreSQL was silent and answers again: what this process's other threads have not heard from for so long is of no more use. */
  readonly onSilenceOver: (silentMs: number) => void;
  /** Absent when the dashboard is off. */
  readonly dashboard: DashboardDoor | undefined;
}

/** Where the dashboard's thread is, and what starts it. */
export interface DashboardDoor {
  readonly socketPath: string;
  ready(): Promise<boolean>;
}

export interface HttpThread {
  readonly port: number;
  /** Takes no new work, answers what was taken once it is committed, and closes. */
  drain(): Promise<void>;
}

export async function startHttpThread(options: HttpThreadOptions): Promise<HttpThread> {
  const { config, databaseUrl, log, shared, thread } = options;
  const metrics = new MetricRegistry(THREAD_METRICS, {
    threads: config.httpThreads,
    thread,
    buffer: shared.metrics,
  });
  const buckets = new TokenBuckets(shared.buckets);
  const budget = new MemoryBudget(
    Math.max(config.maxBodyBytes, Math.floor(config.ingestBytesMax / config.httpThreads)),
  );
  // All threads must read the same clock: each has its own origin.
  const clock = () => performance.timeOrigin + performance.now();
  const wall = new WallClock();
  const wallClock = () => wall.now();
  const repeats = new Repeats(LOG_REPEATS_EVERY_MS);
  const warn = (what: string) => (error: unknown) => {
    const code = codeOf(error);
    const notTold = repeats.admit(`${what} ${code}`);
    if (notTold !== undefined) log.warn({ code, reason: loggableReason(error), not_told: notTold }, what);
  };
  const warnRefused = warn("PostgreSQL refused to store events");
  const warnUnanswered = warn("PostgreSQL can be reached, but does not answer all that it was sent");

  const pool = (applicationName: string, connectionsMax: number) =>
    connect({ url: databaseUrl, connectionsMax, applicationName, connectTimeoutS: 3 });
  const queries = pool("ats ingest", config.queryConnections);
  const tally = new OutcomeTally({
    series: OUTCOME_SERIES,
    clock: wallClock,
    store: (counts) => addOutcomes(queries, counts),
    onError: warn("outcomes could not be added to the roll-up, they are kept"),
  });
  tally.start();
  const producer = shared.handover === undefined ? undefined : new HandoverProducer(shared.handover);
  const outcomes = new Outcomes(metrics, tally, () => producer?.noteUnstored());
  const openProbes = () =>
    connect({
      url: databaseUrl,
      connectionsMax: 1,
      applicationName: "ats probe",
      connectTimeoutS: 2,
      statementTimeoutMs: 2000,
      fetchTypes: false,
    });
  let probes = openProbes();
  const history = new DatabaseHistory();
  const fastWriters = Array.from(
    { length: config.flushConnections },
    () => new EventWriter(databaseUrl, "ats flush"),
  );
  const carefulWriters = [new EventWriter(databaseUrl, "ats careful flush")];

  const availability = new Availability({
    probe: async () => {
      if (!(await history.ask(probes))) return;
      log.warn(
        "the database is another than before, restored or failed over: what was known of it is asked anew",
      );
      registry.forgetAll();
      await numbers.start();
    },
    onSilence: () => {
      // Another server may be behind the address by now, of which an old connection would not learn for many minutes.
      const silent = probes;
      probes = openProbes();
      void silent.end({ timeout: 0 }).catch(() => undefined);
    },
    onSilenceOver: (silentMs) => {
      closeSilentSockets(silentMs);
      options.onSilenceOver(silentMs);
    },
    onChange: ({ from, to, reason }) => {
      switch (to) {
        case "doubted":
          setTimeout(() => {
            if (!availability.available) groupCommit.giveUpWaiting();
          }, UNKNOWN_ANSWER_MS);
          return;
        case "away":
          metrics.set(metrics.slot("ats_database_available"), 0);
          metrics.add(metrics.slot("ats_database_losses_total"));
          log.error(
            { code: codeOf(reason), reason: loggableReason(reason) },
            "the database cannot be reached: requests are told to come back",
          );
          return;
        case "available":
          metrics.set(metrics.slot("ats_database_available"), 1);
          if (from === "away") log.info("the database is back");
          else warnUnanswered(reason);
          notices.renew();
      }
    },
  });
  const reaching = <T>(step: () => Promise<T>) =>
    untilReachable(step, {
      url: databaseUrl,
      timeoutS: config.startupTimeoutS,
      onRetry: (failure) => log.warn(failure, "database cannot be reached, trying again"),
    });
  const numbers = new BatchNumbers(() => nextBatchBlock(queries));
  await reaching(() => numbers.start());
  const directory = new Directory({
    sql: queries,
    buckets,
    clock,
    onError: warn("the directory could not be read"),
  });
  await reaching(() => directory.start());
  // A notification beats the poll; losing one costs half a second.
  const notices = listen({
    url: databaseUrl,
    channel: DIRECTORY_CHANNEL,
    onNotice: () => void directory.refresh(),
  });

  const handOver = (batchNo: number, projectNos: readonly number[], rows: Uint8Array) => {
    producer?.offer(batchNo, projectNos, rows);
  };
  const threadLoad = new ThreadLoad();
  const youngGarbage = new YoungGarbage();
  const registry = new ExecutionRegistry(Math.ceil(config.executionsCachedMax / config.httpThreads));
  const heldIds = new HeldIds({
    ...EVENT_IDS,
    bytesMax: EVENT_IDS.bytesMax / config.httpThreads,
    bytesIdleMax: EVENT_IDS.bytesIdleMax / config.httpThreads,
  });
  const executions = new Executions({
    sql: queries,
    registry,
    numbers,
    availability,
    onFinished: (batchNo, projectNos) => handOver(batchNo, projectNos, NO_ROWS),
    onError: warn("an execution statement failed"),
  });
  const groupCommit = new GroupCommit({
    fastWriters,
    carefulWriters,
    numbers,
    turns: new PackTurns(heldIds),
    availability,
    observer: observeGroupCommit({
      metrics,
      outcomes,
      committed: (batchNo, projectNos, rows) => {
        handOver(batchNo, projectNos, rows);
        const load = threadLoad.measure();
        if (load !== undefined) producer?.noteLoad(load);
        youngGarbage.stored(rows.length);
      },
      onRefused: (lane, code, error) => {
        log.debug({ lane, code, reason: loggableReason(error) }, "a flush was refused");
        // The fast lane is refused wherever another writer was first; what the careful one is refused by is trouble.
        if (lane === "careful") warnRefused(error);
      },
    }),
    flushEventsMin: FLUSH_EVENTS_MIN,
    flushEventsMax: config.flushEventsMax,
    flushDelayMsMax: config.flushDelayMsMax,
  });
  const ingest = new EventIngest({
    registry,
    executions,
    groupCommit,
    availability,
    outcomes,
    batchEventsMax: config.maxBatchEvents,
  });
  const desk = new FrontDesk({
    directory,
    buckets,
    budget,
    metrics,
    outcomes,
    bodyBytesMax: config.maxBodyBytes,
    clock,
    wallClock,
    onError: (error) => {
      const stack = stackOf(error);
      const notTold = repeats.admit(`a request failed ${stack?.split("\n")[1]}`);
      if (notTold !== undefined)
        log.error({ error: loggableReason(error), stack, not_told: notTold }, "a request failed");
    },
  });

  const routes = buildRoutes({
    version: options.version,
    desk,
    executions,
    events: { ingest, outcomes, batchEventsMax: config.maxBatchEvents },
    readMigrations: async () => {
      await probes`select 1`;
      return await readMigrationState(probes).catch(() => "schema_unreadable" as const);
    },
    exposeMetrics: options.exposeMetrics,
  });
  const forwarder =
    options.dashboard === undefined
      ? undefined
      : new Forwarder({
          socketPath: options.dashboard.socketPath,
          trustedProxies: config.trustedProxies,
          ready: options.dashboard.ready,
          isDatabaseAway: () => !availability.available,
          count: (outcome) => metrics.add(metrics.slot("ats_dashboard_requests_total", { outcome })),
        });
  // In Bun's own router, so that a request for ingest pays nothing for it.
  const forward = async (request: Request, to: Bun.Server<undefined>) =>
    forwarder === undefined ? await routes.fetch(request) : await forwarder.handle(request, to);
  const server = Bun.serve({
    hostname: config.host,
    port: options.port,
    reusePort: config.httpThreads > 1,
    // The limit that answers with a problem document is our own; Bun's would answer with an empty 413.
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    idleTimeout: 30,
    routes: { "/app": forward, "/app/*": forward },
    fetch: routes.fetch,
  });

  availability.onSilence(() => {
    for (const writer of [...fastWriters, ...carefulWriters]) writer.abandon();
    forwarder?.databaseSilent();
  });
  availability.start();

  metrics.set(metrics.slot("ats_database_available"), 1);
  metrics.set(metrics.slot("ats_http_threads"), 1);
  const gauges = setInterval(() => {
    const depth = groupCommit.depth;
    metrics.set(metrics.slot("ats_flush_queue_depth", { lane: "fast" }), depth.fast);
    metrics.set(metrics.slot("ats_flush_queue_depth", { lane: "careful" }), depth.careful);
    metrics.set(metrics.slot("ats_flushes_writing"), depth.writing);
    metrics.set(metrics.slot("ats_execution_calls_waiting"), executions.waiting);
    metrics.set(metrics.slot("ats_executions_cached"), registry.size);
    metrics.set(metrics.slot("ats_event_id_bytes_held"), heldIds.bytes);
    metrics.set(metrics.slot("ats_http_requests_in_flight"), desk.inFlight);
    metrics.set(metrics.slot("ats_http_body_bytes_held"), budget.held);
    metrics.set(metrics.slot("ats_dashboard_requests_in_flight"), forwarder?.inFlight ?? 0);
  }, GAUGES_EVERY_MS);

  return {
    port: server.port!,
    async drain() {
      forwarder?.drain();
      const closed = server.stop();
      await desk.drain();
      await groupCommit.drained();
      await Promise.race([tally.stop(), Bun.sleep(TALLY_STOP_MS)]);
      clearInterval(gauges);
      availability.stop();
      notices.close();
      await directory.stop();
      await Promise.all([
        closed,
        queries.end({ timeout: 2 }),
        probes.end({ timeout: 1 }),
        ...[...fastWriters, ...carefulWriters].map((writer) => writer.end()),
      ]);
    },
  };
}

function stackOf(error: unknown): string | undefined {
  return error instanceof Error ? error.stack : undefined;
}
