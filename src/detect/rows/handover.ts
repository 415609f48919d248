import type { FlushPart } from "../../store/telemetry/event-copy.ts";
import { packsOfProjects } from "./pack-reader.ts";

/**
 * The hand-over of stored flushes from one ingest thread to the detection thread: a ring of bytes in shared
 * memory.
 *
 *   Int32 header (64 bytes)                  bytes
 *   ┌──────┬──────┬──────┬───────┐ ┌─────────┬─────────┬──────────────┬─────────┐
 *   │ head │ tail │ drop │ notes │ │ message │ message │ … free …     │ message │
 *   └──────┴──────┴──────┴───────┘ └─────────┴─────────┴──────────────┴─────────┘
 *     producer ▲      ▲ consumer     head: where the next message goes; tail: the oldest message not yet taken.
 *   message: Int32 length of the rows · Int32 number of projects · Float64 batch_no · Int32 project_no, Int32 events of
 *   each project · rows, padded to 8 bytes. A length of -1 says: go on at offset 0; a negative project_no, that the project's
 *   part was taken ahead of its turn.
 *
 * Invariant: one producer and one consumer a ring. The producer writes a message before it moves `head`, the
 * consumer copies it before it moves `tail`; each moves only its own word, and a message that is written is
 * the consumer's. The producer never waits: a message that does not fit is dropped and counted, and the
 * consumer later finds that batch owed in the store. Whatever is lost here costs time, never data.
 *
 * In the header the producer also notes when it last had events that it could not store (in seconds since
 * 1970), and how busy it was lately.
 */

const HEAD = 0;
const TAIL = 1;
const DROPPED = 2;
const UNSTORED_S = 3;
const LOAD = 4;
const LOAD_MS = 5;
const BELL = 0;
const HEADER_BYTES = 64;
const MESSAGE_HEADER_BYTES = 16;
const PART_BYTES = 8;
const WRAP = -1;

/** The load is kept in thousandths, and counts for this long. */
const LOAD_UNIT = 1_000;
const LOAD_MS_MAX = 500;

/** Positions are Int32 byte offsets. */
const CAPACITY_BYTES_MAX = 1 << 30;
const CAPACITY_BYTES_MIN = 1 << 12;

/** The memory of one ring, to be handed to the threads at its two ends. */
export interface HandoverBuffers {
  readonly ring: SharedArrayBuffer;
  /** One Int32 shared by all rings of one consumer: the doorbell. */
  readonly bell: SharedArrayBuffer;
}

export interface HandedBatch {
  readonly batchNo: number;
  /** Parts that were not taken ahead of their turn; of what is taken ahead, the parts that are. */
  readonly parts: readonly FlushPart[];
  /** The rows of these parts in PostgreSQL's binary COPY format; empty for a flush of execution updates. */
  readonly rows: Uint8Array;
}

export function createHandover(options: { capacityBytes: number; bell: SharedArrayBuffer }): HandoverBuffers {
  const capacity = Math.min(CAPACITY_BYTES_MAX, Math.max(CAPACITY_BYTES_MIN, options.capacityBytes)) & ~7;
  return { ring: new SharedArrayBuffer(HEADER_BYTES + capacity), bell: options.bell };
}

export function createBell(): SharedArrayBuffer {
  return new SharedArrayBuffer(8);
}

/** Messages that did not fit since the ring was made; whoever holds the ring may ask. */
export function droppedCountOf({ ring }: HandoverBuffers): number {
  return Atomics.load(new Int32Array(ring, 0, HEADER_BYTES / 4), DROPPED) >>> 0;
}

const padded = (bytes: number) => (bytes + 7) & ~7;

const NO_ROWS = new Uint8Array(0);

function viewsOf(buffers: HandoverBuffers) {
  return {
    header: new Int32Array(buffers.ring, 0, HEADER_BYTES / 4),
    bytes: new Uint8Array(buffers.ring, HEADER_BYTES),
    words: new Int32Array(buffers.ring, HEADER_BYTES),
    doubles: new Float64Array(buffers.ring, HEADER_BYTES),
    capacity: buffers.ring.byteLength - HEADER_BYTES,
  };
}

/** The ingest thread's end. */
export class HandoverProducer {
  readonly #views: ReturnType<typeof viewsOf>;
  readonly #bell: Int32Array;

  constructor(buffers: HandoverBuffers) {
    this.#views = viewsOf(buffers);
    this.#bell = new Int32Array(buffers.bell);
  }

  /**
   * Call after the commit of what is offered. `rows` are copied before this returns. False when the ring is
   * full: then detection reads the batch from the store.
   */
  offer(batchNo: number, parts: readonly FlushPart[], rows: Uint8Array): boolean {
    const { header, bytes, words, doubles, capacity } = this.#views;
    const size = MESSAGE_HEADER_BYTES + parts.length * PART_BYTES + padded(rows.length);
    let head = Atomics.load(header, HEAD);
    const tail = Atomics.load(header, TAIL);
    if (head >= tail) {
      // The end of the ring may not be filled to the brim with tail at 0: head === tail means empty.
      const fitsBehind = head + size < capacity || (head + size === capacity && tail > 0);
      if (!fitsBehind) {
        if (size >= tail) return this.#drop();
        if (head < capacity) words[head >> 2] = WRAP;
        head = 0;
      }
    } else if (head + size >= tail) {
      return this.#drop();
    }
    words[head >> 2] = rows.length;
    words[(head >> 2) + 1] = parts.length;
    doubles[(head >> 3) + 1] = batchNo;
    let at = head + MESSAGE_HEADER_BYTES;
    for (const { projectNo, eventCount } of parts) {
      words[at >> 2] = projectNo;
      words[(at >> 2) + 1] = eventCount;
      at += PART_BYTES;
    }
    bytes.set(rows, at);
    const next = head + size;
    Atomics.store(header, HEAD, next === capacity ? 0 : next);
    this.#ring();
    return true;
  }

  /** Events were refused because the database did not take them. */
  noteUnstored(): void {
    Atomics.store(this.#views.header, UNSTORED_S, Math.ceil(Date.now() / 1000) | 0);
  }

  /** `load`: the share of its time for which the producer's thread wanted a core lately, 0 to 1. */
  noteLoad(load: number): void {
    const { header } = this.#views;
    Atomics.store(header, LOAD, Math.round(load * LOAD_UNIT));
    Atomics.store(header, LOAD_MS, Date.now() | 0);
  }

  #drop(): false {
    Atomics.add(this.#views.header, DROPPED, 1);
    this.#ring();
    return false;
  }

  /** One system call at most, and none while the consumer is already awake. */
  #ring(): void {
    if (Atomics.exchange(this.#bell, BELL, 1) === 0) Atomics.notify(this.#bell, BELL);
  }
}

/**
 * Memory for the rows of one transaction, used again for the next: a new buffer for each message would be
 * cleared, faulted in and collected, which costs more than the copy. Grows as needed up to `bytesMax`; what
 * does not fit gets a buffer of its own. Rows taken stay as they are until `clear`.
 */
export class RowArena {
  readonly #bytesMax: number;
  #bytes = new Uint8Array(0);
  #used = 0;
  #missed = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** Room for that many bytes, uninitialised. */
  allocate(size: number): Uint8Array {
    const end = this.#used + size;
    if (end > this.#bytes.length) {
      this.#missed += size;
      return new Uint8Array(size);
    }
    const room = this.#bytes.subarray(this.#used, end);
    this.#used = end;
    return room;
  }

  /** Nothing that was allocated is in use any more. */
  clear(): void {
    if (this.#missed > 0 && this.#bytes.length < this.#bytesMax) {
      this.#bytes = new Uint8Array(Math.min(this.#bytesMax, this.#used + this.#missed));
    }
    this.#used = 0;
    this.#missed = 0;
  }
}

/** The detection thread's end. */
export class HandoverConsumer {
  readonly #views: ReturnType<typeof viewsOf>;

  constructor(buffers: HandoverBuffers) {
    this.#views = viewsOf(buffers);
  }

  /** When events were last refused because the database did not take them; 0: never. */
  get unstoredMs(): number {
    return (Atomics.load(this.#views.header, UNSTORED_S) >>> 0) * 1000;
  }

  /**
   * The share of its time for which the producer's thread wanted a core, 0 to 1; 0 if it has not said so
   * lately.
   */
  get load(): number {
    const { header } = this.#views;
    const agoMs = (Date.now() - Atomics.load(header, LOAD_MS)) | 0;
    return agoMs > LOAD_MS_MAX ? 0 : Atomics.load(header, LOAD) / LOAD_UNIT;
  }

  /** How much of the ring is taken, 0 to 1. */
  get fill(): number {
    const { header, capacity } = this.#views;
    const used = Atomics.load(header, HEAD) - Atomics.load(header, TAIL);
    return (used < 0 ? used + capacity : used) / capacity;
  }

  get isEmpty(): boolean {
    return Atomics.load(this.#views.header, HEAD) === Atomics.load(this.#views.header, TAIL);
  }

  /** Takes the oldest message out of the ring, its rows copied to the arena; undefined when there is none. */
  take(arena: RowArena): HandedBatch | undefined {
    const at = this.#next();
    if (at === undefined) return undefined;
    const { header, doubles } = this.#views;
    const handed = { batchNo: doubles[(at >> 3) + 1]!, parts: this.#partsAt(at) };
    const isEmptied = handed.parts.length === 0;
    const rows = isEmptied ? NO_ROWS : copied(this.#rowsAt(at), arena);
    Atomics.store(header, TAIL, this.#behind(at));
    return { ...handed, rows };
  }

  /**
   * Takes these projects' parts and packs out of all messages, oldest first; the rest of the messages waits
   * on.
   */
  takeAhead(projectNos: ReadonlySet<number>, arena: RowArena): HandedBatch[] {
    const { words, doubles } = this.#views;
    const taken: HandedBatch[] = [];
    this.#walk((at) => {
      if (words[at >> 2] === 0) return;
      const parts = this.#partsAt(at).filter(({ projectNo }) => projectNos.has(projectNo));
      if (parts.length === 0) return;
      const packs = packsOfProjects(this.#rowsAt(at), new Set(parts.map(({ projectNo }) => projectNo)));
      taken.push({ batchNo: doubles[(at >> 3) + 1]!, parts, rows: copiedTogether(packs, arena) });
      this.#markTaken(at, projectNos);
    });
    return taken;
  }

  /**
   * Visits every part in the ring that was not taken, oldest first: a sweep of the store need not fetch
   * these.
   */
  forEachPart(visit: (batchNo: number, projectNo: number, eventCount: number) => void): void {
    const { words, doubles } = this.#views;
    this.#walk((at) => {
      const count = words[(at >> 2) + 1]!;
      for (let i = 0, word = (at + MESSAGE_HEADER_BYTES) >> 2; i < count; i++, word += 2) {
        const projectNo = words[word]!;
        if (projectNo >= 0) visit(doubles[(at >> 3) + 1]!, projectNo, words[word + 1]!);
      }
    });
  }

  #walk(visit: (at: number) => void): void {
    const { header, words } = this.#views;
    const head = Atomics.load(header, HEAD);
    for (let at = Atomics.load(header, TAIL); at !== head; ) {
      if (words[at >> 2] === WRAP) {
        at = 0;
        continue;
      }
      visit(at);
      at = this.#behind(at);
    }
  }

  #startOfRows(at: number): number {
    return at + MESSAGE_HEADER_BYTES + this.#views.words[(at >> 2) + 1]! * PART_BYTES;
  }

  #rowsAt(at: number): Uint8Array {
    const start = this.#startOfRows(at);
    return this.#views.bytes.subarray(start, start + this.#views.words[at >> 2]!);
  }

  /** Where the message behind it stands, or is to be written. */
  #behind(at: number): number {
    const { words, capacity } = this.#views;
    const next = this.#startOfRows(at) + padded(words[at >> 2]!);
    return next === capacity ? 0 : next;
  }

  #next(): number | undefined {
    const { header, words } = this.#views;
    const tail = Atomics.load(header, TAIL);
    if (tail === Atomics.load(header, HEAD)) return undefined;
    if (words[tail >> 2] !== WRAP) return tail;
    Atomics.store(header, TAIL, 0);
    return 0;
  }

  #partsAt(at: number): FlushPart[] {
    const { words } = this.#views;
    const parts: FlushPart[] = [];
    const count = words[(at >> 2) + 1]!;
    for (let i = 0, word = (at + MESSAGE_HEADER_BYTES) >> 2; i < count; i++, word += 2) {
      const projectNo = words[word]!;
      if (projectNo >= 0) parts.push({ projectNo, eventCount: words[word + 1]! });
    }
    return parts;
  }

  #markTaken(at: number, projectNos: ReadonlySet<number>): void {
    const { words } = this.#views;
    const place = words.subarray((at + MESSAGE_HEADER_BYTES) >> 2, this.#startOfRows(at) >> 2);
    for (let i = 0; i < place.length; i += 2) if (projectNos.has(place[i]!)) place[i] = ~place[i]!;
  }
}

function copied(rows: Uint8Array, arena: RowArena): Uint8Array {
  const room = arena.allocate(rows.length);
  room.set(rows);
  return room;
}

function copiedTogether(pieces: readonly Uint8Array[], arena: RowArena): Uint8Array {
  const room = arena.allocate(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    room.set(piece, at);
    at += piece.length;
  }
  return room;
}

/** The detection thread's ear. */
export class HandoverBell {
  readonly #bell: Int32Array;

  constructor(bell: SharedArrayBuffer) {
    this.#bell = new Int32Array(bell);
  }

  /** Waits until a producer rang since the last call, or the time is over. */
  async wait(timeoutMs: number): Promise<void> {
    const outcome = Atomics.waitAsync(this.#bell, BELL, 0, timeoutMs);
    if (outcome.async) await outcome.value;
    Atomics.store(this.#bell, BELL, 0);
  }

  /** Wakes a waiter from the consumer's own thread (stop, drain). */
  ring(): void {
    Atomics.store(this.#bell, BELL, 1);
    Atomics.notify(this.#bell, BELL);
  }
}
