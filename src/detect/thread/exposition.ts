import { counterText, gaugeText } from "../../metrics/exposition.ts";
import type { ClassCounts, DetectionCounts } from "../engine/stats.ts";
import type { DetectionMetrics } from "./detection-threads.ts";

/** Detection's figures for /metrics. */
export function exposeDetection(metrics: DetectionMetrics): string {
  const { counts } = metrics;
  const classes = Object.entries(metrics.classes);
  const count = (name: string, help: string, key: keyof DetectionCounts) =>
    counterText(`ats_detection_${name}`, help, [{ value: counts[key] }]);
  const byClass = (name: string, help: string, key: keyof ClassCounts) =>
    counterText(
      `ats_detector_${name}`,
      help,
      classes.map(([failureClass, each]) => ({ labels: { class: failureClass }, value: each[key] })),
    );
  return [
    gaugeText("ats_detection_lag_seconds", "Age of the oldest batch that detection still owes.", [
      { value: metrics.lagMs / 1000 },
    ]),
    gaugeText(
      "ats_detection_quiet_lag_seconds",
      "The same of projects that owe little, which go ahead of those that owe much.",
      [{ value: metrics.quietLagMs / 1000 }],
    ),
    gaugeText(
      "ats_detection_passed_over_batches",
      "Owed batches that have failed for so long that ticks no longer wait for them.",
      [{ value: metrics.passedOver }],
    ),
    gaugeText("ats_detection_clock_ahead_seconds", "How far this process's clock is ahead of PostgreSQL's.", [
      { value: metrics.clockAheadMs / 1000 },
    ]),
    gaugeText(
      "ats_detection_up_since_timestamp_seconds",
      "From when on silences of executions count: the start, or the last moment at which the service took no events.",
      [{ value: metrics.upSinceMs / 1000 }],
    ),
    gaugeText(
      "ats_detection_leader",
      "Share of this database's projects that this process runs detection for: 1 for all.",
      [{ value: metrics.ledShare }],
    ),
    gaugeText("ats_detection_executions_held", "Executions whose state is in memory, ready for use.", [
      { value: metrics.executionsHeld },
    ]),
    gaugeText("ats_detection_state_bytes", "Estimated size of the states ready for use.", [
      { value: metrics.stateBytes },
    ]),
    gaugeText("ats_detection_executions_packed", "Executions whose state is in memory, packed.", [
      { value: metrics.executionsPacked },
    ]),
    gaugeText("ats_detection_packed_state_bytes", "Size of the packed states.", [
      { value: metrics.packedStateBytes },
    ]),
    gaugeText("ats_detection_microseconds_per_event", "Mean time in detection, database waits left out.", [
      { value: metrics.usPerEvent },
    ]),
    counterText("ats_detection_tick_seconds_total", "Time in what fires by time, database waits left out.", [
      { value: counts.tickMs / 1000 },
    ]),
    counterText(
      "ats_detection_waited_for_ingest_seconds_total",
      "Time for which detection waited because ingest needed the cores.",
      [{ value: counts.waitedMs / 1000 }],
    ),
    count("events_total", "Events seen by the detectors.", "events"),
    count("batches_total", "Batches detected.", "batches"),
    count(
      "batches_from_store_total",
      "Batches read back from the database, not handed over in memory.",
      "batchesFromStore",
    ),
    count(
      "failed_transactions_total",
      "Detection transactions that failed and were tried again.",
      "failedTransactions",
    ),
    count("abandoned_batches_total", "Batches given up after repeated failures.", "abandonedBatches"),
    count("unreadable_payloads_total", "Payloads that could not be read.", "unreadablePayloads"),
    count("state_rebuilds_total", "States rebuilt from the store.", "rebuilds"),
    count("groups_new_total", "Failure groups seen for the first time.", "newGroups"),
    count("groups_regressed_total", "Resolved failure groups that fired again.", "regressedGroups"),
    count("deliveries_owed_total", "Webhook deliveries written to the outbox.", "deliveries"),
    counterText("ats_detection_handover_drops_total", "Flushes that did not fit the hand-over ring.", [
      { value: metrics.handoverDrops },
    ]),
    counterText("ats_detection_state_unpackings_total", "Packed states that were needed again.", [
      { value: metrics.unpackings },
    ]),
    counterText("ats_detection_state_evictions_total", "States dropped for room, packed ones too.", [
      { value: metrics.evictions },
    ]),
    counterText("ats_detection_thread_restarts_total", "Times that a detection thread was started again.", [
      { value: metrics.threadRestarts },
    ]),
    count("stray_errors_total", "Errors of what detectors left running behind them.", "strayErrors"),
    byClass("detections_total", "Detections stored, by class.", "detections"),
    byClass("calls_total", "Calls of detectors, by class.", "calls"),
    counterText(
      "ats_detector_seconds_total",
      "Time in calls of detectors, by class.",
      classes.map(([failureClass, { tookMs }]) => ({
        labels: { class: failureClass },
        value: tookMs / 1000,
      })),
    ),
    byClass("errors_total", "Calls in which a detector threw, by class.", "errors"),
    byClass("over_budget_total", "Rounds that took longer than their budget, by class.", "overBudget"),
    byClass(
      "cut_detections_total",
      "Detections left out because one call answered with too many, by class.",
      "cutDetections",
    ),
    byClass("large_states_total", "States found far larger than they may be, by class.", "largeStates"),
    byClass(
      "skipped_calls_total",
      "Calls left out because they hung the thread before, by class.",
      "skippedCalls",
    ),
  ].join("");
}
