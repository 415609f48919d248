import type { DeliveryMetrics } from "./delivery-metrics.ts";

/**
 * What the main side and the notify thread say to each other. Small copies only: no delivery ever travels
 * here.
 */

export interface NotifyThreadOptions {
  databaseUrl: string;
  /** CIDRs, as configured. */
  allowedNetworks: readonly string[];
  attemptsMax?: number;
  perWebhookMax?: number;
  timeoutMs?: number;
  leaseMs?: number;
  retentionDays?: number;
  /** PEM of certificate authorities to trust instead of the built-in ones. */
  ca?: string;
}

export type ToThread =
  | { type: "start"; options: NotifyThreadOptions }
  | { type: "close_silent"; silentMs: number }
  | { type: "drain" }
  | { type: "stop" };

export type LogLevel = "info" | "warn" | "error";

export type FromThread =
  /**
   * Sent every second. `progress` counts the looks for what is due that have ended, and the seconds in which
   * PostgreSQL owed this thread an answer: if it stands, the thread waits for something that never comes.
   */
  | { type: "metrics"; metrics: DeliveryMetrics; progress: number }
  | { type: "log"; level: LogLevel; fields: Record<string, unknown>; message: string }
  | { type: "drained" }
  | { type: "stopped" };
