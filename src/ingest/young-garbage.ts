import { edenGC } from "bun:jsc";

/**
 * Collects what requests leave behind while there is little of it. Left to itself, the heap grows to twice
 * what lives in it before the next collection, and the allocator keeps touched memory for a while
 * (docs/MEASUREMENTS.md#memory-of-the-service). Bodies are freed by hand (src/http/body.ts).
 */

/** Stored bytes between two collections, each of 2 to 3 ms. */
const EVERY_BYTES = 25_165_824;

export class YoungGarbage {
  #bytes = 0;

  /** That many bytes of events were stored; their requests are answered in this turn of the event loop. */
  stored(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes < EVERY_BYTES) return;
    this.#bytes = 0;
    edenGC();
  }
}
