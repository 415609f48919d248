import type { StoredEvent } from "../rows/pack-reader.ts";

/**
 * How much of an execution one call of a detector is shown. A client may send 1,000 events and 5 MiB at once; texts made to be slow to
 * judge cost up to 10 ms a KiB, so that one call with all of them went on for 50 s and was taken for a hang: the thread was ended twice,
 * and the class never saw that batch. In parts each call is over within a second, and its pulse is felt. Pure. Invariant: the parts put
 * together are the events, in their order; what a detector answers must not hang on where they are cut, as it must not on batches.
 */
const PART_EVENTS_MAX = 100;
const PART_BYTES_MAX = 64 * 1024;

type Sized = Pick<StoredEvent, "payloadBytes">;

/** The events themselves where one call takes them, which is nearly always. */
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
