import type { DetectorEvent } from "../detector.ts";

/**
 * Where an event stands in its run, as one number: by its sequence and, as some clients send the same for
 * all, among equal ones by the client's clock, twelve days before and behind the start. What lies beyond
 * shares a place. Another sequence is never reached.
 */
const SPAN_MS = 2 ** 31;
/** Above it no room is left for milliseconds between two numbers. */
const SEQUENCE_MAX = 2 ** 21;
/** The next place. */
export const PLACE_STEP = 1 / SPAN_MS;

type Placed = Pick<DetectorEvent, "sequence" | "timestampMs">;

export function placeInRun({ sequence, timestampMs }: Placed, startedMs: number): number {
  if (sequence > SEQUENCE_MAX) return sequence;
  const sinceMs = Math.trunc(timestampMs - startedMs) + SPAN_MS / 2;
  return sequence + Math.min(Math.max(0, sinceMs), SPAN_MS - 2) / SPAN_MS;
}

/**
 * The events in their order, those of the same place as they arrived; the list itself where it is in order
 * already.
 */
export function byPlace<Item extends Placed>(events: readonly Item[], startedMs: number): readonly Item[] {
  const placeOf = (event: Item) => placeInRun(event, startedMs);
  for (let i = 1; i < events.length; i++) {
    if (placeOf(events[i]!) < placeOf(events[i - 1]!))
      return events.toSorted((a, b) => placeOf(a) - placeOf(b));
  }
  return events;
}
