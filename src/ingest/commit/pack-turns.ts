import type { IdsRequest, StoredIds } from "../../store/telemetry/stored-ids.ts";
import type { KnownExecution } from "../execution-registry.ts";
import type { PendingFlush } from "./flush.ts";
import type { HeldIds } from "./held-ids.ts";

/**
 * Who may write packs of an execution, and under which numbers. This keeps an event from being stored twice
 * on the fast lane, where nothing is looked up.
 *
 * The store refuses a pack whose number is taken. So a writer that has seen every id of packs 0 to n - 1 and
 * succeeds in writing pack n knows that nobody stored anything in between. Two rules make that true:
 *
 * - A thread has packs of an execution in one flush at a time, numbered without a gap from the first that it
 *   does not know. So the stored packs are always 0 to n, and whoever is late meets a number that is taken.
 * - An event found new (`KnownExecution.seen`) is written on the fast lane only if the ids it was compared
 *   with are still all there are, which is as long as the execution's `generation` stands. It grows after
 *   every write on the careful lane, after every failure, when the ids were let go from memory (held-ids.ts),
 *   and when packs of another writer were read that hold an id noted here. Then the flush reads the stored
 *   ids, and goes to the careful lane if it holds one of them.
 *
 * Once another thread or service turns out to write the same execution, what it wrote is read before each
 * flush.
 */

/** After that many flushes in a row that find nothing of another writer, it is taken to be gone. */
const READS_AHEAD = 8;

export class PackTurns {
  readonly #ids: HeldIds;
  /** Flushes that had to wait, longest first. */
  readonly #waiting = new Set<PendingFlush>();

  constructor(ids: HeldIds) {
    this.#ids = ids;
  }

  /**
   * False while another flush with events of one of its executions is being written. All others with
   * executions of the flush that has waited longest wait for that one, or it might wait for ever.
   */
  mayBegin(flush: PendingFlush): boolean {
    const [longest] = this.#waiting;
    for (const execution of flush.executions) {
      if (!execution.writing && (longest === undefined || longest === flush || !longest.holds(execution)))
        continue;
      this.#waiting.add(flush);
      return false;
    }
    return true;
  }

  begin(flush: PendingFlush): void {
    this.#waiting.delete(flush);
    for (const execution of flush.executions) execution.writing = true;
  }

  /** The flush is settled: others may write its executions. */
  end(flush: PendingFlush): void {
    for (const execution of flush.executions) execution.writing = false;
    this.leave(flush);
  }

  /** The flush is settled, or given up before it was written. */
  leave(flush: PendingFlush): void {
    this.#waiting.delete(flush);
    for (const execution of flush.executions) execution.pendingFlushes--;
    this.#ids.used(flush.executions);
  }

  /** Ids of the executions were noted that no flush will store. */
  noted(executions: Iterable<KnownExecution>): void {
    this.#ids.used(executions);
  }

  /**
   * What has to be read from the store before the flush may take the fast lane. Home days are claimed by
   * then.
   */
  toRead(flush: PendingFlush): IdsRequest[] {
    const requests: IdsRequest[] = [];
    for (const execution of flush.executions) {
      const { projectNo, executionNo, homeDay, nextPackNo } = execution;
      const known = flush.isUpToDate(execution) ? nextPackNo : undefined;
      if (known !== undefined && execution.readsAhead === 0) continue;
      requests.push({ projectNo, executionNo, homeDay: homeDay!, fromPackNo: known ?? 0 });
    }
    return requests;
  }

  /**
   * Takes in what was read. True if the flush may hold stored events, or one event twice: the careful lane
   * finds out.
   */
  takeIn(flush: PendingFlush, found: ReadonlyMap<number, StoredIds>): boolean {
    const own = new Map<number, Set<string>>();
    for (const executionNo of found.keys()) own.set(executionNo, new Set());
    let suspected = false;
    for (const { executionNo, eventId } of flush.rows.keys()) {
      const ids = own.get(executionNo);
      if (ids === undefined) continue;
      suspected ||= ids.has(eventId);
      ids.add(eventId);
    }
    for (const execution of flush.executions) {
      const stored = found.get(execution.executionNo);
      if (stored === undefined) continue;
      const ids = own.get(execution.executionNo)!;
      let met = false;
      execution.seen.expect(stored.eventIds.length);
      for (const id of stored.eventIds) {
        suspected ||= ids.has(id);
        if (execution.seen.note(id)) met = true;
      }
      // A waiting flush may hold events that another writer has stored since they were found to be new.
      if (met && execution.nextPackNo !== undefined && stored.nextPackNo > execution.nextPackNo)
        execution.generation++;
      if (execution.nextPackNo !== undefined && execution.readsAhead > 0) {
        execution.readsAhead =
          stored.nextPackNo > execution.nextPackNo ? READS_AHEAD : execution.readsAhead - 1;
      }
      execution.nextPackNo = stored.nextPackNo;
    }
    return suspected;
  }

  /** Numbers the packs of the flush; returns the number after the last one of each execution. */
  number(flush: PendingFlush): ReadonlyMap<number, number> {
    const firstFree = new Map<number, number>();
    for (const { executionNo, nextPackNo } of flush.executions) firstFree.set(executionNo, nextPackNo!);
    return flush.rows.numberPacks(firstFree);
  }

  /** The flush is stored as `number` numbered it. */
  committed(flush: PendingFlush, next: ReadonlyMap<number, number>): void {
    for (const execution of flush.executions) execution.nextPackNo = next.get(execution.executionNo);
  }

  /**
   * The flush was written on the careful lane, or its fate is unknown: what other flushes found to be new is
   * asked again. `firstFree`: the first number of each execution that was free, as far as known.
   */
  forget(flush: PendingFlush, firstFree?: ReadonlyMap<number, number>): void {
    for (const execution of flush.executions) {
      const free = firstFree?.get(execution.executionNo);
      if (free !== undefined && execution.nextPackNo !== undefined && free > execution.nextPackNo)
        execution.readsAhead = READS_AHEAD;
      execution.forgetPacks();
    }
  }
}
