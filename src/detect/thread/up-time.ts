/**
 * Since when the service has been up to receive events: an earlier silence of an execution may be the
 * service's own. It was not up while its database was away or took no writes, while its process stood still
 * (a frozen container, a machine asleep), and before its clock was set: by a clock that jumped ahead,
 * everybody has been silent for as long.
 */

/**
 * A thread that does not beat for this long is ended by its supervisor, so the whole process must have stood
 * still.
 */
const STOOD_STILL_MS = 10_000;
/** A clock corrected in steps jumps farther than this, one that is slewed never as far between two beats. */
const CLOCK_SET_MS = 5_000;

/** Events refused because of the database while others are being stored have trouble of their own. */
const NOTHING_STORED_MS = 2_000;

export interface Clocks {
  readonly wallMs: () => number;
  /** Monotonic. */
  readonly steadyMs: () => number;
}

export class UpTime {
  readonly #clocks: Clocks;
  readonly #onClockSet: (aheadMs: number) => void;
  #sinceMs: number;
  #storedMs = 0;
  #wallMs: number;
  #steadyMs: number;

  constructor(sinceMs: number, onClockSet: (aheadMs: number) => void, clocks: Clocks = OWN_CLOCKS) {
    this.#sinceMs = sinceMs;
    this.#onClockSet = onClockSet;
    this.#clocks = clocks;
    this.#wallMs = clocks.wallMs();
    this.#steadyMs = clocks.steadyMs();
  }

  get sinceMs(): number {
    this.beat();
    return this.#sinceMs;
  }

  /** Events were not taken until that moment. */
  interrupted(untilMs = this.#clocks.wallMs()): void {
    this.#sinceMs = Math.max(this.#sinceMs, untilMs);
  }

  /** Events were stored a moment ago. */
  stored(): void {
    this.#storedMs = this.#clocks.wallMs();
  }

  /** Events were last refused because of the database at that moment, known in whole seconds. */
  unstored(latestMs: number): void {
    // Dated by a clock that has been set back since.
    if (latestMs > this.#clocks.wallMs() + 1_000) return;
    if (latestMs > this.#storedMs + NOTHING_STORED_MS) this.interrupted(latestMs);
  }

  /** Call at least every second. */
  beat(): void {
    const wallMs = this.#clocks.wallMs();
    const steadyMs = this.#clocks.steadyMs();
    const passedMs = steadyMs - this.#steadyMs;
    const aheadMs = wallMs - this.#wallMs - passedMs;
    this.#wallMs = wallMs;
    this.#steadyMs = steadyMs;
    const isSet = Math.abs(aheadMs) > CLOCK_SET_MS;
    if (isSet) this.#onClockSet(aheadMs);
    // Not the later of the two: after a clock was set back its earlier times mean nothing.
    if (isSet || passedMs > STOOD_STILL_MS) this.#sinceMs = wallMs;
  }
}

const OWN_CLOCKS: Clocks = { wallMs: Date.now, steadyMs: () => performance.now() };
