import type { FlushPart } from "../../store/telemetry/event-copy.ts";

/**
 * Whose turn it is when more is owed than one transaction takes. Projects that owe little (quiet ones) go
 * ahead of those that owe much (loud ones), so that a team that sends one event hears of it at once, even
 * while a fleet beside it floods the service or somebody sends events that are slow to judge. What a project
 * owes is counted in time: its events, by what its events took lately. Within a project the order stays as it
 * was.
 */

/** About as much as one transaction takes. */
export const TRANSACTION_MS_MAX = 250;
/**
 * A project that owes no more than this is quiet. The more is owed in all, the higher the limit: after an
 * outage even a project that sends a fortieth of what a fleet sends owes much.
 */
const QUIET_MS_MAX = 50;
const QUIET_MS_MAX_IN_BACKLOG = 250;
const QUIET_SHARE_MAX = 1 / 20;
/**
 * What all quiet projects together may go ahead with, as a multiple of that limit, so that loud ones have
 * most of the time.
 */
const AHEAD_TIMES = 2;

/** The cost assumed of a project's event, and how many events of its own weigh as much as this assumption. */
const EVENT_MS_SUPPOSED = 0.015;
const EVENTS_SUPPOSED = 100;
/** After that many events the earlier ones count half. */
const EVENTS_REMEMBERED = 4_000;
const PROJECTS_MAX = 10_000;

/** What detection takes for the events of each project. */
export class ProjectCosts {
  readonly #costs = new Map<number, { events: number; ms: number }>();

  note(projectNo: number, eventCount: number, tookMs: number): void {
    const { events, ms } = this.#costs.get(projectNo) ?? { events: 0, ms: 0 };
    const kept = events > EVENTS_REMEMBERED ? 0.5 : 1;
    this.#costs.delete(projectNo);
    this.#costs.set(projectNo, { events: events * kept + eventCount, ms: ms * kept + tookMs });
    if (this.#costs.size > PROJECTS_MAX) this.#costs.delete(this.#costs.keys().next().value!);
  }

  /** Whether events of the project were met lately. */
  isKnown(projectNo: number): boolean {
    return this.#costs.has(projectNo);
  }

  /** What that many events of the project are likely to take, in milliseconds. */
  msOf(projectNo: number, eventCount: number): number {
    const { events, ms } = this.#costs.get(projectNo) ?? { events: 0, ms: 0 };
    const supposedMs = EVENTS_SUPPOSED * EVENT_MS_SUPPOSED;
    return (eventCount * (ms + supposedMs)) / (events + EVENTS_SUPPOSED);
  }
}

/** Events that are owed, by project. */
export class OwedEvents {
  readonly #events = new Map<number, number>();

  static of(parts: Iterable<FlushPart>): OwedEvents {
    const owed = new OwedEvents();
    for (const { projectNo, eventCount } of parts) owed.add(projectNo, eventCount);
    return owed;
  }

  add(projectNo: number, eventCount: number): void {
    this.#events.set(projectNo, (this.#events.get(projectNo) ?? 0) + eventCount);
  }

  /** The projects that go ahead, none where all that is owed is one transaction's work. */
  ahead(costs: ProjectCosts): ReadonlySet<number> {
    return this.#allMs(costs) <= TRANSACTION_MS_MAX ? new Set() : this.quiet(costs);
  }

  /** Those that owe little, the least first; all together no more than may go ahead at once. */
  quiet(costs: ProjectCosts): ReadonlySet<number> {
    const owed = Array.from(this.#events, ([projectNo, eventCount]) => ({
      projectNo,
      ms: costs.msOf(projectNo, eventCount),
    }));
    const quietMsMax = this.#quietMsMax(costs);
    const ahead = new Set<number>();
    let leftMs = AHEAD_TIMES * quietMsMax;
    for (const { projectNo, ms } of owed.sort((a, b) => a.ms - b.ms)) {
      if (ms > quietMsMax || ms > leftMs) break;
      leftMs -= ms;
      ahead.add(projectNo);
    }
    return ahead;
  }

  /** Those that owe much. */
  loud(costs: ProjectCosts): ReadonlySet<number> {
    const quietMsMax = this.#quietMsMax(costs);
    const loud = new Set<number>();
    for (const [projectNo, eventCount] of this.#events)
      if (costs.msOf(projectNo, eventCount) > quietMsMax) loud.add(projectNo);
    return loud;
  }

  #allMs(costs: ProjectCosts): number {
    let allMs = 0;
    for (const [projectNo, eventCount] of this.#events) allMs += costs.msOf(projectNo, eventCount);
    return allMs;
  }

  #quietMsMax(costs: ProjectCosts): number {
    return Math.min(QUIET_MS_MAX_IN_BACKLOG, Math.max(QUIET_MS_MAX, this.#allMs(costs) * QUIET_SHARE_MAX));
  }
}

/**
 * For how long quiet projects have waited. A project that was loud until a moment ago counts from then on:
 * what it owes now is the rest of that, and waited behind its own events.
 */
export class QuietLag {
  readonly #loudAtMs = new Map<number, number>();

  lookedAt(
    owed: readonly { readonly projectNo: number; readonly ageMs: number }[],
    loud: ReadonlySet<number>,
    nowMs: number,
  ): number {
    const owing = new Set<number>();
    let lagMs = 0;
    for (const { projectNo, ageMs } of owed) {
      owing.add(projectNo);
      if (loud.has(projectNo)) this.#loudAtMs.set(projectNo, nowMs);
      else {
        const quietMs = nowMs - (this.#loudAtMs.get(projectNo) ?? Number.NEGATIVE_INFINITY);
        lagMs = Math.max(lagMs, Math.min(ageMs, quietMs));
      }
    }
    for (const projectNo of this.#loudAtMs.keys())
      if (!owing.has(projectNo)) this.#loudAtMs.delete(projectNo);
    return lagMs;
  }
}
