/**
 * The newest items of an execution in the order of their sequence numbers, whatever order they arrived in.
 * Bounded: the item with the lowest sequence leaves first, and an item older than all of a full window does
 * not enter.
 */

export interface Sequenced {
  readonly seq: number;
}

/**
 * Inserts by sequence; items of equal sequence keep their order of arrival. Returns the index, or -1 if too
 * old.
 */
export function insertOrdered<Item extends Sequenced>(items: Item[], item: Item, itemsMax: number): number {
  let at = items.length;
  while (at > 0 && items[at - 1]!.seq > item.seq) at--;
  // More than one too many where the project has made its window smaller since.
  while (items.length > itemsMax) {
    items.shift();
    at--;
  }
  if (items.length === itemsMax) {
    if (at <= 0) return -1;
    items.shift();
    at--;
  }
  if (at === items.length) items.push(item);
  else items.splice(at, 0, item);
  return at;
}

/**
 * Adds to a bounded list of things already seen; false if it was there. A full list forgets its oldest entry.
 */
export function addOnce<Value extends string | number>(
  list: Value[],
  value: Value,
  valuesMax: number,
): boolean {
  if (list.includes(value)) return false;
  if (list.length >= valuesMax) list.shift();
  list.push(value);
  return true;
}

/** The events in the order of their sequence numbers; the list itself where it is in order already. */
export function bySequence<Item extends { readonly sequence: number }>(
  events: readonly Item[],
): readonly Item[] {
  for (let i = 1; i < events.length; i++) {
    if (events[i]!.sequence < events[i - 1]!.sequence)
      return events.toSorted((a, b) => a.sequence - b.sequence);
  }
  return events;
}
