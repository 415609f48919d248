import { listOwedBatches, type OwedBatch } from "../../store/detection/detection-batches.ts";
import type { DetectionSql } from "../../store/detection/detection-session.ts";
import type { ProjectShare } from "../../store/detection/project-share.ts";
import { OwedEvents, type ProjectCosts } from "./quiet-projects.ts";

/**
 * Looks for owed batches where they can be. While somebody leaves a transaction open, PostgreSQL keeps the
 * index entries of all batches detected since, and a look from the beginning reads the row of each. So most
 * looks begin some time before the oldest batch that the last one found, or before the moment of that look if
 * it found none.
 *
 * Invariant: nothing is missed. A batch that becomes visible further back, because its transaction took
 * longer or the database's clock was set back, is found by the next look from the beginning, WHOLE_EVERY_MS
 * later at most. All times are the database's.
 */

/** A flush that takes longer than 10 s is given up. */
const BEHIND_MS = 60_000;
const WHOLE_EVERY_MS = 60_000;
const LIST_MAX = 500;
/** Batches in one further look, when some are held back: as many may be failing as are remembered to. */
const FURTHER_MAX = 5_000;
/**
 * What others owe behind a backlog is looked for among batches stored this lately; older ones come in their
 * turn.
 */
const OTHERS_MS = 60_000;

const SWEEP_BATCHES_MAX = 64;
/**
 * Reading back walks all events of the executions concerned, whatever batch they came in, so the more batches
 * at once the fewer walks. With 5,000 events, a backlog of executions that all send at the same time was read
 * thirteen times over.
 */
const SWEEP_EVENTS_MAX = 20_000;
/**
 * For events that are slow to judge: twenty requests of a thousand such events took 75 s in one transaction,
 * and all others waited.
 */
const SWEEP_MS_MAX = 500;
/**
 * Of a project of which nothing was met yet, as after a start: its events may be whole chats or megabytes, and
 * a thousand small ones are enough to know it by.
 */
const UNKNOWN = { eventMs: 0.5, batchMs: 16 };

export class OwedLooks {
  readonly #costs: ProjectCosts;
  readonly #share: ProjectShare;
  readonly #clock: () => number;
  #sinceMs = 0;
  #wholeAtMs = Number.NEGATIVE_INFINITY;
  #databaseMs = 0;

  constructor(costs: ProjectCosts, share: ProjectShare, clock: () => number = () => performance.now()) {
    this.#costs = costs;
    this.#share = share;
    this.#clock = clock;
  }

  /** What the database's clock said in the last look. */
  get databaseMs(): number {
    return this.#databaseMs;
  }

  /** The next look is one from the beginning. */
  startAnew(): void {
    this.#wholeAtMs = Number.NEGATIVE_INFINITY;
  }

  /**
   * The oldest owed batches, and further ones until as many as one transaction takes are not held back, as
   * others wait behind those that fail for ever. In a backlog also what projects owe that have little part in
   * it.
   */
  async look(
    sql: DetectionSql,
    isHeldBack: (batch: OwedBatch) => boolean = () => false,
  ): Promise<readonly OwedBatch[]> {
    const isWhole = this.#clock() - this.#wholeAtMs >= WHOLE_EVERY_MS;
    if (isWhole) {
      this.#wholeAtMs = this.#clock();
      this.#sinceMs = 0;
    }
    const sinceMs = this.#sinceMs;
    const share = this.#share;
    const { batches, nowMs } = await listOwedBatches(sql, { sinceMs, share, limit: LIST_MAX });
    this.#sinceMs = nowMs - (batches[0]?.ageMs ?? 0) - BEHIND_MS;
    this.#databaseMs = nowMs;
    const owed = [...batches];
    const isBacklog = batches.length === LIST_MAX;
    let free = batches.filter((batch) => !isHeldBack(batch)).length;
    for (let isCut = isBacklog; isCut && free < SWEEP_BATCHES_MAX; ) {
      const behind = owed.at(-1)!;
      const further = await listOwedBatches(sql, { sinceMs, share, behind, limit: FURTHER_MAX });
      for (const batch of further.batches) if (!isHeldBack(batch)) free++;
      owed.push(...further.batches);
      isCut = further.batches.length === FURTHER_MAX;
    }
    return isBacklog ? owed.concat(await this.#othersIn(sql, owed)) : owed;
  }

  async #othersIn(sql: DetectionSql, listed: readonly OwedBatch[]): Promise<readonly OwedBatch[]> {
    const last = listed.at(-1)!;
    const sinceMs = Math.max(Math.floor(last.storedUs / 1000), this.#databaseMs - OTHERS_MS);
    const except = [...OwedEvents.of(listed).loud(this.#costs)];
    if (except.length === 0) return [];
    const share = this.#share;
    const { batches } = await listOwedBatches(sql, { sinceMs, share, except, limit: LIST_MAX });
    return batches.filter(({ storedUs }) => storedUs > last.storedUs);
  }
}

/** The first ones, as many as one transaction takes. */
export function batchesToReadBack(owed: readonly OwedBatch[], costs: ProjectCosts): readonly OwedBatch[] {
  let events = 0;
  let ms = 0;
  const beyond = owed.findIndex(({ projectNo, eventCount }, index) => {
    events += eventCount;
    ms += msOf(projectNo, eventCount, costs);
    return index === SWEEP_BATCHES_MAX || (index > 0 && (events > SWEEP_EVENTS_MAX || ms > SWEEP_MS_MAX));
  });
  return beyond === -1 ? owed : owed.slice(0, beyond);
}

function msOf(projectNo: number, eventCount: number, costs: ProjectCosts): number {
  if (eventCount === 0 || costs.isKnown(projectNo)) return costs.msOf(projectNo, eventCount);
  return Math.max(UNKNOWN.batchMs, UNKNOWN.eventMs * eventCount);
}
