import {
  HANGS_BEFORE_SKIP,
  listHangingClasses,
  listSkippedCalls,
  recordHang,
} from "../../store/detection/detection-hangs.ts";
import type { DetectionSession } from "../../store/detection/detection-session.ts";
import type { Detector } from "../detector.ts";
import { REBUILD_BATCH_NO } from "../engine/engine.ts";
import type { Tell } from "../engine/stats.ts";
import type { WorkerOptions } from "./worker-messages.ts";

/**
 * Calls in which a detector hung. The thread was ended; its successor ends the old session and notes the
 * call, which is left out after the second time. A class that hangs in call after call would hold up all
 * others for twenty seconds each, so for a while none of its calls are made.
 */

const SKIPPED_CALLS_MAX = 10_000;
/** Hangs of a class within the span from which on it rests for as long. */
const HANGS_BEFORE_REST = 6;
const REST_MS = 3_600_000;

interface Parts {
  readonly detectors: readonly Detector[];
  readonly hung: WorkerOptions["hung"];
  readonly tell: Tell;
}

export class HungCalls {
  readonly #detectors: readonly Detector[];
  readonly #tell: Tell;
  readonly #skipped = new Set<string>();
  /** Until when, by the monotonic clock. */
  readonly #resting = new Map<string, number>();
  #hung: WorkerOptions["hung"];

  constructor({ detectors, hung, tell }: Parts) {
    this.#detectors = detectors;
    this.#hung = hung;
    this.#tell = tell;
  }

  isSkipped(failureClass: string, batchNo: number, executionNo: number): boolean {
    if (this.#skipped.size === 0 && this.#resting.size === 0) return false;
    const restsUntilMs = this.#resting.get(failureClass);
    if (restsUntilMs !== undefined && performance.now() < restsUntilMs) return true;
    return this.#skipped.has(`${failureClass} ${batchNo} ${executionNo}`);
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
    const hangsMin = HANGS_BEFORE_REST;
    for (const { class: failureClass, quietMs } of await listHangingClasses(session.sql, {
      hangsMin,
      withinMs: REST_MS,
    })) {
      this.#resting.set(failureClass, performance.now() + REST_MS - quietMs);
      this.#tell("error", "a detector hangs again and again and is left out", {
        class: failureClass,
        for_min: Math.ceil((REST_MS - quietMs) / 60_000),
      });
    }
    for (const call of await listSkippedCalls(session.sql, SKIPPED_CALLS_MAX)) {
      this.#skipped.add(`${call.class} ${call.batchNo} ${call.executionNo}`);
      // The same events come by again whenever that execution's state is rebuilt.
      this.#skipped.add(`${call.class} ${REBUILD_BATCH_NO} ${call.executionNo}`);
    }
  }
}
