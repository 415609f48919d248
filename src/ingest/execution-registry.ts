/**
 * The executions that this thread knows to exist: what an event needs to be encoded without asking the database.
 *
 * An execution is never deleted, so an entry never lies about existence; the home day and the environment only go from
 * unknown to known. Bounded in number: the least recently used goes first, and is looked up again when it comes back.
 */

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

export class ExecutionRegistry {
  readonly #entries = new Map<string, KnownExecution>();
  readonly #max: number;

  constructor(entriesMax: number) {
    this.#max = entriesMax;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(projectNo: number, executionId: string): KnownExecution | undefined {
    const key = keyOf(projectNo, executionId);
    const entry = this.#entries.get(key);
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
    if (known !== undefined) {
      if (!known.homeDayClaimed && entry.homeDayClaimed) {
        known.homeDay = entry.homeDay;
        known.homeDayClaimed = true;
      }
      known.environmentKnown ||= entry.environmentKnown;
      return known;
    }
    if (this.#entries.size >= this.#max) this.#entries.delete(this.#entries.keys().next().value!);
    this.#entries.set(key, entry);
    return entry;
  }
}

function keyOf(projectNo: number, executionId: string): string {
  return `${projectNo}/${executionId}`;
}
