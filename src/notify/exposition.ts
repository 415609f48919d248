import { counterText, gaugeText, histogramText } from "../metrics/exposition.ts";
import { type Histogram, LATENCY_BOUNDS_S } from "./delivery-metrics.ts";
import type { NotifierMetrics } from "./notifier.ts";

/** The notifier's figures for /metrics. */
export function exposeNotifier(metrics: NotifierMetrics, nowMs: number): string {
  const histogram = (name: string, help: string, { counts, sumS }: Histogram) =>
    histogramText(name, help, { bounds: LATENCY_BOUNDS_S, counts, sum: sumS });
  return [
    counterText("ats_deliveries_total", "Webhook deliveries by what became of them.", [
      { labels: { outcome: "delivered" }, value: metrics.delivered },
      { labels: { outcome: "failed" }, value: metrics.failed },
      { labels: { outcome: "cancelled" }, value: metrics.cancelled },
      { labels: { outcome: "test_delivered" }, value: metrics.testDelivered },
      { labels: { outcome: "test_failed" }, value: metrics.testFailed },
    ]),
    counterText(
      "ats_delivery_attempts_total",
      "Attempts by result.",
      Object.entries(metrics.attempts).map(([result, value]) => ({ labels: { result }, value })),
    ),
    counterText("ats_webhooks_disabled_total", "Webhooks disabled by their answers or failures.", [
      { value: metrics.webhooksDisabled },
    ]),
    counterText(
      "ats_notifier_database_errors_total",
      "Statements or connections of the notifier that failed.",
      [{ value: metrics.databaseErrors }],
    ),
    counterText("ats_notifier_thread_restarts_total", "Times that the notify thread was started again.", [
      { value: metrics.threadRestarts },
    ]),
    gaugeText("ats_deliveries_in_flight", "Attempts under way.", [{ value: metrics.inFlight }]),
    gaugeText("ats_deliveries_owed", "Deliveries not finished, those that wait for their next attempt too.", [
      { value: metrics.backlog.owed },
    ]),
    gaugeText("ats_deliveries_due", "Deliveries whose next attempt is due and has not begun.", [
      { value: metrics.backlog.due },
    ]),
    gaugeText("ats_delivery_lag_seconds", "How long the oldest of them has been due.", [
      {
        value:
          metrics.backlog.oldestDueMs === null ? 0 : Math.max(0, nowMs - metrics.backlog.oldestDueMs) / 1_000,
      },
    ]),
    histogram(
      "ats_delivery_seconds",
      "Time from a delivery's creation to its success.",
      metrics.deliverySeconds,
    ),
    histogram("ats_delivery_attempt_seconds", "Time of one attempt.", metrics.attemptSeconds),
  ].join("");
}
