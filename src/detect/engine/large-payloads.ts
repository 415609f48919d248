import { fullGC } from "bun:jsc";
import type { StoredEvent } from "../rows/pack-reader.ts";

/**
 * Lets go of large payloads as soon as the detectors are done with them. 5 MiB of brackets are 240 MiB of
 * objects, and left to itself the collector waits until several of them lie about: so after some MiB it is
 * asked. Ordinary events never come near that.
 */

/** Of payloads as text, between two collections. */
const COLLECTED_AFTER_BYTES = 8 << 20;

export class LargePayloads {
  #bytes = 0;

  forget(events: readonly StoredEvent[]): void {
    for (const event of events) this.#bytes += event.forgetLargePayload();
    if (this.#bytes < COLLECTED_AFTER_BYTES) return;
    this.#bytes = 0;
    fullGC();
  }
}
