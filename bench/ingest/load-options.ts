/**
 * The part of a command line that says with what a service is loaded: of `bench ingest` and `bench detection`
 * alike.
 */

import { flag, type OptionReader, text } from "../option-reader.ts";
import { type IdKind, SERIAL_MAX } from "./batch-plan.ts";

/** Bodies kept by a load generator: about 400 MiB at the default sizes. */
export const TEMPLATES_MAX = 10_240;

export interface LoadPlanOptions {
  json: boolean;
  report: string | undefined;
  batches: number;
  eventsPerBatch: number;
  batchesPerExecution: number;
  concurrency: number;
  rounds: number;
  payloadBytes: number;
  ids: IdKind;
  seed: number;
  /** Events a second by schedule instead of the closed loop. */
  rate: number | undefined;
  httpThreads: number;
}

export const LOAD_DECLARED = {
  json: flag,
  report: text,
  batches: text,
  events: text,
  "batches-per-execution": text,
  concurrency: text,
  rounds: text,
  "payload-bytes": text,
  ids: text,
  seed: text,
  rate: text,
  "http-threads": text,
} as const;

export function readLoadPlan(
  given: OptionReader<typeof LOAD_DECLARED>,
  defaults: { readonly batches: number; readonly rounds: number },
): LoadPlanOptions {
  const { values } = given;
  return {
    json: values.json === true,
    report: values.report,
    batches: given.whole("batches", defaults.batches, 1, 1_000_000),
    eventsPerBatch: given.whole("events", 100, 1, 1000),
    batchesPerExecution: given.whole("batches-per-execution", 10, 1, 1000),
    concurrency: given.whole("concurrency", 64, 1, 1024),
    rounds: given.whole("rounds", defaults.rounds, 1, 20),
    payloadBytes: given.whole("payload-bytes", 200, 50, 20_000),
    ids: given.choice<IdKind>("ids", "ulid", ["ulid", "uuid"]),
    seed: given.whole("seed", 1, 0, 2 ** 31),
    rate: values.rate === undefined ? undefined : given.whole("rate", 1, 1, 10_000_000),
    httpThreads: given.whole("http-threads", 1, 1, 64),
  };
}

/** Events are numbered through all phases of a run. */
export function checkEventCount(mistakes: string[], eventsMax: number): void {
  if (eventsMax > SERIAL_MAX)
    mistakes.push(`a run has at most ${SERIAL_MAX} events, this one could need ${eventsMax}`);
}
