/**
 * For how long a count of work done has stood, for whoever looks at it at intervals to tell that somebody
 * hangs. If the one who looks comes late, the whole process stood still and the other could not count either:
 * more than two intervals between looks are none of the other's silence.
 */
export class Progress {
  readonly #lookEveryMs: number;
  #count = 0;
  #stoodMs = 0;
  #lookedMs: number;

  constructor(lookEveryMs: number, nowMs = performance.now()) {
    this.#lookEveryMs = lookEveryMs;
    this.#lookedMs = nowMs;
  }

  /** Milliseconds since the look at which the count had last moved. A count begins at 0. */
  look(count: number, nowMs = performance.now()): number {
    const passedMs = Math.min(nowMs - this.#lookedMs, 2 * this.#lookEveryMs);
    this.#lookedMs = nowMs;
    this.#stoodMs = count === this.#count ? this.#stoodMs + passedMs : 0;
    this.#count = count;
    return this.#stoodMs;
  }
}

const START_MS_MAX = 30_000;
const START_MS_MAX_LAST = 960_000;

/**
 * For how long a thread may be silent. Until its first word it loads its modules, and how long that takes is
 * up to the machine: each start in a row that was ended without a word gives the next one twice the time, so
 * that one comes about however short of processors all are. `silentMsMax` is for a thread that has spoken.
 */
export class Patience {
  readonly #silentMsMax: number;
  readonly #startMsFirst: number;
  #startMsMax: number;

  constructor(silentMsMax: number, startMsFirst = START_MS_MAX) {
    this.#silentMsMax = silentMsMax;
    this.#startMsFirst = Math.max(silentMsMax, startMsFirst);
    this.#startMsMax = this.#startMsFirst;
  }

  /** Whether a thread that has said so many words, the latest so long ago, hangs. To be ended if so. */
  isOver(words: number, silentMs: number): boolean {
    if (words > 0) {
      this.#startMsMax = this.#startMsFirst;
      return silentMs >= this.#silentMsMax;
    }
    if (silentMs < this.#startMsMax) return false;
    this.#startMsMax = Math.min(2 * this.#startMsMax, Math.max(this.#startMsFirst, START_MS_MAX_LAST));
    return true;
  }
}
