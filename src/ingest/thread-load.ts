/**
 * The share of its time for which this thread has been on a core lately, 0 to 1. The ingest thread is the
 * bottleneck of the service: at full load it is on a core for 0.6 to 0.9 of its time, at half the load for
 * less than half (docs/MEASUREMENTS.md#detection-beside-ingest).
 */

/** One measurement covers at least this long. */
const OVER_MS = 100;

export interface ThreadClocks {
  readonly wallMs: () => number;
  /** Time on a core, in microseconds. */
  readonly coreUs: () => number;
}

export class ThreadLoad {
  readonly #clocks: ThreadClocks;
  #wallMs: number;
  #coreUs: number;

  constructor(clocks: ThreadClocks = OWN_CLOCKS) {
    this.#clocks = clocks;
    this.#wallMs = clocks.wallMs();
    this.#coreUs = clocks.coreUs();
  }

  /** The share since the last answer; undefined when that is only a moment ago. */
  measure(): number | undefined {
    const wallMs = this.#clocks.wallMs();
    const passedMs = wallMs - this.#wallMs;
    if (passedMs < OVER_MS) return undefined;
    const coreUs = this.#clocks.coreUs();
    const share = (coreUs - this.#coreUs) / (1000 * passedMs);
    this.#wallMs = wallMs;
    this.#coreUs = coreUs;
    return Math.min(1, share);
  }
}

const OWN_CLOCKS: ThreadClocks = {
  wallMs: () => performance.now(),
  coreUs() {
    const { user, system } = process.threadCpuUsage();
    return user + system;
  },
};
