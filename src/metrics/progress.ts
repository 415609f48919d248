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
