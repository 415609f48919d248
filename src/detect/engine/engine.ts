import type { Detector, DetectorInput, ExecutionView } from "../detector.ts";
import { type ExecutionSlice, orderEvents } from "../rows/execution-slices.ts";
import type { StoredEvent } from "../rows/pack-reader.ts";
import { partsOf } from "./call-parts.ts";
import { type CheckedDetection, checkedDetection } from "./checked-detection.ts";
import { LargePayloads } from "./large-payloads.ts";
import { type ProjectMemories, ReplayMemory } from "./project-memories.ts";
import type { DetectorTable, ProjectPlan } from "./project-plan.ts";
import type { Pulse } from "./pulse.ts";
import type { HeldExecution, StateCache } from "./state-cache.ts";
import type { EngineStats } from "./stats.ts";

/**
 * Calls the detectors. Synchronous and without I/O: whatever a round needs — plans, records, states, memory —
 * is in memory already. Invariants: each detector sees each event that it wants once per round it is in; a
 * detector that throws loses its answer for that execution in that round, is counted, and stops nobody else;
 * replaying past events changes states and nothing else.
 */

/** One execution's part in a round. */
export interface RoundItem {
  readonly held: HeldExecution;
  readonly plan: ProjectPlan;
  /** Empty for a status change or a tick. */
  readonly events: readonly StoredEvent[];
  readonly typeMask: number;
}

export interface Round {
  readonly cause: DetectorInput<unknown>["cause"];
  /** 0: a tick. */
  readonly batchNo: number;
  readonly nowMs: number;
  /** Only of a tick: since when the service has been up. */
  readonly upSinceMs?: number;
  readonly items: readonly RoundItem[];
}

export interface EngineOptions {
  readonly table: DetectorTable;
  readonly cache: StateCache;
  readonly memories: ProjectMemories;
  readonly pulse: Pulse;
  readonly stats: EngineStats;
  /** How long one round of one detector may take: a base and a share for each event. */
  readonly budget: { readonly baseMs: number; readonly perEventUs: number };
  /** True if this call hung the thread before and is not to be made again. */
  readonly isSkipped: (failureClass: string, batchNo: number, executionNo: number) => boolean;
}

/** A batch number that stands for "while rebuilding" where a hanging call is named. */
export const REBUILD_BATCH_NO = -1;
/** More from one call is taken for a defect of the detector: the rest is counted, not stored. */
const DETECTIONS_PER_CALL_MAX = 100;

/**
 * Events that go through all detectors, one detector after another, before the next ones do: as many as fit a
 * core's second-level cache with their payloads parsed. The code of thirty detectors is far larger than the
 * first level, so each change of detector loads it anew (docs/MEASUREMENTS.md#what-an-event-costs-detection).
 */
const BLOCK_EVENTS = 500;
/** As stored; parsed, they take several times as much. */
const BLOCK_BYTES = 256 * 1024;

/** The events of one item by the detectors' filter number. */
type Filtered = (readonly StoredEvent[] | undefined)[];

/** What one detector did in a round. */
interface RoundTally {
  readonly index: number;
  callCount: number;
  eventCount: number;
  tookMs: number;
  readonly detections: CheckedDetection[];
}

/** The clock of processor time advances with the kernel's ticks only, 100 to 1,000 a second. */
const CPU_TICK_MS = 10;
const NOTHING_YET = { callCount: 0, eventCount: 0, tookMs: 0 };

export class Engine {
  readonly #options: EngineOptions;
  readonly #table: DetectorTable;
  readonly #largePayloads = new LargePayloads();

  /** Processor time as last read, and when that was. */
  readonly #cpu = { ms: 0, readMs: Number.NEGATIVE_INFINITY };

  constructor(options: EngineOptions) {
    this.#options = options;
    this.#table = options.table;
  }

  /**
   * A reading costs 9 µs, as much as an event or two, so there is none more often than its clock advances.
   */
  #readCpu(nowMs: number): void {
    if (nowMs - this.#cpu.readMs < CPU_TICK_MS) return;
    this.#cpu.ms = threadCpuMs();
    this.#cpu.readMs = nowMs;
  }

  /** Runs every detector that the round concerns; returns what they found, detector by detector. */
  run(round: Round): CheckedDetection[] {
    const blocks = this.blocks(round);
    let step = blocks.next();
    while (step.done !== true) step = blocks.next();
    return step.value;
  }

  /** The same with a pause after each block but the last, in which the caller may do something else. */
  *blocks(round: Round): Generator<undefined, CheckedDetection[]> {
    const { pulse, stats, budget, cache } = this.#options;
    const { items, cause } = round;
    const called = this.#detectorsFor(cause);
    const tallies = called.map((index): RoundTally => ({ index, ...NOTHING_YET, detections: [] }));
    const parts = inParts(items);
    for (let first = 0; first < parts.length; ) {
      const end = endOfBlock(parts, first);
      const block = parts.slice(first, end);
      this.#runBlock(round, block, tallies);
      for (const { events } of block) this.#largePayloads.forget(events);
      first = end;
      pulse.leave();
      if (first < parts.length) yield;
    }
    for (const { index, callCount, eventCount, tookMs } of tallies) {
      if (callCount === 0) continue;
      stats.noteDetector(index, { callCount, eventCount, tookMs });
      const budgetMs = budget.baseMs + (eventCount * budget.perEventUs) / 1000;
      if (tookMs > budgetMs) stats.noteOverBudget(index, tookMs, budgetMs);
    }
    if (cause === "tick") for (const { held } of items) held.askedMs = round.nowMs;
    else for (const { held } of items) cache.noteCalls(held);
    return tallies.flatMap((tally) => tally.detections);
  }

  #detectorsFor(cause: Round["cause"]): readonly number[] {
    const { detectors, all } = this.#table;
    if (cause === "events") return all;
    return all.filter((index) =>
      cause === "status" ? detectors[index]!.onStatus : detectors[index]!.onTick,
    );
  }

  #runBlock(round: Round, items: readonly RoundItem[], tallies: readonly RoundTally[]): void {
    const { cause } = round;
    const { detectors, typeMasks } = this.#table;
    const filtered: Filtered[] = [];
    let startedMs = performance.now();
    this.#readCpu(startedMs);
    for (const tally of tallies) {
      const { index } = tally;
      const detector = detectors[index]!;
      const mask = typeMasks[index]!;
      let callCount = 0;
      for (let i = 0; i < items.length; i++) {
        const item = items[i]!;
        if (item.plan.settings[index] === null) continue;
        let events = item.events;
        if (cause === "events") {
          if ((item.typeMask & mask) === 0) continue;
          if ((item.typeMask & ~mask) !== 0) events = this.#pick(filtered, i, item, index);
        }
        callCount++;
        tally.eventCount += events.length;
        this.#call(detector, index, item, events, round, tally.detections);
      }
      if (callCount === 0) continue;
      const endedMs = performance.now();
      const tookMs = endedMs - startedMs;
      startedMs = endedMs;
      tally.callCount += callCount;
      if (tookMs <= CPU_TICK_MS) {
        tally.tookMs += tookMs;
        continue;
      }
      // A busy machine may take the core away in the middle of a call, which is not the detector's time.
      const beforeMs = this.#cpu.ms;
      this.#readCpu(endedMs);
      tally.tookMs += Math.min(tookMs, this.#cpu.ms - beforeMs + CPU_TICK_MS);
    }
  }

  /**
   * The first moment at which a tick may make a detector fire if no event of the execution arrives until
   * then. Infinity: none will. Null: some detector does not say.
   */
  nextTickMs(held: HeldExecution, plan: ProjectPlan, upSinceMs: number): number | null {
    let firstMs = Number.POSITIVE_INFINITY;
    for (const [index, detector] of this.#table.detectors.entries()) {
      const settings = plan.settings[index];
      if (!detector.onTick || settings === null || settings === undefined) continue;
      if (detector.nextTickMs === undefined) return null;
      try {
        const state = held.states[index] ?? detector.createState();
        const outlook = { execution: held.view, state, settings, upSinceMs };
        const ownMs = detector.nextTickMs(outlook);
        if (Number.isNaN(ownMs)) return null;
        firstMs = Math.min(firstMs, ownMs);
      } catch (error) {
        this.#options.stats.noteError(index, error);
        return null;
      }
    }
    // It was asked as of that moment and has fired if it was going to.
    return firstMs <= held.askedMs ? Number.POSITIVE_INFINITY : firstMs;
  }

  /** For an entry that is rebuilt without its oldest events: its states are created knowing that. */
  startInTheMiddle(held: HeldExecution, plan: ProjectPlan): void {
    const { pulse, stats, isSkipped } = this.#options;
    for (const [index, detector] of this.#table.detectors.entries()) {
      const isOff =
        plan.settings[index] === null || isSkipped(detector.failureClass, REBUILD_BATCH_NO, held.executionNo);
      let state: unknown;
      pulse.enter(index, held.projectNo, REBUILD_BATCH_NO, held.executionNo);
      try {
        state = isOff ? undefined : detector.createState(true);
      } catch (error) {
        stats.noteError(index, error);
      }
      held.states.push(state);
    }
    pulse.leave();
  }

  /**
   * Brings a new entry's states to where they were once `events` had been detected. `view` holds what was
   * certainly known of the execution by then.
   */
  replay(
    held: HeldExecution,
    plan: ProjectPlan,
    past: {
      readonly nowMs: number;
      readonly view: ExecutionView;
      readonly events: StoredEvent[];
    },
  ): void {
    const { pulse, stats } = this.#options;
    const { detectors, typeMasks } = this.#table;
    orderEvents(past.events);
    const memories = detectors.map(({ failureClass }, index) => {
      const isReplayed =
        (plan.settings[index] ?? null) !== null &&
        !this.#options.isSkipped(failureClass, REBUILD_BATCH_NO, held.executionNo);
      return isReplayed
        ? new ReplayMemory(this.#options.memories.of(held.projectNo, failureClass))
        : undefined;
    });
    // All detectors over a part before the next: what was read of a large payload is held for one part.
    for (const part of partsOf(past.events)) {
      for (const [index, detector] of detectors.entries()) {
        const memory = memories[index];
        const settings = plan.settings[index] ?? null;
        if (memory === undefined || settings === null) continue;
        const events = part.filter((event) => (typeMasks[index]! & (1 << event.typeCode)) !== 0);
        if (events.length === 0) continue;
        pulse.enter(index, held.projectNo, REBUILD_BATCH_NO, held.executionNo);
        try {
          held.states[index] ??= detector.createState();
          const { state } = detector.detect({
            execution: past.view,
            events,
            cause: "events",
            nowMs: past.nowMs,
            state: held.states[index],
            settings,
            memory,
          });
          held.states[index] = state;
        } catch (error) {
          stats.noteError(index, error);
        }
      }
      this.#largePayloads.forget(part);
    }
    pulse.leave();
  }

  #call(
    detector: Detector,
    index: number,
    item: RoundItem,
    events: readonly StoredEvent[],
    round: Round,
    detections: CheckedDetection[],
  ): void {
    const { pulse, stats, memories, isSkipped } = this.#options;
    const { held } = item;
    if (isSkipped(detector.failureClass, round.batchNo, held.executionNo)) {
      stats.noteSkipped(index);
      return;
    }
    pulse.enter(index, held.projectNo, round.batchNo, held.executionNo);
    try {
      let state = held.states[index];
      if (state === undefined) {
        // Sparse arrays are slow: fill up to the highest index once.
        while (held.states.length <= index) held.states.push(undefined);
        state = detector.createState();
      }
      const output = detector.detect({
        execution: held.view,
        events,
        cause: round.cause,
        nowMs: round.nowMs,
        upSinceMs: round.upSinceMs ?? 0,
        state,
        settings: item.plan.settings[index]!,
        memory: memories.of(held.projectNo, detector.failureClass),
      });
      // Before the state: a state must not remember as reported what turns out to be unstorable.
      if (output.detections.length > 0)
        this.#keep(detector, index, held, output.detections, round, detections);
      held.states[index] = output.state;
    } catch (error) {
      stats.noteError(index, error);
    }
  }

  #keep(
    detector: Detector,
    index: number,
    held: HeldExecution,
    found: ReturnType<Detector["detect"]>["detections"],
    round: Round,
    detections: CheckedDetection[],
  ): void {
    const context = {
      detector,
      projectNo: held.projectNo,
      executionNo: held.executionNo,
      executionId: held.view.executionId,
      cause: round.cause,
      nowMs: round.nowMs,
    };
    const kept = Math.min(found.length, DETECTIONS_PER_CALL_MAX);
    for (let i = 0; i < kept; i++) detections.push(checkedDetection(context, found[i]!));
    if (found.length > kept) this.#options.stats.noteCutDetections(index, found.length - kept);
  }

  /** The item's events of the detector's types; the same list for all detectors with the same types. */
  #pick(filtered: Filtered[], place: number, item: RoundItem, index: number): readonly StoredEvent[] {
    filtered[place] ??= new Array(this.#table.filterMasks.length).fill(undefined);
    const lists = filtered[place];
    const filterNo = this.#table.filterNos[index]!;
    let events = lists[filterNo];
    if (events === undefined) {
      events = eventsOf(item.events, this.#table.filterMasks[filterNo]!);
      lists[filterNo] = events;
    }
    return events;
  }
}

/** One item for each call that will be made for it. */
function inParts(items: readonly RoundItem[]): readonly RoundItem[] {
  return items.flatMap((item) => {
    const parts = partsOf(item.events);
    if (parts.length === 1) return item;
    return parts.map((events) => ({ ...item, events, typeMask: maskOf(events) }));
  });
}

function maskOf(events: readonly StoredEvent[]): number {
  let mask = 0;
  for (const { typeCode } of events) mask |= 1 << typeCode;
  return mask;
}

/** Where the block ends that begins at `first`: executions with few events share one. */
function endOfBlock(items: readonly RoundItem[], first: number): number {
  let count = 0;
  let bytes = 0;
  let end = first;
  while (end < items.length && count < BLOCK_EVENTS && bytes < BLOCK_BYTES) {
    const { events } = items[end]!;
    // A call without events costs about what one with an event does.
    count += Math.max(1, events.length);
    for (let i = 0; i < events.length; i++) bytes += events[i]!.payloadBytes;
    end++;
  }
  return end;
}

function eventsOf(events: readonly StoredEvent[], mask: number): readonly StoredEvent[] {
  const wanted: StoredEvent[] = [];
  for (let i = 0; i < events.length; i++) {
    const event = events[i]!;
    if ((mask & (1 << event.typeCode)) !== 0) wanted.push(event);
  }
  return wanted;
}

/** A slice and what it needs, ready for a round. */
export function itemOf(held: HeldExecution, plan: ProjectPlan, slice: ExecutionSlice | null): RoundItem {
  return slice === null
    ? { held, plan, events: [], typeMask: 0 }
    : { held, plan, events: slice.events, typeMask: slice.typeMask };
}

function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
