/**
 * Whether PostgreSQL can be reached, as one thread knows it: the switch that turns "away" into an answer at once instead
 * of a hang. The first lost connection opens it; from then on a probe asks every PROBE_PAUSE_MS until one succeeds.
 */

const PROBE_PAUSE_MS = 100;

export class Availability {
  readonly #probe: () => Promise<void>;
  readonly #onChange: (available: boolean) => void;
  #available = true;
  #waiters: (() => void)[] = [];
  #stopped = false;

  constructor(options: { probe: () => Promise<void>; onChange: (available: boolean) => void }) {
    this.#probe = options.probe;
    this.#onChange = options.onChange;
  }

  get available(): boolean {
    return this.#available;
  }

  get stopped(): boolean {
    return this.#stopped;
  }

  /** A connection was lost. Calls while it is already known change nothing. */
  lost(): void {
    if (!this.#available || this.#stopped) return;
    this.#available = false;
    this.#onChange(false);
    void this.#watch();
  }

  /** Resolves when PostgreSQL can be reached, at once if it can now; also when stopped. */
  whenAvailable(): Promise<void> {
    if (this.#available || this.#stopped) return Promise.resolve();
    return new Promise((resolve) => this.#waiters.push(resolve));
  }

  stop(): void {
    this.#stopped = true;
    this.#wake();
  }

  async #watch(): Promise<void> {
    while (!this.#stopped) {
      try {
        await this.#probe();
        this.#available = true;
        this.#onChange(true);
        break;
      } catch {
        // Still away: the error is the one that opened the switch.
        await Bun.sleep(PROBE_PAUSE_MS);
      }
    }
    this.#wake();
  }

  #wake(): void {
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const wake of waiters) wake();
  }
}
