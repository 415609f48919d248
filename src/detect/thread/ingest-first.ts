/**
 * Ingest goes first: where cores are short, detection waits while ingest takes all it can and detection falls
 * behind. Otherwise it would slow ingest down (by a third on two cores) and detect little meanwhile. It waits
 * for WAIT_MS_MAX at most, and only once until it has caught up: by then a rush is over, and what lasts
 * longer is no rush. Projects that have no part in the rush are detected all the same (quiet-projects.ts).
 *
 * It takes two signs, as neither is enough alone: a busy ingest thread may leave detection all it needs, and
 * a ring that fills means that detection is behind, though ingest may have room to spare.
 */

/** What the ingest threads show (src/detect/thread/intake.ts). */
export interface IngestSigns {
  /** How full the fullest ring is, 0 to 1. */
  readonly fill: number;
  /** The share of its time for which the busiest thread wanted a core lately, 0 to 1. */
  readonly load: number;
}

/**
 * At full load 0.85 to 1, at half of the events less (docs/MEASUREMENTS.md#detection-beside-ingest). While it
 * waits for PostgreSQL an ingest thread wants less for some tenths of a second, in the middle of a rush: that
 * must not let detection begin, whose first transactions would keep the cores.
 */
const [LOAD_MIN, LOAD_MIN_WAITING] = [0.85, 0.75];
const DIP_MS_MAX = 500;
/** More than one transaction takes. */
const FILL_MIN = 1 / 8;
export const WAIT_MS_MAX = 5_000;
/**
 * Cores that PostgreSQL, clients and everything else take beside the ingest threads: with no more than these
 * and one for each further detection thread, detection has none.
 */
const CORES_OF_OTHERS = 2;

export class IngestFirst {
  readonly #signs: IngestSigns;
  readonly #areCoresShort: boolean;
  readonly #clock: () => number;
  #askedMs = 0;
  #isWaiting = false;
  #waitedMs = 0;
  #totalMs = 0;
  /** When the ingest thread was last as busy as in a rush. */
  #busyMs = Number.NEGATIVE_INFINITY;

  constructor(
    signs: IngestSigns,
    machine: { readonly cores: number; readonly ingestThreads: number; readonly detectionThreads: number },
    clock: () => number = () => performance.now(),
  ) {
    this.#signs = signs;
    const { cores, ingestThreads, detectionThreads } = machine;
    this.#areCoresShort = cores <= ingestThreads + CORES_OF_OTHERS + detectionThreads - 1;
    this.#clock = clock;
  }

  /** Milliseconds for which detection has ever waited. */
  get totalMs(): number {
    return this.#totalMs;
  }

  /** Whether detection is to wait now; if so, to be asked again soon. */
  isToWait(): boolean {
    if (!this.#areCoresShort) return false;
    const nowMs = this.#clock();
    if (this.#isWaiting) {
      this.#waitedMs += nowMs - this.#askedMs;
      this.#totalMs += nowMs - this.#askedMs;
    }
    this.#askedMs = nowMs;
    const { fill, load } = this.#signs;
    if (load >= (this.#isWaiting ? LOAD_MIN_WAITING : LOAD_MIN)) this.#busyMs = nowMs;
    const isBusy = nowMs - this.#busyMs < (this.#isWaiting ? DIP_MS_MAX : 1);
    this.#isWaiting = this.#waitedMs < WAIT_MS_MAX && fill >= FILL_MIN && isBusy;
    return this.#isWaiting;
  }

  /** Detection has caught up: for the next rush it may wait as long. */
  caughtUp(): void {
    this.#waitedMs = 0;
  }
}
