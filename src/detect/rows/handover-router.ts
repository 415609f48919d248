import { shareOf } from "../../store/detection/project-share.ts";
import type { FlushPart } from "../../store/telemetry/event-copy.ts";
import { type HandoverBuffers, HandoverProducer } from "./handover.ts";
import { packsOfProjects } from "./pack-reader.ts";

/**
 * One ingest thread's hand-over to all detection threads: a ring to each, and to each what belongs to the
 * projects that it looks after. A flush may hold events of many projects; then its rows are divided, which
 * with one detection thread or one project they never are.
 */
export class HandoverRouter {
  readonly #producers: readonly HandoverProducer[];

  /** A ring for each detection thread, in their order. */
  constructor(rings: readonly HandoverBuffers[]) {
    this.#producers = rings.map((buffers) => new HandoverProducer(buffers));
  }

  /**
   * Call after the commit of what is offered. `rows` are copied before this returns. False when some of it
   * found its ring full: then that is read from the store.
   */
  offer(batchNo: number, parts: readonly FlushPart[], rows: Uint8Array): boolean {
    const threads = this.#producers.length;
    if (threads === 1) return this.#producers[0]!.offer(batchNo, parts, rows);
    const byThread = Map.groupBy(parts, ({ projectNo }) => shareOf(projectNo, threads));
    let isTaken = true;
    for (const [thread, own] of byThread) {
      const ownRows = byThread.size === 1 ? rows : rowsOf(own, rows);
      if (!this.#producers[thread]!.offer(batchNo, own, ownRows)) isTaken = false;
    }
    return isTaken;
  }

  /** Events were refused because the database did not take them. */
  noteUnstored(): void {
    for (const producer of this.#producers) producer.noteUnstored();
  }

  /** `load`: the share of its time for which the ingest thread wanted a core lately, 0 to 1. */
  noteLoad(load: number): void {
    for (const producer of this.#producers) producer.noteLoad(load);
  }
}

function rowsOf(parts: readonly FlushPart[], rows: Uint8Array): Uint8Array {
  return Buffer.concat(packsOfProjects(rows, new Set(parts.map(({ projectNo }) => projectNo))));
}
