import type { ClaimedBatch } from "../../store/detection/detection-batches.ts";
import type { DetectionSql } from "../../store/detection/detection-session.ts";
import type { ExecutionView } from "../detector.ts";
import type { ExecutionKey, Loader } from "../engine/loader.ts";
import type { StateCache } from "../engine/state-cache.ts";
import type { EngineStats } from "../engine/stats.ts";
import { type EventTally, LLM_CALL_BIT } from "../rows/event-tally.ts";
import { ENVIRONMENT_BIT, type ExecutionSlice, sliceRows } from "../rows/execution-slices.ts";
import { ReadBack } from "./read-back.ts";

/**
 * Reads what a transaction has claimed: its events, as handed over or from the store, sliced by execution,
 * and the executions' records and states.
 */

/** A flush to be detected, in order of arrival. */
export interface Arrival {
  readonly batchNo: number;
  readonly projectNos: readonly number[];
  /** Its rows as handed over; null: read them from the store. */
  readonly rows: Uint8Array | null;
}

/** What was handed over is not what is stored: these batches have to be read from the store instead. */
export class HandoverMismatch extends Error {
  override readonly name = "HandoverMismatch";
}

/** The claimed batches of one flush, sliced. */
export interface Work {
  readonly arrival: Arrival;
  readonly slices: readonly ExecutionSlice[];
  readonly batches: readonly ClaimedBatch[];
  /** Executions whose status changed. */
  readonly statusOf: readonly ExecutionKey[];
}

/** By number, executions as they are from their end on. */
export type EndedViews = ReadonlyMap<number, ExecutionView>;

interface Parts {
  readonly loader: Loader;
  readonly cache: StateCache;
  readonly stats: EngineStats;
}

export class ClaimedWork {
  readonly #parts: Parts;
  readonly #readBack = new ReadBack();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async read(
    sql: DetectionSql,
    arrivals: readonly Arrival[],
    claimed: readonly ClaimedBatch[],
    tally: EventTally,
  ): Promise<{ work: Work[]; events: number }> {
    const byKey = new Map(claimed.map((batch) => [keyOf(batch.projectNo, batch.batchNo), batch]));
    const stored = await this.#readStored(sql, claimed);
    const startedMs = performance.now();
    const work: Work[] = [];
    let events = 0;
    for (const arrival of arrivals) {
      const batches = arrival.projectNos.flatMap((no) => byKey.get(keyOf(no, arrival.batchNo)) ?? []);
      if (batches.length === 0) continue;
      // The same batch may have come twice within these arrivals.
      for (const batch of batches) byKey.delete(keyOf(batch.projectNo, batch.batchNo));
      const statusOf = batches
        .filter((batch) => batch.eventCount === 0)
        .flatMap((batch) =>
          (batch.executionNos ?? []).map((executionNo) => ({ projectNo: batch.projectNo, executionNo })),
        );
      const slices: ExecutionSlice[] = [];
      if (arrival.rows === null) {
        for (const batch of batches) {
          const rows = stored.get(keyOf(batch.projectNo, batch.batchNo));
          if (rows === undefined) continue;
          const part = this.#slice(rows, batches, tally);
          slices.push(...part.slices);
          events += part.eventCount;
        }
      } else if (batches.some((batch) => batch.eventCount > 0)) {
        const part = this.#sliceHanded(arrival, batches, tally);
        slices.push(...part.slices);
        events += part.eventCount;
      }
      work.push({ arrival, slices, batches, statusOf });
    }
    this.#parts.stats.counts.busyMs += performance.now() - startedMs;
    return { work, events };
  }

  #slice(rows: Uint8Array, batches: readonly ClaimedBatch[], tally: EventTally) {
    const { loader, stats } = this.#parts;
    return sliceRows({
      rows,
      counts: stats.counts,
      wantedMaskOf: (projectNo) =>
        batches.some((batch) => batch.projectNo === projectNo)
          ? (loader.plan(projectNo)?.wantedMask ?? 0) | LLM_CALL_BIT
          : undefined,
      tally,
    });
  }

  /** Trusts what was handed over only if it has as many events as the store says. */
  #sliceHanded(arrival: Arrival, batches: readonly ClaimedBatch[], tally: EventTally) {
    let part: ReturnType<typeof sliceRows>;
    try {
      part = this.#slice(arrival.rows!, batches, tally);
    } catch (error) {
      throw new HandoverMismatch(error instanceof Error ? error.message : "unreadable rows");
    }
    const expected = batches.reduce((sum, batch) => sum + batch.eventCount, 0);
    if (part.eventCount !== expected) {
      throw new HandoverMismatch(`${part.eventCount} rows handed over, ${expected} stored`);
    }
    return part;
  }

  /** The rows of the claimed batches that did not come by hand-over. */
  async #readStored(sql: DetectionSql, claimed: readonly ClaimedBatch[]): Promise<Map<string, Uint8Array>> {
    const stored = new Map<string, Uint8Array>();
    const owed = claimed.filter(isFromStore);
    for (const [projectNo, batches] of Map.groupBy(owed, (batch) => batch.projectNo)) {
      for (const [batchNo, rows] of await this.#readBack.read(sql, projectNo, batches))
        stored.set(keyOf(projectNo, batchNo), rows);
    }
    return stored;
  }

  async loadExecutions(
    sql: DetectionSql,
    work: readonly Work[],
    claimed: readonly ClaimedBatch[],
  ): Promise<{ readonly executionNos: readonly number[]; readonly ended: EndedViews }> {
    const { loader, cache } = this.#parts;
    const keys = new Map<number, ExecutionKey>();
    const refresh = new Map<number, ExecutionKey>();
    const ending = new Set<number>();
    for (const { slices, statusOf } of work) {
      for (const slice of slices) {
        keys.set(slice.executionNo, slice);
        const declares = (slice.typeMask & ENVIRONMENT_BIT) !== 0;
        if (declares && cache.peek(slice.executionNo)?.view.environmentMode === null) {
          refresh.set(slice.executionNo, slice);
        }
      }
      for (const key of statusOf) {
        ending.add(key.executionNo);
        const isWanted = loader.plan(key.projectNo)?.hasStatus ?? false;
        if (isWanted) keys.set(key.executionNo, key);
        if (isWanted || cache.has(key.executionNo)) refresh.set(key.executionNo, key);
      }
    }
    const ended = await loader.loadExecutions(sql, {
      keys: keys.values(),
      refresh: refresh.values(),
      ending,
      claimedBatchNos: claimed.map((batch) => batch.batchNo),
    });
    return { executionNos: [...new Set([...keys.keys(), ...refresh.keys()])], ended };
  }
}

export const isFromStore = (batch: ClaimedBatch) => batch.executionNos !== null && batch.eventCount > 0;

const keyOf = (projectNo: number, batchNo: number) => `${projectNo} ${batchNo}`;
