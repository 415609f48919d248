/**
 * A seeded source of numbers, so that two runs with the same seed send the same payloads. Not for secrets.
 * Owned by whoever made it; a seed gives the same sequence on every machine.
 */
export class SeededRandom {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  /** An unsigned 32-bit integer: a Weyl sequence, mixed by two multiply-xorshift rounds. */
  next(): number {
    this.state = (this.state + 0x9e3779b9) >>> 0;
    let mixed = this.state;
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    return (mixed ^ (mixed >>> 16)) >>> 0;
  }

  /** An integer from 0 to `bound` - 1. */
  below(bound: number): number {
    return Math.floor((this.next() / 0x1_0000_0000) * bound);
  }

  between(low: number, high: number): number {
    return low + this.below(high - low + 1);
  }

  pick<T>(values: readonly T[]): T {
    const value = values[this.below(values.length)];
    if (value === undefined) throw new RangeError("pick from an empty list");
    return value;
  }
}
