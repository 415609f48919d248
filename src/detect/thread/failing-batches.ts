/**
 * Batches that failed and are tried again, ever more rarely: each try may take as long as a statement may,
 * and costs the states that it touched. Time passes for the detectors only when everything stored is
 * detected, so a batch that fails for ever, for a reason other than its data, would make it stand still. Once
 * a batch has failed for long the ticks' clock therefore passes it over, while it is still being retried.
 *
 * Trouble common to all batches ends for all of them: when one that failed is detected, the others are tried
 * at once and their time is counted anew, so that no tick comes before them.
 */

const RETRY_MS_MIN = 100;
const RETRY_MS_MAX = 10_000;
/** Batches remembered; of more, those that failed first are forgotten and count as new. */
const FAILING_MAX = 10_000;

/** Of one project; with the projects of a whole flush where it was handed over. */
export interface FailingKey {
  readonly batchNo: number;
  readonly projectNos: readonly number[];
}

interface Failing {
  count: number;
  /** Of these, by the batch's own data. */
  refusals: number;
  readonly sinceMs: number;
  latestMs: number;
}

export class FailingBatches {
  readonly #failing = new Map<string, Failing>();
  readonly #passedOverAfterMs: number;
  readonly #clock: () => number;
  /** When a batch that had failed was last detected. */
  #easedMs = Number.NEGATIVE_INFINITY;

  constructor(passedOverAfterMs: number, clock: () => number = () => performance.now()) {
    this.#passedOverAfterMs = passedOverAfterMs;
    this.#clock = clock;
  }

  /** Call when somebody else may have detected some of them. */
  startAnew(): void {
    this.#failing.clear();
  }

  /** Returns how often it has failed by now, and how many of these failures were its own data's. */
  failed(key: FailingKey, isTheDatas: boolean): { readonly count: number; readonly refusals: number } {
    const nowMs = this.#clock();
    const most = { count: 0, refusals: 0 };
    for (const text of textsOf(key)) {
      const failing = this.#failing.get(text) ?? { count: 0, refusals: 0, sinceMs: nowMs, latestMs: nowMs };
      failing.count++;
      if (isTheDatas) failing.refusals++;
      failing.latestMs = nowMs;
      if (!this.#failing.has(text) && this.#failing.size >= FAILING_MAX)
        this.#failing.delete(this.#failing.keys().next().value!);
      this.#failing.set(text, failing);
      most.count = Math.max(most.count, failing.count);
      most.refusals = Math.max(most.refusals, failing.refusals);
    }
    return most;
  }

  detected(key: FailingKey): void {
    if (this.#forget(key)) this.#easedMs = this.#clock();
  }

  /** Says nothing about the others' trouble, unlike `detected`. */
  gaveUp(key: FailingKey): void {
    this.#forget(key);
  }

  #forget(key: FailingKey): boolean {
    return this.#failing.size > 0 && textsOf(key).filter((text) => this.#failing.delete(text)).length > 0;
  }

  /** Whether it has failed, with no sign since then that the trouble is over. */
  has(key: FailingKey): boolean {
    return this.#of(key).some(({ latestMs }) => latestMs >= this.#easedMs);
  }

  /** When it failed last. */
  latestMs(key: FailingKey): number {
    return this.#of(key).reduce((latest, { latestMs }) => Math.max(latest, latestMs), 0);
  }

  /**
   * Whether it is to be tried now: 0.1 s after its first failure, then twice as long each time, 10 s at most.
   */
  isDue(key: FailingKey): boolean {
    return this.#of(key).every(({ count, latestMs }) => {
      const restMs = Math.min(RETRY_MS_MIN * 2 ** (count - 1), RETRY_MS_MAX);
      return latestMs < this.#easedMs || this.#clock() - latestMs >= restMs;
    });
  }

  isPassedOver(key: FailingKey): boolean {
    return this.#of(key).some(
      ({ sinceMs }) => this.#clock() - Math.max(sinceMs, this.#easedMs) >= this.#passedOverAfterMs,
    );
  }

  #of(key: FailingKey): readonly Failing[] {
    if (this.#failing.size === 0) return [];
    return textsOf(key).flatMap((text) => this.#failing.get(text) ?? []);
  }
}

const textsOf = ({ batchNo, projectNos }: FailingKey) =>
  projectNos.map((projectNo) => `${projectNo} ${batchNo}`);
