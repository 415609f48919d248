import {
  type ClaimedBatch,
  type PackWindow,
  readBatchEvents,
} from "../../store/detection/detection-batches.ts";
import type { DetectionSql } from "../../store/detection/detection-session.ts";
import { PackCursor, splitByBatch } from "../rows/pack-reader.ts";

/**
 * Reads owed batches from the store. Their events are among the last packs of their executions, or, in a
 * backlog that is being read, behind the packs read last: these are searched first, and all packs only if
 * events are then still missing. A batch row says how many there are.
 *
 * Of an execution with a million packs the latest batch takes 3 ms instead of 430, and so does each further
 * one of a backlog.
 */

const PACKS_FIRST = 1_000;
const PACKS_NEXT = 16_000;
/** Executions for which the place of the last batch is remembered. */
const PLACES_MAX = 1_000;
/** The order of batches is not quite that of their packs. */
const PACKS_BEFORE = 100;

export class ReadBack {
  readonly #places = new Map<number, number>();

  /** The rows of each of these batches, of one project. */
  async read(
    sql: DetectionSql,
    projectNo: number,
    batches: readonly ClaimedBatch[],
  ): Promise<Map<number, Uint8Array>> {
    const expected = batches.reduce((sum, { eventCount }) => sum + eventCount, 0);
    const executionNos = new Set(batches.flatMap((batch) => batch.executionNos ?? []));
    for (const window of this.#windows(executionNos)) {
      const rows = await readBatchEvents(sql, projectNo, batches, window);
      if (window !== null && this.#countEvents(rows) !== expected) continue;
      this.#note(rows);
      return splitByBatch(rows);
    }
    return new Map();
  }

  *#windows(executionNos: ReadonlySet<number>): Generator<PackWindow | null> {
    const fromPackNo = new Map<number, number>();
    for (const executionNo of executionNos) {
      const place = this.#places.get(executionNo);
      if (place !== undefined) fromPackNo.set(executionNo, Math.max(0, place - PACKS_BEFORE));
    }
    if (fromPackNo.size > 0) yield { packsMax: PACKS_FIRST, fromPackNo };
    for (const packsMax of [PACKS_FIRST, PACKS_NEXT]) yield { packsMax, fromPackNo: new Map() };
    yield null;
  }

  #countEvents(rows: Uint8Array): number {
    let count = 0;
    for (const cursor = new PackCursor(rows, { unreadablePayloads: 0 }); cursor.nextPack(); )
      count += cursor.eventCount;
    return count;
  }

  #note(rows: Uint8Array): void {
    for (const cursor = new PackCursor(rows, { unreadablePayloads: 0 }); cursor.nextPack(); ) {
      this.#places.delete(cursor.executionNo);
      this.#places.set(cursor.executionNo, cursor.packNo);
    }
    for (const executionNo of this.#places.keys()) {
      if (this.#places.size <= PLACES_MAX) break;
      this.#places.delete(executionNo);
    }
  }
}
