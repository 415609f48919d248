import { type HandedBatch, type HandoverConsumer, RowArena } from "../rows/handover.ts";
import type { Arrival } from "./claimed-work.ts";
import { OwedEvents, type ProjectCosts, TRANSACTION_MS_MAX } from "./quiet-projects.ts";

/**
 * Takes what the ingest threads hand over: events, in turn from each ring, with those of projects that owe
 * little ahead of their turn (quiet-projects.ts). The rings only announce that executions have ended: what
 * came before an end may be in another ring, on its way into one, dropped, or with another replica, and only
 * the store knows (sweep.ts).
 */

/**
 * Together these bound a transaction to some tens of ms of work, so that both lag and overhead stay small.
 */
const ARRIVALS_MAX = 128;
const ARRIVAL_BYTES_MAX = 8 << 20;
/**
 * What a transaction takes in at full load, with a margin; what goes beyond is allocated for that
 * transaction.
 */
const ARENA_BYTES_MAX = 4 << 20;
const NOBODY: ReadonlySet<number> = new Set();

export interface Taken {
  readonly arrivals: readonly Arrival[];
  /** Of their rows. */
  readonly bytes: number;
  /** Ends have been stored, which are to be looked for. */
  readonly hasEnds: boolean;
}

/** What waits in the rings, by batch and project. */
export class Waiting {
  /** Most batches are of one project. */
  readonly #projectsOf = new Map<number, number | Set<number>>();

  add(batchNo: number, projectNo: number): void {
    const projects = this.#projectsOf.get(batchNo);
    if (projects === undefined) this.#projectsOf.set(batchNo, projectNo);
    else if (typeof projects === "number") this.#projectsOf.set(batchNo, new Set([projects, projectNo]));
    else projects.add(projectNo);
  }

  has(batchNo: number, projectNo: number): boolean {
    const projects = this.#projectsOf.get(batchNo);
    return typeof projects === "object" ? projects.has(projectNo) : projects === projectNo;
  }
}

export class Intake {
  readonly #rings: readonly HandoverConsumer[];
  readonly #costs: ProjectCosts;
  readonly #arena = new RowArena(ARENA_BYTES_MAX);
  readonly #aheadArena = new RowArena(ARENA_BYTES_MAX);

  constructor(rings: readonly HandoverConsumer[], costs: ProjectCosts) {
    this.#rings = rings;
    this.#costs = costs;
  }

  get isEmpty(): boolean {
    return this.#rings.every((ring) => ring.isEmpty);
  }

  /** When events were last refused for the database's sake, whichever ring says so. */
  get unstoredMs(): number {
    return this.#rings.reduce((latest, ring) => Math.max(latest, ring.unstoredMs), 0);
  }

  /** How full the fullest ring is, 0 to 1. */
  get fill(): number {
    return this.#rings.reduce((most, ring) => Math.max(most, ring.fill), 0);
  }

  /** The share of its time for which the busiest ingest thread wanted a core lately, 0 to 1. */
  get load(): number {
    return this.#rings.reduce((most, ring) => Math.max(most, ring.load), 0);
  }

  waiting(): Waiting {
    const waiting = new Waiting();
    for (const ring of this.#rings) ring.forEachPart((batchNo, projectNo) => waiting.add(batchNo, projectNo));
    return waiting;
  }

  throwAway(): void {
    for (const ring of this.#rings) while (ring.take(this.#arena) !== undefined) this.#arena.clear();
  }

  /**
   * Where much is owed, what projects that owe little have in the rings. The rows are valid until the next
   * call of this or `takeBeside`.
   */
  takeAhead(): readonly Arrival[] {
    return this.#takeOf((owed) => owed.ahead(this.#costs));
  }

  /** The same while a transaction with events of these projects takes long. */
  takeBeside(busy: ReadonlySet<number>): readonly Arrival[] {
    return this.#takeOf((owed) => owed.quiet(this.#costs), busy);
  }

  #takeOf(
    goAhead: (owed: OwedEvents) => ReadonlySet<number>,
    busy: ReadonlySet<number> = NOBODY,
  ): readonly Arrival[] {
    this.#aheadArena.clear();
    const owed = new OwedEvents();
    for (const ring of this.#rings)
      ring.forEachPart((_, projectNo, events) => {
        if (!busy.has(projectNo)) owed.add(projectNo, events);
      });
    const ahead = goAhead(owed);
    if (ahead.size === 0) return [];
    return this.#rings.flatMap((ring) => ring.takeAhead(ahead, this.#aheadArena)).map(arrivalOf);
  }

  /** What one transaction takes; the rows are valid until the next call. */
  take(): Taken {
    this.#arena.clear();
    const arrivals: Arrival[] = [];
    let bytes = 0;
    let ms = 0;
    let hasEnds = false;
    for (let isAny = true; isAny; ) {
      isAny = false;
      // One from each ring in turn: no ingest thread waits for another's backlog.
      for (const ring of this.#rings) {
        if (arrivals.length >= ARRIVALS_MAX || bytes >= ARRIVAL_BYTES_MAX || ms >= TRANSACTION_MS_MAX) break;
        const handed = ring.take(this.#arena);
        if (handed === undefined) continue;
        isAny = true;
        if (handed.parts.length === 0) continue;
        if (handed.rows.length === 0) {
          hasEnds = true;
          continue;
        }
        arrivals.push(arrivalOf(handed));
        bytes += handed.rows.length;
        for (const { projectNo, eventCount } of handed.parts) ms += this.#costs.msOf(projectNo, eventCount);
      }
    }
    return { arrivals, bytes, hasEnds };
  }
}

const arrivalOf = ({ batchNo, parts, rows }: HandedBatch): Arrival => ({
  batchNo,
  projectNos: parts.map(({ projectNo }) => projectNo),
  rows,
});
