import { deserialize, serialize } from "bun:jsc";

/**
 * States that gave way to others, as compressed bytes: a fifth of what they take as objects, nothing for the garbage collector to walk,
 * and back in 0.14 ms where a rebuild from the store reads and replays the execution's events. Bounded in bytes; the longest here go first.
 * States are plain data (src/detect/detector.ts), so that what comes out is what went in.
 */

export interface PackableStates {
  readonly states: unknown[];
  readonly callCount: number;
  readonly sizeBytes: number;
}

interface Packed {
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
  put(executionNo: number, { states, callCount, sizeBytes }: PackableStates): number[] {
    const bytes = pack(states);
    if (bytes === undefined) return [executionNo];
    this.#packed.set(executionNo, { bytes, callCount, sizeBytes });
    this.#bytes += ENTRY_BYTES + bytes.length;
    const lost: number[] = [];
    for (const [oldest, packed] of this.#packed) {
      if (this.#bytes <= this.#bytesMax) break;
      this.#packed.delete(oldest);
      this.#bytes -= ENTRY_BYTES + packed.bytes.length;
      lost.push(oldest);
    }
    return lost;
  }

  /** Gives an execution's states back, and keeps nothing of them. */
  take(executionNo: number): PackableStates | undefined {
    const packed = this.#packed.get(executionNo);
    if (packed === undefined) return undefined;
    this.#packed.delete(executionNo);
    const { bytes, callCount, sizeBytes } = packed;
    this.#bytes -= ENTRY_BYTES + bytes.length;
    return { states: deserialize(Bun.zstdDecompressSync(bytes)) as unknown[], callCount, sizeBytes };
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
