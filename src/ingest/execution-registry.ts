import { SeenIds } from "./commit/seen-ids.ts";
import { epochDayOf } from "./wire/timestamp.ts";

/**
 * The executions that this thread knows to exist: what it takes to encode an event without asking the
 * database, and what the thread knows of their packs.
 *
 * An execution is deleted a day or more after its last event at the earliest (src/store/upkeep/retention.ts).
 * So an entry used within the last hours is right about existence, and one that was not is looked up again;
 * home day and environment only go from unknown to known. Bounded in number: the least recently used goes
 * first.
 */

const TRUSTED_MS = 6 * 3_600_000;

export class KnownExecution {
  readonly projectNo: number;
  readonly executionNo: number;
  /** Days since 1970-01-01; undefined until the first event proposes its own. */
  homeDay: number | undefined;
  /**
   * False while `homeDay` is only proposed: the flush that stores the first events claims it in the database
   * first.
   */
  homeDayClaimed: boolean;
  /**
   * True once an environment declaration is known to be stored, so later ones are not sent to the executions
   * table.
   */
  environmentKnown: boolean;

  // What this thread knows of the execution's packs; src/ingest/commit/pack-turns.ts says by which rules.

  #seen: SeenIds | undefined;
  /** Number of the pack to be written next; undefined while it, and what is stored, has to be read first. */
  nextPackNo: number | undefined;
  /** Grows whenever events found to be new may no longer be: whoever found them new has to ask the store. */
  generation = 0;
  /** Flushes not settled that hold events of it. */
  pendingFlushes = 0;
  /** True while one of them is being written. */
  writing = false;
  /**
   * Further flushes that first read what another thread or service has written of it; 0 while no other writer
   * is known.
   */
  readsAhead = 0;

  /** Of the registry: when it was asked for last. */
  usedMs = 0;

  constructor(known: {
    projectNo: number;
    executionNo: number;
    homeDay: number | undefined;
    environmentKnown: boolean;
  }) {
    this.projectNo = known.projectNo;
    this.executionNo = known.executionNo;
    this.homeDay = known.homeDay;
    this.homeDayClaimed = known.homeDay !== undefined;
    this.environmentKnown = known.environmentKnown;
    // No pack is stored before the home day is claimed.
    this.nextPackNo = this.homeDayClaimed ? undefined : 0;
  }

  /**
   * Every id that is stored, as long as `nextPackNo` is known, and those that this thread was about to store.
   */
  get seen(): SeenIds {
    this.#seen ??= new SeenIds();
    return this.#seen;
  }

  /** The home day; the first event of all proposes its own as that. */
  homeDayBy(seconds: number): number {
    this.homeDay ??= epochDayOf(seconds);
    return this.homeDay;
  }

  /** What is known of its ids and packs no longer holds: the next flush reads them. */
  forgetPacks(): void {
    this.nextPackNo = undefined;
    this.generation++;
  }

  /** Its ids are held in memory no longer. */
  forgetIds(): void {
    this.#seen = undefined;
    this.forgetPacks();
  }
}

export class ExecutionRegistry {
  readonly #entries = new Map<string, KnownExecution>();
  readonly #max: number;
  readonly #clock: () => number;

  constructor(entriesMax: number, clock: () => number = Date.now) {
    this.#max = entriesMax;
    this.#clock = clock;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(projectNo: number, executionId: string): KnownExecution | undefined {
    const key = keyOf(projectNo, executionId);
    const execution = this.#entries.get(key);
    if (execution === undefined) return undefined;
    const nowMs = this.#clock();
    if (nowMs - execution.usedMs > TRUSTED_MS) {
      this.#entries.delete(key);
      return undefined;
    }
    execution.usedMs = nowMs;
    // Moved to the young end only while the map is near its limit: below it nothing is ever evicted.
    if (this.#entries.size * 2 > this.#max) {
      this.#entries.delete(key);
      this.#entries.set(key, execution);
    }
    return execution;
  }

  /**
   * The database is another than before. Events on their way with an old entry are compared with what is
   * stored.
   */
  forgetAll(): void {
    for (const execution of this.#entries.values()) execution.forgetPacks();
    this.#entries.clear();
  }

  /** Remembers an execution; returns the entry that stands, which may be an earlier one. */
  remember(executionId: string, execution: KnownExecution): KnownExecution {
    const key = keyOf(execution.projectNo, executionId);
    const standing = this.#entries.get(key);
    if (standing?.executionNo === execution.executionNo) {
      if (!standing.homeDayClaimed && execution.homeDayClaimed) {
        standing.homeDay = execution.homeDay;
        standing.homeDayClaimed = true;
        // Somebody else claimed it, and may have stored packs since.
        standing.forgetPacks();
      }
      standing.environmentKnown ||= execution.environmentKnown;
      standing.usedMs = this.#clock();
      return standing;
    }
    if (standing === undefined && this.#entries.size >= this.#max)
      this.#entries.delete(this.#entries.keys().next().value!);
    execution.usedMs = this.#clock();
    this.#entries.set(key, execution);
    return execution;
  }
}

function keyOf(projectNo: number, executionId: string): string {
  return `${projectNo}/${executionId}`;
}
