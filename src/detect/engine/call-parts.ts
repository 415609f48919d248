import type { StoredEvent } from "../rows/pack-reader.ts";

/**
 * How many events one call of a detector is given. A client may send 1,000 events and 5 MiB at once, and
 * texts made to be slow to judge cost up to 10 ms a KiB: one call with all of them took 50 s and was taken
 * for a hang, so the thread was ended twice and the class never saw that batch. In parts, each call is over
 * within a second and the pulse goes on. Pure. Invariant: the parts joined are the events in their order.
 * What a detector answers must not depend on where they are cut, just as it must not depend on batches.
 */
const PART_EVENTS_MAX = 100;
const PART_BYTES_MAX = 64 * 1024;

type Sized = Pick<StoredEvent, "payloadBytes">;

/** Nearly always one part: the events themselves. */
export function partsOf<Event extends Sized>(events: readonly Event[]): readonly (readonly Event[])[] {
  const parts: (readonly Event[])[] = [];
  let first = 0;
  let bytes = 0;
  for (let i = 0; i < events.length; i++) {
    const size = events[i]!.payloadBytes;
    if (i > first && (i - first === PART_EVENTS_MAX || bytes + size > PART_BYTES_MAX)) {
      parts.push(events.slice(first, i));
      first = i;
      bytes = 0;
    }
    bytes += size;
  }
  if (first === 0) return [events];
  parts.push(events.slice(first));
  return parts;
}
