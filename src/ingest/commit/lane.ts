import type { EventWriter } from "../../store/telemetry/event-writer.ts";
import type { PendingFlush } from "./flush.ts";

/**
 * One of the two queues of flushes, and the writers that take from it (src/ingest/commit/group-commit.ts).
 */

export type LaneName = "fast" | "careful";

export interface Lane {
  readonly name: LaneName;
  readonly idle: EventWriter[];
  readonly writers: number;
  readonly sealed: PendingFlush[];
  open: PendingFlush | undefined;
  scheduled: boolean;
  timer: ReturnType<typeof setTimeout> | undefined;
}

export function laneOf(name: LaneName, writers: readonly EventWriter[]): Lane {
  return {
    name,
    idle: [...writers],
    writers: writers.length,
    sealed: [],
    open: undefined,
    scheduled: false,
    timer: undefined,
  };
}
