import { eventTypeCode } from "../../ingest/wire/event-types.ts";
import { PackCursor, type ReadCounts, type StoredEvent } from "./pack-reader.ts";

/**
 * Cuts the packs of one batch into slices, one an execution, keeping only events that some enabled detector
 * of their project wants. Pure. The order within a slice is StoredEvent.precedes.
 */

/** The events of one execution in one batch. */
export interface ExecutionSlice {
  readonly projectNo: number;
  readonly executionNo: number;
  readonly events: StoredEvent[];
  /** Bit `typeCode` is set for each type that occurs. */
  typeMask: number;
}

export interface SlicedRows {
  readonly slices: readonly ExecutionSlice[];
  /** All events of claimed batches, wanted or not. */
  readonly eventCount: number;
}

export const ENVIRONMENT_BIT = 1 << eventTypeCode("environment_declaration")!;

export function sliceRows(options: {
  rows: Uint8Array;
  counts: ReadCounts;
  /** Bits of the event types to be looked at; undefined for a project whose batch is not claimed. */
  wantedMaskOf: (projectNo: number) => number | undefined;
  /** Where each event of a claimed batch is counted by its type code, wanted or not. */
  tally: { countsAt(projectNo: number, receivedUs: number): Float64Array };
}): SlicedRows {
  const cursor = new PackCursor(options.rows, options.counts);
  const byExecution = new Map<number, ExecutionSlice>();
  let eventCount = 0;
  let projectNo = -1;
  let wantedMask: number | undefined;
  let slice: ExecutionSlice | undefined;
  while (cursor.nextPack()) {
    const { executionNo, receivedUs } = cursor;
    if (cursor.projectNo !== projectNo) {
      projectNo = cursor.projectNo;
      wantedMask = options.wantedMaskOf(projectNo);
    }
    if (wantedMask === undefined) continue;
    if (slice?.executionNo !== executionNo) slice = byExecution.get(executionNo);
    const counts = options.tally.countsAt(projectNo, receivedUs);
    while (cursor.nextEvent()) {
      eventCount++;
      const { typeCode } = cursor;
      counts[typeCode]! += 1;
      if ((wantedMask & (1 << typeCode)) === 0) continue;
      if (slice === undefined) {
        slice = { projectNo, executionNo, events: [], typeMask: 0 };
        byExecution.set(executionNo, slice);
      }
      slice.typeMask |= 1 << typeCode;
      slice.events.push(cursor.event());
    }
  }
  const slices = Array.from(byExecution.values());
  for (const each of slices) orderEvents(each.events);
  return { slices, eventCount };
}

/** Events mostly come in order already: look before sorting. */
export function orderEvents(events: StoredEvent[]): void {
  for (let i = 1; i < events.length; i++) {
    if (!events[i - 1]!.precedes(events[i]!)) {
      events.sort((a, b) => (a.precedes(b) ? -1 : 1));
      return;
    }
  }
}
