import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type BucketPolicy, TOKENS_MAX, TokenBuckets } from "./token-bucket.ts";

/** A model in exact arithmetic beside the real bucket, on a clock of the test's own. */

interface Model {
  tokens: bigint;
  capacity: number;
  perSecond: number;
  atMs: number;
}

type Step =
  | { kind: "wait"; ms: number }
  | { kind: "take"; times: number }
  | ({ kind: "configure" } & BucketPolicy);

const least = (a: bigint, b: bigint) => (a < b ? a : b);

/** Credits up to now, clamped: what the bucket has to do at each reading. */
function refill(model: Model, nowMs: number): void {
  const full = BigInt(model.capacity) * 1000n;
  model.tokens = least(full, model.tokens + BigInt(nowMs - model.atMs) * BigInt(model.perSecond));
  model.atMs = nowMs;
}

const tokens = fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: TOKENS_MAX }));
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant("wait" as const),
    ms: fc.oneof(fc.nat({ max: 50 }), fc.nat({ max: 20_000 }), fc.nat({ max: 2 ** 31 - 1 })),
  }),
  fc.record({ kind: fc.constant("take" as const), times: fc.integer({ min: 1, max: 30 }) }),
  fc.record({ kind: fc.constant("configure" as const), burst: tokens, perSecond: tokens }),
);
// Wherever the 32-bit clock wraps, too.
const startMs = fc.oneof(
  fc.integer({ min: 0, max: 2 ** 42 }),
  fc.constantFrom(0, 2 ** 31 - 5, 2 ** 32 - 5, 400 * 2 ** 32 - 3),
);

describe("one bucket", () => {
  test("follows the model through any course of takes, waits and changes of policy", () => {
    fc.assert(
      fc.property(
        tokens,
        tokens,
        startMs,
        fc.array(step, { maxLength: 30 }),
        (burst, perSecond, start, steps) => {
          const buckets = new TokenBuckets(TokenBuckets.allocate(4));
          const slot = buckets.slotOf(1, { burst, perSecond }, start)!;
          const model: Model = { tokens: BigInt(burst) * 1000n, capacity: burst, perSecond, atMs: start };
          let nowMs = start;
          for (const each of steps) {
            if (each.kind === "wait") nowMs += each.ms;
            else if (each.kind === "configure") {
              buckets.configure(slot, each);
              model.capacity = each.burst;
              model.perSecond = each.perSecond;
            } else {
              for (let time = 0; time < each.times; time++) {
                refill(model, nowMs);
                const admitted = model.tokens >= 1000n;
                if (admitted) model.tokens -= 1000n;
                const reading = buckets.take(slot, nowMs);
                expect(reading).toEqual({
                  admitted,
                  limit: model.capacity,
                  perSecond: model.perSecond,
                  remaining: Number(model.tokens / 1000n),
                  fullInMs: Math.max(
                    0,
                    Number(BigInt(model.capacity) * 1000n - model.tokens) / model.perSecond,
                  ),
                });
              }
            }
            // The clock is 32 bits wide: only a gap below 2^31 ms is told from one of the past.
            if (nowMs - model.atMs >= 2 ** 31) return;
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  test("a thread whose clock reads behind credits nothing and takes nothing away", () => {
    const buckets = new TokenBuckets(TokenBuckets.allocate(1));
    const slot = buckets.slotOf(1, { burst: 2, perSecond: 1 }, 10_000)!;
    expect(buckets.take(slot, 10_000).admitted).toBe(true);
    expect(buckets.take(slot, 10_000).admitted).toBe(true);
    expect(buckets.take(slot, 9_000)).toMatchObject({ admitted: false, remaining: 0 });
    expect(buckets.take(slot, 10_999).admitted).toBe(false);
    expect(buckets.take(slot, 11_000).admitted).toBe(true);
  });

  test("a client that retries without pause still gets through at the refill rate", () => {
    const buckets = new TokenBuckets(TokenBuckets.allocate(1));
    const slot = buckets.slotOf(1, { burst: 1, perSecond: 10 }, 0)!;
    let admitted = 0;
    for (let nowMs = 0; nowMs <= 1_000; nowMs++) if (buckets.take(slot, nowMs).admitted) admitted++;
    expect(admitted).toBe(11);
  });
});

describe("slots", () => {
  test("each project has its own for life, and nobody else's tokens", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: 1, max: 2 ** 31 - 1 }), { minLength: 1, maxLength: 40 }),
        (projects) => {
          const buffer = TokenBuckets.allocate(projects.length);
          const [one, other] = [new TokenBuckets(buffer), new TokenBuckets(buffer)];
          const policy = { burst: 3, perSecond: 1 };
          const slots = projects.map((projectNo) => one.slotOf(projectNo, policy, 0));
          expect(slots.every((slot) => slot !== undefined)).toBe(true);
          expect(new Set(slots).size).toBe(projects.length);
          expect(projects.map((projectNo) => other.slotOf(projectNo, { burst: 9, perSecond: 9 }, 5))).toEqual(
            slots,
          );
          one.take(slots[0]!, 0);
          expect(other.take(slots[0]!, 0)).toMatchObject({ remaining: 1, limit: 3 });
          for (const slot of slots.slice(1)) expect(other.take(slot!, 0).remaining).toBe(2);
        },
      ),
    );
  });

  test("undefined when all are taken, and those who have one keep it", () => {
    const buckets = new TokenBuckets(TokenBuckets.allocate(2));
    const policy = { burst: 1, perSecond: 1 };
    const slots = [buckets.slotOf(5, policy, 0), buckets.slotOf(6, policy, 0)];
    expect(buckets.slotOf(7, policy, 0)).toBeUndefined();
    expect([buckets.slotOf(5, policy, 0), buckets.slotOf(6, policy, 0)]).toEqual(slots);
  });
});
