import { epochDayOf } from "./timestamp.ts";

/**
 * The executions that this thread knows to exist: what an event needs to be encoded without asking the database.
 *
 * An execution is deleted only a day or more after its last event came (src/store/upkeep/retention.ts), so an entry that was used
 * within some hours does not lie about existence, and one that was not is looked up again; the home day and the
 * environment only go from unknown to known. Bounded in number: the least recently used goes first.
 */

const TRUSTED_MS = 6 * 3_600_000;

export interface KnownExecution {
  readonly projectNo: number;
  readonly executionNo: number;
  /** Days since 1970-01-01; undefined until the first event proposes its own. */
  homeDay: number | undefined;
  /** False while `homeDay` is only proposed: the flush that stores the first events claims it in the database first. */
  homeDayClaimed: boolean;
  /** True once an environment declaration is known to be stored, so later ones are not sent to the executions table. */
  environmentKnown: boolean;
}

/** True if an event of that second lies on the execution's home day; the first event of all proposes its own as that. */
export function isOnHomeDay(execution: KnownExecution, seconds: number): boolean {
  const day = epochDayOf(seconds);
  execution.homeDay ??= day;
  return execution.homeDay === day;
}

interface Entry extends KnownExecution {
  usedMs: number;
}

export class ExecutionRegistry {
  readonly #entries = new Map<string, Entry>();
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
    const entry = this.#entries.get(key);
    if (entry !== undefined) {
      const nowMs = this.#clock();
      if (nowMs - entry.usedMs > TRUSTED_MS) {
        this.#entries.delete(key);
        return undefined;
      }
      entry.usedMs = nowMs;
    }
    // Moved to the young end only while the map is near its limit: below it nothing is ever evicted.
    if (entry !== undefined && this.#entries.size * 2 > this.#max) {
      this.#entries.delete(key);
      this.#entries.set(key, entry);
    }
    return entry;
  }

  /** Remembers an execution; answers with the entry that stands, an earlier one if there is one. */
  remember(executionId: string, entry: KnownExecution): KnownExecution {
    const key = keyOf(entry.projectNo, executionId);
    const known = this.#entries.get(key);
    if (known !== undefined && known.executionNo === entry.executionNo) {
      if (!known.homeDayClaimed && entry.homeDayClaimed) {
        known.homeDay = entry.homeDay;
        known.homeDayClaimed = true;
      }
      known.environmentKnown ||= entry.environmentKnown;
      known.usedMs = this.#clock();
      return known;
    }
    if (known === undefined && this.#entries.size >= this.#max)
      this.#entries.delete(this.#entries.keys().next().value!);
    const added = Object.assign(entry, { usedMs: this.#clock() });
    this.#entries.set(key, added);
    return added;
  }
}

function keyOf(projectNo: number, executionId: string): string {
  return `${projectNo}/${executionId}`;
}
