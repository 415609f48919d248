import type { Logger } from "pino";
import type { Config } from "../config.ts";
import type { HandoverBuffers } from "../detect/rows/handover.ts";
import { HandoverRouter } from "../detect/rows/handover-router.ts";
import type { Availability } from "../ingest/availability.ts";
import type { BatchNumbers } from "../ingest/commit/batch-numbers.ts";
import { GroupCommit, type GroupCommitObserver } from "../ingest/commit/group-commit.ts";
import { HeldIds } from "../ingest/commit/held-ids.ts";
import { PackTurns } from "../ingest/commit/pack-turns.ts";
import { EventIngest } from "../ingest/events.ts";
import { ExecutionRegistry } from "../ingest/execution-registry.ts";
import { Executions } from "../ingest/executions.ts";
import { observeGroupCommit } from "../ingest/metrics.ts";
import { OutcomeTally } from "../ingest/outcome-tally.ts";
import { OUTCOME_SERIES, Outcomes } from "../ingest/outcomes.ts";
import { ThreadLoad } from "../ingest/thread-load.ts";
import { YoungGarbage } from "../ingest/young-garbage.ts";
import type { MetricRegistry } from "../metrics/registry.ts";
import { loggableReason } from "../store/database/failure.ts";
import { addOutcomes } from "../store/upkeep/rollups.ts";
import type { Connections } from "./connections.ts";
import type { RareLog } from "./rare-log.ts";

/**
 * The write path of one thread: what is known of executions and ids, group commit, and what follows a commit;
 * and what became of each event.
 */

/**
 * Events that make a flush worth sending while others are under way. Measured with an event a row: a flush
 * cost as much as 150 of them.
 */
const FLUSH_EVENTS_MIN = 1_000;
/**
 * Hashes of ids of the executions that are sent to, by all threads together: 32 MiB are some 4 million events
 * of long executions. An agent that waits for a model sends nothing for some seconds; full load would fill
 * all of it with executions that have ended.
 */
const EVENT_IDS = { bytesMax: 33_554_432, bytesIdleMax: 8_388_608, idleMsMax: 5_000 };
/** A database that is away does not hold up a stop for counts. */
const TALLY_STOP_MS = 2_000;
const NO_ROWS = new Uint8Array();

export interface IngestPartsOptions {
  readonly config: Config;
  readonly connections: Connections;
  readonly numbers: BatchNumbers;
  readonly availability: Availability;
  readonly metrics: MetricRegistry;
  /** A ring to each detection thread; none when detection is off. */
  readonly handovers: readonly HandoverBuffers[];
  /** Unix time in milliseconds. */
  readonly wallClock: () => number;
  readonly log: Logger;
  readonly rareLog: RareLog;
}

export interface IngestParts {
  readonly registry: ExecutionRegistry;
  readonly heldIds: HeldIds;
  readonly executions: Executions;
  readonly groupCommit: GroupCommit;
  readonly events: EventIngest;
  readonly outcomes: Outcomes;
  /** Resolves when what was taken is committed, and counted as far as the database takes it. */
  drain(): Promise<void>;
}

export function buildIngest(options: IngestPartsOptions): IngestParts {
  const { config, connections, numbers, availability, metrics, rareLog } = options;
  const tally = new OutcomeTally({
    series: OUTCOME_SERIES,
    clock: options.wallClock,
    store: (counts) => addOutcomes(connections.queries, counts),
    onError: rareLog.warner("outcomes could not be added to the roll-up, they are kept"),
  });
  tally.start();
  const handover = options.handovers.length === 0 ? undefined : new HandoverRouter(options.handovers);
  const outcomes = new Outcomes(metrics, tally, () => handover?.noteUnstored());
  const registry = new ExecutionRegistry(Math.ceil(config.executionsCachedMax / config.httpThreads));
  const heldIds = new HeldIds({
    ...EVENT_IDS,
    bytesMax: EVENT_IDS.bytesMax / config.httpThreads,
    bytesIdleMax: EVENT_IDS.bytesIdleMax / config.httpThreads,
  });
  const executions = new Executions({
    sql: connections.queries,
    registry,
    numbers,
    availability,
    onFinished: (batchNo, projectNos) => {
      const parts = projectNos.map((projectNo) => ({ projectNo, eventCount: 0 }));
      handover?.offer(batchNo, parts, NO_ROWS);
    },
    onError: rareLog.warner("an execution statement failed"),
  });
  const groupCommit = new GroupCommit({
    fastWriters: connections.fastWriters,
    carefulWriters: connections.carefulWriters,
    numbers,
    turns: new PackTurns(heldIds),
    availability,
    observer: observeFlushes({ metrics, outcomes, handover, log: options.log, rareLog }),
    flushEventsMin: FLUSH_EVENTS_MIN,
    flushEventsMax: config.flushEventsMax,
    flushDelayMsMax: config.flushDelayMsMax,
  });
  const events = new EventIngest({
    registry,
    executions,
    groupCommit,
    availability,
    outcomes,
    batchEventsMax: config.maxBatchEvents,
  });
  return {
    registry,
    heldIds,
    executions,
    groupCommit,
    events,
    outcomes,
    async drain() {
      await groupCommit.drained();
      await Promise.race([tally.stop(), Bun.sleep(TALLY_STOP_MS)]);
    },
  };
}

function observeFlushes({
  metrics,
  outcomes,
  handover,
  log,
  rareLog,
}: Pick<IngestPartsOptions, "metrics" | "log" | "rareLog"> & {
  readonly outcomes: Outcomes;
  readonly handover: HandoverRouter | undefined;
}): GroupCommitObserver {
  const threadLoad = new ThreadLoad();
  const youngGarbage = new YoungGarbage();
  const warnRefused = rareLog.warner("PostgreSQL refused to store events");
  return observeGroupCommit({
    metrics,
    outcomes,
    committed: (batchNo, parts, rows) => {
      handover?.offer(batchNo, parts, rows);
      const load = threadLoad.measure();
      if (load !== undefined) handover?.noteLoad(load);
      youngGarbage.stored(rows.length);
    },
    onRefused: (lane, code, error) => {
      log.debug({ lane, code, reason: loggableReason(error) }, "a flush was refused");
      // The fast lane is refused wherever another writer was first; what the careful one is refused by is
      // trouble.
      if (lane === "careful") warnRefused(error);
    },
  });
}
