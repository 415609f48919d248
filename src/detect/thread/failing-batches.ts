/**
 * Batches that failed and are tried again. Time does not pass for the detectors before all that was stored is detected; for one that
 * fails for ever, of a reason that is not its data's, it would stand still. So a batch that has failed for long is passed over by the
 * ticks' clock, and tried on all the same.
 *
 * Trouble that all batches have ends for all: when one that failed is detected, the others' time is counted anew, so that no tick
 * comes before them.
 */

/** Of one project; with the projects of a whole flush where it was handed over. */
export interface FailingKey {
  readonly batchNo: number;
  readonly projectNos: readonly number[];
}

interface Failing {
  count: number;
  sinceMs: number;
}

export class FailingBatches {
  readonly #failing = new Map<string, Failing>();
  readonly #passedOverAfterMs: number;
  readonly #clock: () => number;

  constructor(passedOverAfterMs: number, clock: () => number = () => performance.now()) {
    this.#passedOverAfterMs = passedOverAfterMs;
    this.#clock = clock;
  }

  /** Answers how often it has failed by now. */
  failed(key: FailingKey): number {
    const failing = this.#failing.get(textOf(key)) ?? { count: 0, sinceMs: this.#clock() };
    failing.count++;
    this.#failing.set(textOf(key), failing);
    return failing.count;
  }

  /** It is detected, or given up. */
  settled(key: FailingKey): void {
    if (this.#failing.size === 0 || !this.#failing.delete(textOf(key))) return;
    for (const other of this.#failing.values()) other.sinceMs = this.#clock();
  }

  isPassedOver(key: FailingKey): boolean {
    const failing = this.#failing.get(textOf(key));
    return failing !== undefined && this.#clock() - failing.sinceMs >= this.#passedOverAfterMs;
  }
}

const textOf = ({ batchNo, projectNos }: FailingKey) => `${projectNos.join(",")} ${batchNo}`;
