import type { MetricDeclaration, MetricRegistry } from "../metrics/registry.ts";
import { codeOf } from "../store/database/failure.ts";
import type { GroupCommitObserver } from "./commit/group-commit.ts";
import type { LaneName } from "./commit/lane.ts";
import type { Outcomes } from "./outcomes.ts";

/** Metrics of the write path. */

const LANES: readonly LaneName[] = ["fast", "careful"];
const lanes = LANES.map((lane) => ({ lane }));

export const INGEST_METRICS: readonly MetricDeclaration[] = [
  {
    name: "ats_flush_events",
    kind: "histogram",
    help: "Events in a flush.",
    series: lanes,
    buckets: [1, 10, 100, 500, 1000, 2000, 5000, 10_000],
  },
  {
    name: "ats_flush_requests",
    kind: "histogram",
    help: "Requests that shared a flush.",
    series: lanes,
    buckets: [1, 2, 5, 10, 20, 50, 100],
  },
  {
    name: "ats_flush_wait_seconds",
    kind: "histogram",
    help: "Time from a flush's first request to its start, in seconds.",
    series: lanes,
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5],
  },
  {
    name: "ats_flush_commit_seconds",
    kind: "histogram",
    help: "Time from a flush's start to its commit, in seconds.",
    series: lanes,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
  },
  {
    name: "ats_flush_refusals_total",
    kind: "counter",
    help: "Flushes or shares of one that PostgreSQL refused; on the fast lane mostly a pack number that another writer took.",
    series: lanes,
  },
  {
    name: "ats_flush_queue_depth",
    kind: "gauge",
    help: "Flushes waiting for a connection.",
    series: lanes,
  },
  { name: "ats_flushes_writing", kind: "gauge", help: "Flushes being written." },
  {
    name: "ats_execution_calls_waiting",
    kind: "gauge",
    help: "Execution creates, updates and look-ups waiting.",
  },
  { name: "ats_executions_cached", kind: "gauge", help: "Executions known in memory." },
  { name: "ats_event_id_bytes_held", kind: "gauge", help: "Bytes of hashes of stored event ids in memory." },
  { name: "ats_http_requests_in_flight", kind: "gauge", help: "Protected requests being answered." },
  {
    name: "ats_database_available",
    kind: "gauge",
    help: "HTTP threads that reach PostgreSQL; compare with ats_http_threads.",
  },
  { name: "ats_http_threads", kind: "gauge", help: "HTTP threads." },
  {
    name: "ats_database_losses_total",
    kind: "counter",
    help: "Times that PostgreSQL went away, as seen by each HTTP thread.",
  },
];

/** Counts what the group commit reports. `committed` is the hand-over to detection. */
export function observeGroupCommit(options: {
  readonly metrics: MetricRegistry;
  readonly outcomes: Outcomes;
  readonly committed: GroupCommitObserver["committed"];
  readonly onRefused: (lane: LaneName, code: string, error: unknown) => void;
}): GroupCommitObserver {
  const { metrics, outcomes } = options;
  const byLane = Object.fromEntries(
    LANES.map((lane) => [
      lane,
      {
        events: metrics.histogram("ats_flush_events", { lane }),
        requests: metrics.histogram("ats_flush_requests", { lane }),
        wait: metrics.histogram("ats_flush_wait_seconds", { lane }),
        commit: metrics.histogram("ats_flush_commit_seconds", { lane }),
        refusals: metrics.slot("ats_flush_refusals_total", { lane }),
      },
    ]),
  );
  return {
    flushed(lane, events, shares, waitedMs, wroteMs) {
      const own = byLane[lane]!;
      own.events(events);
      own.requests(shares);
      own.wait(waitedMs / 1000);
      own.commit(wroteMs / 1000);
    },
    refused(lane, error) {
      metrics.add(byLane[lane]!.refusals);
      options.onRefused(lane, codeOf(error) ?? "none", error);
    },
    committed: options.committed,
    settledLate(sender, events, stored) {
      if (stored === undefined) outcomes.shed(sender, "database_unavailable", events);
      else outcomes.stored(sender, stored, events - stored);
    },
  };
}
