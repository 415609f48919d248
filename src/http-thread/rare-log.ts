import type { Logger } from "pino";
import { Repeats } from "../metrics/repeats.ts";
import { codeOf, loggableReason } from "../store/database/failure.ts";

/**
 * A database that is away or full fails every request and every poll: that is one line a minute, not one
 * each.
 */
const REPEATS_EVERY_MS = 60_000;

/** Lines about what goes on failing. Each says in `not_told` how many of its kind were left out before it. */
export class RareLog {
  readonly #log: Logger;
  readonly #repeats = new Repeats(REPEATS_EVERY_MS);

  constructor(log: Logger) {
    this.#log = log;
  }

  /** What tells of failures of PostgreSQL, by what came of them. */
  warner(what: string): (error: unknown) => void {
    return (error) => {
      const code = codeOf(error);
      const notTold = this.#repeats.admit(`${what} ${code}`);
      if (notTold === undefined) return;
      this.#log.warn({ code, reason: loggableReason(error), not_told: notTold }, what);
    };
  }

  /** A defect of ours, by the place where it is. */
  requestFailed(error: unknown): void {
    const stack = error instanceof Error ? error.stack : undefined;
    const notTold = this.#repeats.admit(`a request failed ${stack?.split("\n")[1]}`);
    if (notTold === undefined) return;
    this.#log.error({ error: loggableReason(error), stack, not_told: notTold }, "a request failed");
  }
}
