/**
 * Batch numbers without asking the database for each: blocks are reserved from a sequence, the next one when
 * half of the present is used up. A number is never used twice, so a retry recognises its own earlier try by
 * it.
 */
export interface Block {
  readonly first: number;
  readonly size: number;
}

export class BatchNumbers {
  readonly #reserve: () => Promise<Block>;
  #next = 0;
  #end = 0;
  #half = 0;
  #ahead: Block | undefined;
  #reserving = false;
  #starts = 0;

  constructor(reserve: () => Promise<Block>) {
    this.#reserve = reserve;
  }

  /**
   * To be called again when the database is another one: there, numbers reserved before may belong to others.
   */
  async start(): Promise<void> {
    this.#starts++;
    this.#next = 0;
    this.#end = 0;
    this.#ahead = undefined;
    this.#begin(await this.#reserve());
  }

  /** Undefined when the block is used up and the next could not be reserved: PostgreSQL is away. */
  next(): number | undefined {
    if (this.#next === this.#end) {
      if (this.#ahead === undefined) {
        this.#reserveAhead();
        return undefined;
      }
      this.#begin(this.#ahead);
      this.#ahead = undefined;
    }
    if (this.#ahead === undefined && this.#end - this.#next < this.#half) this.#reserveAhead();
    return this.#next++;
  }

  #begin({ first, size }: Block): void {
    this.#next = first;
    this.#end = first + size;
    this.#half = size / 2;
  }

  #reserveAhead(): void {
    if (this.#reserving) return;
    this.#reserving = true;
    const starts = this.#starts;
    this.#reserve()
      .then((block) => {
        if (starts === this.#starts) this.#ahead = block;
      })
      // Tried again at the next call: half a block is minutes of work.
      .catch(() => undefined)
      .finally(() => {
        this.#reserving = false;
      });
  }
}
