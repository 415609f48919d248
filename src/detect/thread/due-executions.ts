import {
  type DueExecution,
  type DueRule,
  type StartedCursor,
  scanDue,
} from "../../store/detection/detection-executions.ts";
import type { DetectionSql } from "../../store/detection/detection-session.ts";
import type { Detector } from "../detector.ts";
import type { Loader } from "../engine/loader.ts";

/**
 * Finds started executions that may be due although nobody holds their states, as after a restart: silent for
 * long, running for long, or with missing events. The store is asked in looks of bounded size, pass after
 * pass, by rules that the detectors declare (`startedRule` in src/detect/detector.ts). The detectors then
 * judge what it names.
 *
 * A pass over 100,000 running executions takes some 2 s of PostgreSQL. Rebuilding the state of each took 83
 * minutes at 200 a tick.
 */

/** Executions that started longer ago fire by time only if they are in memory. */
export const LOOKBACK_MS = 24 * 3_600_000;
/** Projects in one look, and executions of each: fewer while looks take long, as events wait for them. */
const PROJECTS_MAX = 16;
const SCANNED_MIN = 100;
const SCANNED_MAX = 2_000;
const LOOK_MS_MAX = 100;
/** Pause between two passes, as a multiple of the last one's time in PostgreSQL: a thirtieth of a core. */
const PAUSE_PER_LOOK = 30;
/**
 * Only this pass asks for gaps: it takes longer, and an execution that was asked once says when it is due
 * next. Not the first pass, as executions with gaps may be many and would hold up the others.
 */
const PASS_OF_GAPS = 1;

export class DueExecutions {
  readonly #detectors: readonly Detector[];
  readonly #loader: Loader;
  readonly #upSinceMs: () => number;
  /** Projects that the pass under way has still to look at. */
  #left: number[] = [];
  #cursor: StartedCursor | null = null;
  #tookMs = 0;
  #scanned = SCANNED_MIN;
  #restsUntilMs = 0;
  #passes = 0;

  constructor(options: { detectors: readonly Detector[]; loader: Loader; upSinceMs: () => number }) {
    this.#detectors = options.detectors;
    this.#loader = options.loader;
    this.#upSinceMs = options.upSinceMs;
  }

  /** Call when no execution is in memory any more. */
  startAnew(): void {
    this.#left = [];
    this.#restsUntilMs = 0;
    this.#passes = 0;
  }

  get isLooking(): boolean {
    return this.#left.length > 0;
  }

  /** Begins a pass over these projects, unless one is under way or was a moment ago. */
  startLooking(projectNos: readonly number[]): void {
    if (this.isLooking || performance.now() < this.#restsUntilMs) return;
    this.#left = [...projectNos];
    this.#cursor = null;
    this.#tookMs = 0;
  }

  /** The next look of the pass. */
  async look(sql: DetectionSql, asOfMs: number): Promise<readonly DueExecution[]> {
    const startedMs = performance.now();
    // Taken off before the look, so that one that fails does not hold up the pass.
    const projectNos = this.#left.splice(0, PROJECTS_MAX);
    const after = this.#cursor;
    this.#cursor = null;
    await this.#loader.loadPlans(sql, projectNos);
    const rules = projectNos.flatMap((projectNo) => this.#rulesOf(projectNo, asOfMs));
    const { due, next } =
      rules.length === 0
        ? { due: [], next: null }
        : await scanDue(sql, {
            projectNos,
            after,
            oldestMs: asOfMs - LOOKBACK_MS,
            rules,
            scannedMax: this.#scanned,
          });
    if (next !== null) this.#left.unshift(...projectNos.slice(projectNos.indexOf(next.projectNo)));
    this.#cursor = next;
    const lookedMs = performance.now() - startedMs;
    this.#scanned =
      lookedMs > LOOK_MS_MAX
        ? Math.max(SCANNED_MIN, this.#scanned >> 1)
        : Math.min(SCANNED_MAX, this.#scanned << 1);
    this.#tookMs += lookedMs;
    this.#restsUntilMs = performance.now() + PAUSE_PER_LOOK * this.#tookMs;
    if (!this.isLooking && ++this.#passes === PASS_OF_GAPS) this.#restsUntilMs = 0;
    return due;
  }

  #rulesOf(projectNo: number, asOfMs: number): DueRule[] {
    const plan = this.#loader.plan(projectNo);
    return this.#detectors.flatMap(({ failureClass, startedRule }, index) => {
      const settings = plan?.settings[index];
      if (startedRule === undefined || settings === undefined || settings === null) return [];
      const { since, gapKey = null } = startedRule;
      if ((gapKey !== null) !== (this.#passes === PASS_OF_GAPS)) return [];
      const beforeMs = asOfMs - startedRule.afterMs(settings);
      // Nobody counts as silent while the service was not up.
      if (since === "latest_event" && this.#upSinceMs() >= beforeMs) return [];
      return [{ projectNo, class: failureClass, since, beforeMs, gapKey }];
    });
  }
}
