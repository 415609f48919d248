import { isOutOfReach } from "../store/database/failure.ts";

/**
 * Whether PostgreSQL can be reached, as one thread knows it: the switch that turns "away" into an answer at
 * once instead of a hang. The first lost connection opens it; from then on a probe asks every PROBE_PAUSE_MS
 * until one succeeds.
 *
 *   available ──(a connection is lost, a statement takes too long)──▶ doubted ──(the first probe fails)──▶ away
 *       │  ▲                                                             │                               ▲ │
 *       │  └───────────────────────(a probe succeeds)────────────────────┴───────────────────────────────┼─┘
 *       └─────────────────────────────(the pulse is not answered)────────────────────────────────────────┘
 *
 * Doubt is about a connection or a statement, not about PostgreSQL: a server that lets commits wait answers
 * every probe, and is doubted again and again. Callers are told to come back either way; only `away` means
 * that PostgreSQL cannot be reached.
 *
 * A server that hangs loses no connection. So it is also asked once a second while all is well, and silence
 * opens the switch too. A refusal is no silence, and whoever loses a connection reports it. While nobody
 * sends anything nobody does, so two questions in a row for which there is no connection open the switch as
 * well; the first may only have met the end of the probe's own.
 */

const PROBE_PAUSE_MS = 100;
const PULSE_EVERY_MS = 1_000;
/** Nothing that PostgreSQL does keeps it from answering on an idle connection for this long. */
const SILENT_MS = 3_000;
/** If our own thread stood still, what has arrived meanwhile is read first. */
const CATCH_UP_MS = 100;
/** After a silence, what waited on connections that are still good is answered first. */
const SILENCE_CATCH_UP_MS = 2_000;

export type Reach = "available" | "doubted" | "away";

export interface ReachChange {
  readonly from: Reach;
  readonly to: Reach;
  /** What opened the switch. */
  readonly reason: unknown;
}

export interface AvailabilityOptions {
  readonly probe: () => Promise<void>;
  readonly onChange: (change: ReachChange) => void;
  /** A probe got no answer at all: its connection is of no more use. */
  readonly onSilence?: () => void;
  /**
   * Some time after a silence: connections that have not been heard since its beginning, so long ago, are of
   * no more use either.
   */
  readonly onSilenceOver?: (silentMs: number) => void;
  readonly catchUpMs?: number;
  readonly pulseEveryMs?: number;
  readonly silentMs?: number;
}

export class Availability {
  readonly #options: AvailabilityOptions;
  readonly #silenced = new Set<() => void>();
  #reach: Reach = "available";
  /** What opened the switch last. */
  #reason: unknown;
  #waiters: (() => void)[] = [];
  #stopped = false;
  /** When the first probe of the present outage was sent that got no answer. */
  #silentSinceMs: number | undefined;

  constructor(options: AvailabilityOptions) {
    this.#options = options;
  }

  get available(): boolean {
    return this.#reach === "available";
  }

  get stopped(): boolean {
    return this.#stopped;
  }

  /** A connection was lost. Calls while it is already known change nothing. */
  lost(reason: unknown): void {
    if (!this.available || this.#stopped) return;
    this.#reason = reason;
    this.#change("doubted");
    void this.#watch();
  }

  /** Resolves when PostgreSQL can be reached, at once if it can now; also when stopped. */
  whenAvailable(): Promise<void> {
    if (this.available || this.#stopped) return Promise.resolve();
    return new Promise((resolve) => this.#waiters.push(resolve));
  }

  stop(): void {
    this.#stopped = true;
    this.#wake();
  }

  /**
   * Asks now, and once in a while from now on: a connection that is opened for the second question only would
   * not be cut with those that are, and its answers would hide that they were.
   */
  start(): void {
    void this.#pulse();
  }

  /**
   * `tell` is called when PostgreSQL falls silent: what waits for its answer need wait no longer. Gives what
   * takes it back.
   */
  onSilence(tell: () => void): () => void {
    this.#silenced.add(tell);
    return () => this.#silenced.delete(tell);
  }

  get #silentMs(): number {
    return this.#options.silentMs ?? SILENT_MS;
  }

  async #pulse(): Promise<void> {
    let wasOutOfReach = false;
    for (; !this.#stopped; await Bun.sleep(this.#options.pulseEveryMs ?? PULSE_EVERY_MS)) {
      await this.whenAvailable();
      if (this.#stopped) continue;
      const answer = await this.#ask();
      if (this.#stopped) continue;
      if (answer !== "silent") {
        const isOut = answer !== "answered" && isOutOfReach(answer.refused);
        if (isOut && wasOutOfReach) this.lost(answer.refused);
        wasOutOfReach = isOut;
        continue;
      }
      this.lost(new Error(`no answer for ${this.#silentMs} ms`));
      if (this.#reach === "doubted") this.#change("away");
      for (const tell of [...this.#silenced]) tell();
    }
  }

  async #watch(): Promise<void> {
    while (!this.#stopped) {
      if ((await this.#ask()) === "answered") {
        this.#change("available");
        this.#tellSilenceOver();
        break;
      }
      if (this.#reach === "doubted" && !this.#stopped) this.#change("away");
      await Bun.sleep(PROBE_PAUSE_MS);
    }
    this.#wake();
  }

  #change(to: Reach): void {
    const from = this.#reach;
    this.#reach = to;
    this.#options.onChange({ from, to, reason: this.#reason });
  }

  #tellSilenceOver(): void {
    const sinceMs = this.#silentSinceMs;
    if (sinceMs === undefined) return;
    this.#silentSinceMs = undefined;
    setTimeout(
      () => this.#options.onSilenceOver?.(performance.now() - sinceMs),
      this.#options.catchUpMs ?? SILENCE_CATCH_UP_MS,
    ).unref();
  }

  async #ask(): Promise<"answered" | "silent" | { readonly refused: unknown }> {
    const askedMs = performance.now();
    const answer = this.#options.probe().then(
      () => "answered" as const,
      (refused: unknown) => ({ refused }),
    );
    const { promise: late, resolve } = Promise.withResolvers<"silent">();
    const timer = setTimeout(() => setTimeout(() => resolve("silent"), CATCH_UP_MS), this.#silentMs);
    const result = await Promise.race([answer, late]);
    clearTimeout(timer);
    if (result === "silent") {
      this.#silentSinceMs ??= askedMs;
      this.#options.onSilence?.();
    }
    return result;
  }

  #wake(): void {
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const wake of waiters) wake();
  }
}
