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
/**
 * Four events in a row share a bucket, so that three of four look-ups find it in the processor's cache: 0.1 µs an event. The price is
 * paid in how long an event is remembered, which resent batches do not notice: one of their events is enough.
 */
const NEIGHBOURS_BITS = 2;
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
    const mixed =
      Math.imul(executionNo, 0x9e3779b1) ^ Math.imul((sequence >>> NEIGHBOURS_BITS) + 1, 0x85ebca6b);
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

/**
 * MurmurHash3 (32 bits) of the id: a multiplication waits for the one before, so four bytes at a time take a quarter of the
 * time of a hash by bytes. 0 marks an empty way.
 */
function tagOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = end - start;
  let at = start;
  for (; at + 4 <= end; at += 4) {
    const word = bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
    hash = blend(hash, word);
  }
  let rest = 0;
  for (; at < end; at++) rest = (rest << 8) | bytes[at]!;
  hash = blend(hash, rest);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0 || 1;
}

function blend(hash: number, word: number): number {
  const mixed = Math.imul(word, 0xcc9e2d51);
  const turned = hash ^ Math.imul((mixed << 15) | (mixed >>> 17), 0x1b873593);
  return (Math.imul((turned << 13) | (turned >>> 19), 5) + 0xe6546b64) | 0;
}
