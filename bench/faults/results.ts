/** What a run of `bench faults` found: the one document of `--json`, and what its tables are written from. */
import type { Check } from "../ingest/results.ts";
import type { Machine } from "../machine.ts";
import type { FleetCounts } from "./fleet.ts";
import type { FaultsOptions } from "./options.ts";

export interface FaultsResults {
  machine: Machine;
  options: FaultsOptions;
  runs: number;
  events: number;
  requests: FleetCounts;
  /** How often each fault happened. */
  faults: Record<string, number>;
  /** Detections that were stored, by class. */
  detections: Record<string, number>;
  /** Webhooks taken by the receiver, and how many of them more than once, as at-least-once delivery may. */
  webhooks: { taken: number; again: number };
  /** From the end of the last fault until every answer was final, and until nothing was owed. */
  answeredSeconds: number;
  settledSeconds: number;
  checks: Check[];
}
