import type { Repeats } from "../../metrics/repeats.ts";
import { codeOf, isClosedForWrites, isConnectionLoss } from "../../store/database/failure.ts";
import { type DetectionSession, SessionLost } from "../../store/detection/detection-session.ts";
import type { EngineStats, Tell } from "../engine/stats.ts";
import { type Arrival, HandoverMismatch } from "./claimed-work.ts";
import type { FailingBatches } from "./failing-batches.ts";
import type { DetectionTransactions, Rest } from "./transaction.ts";

/**
 * Detects batches, and when that fails finds out which of them is to blame: those that came together are
 * tried one by one, from the store. A batch whose own data cannot be stored is given up; the loss of the
 * connection is the caller's to handle.
 */

const REFUSALS_BEFORE_ABANDON = 3;
/** How long a failure holds up the other batches, however many failed together. */
const REST_MS = 100;

interface Parts {
  readonly transactions: DetectionTransactions;
  readonly stats: EngineStats;
  readonly failing: FailingBatches;
  readonly waits: Repeats;
  readonly tell: Tell;
  /** The database takes no writes. */
  readonly onClosed: () => void;
  /** Detects what others wait for while the events of these projects take long. */
  readonly beside: (session: DetectionSession, projectNos: ReadonlySet<number>) => Promise<void>;
}

export class BatchTries {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async detect(session: DetectionSession, arrivals: readonly Arrival[]): Promise<void> {
    const rest: Rest = (projectNos) => this.#parts.beside(session, projectNos);
    if (!(await this.#detect(session, arrivals, rest))) await Bun.sleep(REST_MS);
  }

  /** For batches that go ahead of others: they are small, so nothing is detected beside them. */
  async detectAhead(session: DetectionSession, arrivals: readonly Arrival[]): Promise<void> {
    if (arrivals.length > 0 && !(await this.#detect(session, arrivals, null))) await Bun.sleep(REST_MS);
  }

  /**
   * Batches that failed before, one by one, as together they would fail together. What is not tried by
   * `untilMs` waits on.
   */
  async retry(session: DetectionSession, arrivals: readonly Arrival[], untilMs: number): Promise<void> {
    let isWell = true;
    for (const arrival of arrivals) {
      if (performance.now() >= untilMs) break;
      if (!(await this.#detect(session, [arrival], null))) isWell = false;
    }
    if (!isWell) await Bun.sleep(REST_MS);
  }

  /** False if some batch failed for another reason than its data. */
  async #detect(
    session: DetectionSession,
    arrivals: readonly Arrival[],
    rest: Rest | null,
  ): Promise<boolean> {
    const { transactions, stats, failing, tell } = this.#parts;
    try {
      await transactions.detect(session, arrivals, rest);
      for (const arrival of arrivals) failing.detected(arrival);
      return true;
    } catch (error) {
      if (isConnectionLoss(error) || error instanceof SessionLost) throw error;
      stats.counts.failedTransactions++;
      transactions.forgetFailed();
      if (arrivals.length === 1 && !(error instanceof HandoverMismatch && arrivals[0]!.rows !== null)) {
        return await this.#blame(session, arrivals[0]!, error);
      }
      tell("warn", "a detection transaction failed, its batches are tried one by one", reasonOf(error));
    }
    // From the store, which is the truth: handed-over rows are not trusted a second time.
    let isWell = true;
    for (const { batchNo, projectNos } of arrivals)
      if (!(await this.#detect(session, [{ batchNo, projectNos, rows: null }], rest))) isWell = false;
    return isWell;
  }

  async #blame(session: DetectionSession, arrival: Arrival, error: unknown): Promise<boolean> {
    const { transactions, failing, waits, tell, onClosed } = this.#parts;
    if (isClosedForWrites(error)) onClosed();
    const isData = isTheDatasFault(error);
    const { count, refusals } = failing.failed(arrival, isData);
    const isGivenUp = refusals >= REFUSALS_BEFORE_ABANDON && isData;
    // A database that takes no writes is tried until it does.
    const notTold = isData ? 0 : waits.admit(`batch ${codeOf(error)}`);
    if (notTold !== undefined)
      tell(isGivenUp ? "error" : "warn", isGivenUp ? "a batch was given up" : "a batch failed", {
        batch_no: arrival.batchNo,
        times: count,
        ...reasonOf(error),
      });
    if (isGivenUp) {
      await transactions.abandon(session, [arrival]);
      failing.gaveUp(arrival);
    }
    return isGivenUp;
  }
}

/** What is logged of an error: never its message, which may quote what is stored. */
export function reasonOf(error: unknown): Record<string, unknown> {
  return { code: codeOf(error), error: error instanceof Error ? error.name : typeof error };
}

/**
 * Data exceptions, broken constraints and our own defects come again; a full disk or a lock timeout passes.
 */
export function isTheDatasFault(error: unknown): boolean {
  const code = codeOf(error);
  return code === undefined || /^2[23]/.test(code) || code === "54000";
}
