import type { Repeats } from "../../metrics/repeats.ts";
import { type OwedBatch, readClockMs } from "../../store/detection/detection-batches.ts";
import type { DetectionSession, DetectionSql } from "../../store/detection/detection-session.ts";
import type { ProjectShare } from "../../store/detection/project-share.ts";
import type { Tell } from "../engine/stats.ts";
import type { BatchTries } from "./batch-tries.ts";
import type { Arrival } from "./claimed-work.ts";
import type { FailingBatches } from "./failing-batches.ts";
import type { Intake } from "./intake.ts";
import { batchesToReadBack, OwedLooks } from "./owed-looks.ts";
import { OwedEvents, type ProjectCosts, QuietLag } from "./quiet-projects.ts";

/**
 * The sweep: looks for owed batches that nobody handed over, and detects some of them. Batches that keep
 * failing are tried apart from the others, after them and for a share of the time: in one transaction they
 * would make the others fail, and each failure costs the states that were touched.
 *
 * All ends of executions are detected here, however they were heard of. A look that sees an end also sees all
 * events stored before it, whichever thread of whichever replica took them in. While some events of its
 * project are still to come by a ring, or are left for later, the end waits.
 *
 * When much is owed, batches of projects that owe little go ahead (quiet-projects.ts), ends too, and are read
 * back whatever the rings hold.
 */

/**
 * Between two looks for ends known to be owed; rarer while there is a backlog older than that, as they stand
 * behind it.
 */
const FOR_ENDS_EVERY_MS = 50;
const BACKLOG_MS = 1_000;
const FOR_ENDS_IN_BACKLOG_EVERY_MS = 500;
const CLOCKS_APART_TOLD_MS = 60_000;
/** Nobody could look for longer, as where PostgreSQL hangs: what is owed is not known any more. */
const LOOK_LASTS_MS = 3_000;
/** How long others wait for a round of retries. */
const RETRIES_MS_MAX = 500;
/** Pause between two rounds of retries, as a multiple of the time that the last one took. */
const REST_PER_RETRIES = 4;

interface Parts {
  readonly intake: Intake;
  readonly tries: BatchTries;
  readonly failing: FailingBatches;
  readonly waits: Repeats;
  readonly costs: ProjectCosts;
  readonly share: ProjectShare;
  readonly tell: Tell;
}

export interface SweepOptions {
  /** What was handed over: detected in any case. */
  readonly arrivals: readonly Arrival[];
  /** Whether events that are found are to be detected now, if they are older than `graceMs`. */
  readonly readsBack: boolean;
  readonly graceMs: number;
  readonly isDraining: boolean;
}

export interface Swept {
  /** Events were read back. */
  readonly hasReadBack: boolean;
  /** Some are left that could be detected at once. */
  readonly isMore: boolean;
  /** Ends wait for events. */
  readonly endsWait: boolean;
  readonly isDrained: boolean;
}

export class Sweep {
  readonly #parts: Parts;
  readonly #looks: OwedLooks;
  /** By the monotonic clock. */
  #lookedMs = Number.NEGATIVE_INFINITY;
  #lagMs = 0;
  #quietLagMs = 0;
  readonly #quietLag = new QuietLag();
  #passedOver = 0;
  #clockAheadMs = 0;
  #knownUntilMs = 0;
  #nextRetriesMs = 0;
  #nextForEndsMs = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#looks = new OwedLooks(parts.costs, parts.share);
  }

  /** Whether it is known what is owed. */
  get hasLookedLately(): boolean {
    return performance.now() - this.#lookedMs <= LOOK_LASTS_MS;
  }
  /** Age of the oldest owed batch when last looked. */
  get lagMs(): number {
    return this.#lagMs;
  }
  /** The same of the projects that owe little. */
  get quietLagMs(): number {
    return this.#quietLagMs;
  }
  /** Batches so old and failing for so long that ticks no longer wait for them. */
  get passedOver(): number {
    return this.#passedOver;
  }
  /** How far this process's clock is ahead of the database's. */
  get clockAheadMs(): number {
    return this.#clockAheadMs;
  }
  /** Everything stored until then is detected, except what the ticks do not wait for. */
  get knownUntilMs(): number {
    return this.#knownUntilMs;
  }

  /** When to look next while ends are known to be owed, by the monotonic clock. */
  get nextForEndsMs(): number {
    return this.#nextForEndsMs;
  }

  /** Call when this process begins to lead. */
  startAnew(): void {
    this.#lookedMs = Number.NEGATIVE_INFINITY;
    // Replaced by the first look, which comes before the first tick.
    this.#knownUntilMs = Date.now();
    this.#looks.startAnew();
    this.#parts.failing.startAnew();
    this.#nextRetriesMs = 0;
  }

  /** Looks for what is owed, and detects what was handed over and what it finds. */
  async run(session: DetectionSession, options: SweepOptions): Promise<Swept> {
    const { intake, tries, failing, costs } = this.#parts;
    const { arrivals, graceMs, readsBack, isDraining } = options;
    if (isDraining) this.#looks.startAnew();
    const lookedMs = Date.now();
    const startedMs = performance.now();
    const owed = await this.#looks.look(session.sql, (batch) => failing.has(keyOf(batch)));
    const events = OwedEvents.of(owed);
    const ahead = events.ahead(costs);
    this.#note(owed, events.loud(costs), lookedMs);
    this.#nextForEndsMs =
      startedMs + (this.#lagMs < BACKLOG_MS ? FOR_ENDS_EVERY_MS : FOR_ENDS_IN_BACKLOG_EVERY_MS);
    this.#noteClock(lookedMs, this.#looks.databaseMs);
    // After the look: what is owed and in no ring by now has been taken or dropped, or is on its way.
    const handed = intake.waiting();
    const here = new Set(arrivals.map(({ batchNo }) => batchNo));
    const isReadable = ({ batchNo, projectNo, ageMs }: OwedBatch) =>
      (readsBack || ahead.has(projectNo)) &&
      ageMs >= graceMs &&
      !handed.has(batchNo, projectNo) &&
      !here.has(batchNo);
    const failed = owed.filter((batch) => failing.has(keyOf(batch)));
    const fresh = owed.filter((batch) => !failing.has(keyOf(batch)));
    const { detectable, endsWait } = dealt(fresh, isReadable, (batch) => here.has(batch.batchNo));
    const isAhead = ({ projectNo }: OwedBatch) => ahead.has(projectNo);
    const first = batchesToReadBack(detectable.filter(isAhead), costs);
    const rest = batchesToReadBack(
      detectable.filter((batch) => !isAhead(batch)),
      costs,
    );
    if (first.length > 0) await tries.detect(session, arrivalsOf(first));
    const detected = [...arrivals, ...arrivalsOf(rest)];
    if (detected.length > 0) await tries.detect(session, detected);
    await this.#retry(session, failed.filter(isReadable), isDraining);
    return {
      hasReadBack: !rest.every(isEnd),
      isMore: first.length + rest.length < detectable.length,
      endsWait,
      isDrained: owed.length === 0,
    };
  }

  /** Tries those that failed before, the one that was not tried for longest first. */
  async #retry(session: DetectionSession, failed: readonly OwedBatch[], isDraining: boolean): Promise<void> {
    const { tries, failing, costs } = this.#parts;
    const startedMs = performance.now();
    if (!isDraining && startedMs < this.#nextRetriesMs) return;
    const due = failed
      .filter((batch) => isDraining || failing.isDue(keyOf(batch)))
      .toSorted((a, b) => failing.latestMs(keyOf(a)) - failing.latestMs(keyOf(b)));
    const untilMs = isDraining ? Number.POSITIVE_INFINITY : startedMs + RETRIES_MS_MAX;
    await tries.retry(session, arrivalsOf(batchesToReadBack(due, costs)), untilMs);
    this.#nextRetriesMs = performance.now() + REST_PER_RETRIES * (performance.now() - startedMs);
  }

  /**
   * For a process that stands by: its events are judged by the leader's clock, and one day all will be by its
   * own.
   */
  async lookAtClock(sql: DetectionSql): Promise<void> {
    const lookedMs = Date.now();
    this.#noteClock(lookedMs, await readClockMs(sql));
  }

  #noteClock(lookedMs: number, databaseMs: number): void {
    const { waits, tell } = this.#parts;
    // The answer was given at some moment between the two.
    const asked = lookedMs - databaseMs;
    const answered = Date.now() - databaseMs;
    this.#clockAheadMs = asked > 0 ? asked : Math.min(answered, 0);
    if (Math.abs(this.#clockAheadMs) < CLOCKS_APART_TOLD_MS) return;
    const notTold = waits.admit("clocks apart");
    if (notTold !== undefined)
      tell("warn", "the clocks of this process and of PostgreSQL are far apart", {
        ahead_of_postgresql_s: Math.round(this.#clockAheadMs / 1000),
      });
  }

  #note(owed: readonly OwedBatch[], loud: ReadonlySet<number>, lookedMs: number): void {
    const { failing, waits, tell } = this.#parts;
    this.#lookedMs = performance.now();
    this.#lagMs = Math.max(0, owed[0]?.ageMs ?? 0);
    this.#quietLagMs = this.#quietLag.lookedAt(owed, loud, performance.now());
    const awaited = owed.findIndex((batch) => !failing.isPassedOver(keyOf(batch)));
    this.#passedOver = awaited === -1 ? owed.length : awaited;
    this.#knownUntilMs = lookedMs - Math.max(0, owed[awaited]?.ageMs ?? 0);
    const notTold = this.#passedOver === 0 ? undefined : waits.admit("passed over");
    if (notTold !== undefined)
      tell("warn", "what fires by time goes on without batches that keep failing", {
        batches: this.#passedOver,
        oldest_batch_no: owed[0]!.batchNo,
        lag_s: Math.round(this.#lagMs / 1000),
      });
  }
}

const keyOf = ({ batchNo, projectNo }: OwedBatch) => ({ batchNo, projectNos: [projectNo] });

/**
 * Those that can be detected now: an end only together with or after everything stored before it in its
 * project.
 */
function dealt(
  owed: readonly OwedBatch[],
  isReadable: (batch: OwedBatch) => boolean,
  isHere: (batch: OwedBatch) => boolean,
): { detectable: OwedBatch[]; endsWait: boolean } {
  const awaited = new Set<number>();
  const detectable: OwedBatch[] = [];
  let endsWait = false;
  for (const batch of owed) {
    if (isEnd(batch)) {
      if (awaited.has(batch.projectNo)) endsWait = true;
      else detectable.push(batch);
    } else if (isReadable(batch)) detectable.push(batch);
    else if (!isHere(batch)) awaited.add(batch.projectNo);
  }
  return { detectable, endsWait };
}

const isEnd = ({ eventCount }: OwedBatch) => eventCount === 0;

const arrivalsOf = (batches: readonly OwedBatch[]) =>
  batches.map(({ batchNo, projectNo }): Arrival => ({ batchNo, projectNos: [projectNo], rows: null }));
