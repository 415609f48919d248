/**
 * Token buckets in shared memory: one bucket a project, shared by every HTTP thread of the process, without
 * locks. `nowMs` is any clock that all threads share, in milliseconds.
 *
 * Memory, int32 words; 32-bit because a compare-exchange on Int32Array costs 22 ns here and on BigInt64Array
 * 213 ns:
 *
 *   slot │ project_no │ capacity │ refill │ millitokens │ refilled_at_ms │
 *
 * - `capacity` in tokens, `refill` in tokens per second: changed at run time by a plain store.
 * - `millitokens`: what is left, in thousandths. Milliseconds × tokens/s = millitokens, so refilling is
 *   exact.
 * - `refilled_at_ms`: up to when the refill was credited, modulo 2^32 (49 days; an idler bucket is full
 *   anyway).
 *
 * Invariant: over any span, admitted ≤ capacity + refill × time. Each millisecond is credited once: only the
 * thread whose compare-exchange moves `refilled_at_ms` adds the tokens for the time it moved it by, clamped
 * to the capacity in the same compare-exchange that adds them. A taker removes its token by compare-exchange
 * or is refused.
 */

const WORDS = 5;
const PROJECT = 0;
const CAPACITY = 1;
const REFILL = 2;
const TOKENS = 3;
const REFILLED_AT = 4;

/** Capacity and refill at most: 1,000,000 tokens is 10^9 millitokens, safely inside int32. */
export const TOKENS_MAX = 1_000_000;

export interface BucketPolicy {
  /** Capacity in tokens, 1 to TOKENS_MAX. */
  readonly burst: number;
  /** Refill in tokens per second, 1 to TOKENS_MAX. */
  readonly perSecond: number;
}

export interface BucketReading {
  readonly admitted: boolean;
  readonly limit: number;
  /** Whole tokens left. */
  readonly remaining: number;
  /** Milliseconds until the bucket is full again. */
  readonly fullInMs: number;
  /** Refill in tokens per second. */
  readonly perSecond: number;
}

export class TokenBuckets {
  readonly #words: Int32Array;
  readonly #slots: number;

  constructor(readonly buffer: SharedArrayBuffer) {
    this.#words = new Int32Array(buffer);
    this.#slots = Math.floor(this.#words.length / WORDS);
  }

  static allocate(bucketsMax: number): SharedArrayBuffer {
    return new SharedArrayBuffer(bucketsMax * WORDS * 4);
  }

  /**
   * The slot of a project, claimed on first use by any thread and then its own for life (open addressing,
   * linear probing). Undefined when all slots are taken.
   */
  slotOf(projectNo: number, policy: BucketPolicy, nowMs: number): number | undefined {
    const words = this.#words;
    for (let probe = 0; probe < this.#slots; probe++) {
      const base = (((Math.imul(projectNo, 0x9e3779b1) >>> 0) + probe) % this.#slots) * WORDS;
      let holder = Atomics.compareExchange(words, base + PROJECT, 0, -projectNo);
      if (holder === 0) {
        Atomics.store(words, base + CAPACITY, policy.burst);
        Atomics.store(words, base + REFILL, policy.perSecond);
        Atomics.store(words, base + TOKENS, policy.burst * 1000);
        Atomics.store(words, base + REFILLED_AT, nowMs | 0);
        Atomics.store(words, base + PROJECT, projectNo);
        return base;
      }
      // The negative number says that another thread is filling the slot for this very project: four stores
      // away.
      while (holder === -projectNo) holder = Atomics.load(words, base + PROJECT);
      if (holder === projectNo) return base;
    }
    return undefined;
  }

  /**
   * Changes capacity and refill at once, for every thread. What is above a smaller capacity is cut at the
   * next reading.
   */
  configure(slot: number, policy: BucketPolicy): void {
    Atomics.store(this.#words, slot + CAPACITY, policy.burst);
    Atomics.store(this.#words, slot + REFILL, policy.perSecond);
  }

  /** Takes one token if there is one. A refusal takes nothing. */
  take(slot: number, nowMs: number): BucketReading {
    const words = this.#words;
    this.#refill(slot, nowMs);
    let admitted = false;
    let tokens = Atomics.load(words, slot + TOKENS);
    while (tokens >= 1000) {
      const was = Atomics.compareExchange(words, slot + TOKENS, tokens, tokens - 1000);
      if (was === tokens) {
        admitted = true;
        tokens -= 1000;
        break;
      }
      tokens = was;
    }
    const limit = Atomics.load(words, slot + CAPACITY);
    const perSecond = Atomics.load(words, slot + REFILL);
    return {
      admitted,
      limit,
      remaining: Math.floor(tokens / 1000),
      fullInMs: Math.max(0, limit * 1000 - tokens) / perSecond,
      perSecond,
    };
  }

  #refill(slot: number, nowMs: number): void {
    const words = this.#words;
    const now = nowMs | 0;
    const capacity = Atomics.load(words, slot + CAPACITY) * 1000;
    const last = Atomics.load(words, slot + REFILLED_AT);
    // Signed difference: a thread whose clock reads a little behind another's must not credit 49 days.
    const elapsed = (now - last) | 0;
    let credit = 0;
    if (elapsed > 0 && Atomics.compareExchange(words, slot + REFILLED_AT, last, now) === last) {
      credit = Math.min(capacity, elapsed * Atomics.load(words, slot + REFILL));
    }
    let tokens = Atomics.load(words, slot + TOKENS);
    while (credit > 0 || tokens > capacity) {
      const next = Math.min(capacity, tokens + credit);
      const was = Atomics.compareExchange(words, slot + TOKENS, tokens, next);
      if (was === tokens) return;
      tokens = was;
    }
  }
}
