import { deserialize, serialize } from "bun:jsc";

/**
 * States that gave way to others, as compressed bytes: a fifth of what they take as objects, nothing for the garbage collector to walk,
 * and back in 0.14 ms where a rebuild from the store reads and replays the execution's events. Bounded in bytes; the longest here go first.
 * States are plain data (src/detect/detector.ts), so that what comes out is what went in.
 */

export interface PackableStates {
  readonly projectNo: number;
  readonly states: unknown[];
  readonly callCount: number;
  readonly sizeBytes: number;
}

interface Packed {
  readonly projectNo: number;
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

  has(executionNo: number): boolean {
    return this.#packed.has(executionNo);
  }

  clear(): void {
    this.#packed.clear();
    this.#bytes = 0;
  }

  /** Takes states in, and names the executions whose states are lost for it: the oldest, or these if they cannot be packed. */
  put(executionNo: number, { projectNo, states, callCount, sizeBytes }: PackableStates): number[] {
    const bytes = pack(states);
    if (bytes === undefined) return [executionNo];
    this.#packed.set(executionNo, { projectNo, bytes, callCount, sizeBytes });
    this.#bytes += ENTRY_BYTES + bytes.length;
    const lost: number[] = [];
    for (const [oldest, packed] of this.#packed) {
      if (this.#bytes <= this.#bytesMax) break;
      this.#drop(oldest, packed);
      lost.push(oldest);
    }
    return lost;
  }

  dropProject(projectNo: number): void {
    for (const [executionNo, packed] of this.#packed)
      if (packed.projectNo === projectNo) this.#drop(executionNo, packed);
  }

  /** Gives an execution's states back, and keeps nothing of them. */
  take(executionNo: number): PackableStates | undefined {
    const packed = this.#packed.get(executionNo);
    if (packed === undefined) return undefined;
    this.#drop(executionNo, packed);
    const { projectNo, bytes, callCount, sizeBytes } = packed;
    const states = deserialize(Bun.zstdDecompressSync(bytes)) as unknown[];
    return { projectNo, states, callCount, sizeBytes };
  }

  #drop(executionNo: number, packed: Packed): void {
    this.#packed.delete(executionNo);
    this.#bytes -= ENTRY_BYTES + packed.bytes.length;
  }
}

/** Undefined for a state that is not plain data, which a detector should not have: it costs a rebuild, as without packing. */
function pack(states: readonly unknown[]): Uint8Array | undefined {
  try {
    return Bun.zstdCompressSync(new Uint8Array(serialize(states)), COMPRESSION);
  } catch {
    return undefined;
  }
}
