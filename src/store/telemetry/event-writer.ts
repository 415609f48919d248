import { connect, type Sql } from "../database/connect.ts";
import { isConnectionLoss, isWantOfRoom } from "../database/failure.ts";
import { type CarefulResult, type CopyResult, copyEvents, type Flush, insertEvents } from "./event-copy.ts";
import { claimHomeDays } from "./executions.ts";
import { type IdsRequest, readStoredIds, type StoredIds } from "./stored-ids.ts";

/**
 * One connection that flushes are written through, one at a time. Every flush is answered: when its
 * connection closes under it, or the server does not finish in `FLUSH_TIMEOUT_MS`, its result is unknown, and
 * the next flush starts on a new connection. The driver alone does not promise that: a COPY whose connection
 * dies while its rows are being written may never settle.
 */

/** Longer than any healthy flush by two orders of magnitude, shorter than a client's patience. */
const FLUSH_TIMEOUT_MS = 10_000;
/**
 * After the connection closed, the driver gets this long to say so by itself, with its better error. Less
 * than its back-off: what is left of the work must not go on, outside its transaction, on a connection that
 * is opened again.
 */
const CLOSED_GRACE_MS = 20;
/** A server without room for the connection is asked ten times a second by each writer. */
const NO_ROOM_PAUSE_MS = 100;

export interface Unknown {
  readonly kind: "unknown";
  readonly error: unknown;
}

/** The server answered, but not with what was asked: it takes no writes, has no space, gave up waiting, … */
export interface Refused {
  readonly kind: "refused";
  readonly error: unknown;
}

type HomeDays = Awaited<ReturnType<typeof claimHomeDays>>;

export class EventWriter {
  readonly #databaseUrl: string;
  readonly #applicationName: string;
  #sql: Sql;
  /** Gives up the work under way; set while there is some. */
  #giveUp: ((reason: string) => void) | undefined;

  constructor(databaseUrl: string, applicationName: string) {
    this.#databaseUrl = databaseUrl;
    this.#applicationName = applicationName;
    this.#sql = this.#open();
  }

  copy(flush: Flush): Promise<CopyResult> {
    return this.#settling(copyEvents(this.#sql, flush));
  }

  insert(flush: Flush): Promise<CarefulResult> {
    return this.#settling(insertEvents(this.#sql, flush));
  }

  claimHomeDays(claims: Parameters<typeof claimHomeDays>[1]): Promise<HomeDays | Refused | Unknown> {
    return this.#settling(claimHomeDays(this.#sql, claims).catch(failureOf));
  }

  storedIds(requests: readonly IdsRequest[]): Promise<ReadonlyMap<number, StoredIds> | Refused | Unknown> {
    return this.#settling(readStoredIds(this.#sql, requests).catch(failureOf));
  }

  /** What is under way is answered as unknown at once: the caller knows that the server does not answer. */
  abandon(): void {
    this.#giveUp?.("the server does not answer");
  }

  async end(): Promise<void> {
    await this.#sql.end({ timeout: 5 });
  }

  #open(): Sql {
    const sql: Sql = connect({
      url: this.#databaseUrl,
      connectionsMax: 1,
      applicationName: this.#applicationName,
      connectTimeoutS: 3,
      // One that was ended for its age while the next flush waited would be taken for one that was lost under
      // that flush.
      keepsConnections: true,
      onClose: () => {
        if (sql !== this.#sql) return;
        const giveUp = this.#giveUp;
        setTimeout(() => giveUp?.("the connection closed under a flush"), CLOSED_GRACE_MS);
      },
    });
    return sql;
  }

  #openAnew(): void {
    const before = this.#sql;
    this.#sql = this.#open();
    void before.end({ timeout: 0 }).catch(() => undefined);
  }

  async #settling<T>(work: Promise<T>): Promise<T | Unknown> {
    const { promise: abandoned, resolve } = Promise.withResolvers<Unknown>();
    const giveUp = (reason: string) => {
      if (this.#giveUp !== giveUp) return;
      this.#giveUp = undefined;
      this.#openAnew();
      resolve({ kind: "unknown", error: new Error(reason) });
    };
    this.#giveUp = giveUp;
    const timer = setTimeout(
      () => giveUp(`a flush took longer than ${FLUSH_TIMEOUT_MS} ms`),
      FLUSH_TIMEOUT_MS,
    );
    try {
      const result = await Promise.race([work, abandoned]);
      if (isRefusedForRoom(result)) {
        // The end of the connection that never was may be read later, and must not be taken for that of the
        // next work's.
        this.#openAnew();
        await Bun.sleep(NO_ROOM_PAUSE_MS);
      }
      return result;
    } finally {
      clearTimeout(timer);
      if (this.#giveUp === giveUp) this.#giveUp = undefined;
    }
  }
}

function isRefusedForRoom(result: unknown): boolean {
  return typeof result === "object" && result !== null && "error" in result && isWantOfRoom(result.error);
}

function failureOf(error: unknown): Refused | Unknown {
  return { kind: isConnectionLoss(error) && !isWantOfRoom(error) ? "unknown" : "refused", error };
}
