import type { ExecutionView } from "../detector.ts";
import { type AsideExecution, PackedStates } from "./packed-states.ts";
import type { EngineStats } from "./stats.ts";

/**
 * What detection holds in memory about executions: their record and each detector's state. Bounded in number
 * and in estimated bytes; the least recently touched give way first. Their states are packed, or, when packed
 * states have no more room either, rebuilt from the store when the execution is met again. Owned by the
 * detection thread. Losing an entry costs a rebuild, never a detection.
 */

/** One execution's place in memory. */
export interface HeldExecution {
  readonly executionNo: number;
  readonly projectNo: number;
  view: ExecutionView;
  /** By detector index; a detector that was not called yet has undefined. */
  readonly states: unknown[];
  /** Calls so far: states are measured at the 4th, 16th, 64th …, so that measuring stays cheap. */
  callCount: number;
  sizeBytes: number;
  /** The moment of the last tick that asked it, if nothing of the execution has arrived since. */
  askedMs: number;
}

const RECORD_BYTES = 200;
const NOT_ASKED_MS = Number.NEGATIVE_INFINITY;

/** An entry before its first measurement: the record, the map entry and a few small states. */
const UNMEASURED_BYTES = 1_000;
/** Sixteen KiB is what a state may have at most (src/detect/detector.ts). */
const LARGE_STATE_BYTES = 64 << 10;
/** Parts of a state that are measured; with more it is far too large already. */
const MEASURED_PARTS_MAX = 20_000;
/** Numbers of evicted executions remembered one by one. */
const EVICTED_REMEMBERED_MAX = 100_000;

export class StateCache {
  readonly #held = new Map<number, HeldExecution>();
  readonly #countMax: number;
  readonly #bytesMax: number;
  readonly #packed: PackedStates;
  #bytes = 0;
  #evictions = 0;
  #unpackings = 0;
  /** Executions up to this number may have a past that this cache has not seen. */
  #coldFloor = Number.POSITIVE_INFINITY;
  readonly #evicted = new Map<number, AsideExecution>();
  readonly #nextTickMs: (held: HeldExecution) => number | null;
  readonly #stats: EngineStats;

  constructor(options: {
    executionsMax: number;
    bytesMax: number;
    packedBytesMax: number;
    /** When a tick is to ask an execution that gives way: `Engine.nextTickMs`. */
    nextTickMs: (held: HeldExecution) => number | null;
    stats: EngineStats;
  }) {
    this.#nextTickMs = options.nextTickMs;
    this.#stats = options.stats;
    this.#countMax = options.executionsMax;
    this.#bytesMax = options.bytesMax;
    this.#packed = new PackedStates(options.packedBytesMax);
  }

  get size(): number {
    return this.#held.size;
  }
  get bytes(): number {
    return this.#bytes;
  }
  /** States lost for want of room, so that the store has to rebuild them. */
  get evictionCount(): number {
    return this.#evictions;
  }
  get packedCount(): number {
    return this.#packed.size;
  }
  get packedBytes(): number {
    return this.#packed.bytes;
  }
  get unpackingCount(): number {
    return this.#unpackings;
  }

  /**
   * Starts anew. Executions numbered above `coldFloor` do not exist yet, so everything that happens to them
   * will be seen here; all others have a past in the store.
   */
  reset(coldFloor: number): void {
    this.#held.clear();
    this.#packed.clear();
    this.#evicted.clear();
    this.#bytes = 0;
    this.#coldFloor = coldFloor;
  }

  /** True if the execution may have events already detected that its new state would not know of. */
  needsRebuild(executionNo: number): boolean {
    if (this.#packed.get(executionNo) !== undefined) return false;
    return executionNo <= this.#coldFloor || this.#evicted.has(executionNo);
  }

  /** The entry, moved to the young end. */
  touch(executionNo: number): HeldExecution | undefined {
    const held = this.#held.get(executionNo);
    if (held !== undefined) {
      this.#held.delete(executionNo);
      this.#held.set(executionNo, held);
    }
    return held;
  }

  has(executionNo: number): boolean {
    return this.#held.has(executionNo);
  }

  peek(executionNo: number): HeldExecution | undefined {
    return this.#held.get(executionNo);
  }

  /** With the states that were packed, if they were. */
  add(executionNo: number, projectNo: number, view: ExecutionView): HeldExecution {
    const packed = this.#packed.take(executionNo);
    if (packed !== undefined) this.#unpackings++;
    const held: HeldExecution = {
      executionNo,
      projectNo,
      view,
      states: packed?.states ?? [],
      callCount: packed?.callCount ?? 0,
      sizeBytes: packed?.sizeBytes ?? UNMEASURED_BYTES,
      askedMs: NOT_ASKED_MS,
    };
    this.#held.set(executionNo, held);
    this.#evicted.delete(executionNo);
    this.#bytes += held.sizeBytes;
    return held;
  }

  /** The execution is shown to detectors in another way from now on. */
  show(held: HeldExecution, view: ExecutionView): void {
    held.view = view;
    held.askedMs = NOT_ASKED_MS;
  }

  /** Notes a round of calls on the entry; measures it now and then. */
  noteCalls(held: HeldExecution): void {
    held.askedMs = NOT_ASKED_MS;
    const count = ++held.callCount;
    // Powers of four: one bit set, at an even place.
    if (count < 4 || (count & (count - 1)) !== 0 || (count & 0x55555555) === 0) return;
    this.measure(held);
  }

  /** Call when something other than a round has changed the states. */
  measure(held: HeldExecution): void {
    const size = this.#sizeOf(held.states);
    if (this.#held.get(held.executionNo) === held) this.#bytes += size - held.sizeBytes;
    held.sizeBytes = size;
  }

  /** Brings the cache back within its bounds. Call between transactions, never while entries are in use. */
  trim(): void {
    while (this.#held.size > this.#countMax || (this.#bytes > this.#bytesMax && this.#held.size > 1)) {
      const [oldest] = this.#held.values();
      if (oldest === undefined) return;
      this.#drop(oldest);
    }
  }

  /**
   * Lets go of a project's executions: their states are rebuilt when they are met again. So are those of
   * executions up to `coldFloor` that were never held, as nothing enabled wanted their events. Never while
   * entries are in use.
   */
  dropProject(projectNo: number, coldFloor: number): void {
    for (const held of this.#held.values()) {
      if (held.projectNo !== projectNo) continue;
      this.#held.delete(held.executionNo);
      this.#bytes -= held.sizeBytes;
    }
    this.#packed.dropProject(projectNo);
    for (const { executionNo, projectNo: ofProject } of this.#evicted.values())
      if (ofProject === projectNo) this.#evicted.delete(executionNo);
    this.#coldFloor = Math.max(this.#coldFloor, coldFloor);
  }

  /** Executions that gave way and that a tick is to ask as of that moment. */
  *asideDue(asOfMs: number): Generator<AsideExecution> {
    for (const each of [this.#packed, this.#evicted])
      for (const aside of each.values())
        if (aside.nextTickMs !== null && aside.nextTickMs <= asOfMs) yield aside;
  }

  /** True if an execution gave way and is to be asked later than that, or never. */
  isAsideUntilLater(executionNo: number, asOfMs: number): boolean {
    const nextTickMs = (this.#packed.get(executionNo) ?? this.#evicted.get(executionNo))?.nextTickMs;
    return typeof nextTickMs === "number" && nextTickMs > asOfMs;
  }

  /** After a change of what lets a project's executions fire by time. */
  forgetTicks(projectNo: number): void {
    this.#packed.forgetTicks(projectNo);
    for (const aside of this.#evicted.values())
      if (aside.projectNo === projectNo) this.#evicted.set(aside.executionNo, { ...aside, nextTickMs: 0 });
    for (const held of this.#held.values()) if (held.projectNo === projectNo) held.askedMs = NOT_ASKED_MS;
  }

  /** Lets go of states that may be wrong: they are rebuilt, and the next tick asks them. */
  letGo(executionNos: Iterable<number>): void {
    for (const executionNo of executionNos) {
      const held = this.#held.get(executionNo);
      if (held === undefined) continue;
      this.#held.delete(executionNo);
      this.#bytes -= held.sizeBytes;
      this.#remember({ executionNo, projectNo: held.projectNo, nextTickMs: 0 });
    }
  }

  /** The execution no longer exists. */
  forget(executionNo: number): void {
    this.#packed.delete(executionNo);
    this.#evicted.delete(executionNo);
  }

  /** All entries, oldest first. */
  values(): IterableIterator<HeldExecution> {
    return this.#held.values();
  }

  #sizeOf(states: readonly unknown[]): number {
    let bytes = RECORD_BYTES;
    for (const [index, state] of states.entries()) {
      if (state === undefined) continue;
      try {
        const size = 50 + approximateBytes(state, 0, { left: MEASURED_PARTS_MAX });
        if (size > LARGE_STATE_BYTES) this.#stats.noteLargeState(index, size);
        bytes += size;
      } catch (error) {
        this.#stats.noteError(index, error);
      }
    }
    return bytes;
  }

  #drop(held: HeldExecution): void {
    this.#held.delete(held.executionNo);
    this.#bytes -= held.sizeBytes;
    const nextTickMs = this.#nextTickMs(held);
    for (const lost of this.#packed.put(held.executionNo, { ...held, nextTickMs })) {
      this.#evictions++;
      this.#remember(lost);
    }
  }

  #remember(lost: AsideExecution): void {
    if (this.#evicted.size >= EVICTED_REMEMBERED_MAX) this.#raiseFloor();
    this.#evicted.set(lost.executionNo, lost);
  }

  /** Forgets who exactly was evicted: then everything up to the youngest of them counts as cold. */
  #raiseFloor(): void {
    for (const executionNo of this.#evicted.keys()) {
      if (executionNo > this.#coldFloor) this.#coldFloor = executionNo;
    }
    this.#evicted.clear();
  }
}

/** A rough size: what matters is that a state ten times as large counts ten times as much. */
function approximateBytes(value: unknown, depth: number, parts: { left: number }): number {
  if (typeof value === "string") return 16 + value.length;
  if (typeof value !== "object" || value === null) return 8;
  if (depth > 8) return 64;
  let bytes = 32;
  if (value instanceof Map) {
    for (const [key, item] of value) {
      if (--parts.left < 0) return bytes;
      bytes += 16 + approximateBytes(key, depth + 1, parts) + approximateBytes(item, depth + 1, parts);
    }
  } else if (value instanceof Set) {
    for (const item of value) {
      if (--parts.left < 0) return bytes;
      bytes += 16 + approximateBytes(item, depth + 1, parts);
    }
  } else if (ArrayBuffer.isView(value)) {
    bytes += value.byteLength;
  } else if (Array.isArray(value)) {
    for (const item of value) {
      if (--parts.left < 0) return bytes;
      bytes += approximateBytes(item, depth + 1, parts);
    }
  } else {
    for (const key in value) {
      if (--parts.left < 0) return bytes;
      bytes += 16 + approximateBytes((value as Record<string, unknown>)[key], depth + 1, parts);
    }
  }
  return bytes;
}
