import type { KnownExecution } from "../execution-registry.ts";

/**
 * Which executions' ids stay in memory. Ids that were let go are read from the store before the next flush of
 * their execution, so letting go costs time (0.6 ms for a thousand ids) and never an event.
 */

export interface HeldIdsLimits {
  /** Beyond this the ids of executions unused for longest go. */
  readonly bytesMax: number;
  /** Beyond this those of executions unused for `idleMsMax` go, too: most of them have ended. */
  readonly bytesIdleMax: number;
  readonly idleMsMax: number;
}

/** What an execution costs beside its ids. */
const EXECUTION_BYTES = 200;

interface Held {
  bytes: number;
  usedMs: number;
}

export class HeldIds {
  readonly #limits: HeldIdsLimits;
  readonly #clock: () => number;
  /** The longest unused first. */
  readonly #held = new Map<KnownExecution, Held>();
  #bytes = 0;

  constructor(limits: HeldIdsLimits, clock: () => number = () => performance.now()) {
    this.#limits = limits;
    this.#clock = clock;
  }

  /** Bytes in memory. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Counts the ids of executions that were just used, and lets others go if there are too many. */
  used(executions: Iterable<KnownExecution>): void {
    const nowMs = this.#clock();
    for (const execution of executions) {
      const held = this.#held.get(execution) ?? { bytes: 0, usedMs: nowMs };
      this.#bytes -= held.bytes;
      held.bytes = EXECUTION_BYTES + execution.seen.byteLength;
      held.usedMs = nowMs;
      this.#bytes += held.bytes;
      this.#held.delete(execution);
      this.#held.set(execution, held);
    }
    this.#letGo(nowMs - this.#limits.idleMsMax);
  }

  /** Ids of an execution with events on their way stay: these are known nowhere else. */
  #letGo(idleBeforeMs: number): void {
    const { bytesMax, bytesIdleMax } = this.#limits;
    if (this.#bytes <= bytesIdleMax) return;
    for (const [execution, { bytes, usedMs }] of this.#held) {
      if (this.#bytes <= (usedMs < idleBeforeMs ? bytesIdleMax : bytesMax)) return;
      if (execution.pendingFlushes > 0) continue;
      this.#held.delete(execution);
      this.#bytes -= bytes;
      execution.forgetIds();
    }
  }
}
