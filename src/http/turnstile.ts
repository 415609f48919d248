/**
 * Lets one request a turn of the event loop do its synchronous work (parsing, validating, encoding: some 100
 * µs for 100 events). Between two of them the loop polls its sockets, so a COPY under way gets its next piece
 * written and a /health is answered after one request, not after all that arrived together.
 *
 * Measured with 64 requests of 100 events in flight: a flush needs about six turns, and took 38 ms without
 * this.
 */
export class Turnstile {
  readonly #waiting: (() => void)[] = [];
  #turning = false;

  enter(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      if (!this.#turning) {
        this.#turning = true;
        setImmediate(() => this.#turn());
      }
    });
  }

  #turn(): void {
    const next = this.#waiting.shift();
    if (next === undefined) {
      this.#turning = false;
      return;
    }
    next();
    setImmediate(() => this.#turn());
  }
}
