import { FIELD, FIELDS_PER_EVENT } from "./batch-scan.ts";

/**
 * In which order the events of a batch are written: by event id, within each run of one execution. The rows of a COPY meet
 * the identity index one after the other, and neighbours in the index that come one after the other find their page
 * where the last one left it: a tenth of PostgreSQL's time for an event whose ids do not come in order
 * (docs/MEASUREMENTS.md).
 *
 * Only a hint: ids are compared by the four bytes behind what they all have in common, and what is stored is the same in any order.
 */

/** An index takes 21 bits of a double's 53, the four bytes of an id the other 32. */
const INDEX_BITS = 2 ** 21;

export class KeyOrder {
  readonly #keys: Float64Array;
  /** The events' indexes in the order in which to write them, as `sort` left them. */
  readonly indexes: Int32Array;

  /** At most 2,097,152 events. */
  constructor(eventsMax: number) {
    this.#keys = new Float64Array(eventsMax);
    this.indexes = new Int32Array(eventsMax);
  }

  /** Orders events `from` to `to` - 1 of a scanned batch, all of one execution. */
  sort(bytes: Uint8Array, fields: Int32Array, from: number, to: number): void {
    const keys = this.#keys;
    const shared = sharedPrefix(bytes, fields, from, to);
    let last = -1;
    let ordered = true;
    for (let index = from; index < to; index++) {
      const base = index * FIELDS_PER_EVENT;
      const end = fields[base + FIELD.eventIdEnd]!;
      const at = fields[base + FIELD.eventId]! + shared;
      let word = 0;
      for (let place = 0; place < 4; place++) word = word * 256 + (at + place < end ? bytes[at + place]! : 0);
      keys[index] = word * INDEX_BITS + index;
      ordered &&= last <= word;
      last = word;
    }
    if (!ordered) keys.subarray(from, to).sort();
    for (let place = from; place < to; place++) this.indexes[place] = keys[place]! % INDEX_BITS;
  }
}

/** How many bytes all ids begin with alike. */
function sharedPrefix(bytes: Uint8Array, fields: Int32Array, from: number, to: number): number {
  const first = fields[from * FIELDS_PER_EVENT + FIELD.eventId]!;
  let shared = fields[from * FIELDS_PER_EVENT + FIELD.eventIdEnd]! - first;
  for (let index = from + 1; index < to; index++) {
    const base = index * FIELDS_PER_EVENT;
    const start = fields[base + FIELD.eventId]!;
    shared = Math.min(shared, fields[base + FIELD.eventIdEnd]! - start);
    let same = 0;
    while (same < shared && bytes[start + same] === bytes[first + same]) same++;
    shared = same;
  }
  return shared;
}
