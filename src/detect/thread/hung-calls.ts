import { HANGS_BEFORE_SKIP, listSkippedCalls, recordHang } from "../../store/detection/detection-hangs.ts";
import type { DetectionSession } from "../../store/detection/detection-session.ts";
import type { Detector } from "../detector.ts";
import { REBUILD_BATCH_NO } from "../engine/loader.ts";
import type { Tell } from "../engine/stats.ts";
import type { WorkerOptions } from "./worker-messages.ts";

/**
 * Calls in which a detector hung: the thread is ended and a new one started, which ends the old one's session and notes the call. The
 * second time was the last: from then on that call is left out.
 */

const SKIPPED_CALLS_MAX = 10_000;

interface Parts {
  readonly detectors: readonly Detector[];
  readonly hung: WorkerOptions["hung"];
  readonly tell: Tell;
}

export class HungCalls {
  readonly #detectors: readonly Detector[];
  readonly #tell: Tell;
  readonly #skipped = new Set<string>();
  #hung: WorkerOptions["hung"];

  constructor({ detectors, hung, tell }: Parts) {
    this.#detectors = detectors;
    this.#hung = hung;
    this.#tell = tell;
  }

  isSkipped(failureClass: string, batchNo: number, executionNo: number): boolean {
    return this.#skipped.size > 0 && this.#skipped.has(`${failureClass} ${batchNo} ${executionNo}`);
  }

  /** A session of this process that may live on: its locks have to be ended, as a hung thread's are. */
  lostSession(backendPid: number): void {
    this.#hung ??= { backendPid, call: null };
  }

  /** Ends the session of a thread that hung, and remembers the call. */
  async settle(session: DetectionSession): Promise<void> {
    if (this.#hung !== null) {
      const { backendPid, call } = this.#hung;
      if (backendPid !== 0) await session.endSession(backendPid);
      const failureClass = call === null ? undefined : this.#detectors[call.detectorIndex]?.failureClass;
      if (call !== null && failureClass !== undefined) {
        const count = await recordHang(session.sql, { ...call, class: failureClass });
        this.#tell("error", "a detector hung and its thread was ended", {
          class: failureClass,
          batch_no: call.batchNo,
          times: count,
          skipped_from_now_on: count >= HANGS_BEFORE_SKIP,
        });
      }
      this.#hung = null;
    }
    for (const call of await listSkippedCalls(session.sql, SKIPPED_CALLS_MAX)) {
      this.#skipped.add(`${call.class} ${call.batchNo} ${call.executionNo}`);
      // The same events come by again whenever that execution's state is rebuilt.
      this.#skipped.add(`${call.class} ${REBUILD_BATCH_NO} ${call.executionNo}`);
    }
  }
}
