import type { StoredKey } from "../../store/telemetry/event-copy.ts";
import type { PendingFlush, Share } from "./flush.ts";

/** Which request of a flush is credited with which newly stored event. */

/** Newly stored keys. Each is handed out once, to the first request that sent it. */
export class KeyBag {
  readonly #keys: Set<string>;

  constructor(stored: readonly StoredKey[]) {
    this.#keys = new Set(stored.map((key) => `${key.executionNo}/${key.eventId}`));
  }

  take(executionNo: number, eventId: string): boolean {
    return this.#keys.delete(`${executionNo}/${eventId}`);
  }
}

export function settleByKeys(
  flush: PendingFlush,
  shares: readonly Share[],
  stored: readonly StoredKey[],
): void {
  const bag = new KeyBag(stored);
  for (const share of shares) share.settle({ kind: "stored", ...countStored(flush, share, bag) });
}

export function countStored(
  flush: PendingFlush,
  share: Share,
  bag: KeyBag,
): { accepted: number; duplicates: number } {
  let accepted = 0;
  for (const { executionNo, eventId } of flush.rows.keys(share.start, share.end)) {
    if (bag.take(executionNo, eventId)) accepted++;
  }
  return { accepted, duplicates: share.events - accepted };
}
