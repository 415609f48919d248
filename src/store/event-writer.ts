import { connect, type Sql } from "./connect.ts";
import { type CarefulResult, type CopyResult, copyEvents, type Flush, insertEvents } from "./event-copy.ts";
import { claimHomeDays } from "./executions.ts";

/**
 * One connection that flushes are written through, one at a time. A flush that the server does not finish in
 * `FLUSH_TIMEOUT_MS` has an unknown result; its connection is dropped, and the next flush opens a new one.
 */

/** Longer than any healthy flush by two orders of magnitude, shorter than a client's patience. */
const FLUSH_TIMEOUT_MS = 10_000;

export class EventWriter {
  readonly #open: () => Sql;
  #sql: Sql;

  constructor(databaseUrl: string, applicationName: string) {
    this.#open = () =>
      connect({ url: databaseUrl, connectionsMax: 1, applicationName, connectTimeoutS: 3, fetchTypes: true });
    this.#sql = this.#open();
  }

  copy(flush: Flush): Promise<CopyResult> {
    return this.#within(copyEvents(this.#sql, flush));
  }

  insert(flush: Flush): Promise<CarefulResult> {
    return this.#within(insertEvents(this.#sql, flush));
  }

  claimHomeDays(
    claims: Parameters<typeof claimHomeDays>[1],
  ): Promise<Awaited<ReturnType<typeof claimHomeDays>> | { kind: "unknown"; error: unknown }> {
    return this.#within(
      claimHomeDays(this.#sql, claims).catch((error: unknown) => ({ kind: "unknown" as const, error })),
    );
  }

  async end(): Promise<void> {
    await this.#sql.end({ timeout: 5 });
  }

  async #within<T>(work: Promise<T>): Promise<T | { kind: "unknown"; error: unknown }> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<{ kind: "unknown"; error: unknown }>((resolve) => {
      timer = setTimeout(() => {
        const stuck = this.#sql;
        this.#sql = this.#open();
        void stuck.end({ timeout: 0 }).catch(() => undefined);
        resolve({ kind: "unknown", error: new Error(`a flush took longer than ${FLUSH_TIMEOUT_MS} ms`) });
      }, FLUSH_TIMEOUT_MS);
    });
    try {
      return await Promise.race([work, late]);
    } finally {
      clearTimeout(timer);
    }
  }
}
