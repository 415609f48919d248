/** Numbers from a seed: the same seed tells the same story, whatever the machine. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 up to, and without, 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** A whole number, both bounds included. */
  integer(from: number, to: number): number {
    return from + Math.floor(this.next() * (to - from + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(choices: readonly T[]): T {
    const chosen = choices[Math.floor(this.next() * choices.length)];
    if (chosen === undefined) throw new RangeError("nothing to pick from");
    return chosen;
  }

  /** `count` different ones, in the order of the list. */
  some<T>(choices: readonly T[], count: number): T[] {
    const left = [...choices];
    while (left.length > count) left.splice(Math.floor(this.next() * left.length), 1);
    return left;
  }

  /** Around `middle`, with the long tail that durations and token counts have. */
  around(middle: number): number {
    const normal = Math.sqrt(-2 * Math.log(1 - this.next())) * Math.cos(2 * Math.PI * this.next());
    return Math.max(1, Math.round(middle * Math.exp(0.35 * normal)));
  }

  text(alphabet: string, length: number): string {
    let made = "";
    for (let i = 0; i < length; i++) made += alphabet.charAt(Math.floor(this.next() * alphabet.length));
    return made;
  }
}
