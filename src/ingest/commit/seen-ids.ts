/**
 * The event ids of one execution that are stored or may be, as 32-bit hashes in a table with open addressing.
 * An id that is not in it was never sent to the store by this thread, and was not there when the thread last
 * read the execution's ids. For an id that is in it the store is asked: a false hit (one in 2^32 for each id
 * held) costs a trip on the careful lane, a miss is certain.
 *
 *   slots: power of two, at most three quarters taken, 0 marks an empty one; 4 to 11 bytes an id
 */

const SLOTS_MIN = 16;
/** Before the first id: most known executions never get one. */
const NO_SLOTS = new Uint32Array(0);
/** 128 characters of UTF-8. */
const ID_BYTES_MAX = 512;

const scratch = Buffer.alloc(ID_BYTES_MAX);
/** Each process has its own, so that a client that chooses ids cannot choose where they fall. */
const SEED = crypto.getRandomValues(new Uint32Array(1))[0]!;

export class SeenIds {
  #slots = NO_SLOTS;
  #count = 0;

  /** Bytes held. */
  get byteLength(): number {
    return this.#slots.byteLength;
  }

  /**
   * True if the id was noted before; it is noted either way. Of a longer id the first 128 characters count.
   */
  note(eventId: string): boolean {
    return this.noteBytes(scratch, 0, scratch.write(eventId));
  }

  /** The same for an id in UTF-8 from `start` to `end` in `bytes`. */
  noteBytes(bytes: Uint8Array, start: number, end: number): boolean {
    const hash = hashOf(bytes, start, end);
    if (this.#slots === NO_SLOTS) this.#slots = new Uint32Array(SLOTS_MIN);
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = hash & mask;
    for (let held = slots[slot]!; held !== 0; held = slots[slot]!) {
      if (held === hash) return true;
      slot = (slot + 1) & mask;
    }
    slots[slot] = hash;
    this.#count++;
    if (this.#count * 4 > slots.length * 3) this.#grow(slots.length * 2);
    return false;
  }

  /** Makes room for that many more ids at once. */
  expect(count: number): void {
    let length = this.#slots.length;
    while ((this.#count + count) * 4 > length * 3) length = Math.max(SLOTS_MIN, length * 2);
    if (length > this.#slots.length) this.#grow(length);
  }

  #grow(length: number): void {
    const before = this.#slots;
    const slots = new Uint32Array(length);
    const mask = slots.length - 1;
    for (const hash of before) {
      if (hash === 0) continue;
      let slot = hash & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = hash;
    }
    this.#slots = slots;
  }
}

/**
 * MurmurHash3 (32 bits) of the id: a multiplication waits for the one before, so four bytes at a time take a
 * quarter of the time of a hash by bytes. Never 0.
 */
function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = SEED ^ (end - start);
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
