import { readFileSync } from "node:fs";

/**
 * The share of its time for which this thread has wanted a core lately, 0 to 1: it was on one, or waited for
 * one that others had. The ingest thread is the bottleneck of the service: at full load it wants a core for
 * more than 0.85 of its time, whether it gets it or not, at half of the events for much less
 * (docs/MEASUREMENTS.md#detection-beside-ingest).
 */

/** One measurement covers at least this long. */
const OVER_MS = 100;

export interface ThreadClocks {
  readonly wallMs: () => number;
  /** Time on a core and of waiting for one, in microseconds. */
  readonly wantedUs: () => number;
}

export class ThreadLoad {
  readonly #clocks: ThreadClocks;
  #wallMs: number;
  #wantedUs: number;

  constructor(clocks: ThreadClocks = OWN_CLOCKS) {
    this.#clocks = clocks;
    this.#wallMs = clocks.wallMs();
    this.#wantedUs = clocks.wantedUs();
  }

  /** The share since the last answer; undefined when that is only a moment ago. */
  measure(): number | undefined {
    const wallMs = this.#clocks.wallMs();
    const passedMs = wallMs - this.#wallMs;
    if (passedMs < OVER_MS) return undefined;
    const wantedUs = this.#clocks.wantedUs();
    const share = (wantedUs - this.#wantedUs) / (1000 * passedMs);
    this.#wallMs = wallMs;
    this.#wantedUs = wantedUs;
    return Math.min(1, share);
  }
}

/** Linux: nanoseconds of this thread on a core, and on a run queue. */
const SCHEDULER_COUNTS = "/proc/thread-self/schedstat";

/**
 * Where nothing counts the waiting. At full load on two cores detection and everything else leave an ingest
 * thread that wants a core for 0.85 of its time one for some 0.55.
 */
const WANTED_PER_CORE_TIME = 0.85 / 0.55;

const OWN_CLOCKS: ThreadClocks = {
  wallMs: () => performance.now(),
  wantedUs: () => scheduledUs() || WANTED_PER_CORE_TIME * onCoreUs(),
};

/**
 * Where it cannot be read, as by a process that has all its files open, what was read last: nobody's flush
 * fails for it. 0 where there is no such file, or the kernel counts nothing.
 */
let scheduledLastUs = 0;
function scheduledUs(): number {
  try {
    const [onCoreNs, waitingNs] = readFileSync(SCHEDULER_COUNTS, "latin1").split(" ", 2).map(Number);
    scheduledLastUs = (onCoreNs! + waitingNs!) / 1000;
  } catch {}
  return scheduledLastUs;
}

function onCoreUs(): number {
  const { user, system } = process.threadCpuUsage();
  return user + system;
}
