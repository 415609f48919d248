/**
 * How many executions are rebuilt with one query, so that what it reads stays within some bytes: fifty runs of
 * a thousand events are 15 MB or, where each model call carries the whole chat, more than the machine has.
 * Goes by the largest run met lately.
 */

const BYTES_AT_ONCE = 16 << 20;
const EXECUTIONS_MAX = 50;
/** Until one was met. */
const BYTES_SUPPOSED = 1 << 20;
/** Of the largest one met before, after each read. */
const REMEMBERED = 0.9;

export class RebuildChunks {
  #largestBytes = BYTES_SUPPOSED;

  /** Executions of the next query. */
  get size(): number {
    return Math.max(1, Math.min(EXECUTIONS_MAX, Math.floor(BYTES_AT_ONCE / this.#largestBytes)));
  }

  /** What was read of each execution, in bytes. */
  noteRead(bytes: Iterable<number>): void {
    this.#largestBytes *= REMEMBERED;
    for (const one of bytes) this.#largestBytes = Math.max(this.#largestBytes, one);
  }
}
