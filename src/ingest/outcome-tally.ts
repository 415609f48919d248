import type { OutcomeCount } from "../store/upkeep/rollups.ts";

/**
 * Outcomes by project, key and minute, held in memory and added to the store every few seconds. Owned by one
 * HTTP thread.
 *
 * Invariants: counting costs one look-up a request and never fails; nothing waits for a flush; what a failed
 * flush held goes with the next one. A killed process loses the last seconds of these counts (but no events),
 * and a flush whose answer was lost may count twice. /metrics has the same counts without either weakness.
 */

/**
 * Keys × minutes held while the store cannot be reached, some 12 MiB. Beyond that nothing is counted here.
 */
const TALLIES_MAX = 50_000;
const FLUSH_EVERY_MS = 5_000;
const MINUTE_MS = 60_000;

/** One way in which an event can end. */
export interface Series {
  readonly outcome: string;
  readonly reason: string;
}

/** Whose request it was. */
export interface Sender {
  readonly projectNo: number;
  readonly keyId: string;
}

interface Tally {
  readonly projectNo: number;
  readonly keyId: string;
  readonly slotMs: number;
  readonly counts: Float64Array;
  lastMs: number;
}

export interface OutcomeTallyOptions {
  /** The index of a series is what `add` is given. */
  readonly series: readonly Series[];
  readonly clock: () => number;
  readonly store: (counts: readonly OutcomeCount[]) => Promise<void>;
  readonly onError: (error: unknown) => void;
  readonly talliesMax?: number;
}

export class OutcomeTally {
  readonly #options: OutcomeTallyOptions;
  readonly #talliesMax: number;
  /** For each key the tally of the current minute. */
  #current = new Map<string, Tally>();
  #closed: Tally[] = [];
  #timer: ReturnType<typeof setInterval> | undefined;
  #flushing: Promise<void> | undefined;

  constructor(options: OutcomeTallyOptions) {
    this.#options = options;
    this.#talliesMax = options.talliesMax ?? TALLIES_MAX;
  }

  start(): void {
    this.#timer = setInterval(() => void this.flush(), FLUSH_EVERY_MS);
  }

  /** Flushes what is left, once. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#flushing;
    await this.flush();
  }

  add(sender: Sender, series: number, events: number): void {
    if (events === 0) return;
    const nowMs = this.#options.clock();
    let tally = this.#current.get(sender.keyId);
    if (tally === undefined || nowMs >= tally.slotMs + MINUTE_MS) {
      tally = this.#open(sender, nowMs, tally);
      if (tally === undefined) return;
    }
    tally.counts[series]! += events;
    tally.lastMs = nowMs;
  }

  /** Flushes that overlap share one round. */
  flush(): Promise<void> {
    this.#flushing ??= this.#flush().finally(() => {
      this.#flushing = undefined;
    });
    return this.#flushing;
  }

  #open(sender: Sender, nowMs: number, before: Tally | undefined): Tally | undefined {
    if (this.#current.size + this.#closed.length >= this.#talliesMax) return undefined;
    if (before !== undefined) this.#closed.push(before);
    const tally = {
      projectNo: sender.projectNo,
      keyId: sender.keyId,
      slotMs: Math.floor(nowMs / MINUTE_MS) * MINUTE_MS,
      counts: new Float64Array(this.#options.series.length),
      lastMs: nowMs,
    };
    this.#current.set(sender.keyId, tally);
    return tally;
  }

  async #flush(): Promise<void> {
    if (this.#current.size === 0 && this.#closed.length === 0) return;
    const taken = [...this.#closed, ...this.#current.values()];
    this.#closed = [];
    this.#current = new Map();
    try {
      await this.#options.store(taken.flatMap((tally) => this.#countsOf(tally)));
    } catch (error) {
      this.#closed = [...taken, ...this.#closed];
      this.#mergeSameSlots();
      this.#options.onError(error);
    }
  }

  #countsOf(tally: Tally): OutcomeCount[] {
    return this.#options.series.flatMap(({ outcome, reason }, index) => {
      const count = tally.counts[index]!;
      const { projectNo, keyId, slotMs, lastMs } = tally;
      return count === 0 ? [] : [{ projectNo, keyId, slotMs, outcome, reason, count, lastMs }];
    });
  }

  /** After a failure a minute may be held in several parts: one each flush that failed in it. */
  #mergeSameSlots(): void {
    const bySlot = new Map<string, Tally>();
    for (const tally of this.#closed) {
      const key = `${tally.keyId} ${tally.slotMs}`;
      const known = bySlot.get(key);
      if (known === undefined) bySlot.set(key, tally);
      else {
        for (let i = 0; i < known.counts.length; i++) known.counts[i]! += tally.counts[i]!;
        known.lastMs = Math.max(known.lastMs, tally.lastMs);
      }
    }
    this.#closed = [...bySlot.values()];
  }
}
