import { deserialize, serialize } from "bun:jsc";

/**
 * States that gave way to others, as compressed bytes: a fifth of what they take as objects, nothing for the
 * garbage collector to walk, and back in 0.14 ms, where a rebuild from the store reads and replays the
 * execution's events. Bounded in bytes; those packed longest ago go first. States are plain data
 * (src/detect/detector.ts), so what comes out is what went in.
 */

export interface PackableStates {
  readonly projectNo: number;
  /** When a tick is to ask it: `Engine.nextTickMs`. */
  readonly nextTickMs: number | null;
  readonly states: unknown[];
  readonly callCount: number;
  readonly sizeBytes: number;
}

/** An execution whose states are not ready for use. */
export interface AsideExecution {
  readonly executionNo: number;
  readonly projectNo: number;
  readonly nextTickMs: number | null;
}

interface Packed extends AsideExecution {
  readonly bytes: Uint8Array;
  readonly callCount: number;
  readonly sizeBytes: number;
}

/** The map entry and the object around the bytes. */
const ENTRY_BYTES = 200;
/** The fastest: more effort makes it a tenth smaller. */
const COMPRESSION = { level: 1 };

export class PackedStates {
  readonly #packed = new Map<number, Packed>();
  readonly #bytesMax: number;
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  get size(): number {
    return this.#packed.size;
  }
  get bytes(): number {
    return this.#bytes;
  }

  get(executionNo: number): AsideExecution | undefined {
    return this.#packed.get(executionNo);
  }

  values(): IterableIterator<AsideExecution> {
    return this.#packed.values();
  }

  clear(): void {
    this.#packed.clear();
    this.#bytes = 0;
  }

  /**
   * Packs states. Returns the executions whose states are lost: the oldest, or this one if it cannot be
   * packed.
   */
  put(executionNo: number, packable: PackableStates): AsideExecution[] {
    const { projectNo, nextTickMs, states, callCount, sizeBytes } = packable;
    const bytes = pack(states);
    if (bytes === undefined) return [{ executionNo, projectNo, nextTickMs }];
    this.#packed.set(executionNo, { executionNo, projectNo, nextTickMs, bytes, callCount, sizeBytes });
    this.#bytes += ENTRY_BYTES + bytes.length;
    const lost: AsideExecution[] = [];
    for (const packed of this.#packed.values()) {
      if (this.#bytes <= this.#bytesMax) break;
      this.#drop(packed);
      lost.push(asideOf(packed));
    }
    return lost;
  }

  /** The moments noted for its executions no longer hold: they are due at once. */
  forgetTicks(projectNo: number): void {
    for (const packed of this.#packed.values())
      if (packed.projectNo === projectNo) this.#packed.set(packed.executionNo, { ...packed, nextTickMs: 0 });
  }

  delete(executionNo: number): void {
    const packed = this.#packed.get(executionNo);
    if (packed !== undefined) this.#drop(packed);
  }

  dropProject(projectNo: number): void {
    for (const packed of this.#packed.values()) if (packed.projectNo === projectNo) this.#drop(packed);
  }

  /** Unpacks an execution's states and keeps nothing of them. */
  take(executionNo: number): Omit<PackableStates, "nextTickMs"> | undefined {
    const packed = this.#packed.get(executionNo);
    if (packed === undefined) return undefined;
    this.#drop(packed);
    const { projectNo, bytes, callCount, sizeBytes } = packed;
    const states = deserialize(Bun.zstdDecompressSync(bytes)) as unknown[];
    return { projectNo, states, callCount, sizeBytes };
  }

  #drop(packed: Packed): void {
    this.#packed.delete(packed.executionNo);
    this.#bytes -= ENTRY_BYTES + packed.bytes.length;
  }
}

const asideOf = ({ executionNo, projectNo, nextTickMs }: AsideExecution): AsideExecution => ({
  executionNo,
  projectNo,
  nextTickMs,
});

/** Undefined for a state that is not plain data, which a detector should not have: it is rebuilt later. */
function pack(states: readonly unknown[]): Uint8Array | undefined {
  try {
    return Bun.zstdCompressSync(new Uint8Array(serialize(states)), COMPRESSION);
  } catch {
    return undefined;
  }
}
