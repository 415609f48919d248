/**
 * Unix time in milliseconds, finer than `Date.now()`. Invariant: it follows the system's clock when that is
 * set, as NTP does after a start or after a machine slept; `performance` alone would count from the clock as
 * it was at the start of the process. Measure spans by a monotonic clock: this one jumps.
 */

/** Two readings a moment apart differ by less, unless the clock was set. */
const STEP_MS = 20;

export class WallClock {
  readonly #wall: () => number;
  readonly #monotonic: () => number;
  #originMs: number;

  constructor(wall: () => number = Date.now, monotonic: () => number = () => performance.now()) {
    this.#wall = wall;
    this.#monotonic = monotonic;
    this.#originMs = wall() - monotonic();
  }

  now(): number {
    const monotonicMs = this.#monotonic();
    const wallMs = this.#wall();
    if (Math.abs(this.#originMs + monotonicMs - wallMs) > STEP_MS) this.#originMs = wallMs - monotonicMs;
    return this.#originMs + monotonicMs;
  }
}
