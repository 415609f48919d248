import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { BatchNumbers } from "./batch-numbers.ts";

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Blocks as the sequence gives them: never the same twice, others may be given to other writers between. */
function sequence(size: number, faults: readonly boolean[] = [false]) {
  let calls = 0;
  let last = 0;
  return {
    calls: () => calls,
    async reserve() {
      const failed = faults[calls++ % faults.length]!;
      await turn();
      if (failed) throw new Error("away");
      last += 3;
      return { first: last * size, size };
    },
  };
}

test("never the same number twice, each from a reserved block, whatever fails between", async () => {
  const load = fc.record({
    size: fc.integer({ min: 1, max: 20 }),
    takes: fc.array(fc.nat({ max: 15 }), { maxLength: 25 }),
    faults: fc.array(fc.boolean(), { minLength: 1, maxLength: 6 }),
  });
  await fc.assert(
    fc.asyncProperty(load, async ({ size, takes, faults }) => {
      const blocks = sequence(size, [false, ...faults]);
      const numbers = new BatchNumbers(() => blocks.reserve());
      await numbers.start();
      const given: number[] = [];
      for (const count of takes) {
        for (let n = 0; n < count; n++) {
          const number = numbers.next();
          if (number !== undefined) given.push(number);
        }
        await turn();
        await turn();
      }
      expect(new Set(given).size).toBe(given.length);
      // Every third block is its own: numbers of the blocks between would be another writer's.
      for (const number of given) expect(Math.floor(number / size) % 3).toBe(0);
      expect(given).toEqual(given.toSorted((a, b) => a - b));
    }),
  );
});

describe("exhaustion", () => {
  test("undefined while the next block cannot be had, numbers again once it can", async () => {
    let away = false;
    let first = 0;
    const numbers = new BatchNumbers(async () => {
      if (away) throw new Error("away");
      first += 10;
      return { first, size: 2 };
    });
    await numbers.start();
    away = true;
    expect([numbers.next(), numbers.next(), numbers.next()]).toEqual([10, 11, undefined]);
    await turn();
    expect(numbers.next()).toBeUndefined();
    away = false;
    await turn();
    expect(numbers.next()).toBeUndefined();
    await turn();
    expect([numbers.next(), numbers.next()]).toEqual([20, 21]);
  });

  test("one reservation at a time, and none while half of the block or more is left", async () => {
    const blocks = sequence(1_000);
    const numbers = new BatchNumbers(() => blocks.reserve());
    await numbers.start();
    for (let n = 0; n < 500; n++) numbers.next();
    expect(blocks.calls()).toBe(1);
    for (let n = 0; n < 100; n++) numbers.next();
    expect(blocks.calls()).toBe(2);
    await turn();
    await turn();
    for (let n = 0; n < 100; n++) numbers.next();
    expect(blocks.calls()).toBe(2);
  });

  test("a start that cannot reserve fails", async () => {
    expect(new BatchNumbers(() => Promise.reject(new Error("away"))).start()).rejects.toThrow("away");
  });
});

test("a block that was asked of the database of before is not used in another", async () => {
  const asked: PromiseWithResolvers<{ first: number; size: number }>[] = [];
  const numbers = new BatchNumbers(() => {
    asked.push(Promise.withResolvers());
    return asked.at(-1)!.promise;
  });
  const first = numbers.start();
  asked[0]!.resolve({ first: 100, size: 2 });
  await first;
  expect([numbers.next(), numbers.next(), numbers.next()]).toEqual([100, 101, undefined]);
  expect(asked).toHaveLength(2);
  const again = numbers.start();
  asked[2]!.resolve({ first: 500, size: 2 });
  await again;
  asked[1]!.resolve({ first: 102, size: 2 });
  await turn();
  expect([numbers.next(), numbers.next(), numbers.next()]).toEqual([500, 501, undefined]);
});
