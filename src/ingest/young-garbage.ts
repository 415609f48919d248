import { edenGC } from "bun:jsc";

/**
 * Collects what requests leave behind while it is little. Left to itself, the heap grows to twice what lives in it before the next collection,
 * and the allocator keeps what was touched for a while (docs/MEASUREMENTS.md). Bodies are freed by hand (src/http/body.ts).
 */

/** Stored bytes between two collections, each of 2 to 3 ms. */
const EVERY_BYTES = 25_165_824;

export class YoungGarbage {
  #bytes = 0;

  /** So many bytes of events were stored, and their requests are answered with the turn of the event loop. */
  stored(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes < EVERY_BYTES) return;
    this.#bytes = 0;
    edenGC();
  }
}
