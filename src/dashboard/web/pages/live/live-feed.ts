import type { LiveEvent } from "../../../live/live-event.ts";
import type { Connection, LiveHandlers, LiveRates } from "./live-stream.ts";

/**
 * What the page shows of the stream. Invariants: at most ROWS_MAX rows and as many that wait; while it is
 * held — paused, or scrolled away from the end — the rows do not change, what comes waits; an event is shown
 * once. React is told at most every FLUSH_MS.
 */
export interface LiveRow extends LiveEvent {
  /** Tells rows apart, and says which came later. */
  readonly key: number;
}

export type Hold = "paused" | "scrolled" | null;

export interface LiveView {
  readonly rows: readonly LiveRow[];
  readonly waiting: number;
  readonly hold: Hold;
  readonly connection: Connection;
  readonly isStoreAway: boolean;
  /** Events that this browser was too slow for, or that did not fit while it was held. */
  readonly dropped: number;
  /** Events that the service did not show, because the project stores more a second than anybody reads. */
  readonly skipped: number;
  /** Events stored in the project, a second each, the latest last. */
  readonly rates: readonly number[];
}

export const ROWS_MAX = 2_000;
export const RATES_MAX = 60;
const FLUSH_MS = 80;

export class LiveFeed implements LiveHandlers {
  readonly #listeners = new Set<() => void>();
  readonly #shown = new Set<string>();
  #view: LiveView = {
    rows: [],
    waiting: 0,
    hold: null,
    connection: { kind: "connecting" },
    isStoreAway: false,
    dropped: 0,
    skipped: 0,
    rates: [],
  };
  #waiting: LiveRow[] = [];
  #arrived: LiveRow[] = [];
  #lastKey = 0;
  #timer: ReturnType<typeof setTimeout> | null = null;

  /** `rates`: what was known of the project before, under other filters. */
  constructor(rates: readonly number[] = []) {
    this.#view = { ...this.#view, rates };
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly view = (): LiveView => this.#view;

  onConnection(connection: Connection): void {
    this.#change({ connection });
  }

  onEvents(events: readonly LiveEvent[]): void {
    for (const event of events) {
      const name = nameOf(event);
      if (this.#shown.has(name)) continue;
      this.#shown.add(name);
      this.#arrived.push({ ...event, key: ++this.#lastKey });
    }
    this.#timer ??= setTimeout(() => this.#flush(), FLUSH_MS);
  }

  onRate({ stored, skipped, seconds }: LiveRates): void {
    const rates = [...this.#view.rates, stored / Math.max(seconds, 0.001)].slice(-RATES_MAX);
    this.#change({ rates, skipped: this.#view.skipped + skipped });
  }

  onDropped(count: number): void {
    this.#change({ dropped: this.#view.dropped + count });
  }

  onStore(isAway: boolean): void {
    this.#change({ isStoreAway: isAway });
  }

  hold(hold: "paused" | "scrolled"): void {
    // Being scrolled away does not undo a pause.
    if (this.#view.hold === "paused" && hold === "scrolled") return;
    if (this.#view.hold !== hold) this.#change({ hold });
  }

  /** Shows what waited, and follows again. */
  release(): void {
    if (this.#view.hold === null) return;
    const waited = this.#waiting;
    this.#waiting = [];
    this.#change({ hold: null, waiting: 0, rows: this.#grown(waited) });
  }

  clear(): void {
    for (const row of [...this.#view.rows, ...this.#waiting, ...this.#arrived])
      this.#shown.delete(nameOf(row));
    this.#waiting = [];
    this.#arrived = [];
    this.#change({ rows: [], waiting: 0, dropped: 0, skipped: 0 });
  }

  /** The counts of what was not shown have been read. */
  acknowledge(): void {
    this.#change({ dropped: 0, skipped: 0 });
  }

  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #flush(): void {
    this.#timer = null;
    const arrived = this.#arrived;
    this.#arrived = [];
    if (this.#view.hold === null) {
      this.#change({ rows: this.#grown(arrived) });
      return;
    }
    this.#waiting.push(...arrived);
    const gone = this.#waiting.splice(0, Math.max(0, this.#waiting.length - ROWS_MAX));
    for (const row of gone) this.#shown.delete(nameOf(row));
    this.#change({ waiting: this.#waiting.length, dropped: this.#view.dropped + gone.length });
  }

  /** The rows with these at the end; the oldest leave the page. */
  #grown(more: readonly LiveRow[]): readonly LiveRow[] {
    if (more.length === 0) return this.#view.rows;
    const rows = [...this.#view.rows, ...more];
    for (const row of rows.splice(0, Math.max(0, rows.length - ROWS_MAX))) this.#shown.delete(nameOf(row));
    return rows;
  }

  #change(change: Partial<LiveView>): void {
    this.#view = { ...this.#view, ...change };
    for (const listener of this.#listeners) listener();
  }
}

function nameOf(event: LiveEvent): string {
  return `${event.execution_id}\n${event.event_id}`;
}
