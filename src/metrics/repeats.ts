/**
 * Keeps what goes on failing from filling the log: of lines with the same key one is told at once, then one
 * in `everyMs`, which says how many were not. Keys come from a closed set (a task and a code), so what is
 * remembered stays small.
 */
export class Repeats {
  readonly #everyMs: number;
  readonly #clock: () => number;
  readonly #told = new Map<string, { atMs: number; untold: number }>();

  constructor(everyMs: number, clock: () => number = () => performance.now()) {
    this.#everyMs = everyMs;
    this.#clock = clock;
  }

  /** How many lines of this key were left out since the last one; undefined: leave this one out, too. */
  admit(key: string): number | undefined {
    const nowMs = this.#clock();
    const told = this.#told.get(key);
    if (told !== undefined && nowMs - told.atMs < this.#everyMs) {
      told.untold++;
      return undefined;
    }
    this.#told.set(key, { atMs: nowMs, untold: 0 });
    return told?.untold ?? 0;
  }
}
