import type { IngestClient } from "./ingest-client.ts";
import type { PlannedRun } from "./plan.ts";
import type { DemoEvent } from "./run-script.ts";

/**
 * Sends planned runs over `minutes`. Replayed, a run is sent at once with the times it had in the last 24
 * hours; live, it happens now and its events leave one after the other, in fast motion.
 */
export interface ReplayOptions {
  readonly minutes: number;
  readonly live: boolean;
  /** Which key sends a run. */
  readonly keyOf: (planned: PlannedRun) => string;
  readonly onProgress: (sent: ReplayCounts) => void;
}

export interface ReplayCounts {
  runs: number;
  incidents: number;
  accepted: number;
  duplicates: number;
  rejected: number;
}

const RUNS_AT_ONCE = 12;
/** Live runs mostly wait. */
const LIVE_RUNS_AT_ONCE = 400;
const LIVE_RUN_MS_MAX = 20_000;
/** Live events this close together travel in one request. */
const TOGETHER_MS = 250;
/**
 * As clients do: once in so many runs a batch is sent again after an answer got lost, or an event is
 * malformed.
 */
const RUNS_BETWEEN_RESENT = 31;
const RUNS_BETWEEN_MALFORMED = 90;

export async function replay(
  plan: readonly PlannedRun[],
  client: IngestClient,
  options: ReplayOptions,
): Promise<ReplayCounts> {
  const counts: ReplayCounts = { runs: 0, incidents: 0, accepted: 0, duplicates: 0, rejected: 0 };
  const beganMs = Date.now();
  const underWay = new Set<Promise<void>>();
  let failure: unknown = null;
  for (const [at, planned] of plan.entries()) {
    await sleepUntil(beganMs + (at / plan.length) * options.minutes * 60_000);
    while (underWay.size >= (options.live ? LIVE_RUNS_AT_ONCE : RUNS_AT_ONCE)) await Promise.race(underWay);
    if (failure !== null) break;
    const mishaps = {
      resent: at % RUNS_BETWEEN_RESENT === 5,
      malformed: at % RUNS_BETWEEN_MALFORMED === 50,
    };
    const sending = sendRun(planned, client, options, mishaps, counts)
      .catch((error: unknown) => {
        failure ??= error;
      })
      .finally(() => {
        underWay.delete(sending);
        options.onProgress(counts);
      });
    underWay.add(sending);
  }
  await Promise.all(underWay);
  if (failure !== null) throw failure;
  return counts;
}

interface Mishaps {
  readonly resent: boolean;
  readonly malformed: boolean;
}

async function sendRun(
  planned: PlannedRun,
  client: IngestClient,
  options: ReplayOptions,
  mishaps: Mishaps,
  counts: ReplayCounts,
): Promise<void> {
  const { run } = planned;
  const key = options.keyOf(planned);
  const startMs = options.live ? Date.now() : Date.now() - planned.agoMs;
  const pace = options.live ? Math.min(1, LIVE_RUN_MS_MAX / run.durationMs) : 1;
  await client.create(key, {
    execution_id: run.executionId,
    status: "started",
    sdk_language: run.sdkLanguage,
    sdk_version: run.sdkVersion,
  });
  for (const batch of options.live ? byMoment(run.events, pace) : [run.events]) {
    if (options.live) await sleepUntil(startMs + (batch.at(-1)?.offsetMs ?? 0) * pace);
    const body = batch.map(({ offsetMs, ...event }) => ({
      ...event,
      execution_id: run.executionId,
      timestamp: new Date(startMs + offsetMs * pace).toISOString(),
    }));
    for (const _time of mishaps.resent ? [1, 2] : [1]) {
      const answer = await client.events(key, body);
      counts.accepted += answer.accepted;
      counts.duplicates += answer.duplicates;
    }
  }
  if (mishaps.malformed) {
    await client.refusedEvents(key, [
      {
        event_id: "no-time",
        execution_id: run.executionId,
        event_type: "checkpoint",
        sequence: 0,
        payload: {},
      },
    ]);
    counts.rejected++;
  }
  if (run.end !== null) {
    await client.finish(key, run.executionId, {
      ...run.end,
      duration_ms: Math.round(run.end.duration_ms * pace),
    });
  }
  counts.runs++;
  if (planned.isIncident) counts.incidents++;
}

/** Events in the order they happened, those of nearly one moment together. */
function* byMoment(events: readonly DemoEvent[], pace: number): Generator<DemoEvent[]> {
  let batch: DemoEvent[] = [];
  for (const event of events) {
    const first = batch[0];
    if (first !== undefined && (event.offsetMs - first.offsetMs) * pace > TOGETHER_MS) {
      yield batch;
      batch = [];
    }
    batch.push(event);
  }
  if (batch.length > 0) yield batch;
}

async function sleepUntil(dueMs: number): Promise<void> {
  const leftMs = dueMs - Date.now();
  if (leftMs > 0) await Bun.sleep(leftMs);
}
