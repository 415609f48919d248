import { connectionFailure } from "./connect.ts";
import { describeDatabase } from "./database-url.ts";
import { DatabaseReadOnly } from "./server-check.ts";

/**
 * A step of the start, done again while the database cannot be reached: it may be starting itself, or have
 * gone away between two steps. The step must bear being done twice, since the fate of one whose answer was
 * lost is unknown.
 */

const PAUSE_MS_MIN = 100;
const PAUSE_MS_MAX = 5_000;

/** In words for the operator, without a password. */
export class DatabaseUnreachable extends Error {
  override readonly name = "DatabaseUnreachable";
}

export interface UntilReachableOptions {
  readonly url: string;
  /** After which the last reason is thrown, as DatabaseUnreachable. Other failures are thrown at once. */
  readonly timeoutS: number;
  readonly onRetry: (failure: Readonly<{ database: string; reason: string; tries: number }>) => void;
  /** Ends the waiting with its reason. */
  readonly signal?: AbortSignal;
}

export async function untilReachable<T>(step: () => Promise<T>, options: UntilReachableOptions): Promise<T> {
  const { url, timeoutS, signal, onRetry } = options;
  const database = describeDatabase(url);
  const deadline = performance.now() + timeoutS * 1000;
  for (let tries = 1; ; tries += 1) {
    signal?.throwIfAborted();
    try {
      return await step();
    } catch (error) {
      const reason = error instanceof DatabaseReadOnly ? error.message : connectionFailure(error);
      if (reason === null) throw error;
      const pauseMs = Math.min(PAUSE_MS_MIN * 2 ** tries, PAUSE_MS_MAX);
      if (performance.now() + pauseMs > deadline) {
        throw new DatabaseUnreachable(
          `The database at ${database} could not be ${error instanceof DatabaseReadOnly ? "written to" : "reached"} within ${timeoutS} s: ${reason}`,
        );
      }
      onRetry({ database, reason, tries });
      await pause(pauseMs, signal);
    }
  }
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  signal?.addEventListener("abort", () => resolve(), { once: true });
  await promise;
  clearTimeout(timer);
}
