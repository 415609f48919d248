/**
 * Which events this thread encoded lately, so that a resent batch takes the careful road at once instead of failing a whole
 * COPY of its neighbours. A hint only: a miss costs a failed flush and is caught by the unique index, a false hit costs
 * the careful road.
 *
 * Memory: `buckets` × 8 ways of 32-bit tags. The bucket comes from execution and sequence, the tag from the event id: a
 * resent event has all three alike. A false hit needs the same bucket and the same 32-bit tag: 8 in 2^32 a look-up.
 *
 *   bucket 0 │ tag │ tag │ tag │ tag │ tag │ tag │ tag │ tag │     the oldest tag of a bucket is overwritten
 */

const WAYS = 8;
/** 128 characters of UTF-8. */
const ID_BYTES_MAX = 512;

export class RecentEvents {
  readonly #tags: Uint32Array;
  readonly #cursors: Uint8Array;
  readonly #mask: number;
  readonly #id = Buffer.alloc(ID_BYTES_MAX);

  /** `eventsMax` is rounded up to a power of two; 4.1 bytes an event. */
  constructor(eventsMax: number) {
    let buckets = 1;
    while (buckets * WAYS < eventsMax) buckets *= 2;
    this.#tags = new Uint32Array(buckets * WAYS);
    this.#cursors = new Uint8Array(buckets);
    this.#mask = buckets - 1;
  }

  /** True if the event was seen before; it is remembered either way. An id of more than 128 characters is told by those. */
  seen(executionNo: number, sequence: number, eventId: string): boolean {
    return this.seenBytes(executionNo, sequence, this.#id, 0, this.#id.write(eventId));
  }

  /** The same of an id that stands in `bytes` from `start` to `end`, as UTF-8. */
  seenBytes(executionNo: number, sequence: number, bytes: Uint8Array, start: number, end: number): boolean {
    const tag = tagOf(bytes, start, end);
    const mixed = Math.imul(executionNo, 0x9e3779b1) ^ Math.imul(sequence + 1, 0x85ebca6b);
    const bucket = (mixed ^ (mixed >>> 15)) & this.#mask;
    const base = bucket * WAYS;
    const tags = this.#tags;
    for (let way = 0; way < WAYS; way++) if (tags[base + way] === tag) return true;
    const cursor = this.#cursors[bucket]!;
    tags[base + cursor] = tag;
    this.#cursors[bucket] = (cursor + 1) % WAYS;
    return false;
  }
}

/** FNV-1a with MurmurHash3's finish, which spreads the last bytes over all bits. 0 marks an empty way. */
function tagOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ bytes[at]!, 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0 || 1;
}
