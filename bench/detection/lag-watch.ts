/**
 * Asks the store five times a second how old the oldest batch is that detection owes, over a connection of
 * its own: while the load goes on, and after it until nothing is owed.
 */
import { BenchDatabase } from "../ingest/database.ts";

const EVERY_MS = 200;

export class LagWatch {
  readonly #database: BenchDatabase;
  readonly #asking: Promise<void>;
  #mostSeconds = 0;
  #loadEndedMs = Number.POSITIVE_INFINITY;
  #caughtUpMs: number | undefined;
  #isEnding = false;

  constructor(databaseUrl: string) {
    this.#database = new BenchDatabase(databaseUrl);
    this.#asking = this.#ask();
  }

  async #ask(): Promise<void> {
    while (!this.#isEnding && this.#caughtUpMs === undefined) {
      const startedMs = performance.now();
      const owedSeconds = await this.#database.oldestOwedSeconds();
      this.#mostSeconds = Math.max(this.#mostSeconds, owedSeconds ?? 0);
      if (owedSeconds === undefined && startedMs >= this.#loadEndedMs) this.#caughtUpMs = startedMs;
      await Bun.sleep(EVERY_MS);
    }
  }

  loadEnded(): void {
    this.#loadEndedMs = performance.now();
  }

  /** Resolves when nothing is owed. */
  async caughtUp(secondsMax: number): Promise<{ mostSeconds: number; caughtUpSeconds: number }> {
    const isLate = await Promise.race([
      this.#asking.then(() => false),
      Bun.sleep(secondsMax * 1000).then(() => true),
    ]);
    if (isLate || this.#caughtUpMs === undefined)
      throw new Error(`detection did not catch up in ${secondsMax} s`);
    return {
      mostSeconds: this.#mostSeconds,
      caughtUpSeconds: (this.#caughtUpMs - this.#loadEndedMs) / 1000,
    };
  }

  async end(): Promise<void> {
    this.#isEnding = true;
    await this.#asking.catch(() => {});
    await this.#database.end();
  }
}
