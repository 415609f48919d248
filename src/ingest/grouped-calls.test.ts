import { expect, test } from "bun:test";
import fc from "fast-check";
import { GroupedCalls } from "./grouped-calls.ts";

interface Call {
  key: string;
  n: number;
}

test("every call gets its own answer once; no key is twice in a group nor in two groups at once; limits hold", async () => {
  const load = fc.record({
    keys: fc.array(fc.nat({ max: 5 }), { minLength: 1, maxLength: 60 }),
    groupMax: fc.integer({ min: 1, max: 8 }),
    runsMax: fc.integer({ min: 1, max: 4 }),
    turns: fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 10 }),
    faults: fc.array(fc.boolean(), { minLength: 1, maxLength: 7 }),
  });
  await fc.assert(
    fc.asyncProperty(load, async ({ keys, groupMax, runsMax, turns, faults }) => {
      const busy = new Set<string>();
      const outcomeOf = new Map<number, string>();
      let running = 0;
      let runs = 0;
      const grouped = new GroupedCalls<Call, string>({
        keyOf: (call) => call.key,
        groupMax,
        runsMax,
        run: async (calls) => {
          const run = runs++;
          running++;
          expect(running).toBeLessThanOrEqual(runsMax);
          expect(calls.length).toBeWithin(1, groupMax + 1);
          for (const call of calls) {
            expect(busy.has(call.key)).toBe(false);
            busy.add(call.key);
          }
          for (let turn = 0; turn < turns[run % turns.length]!; turn++) await new Promise(setImmediate);
          for (const call of calls) busy.delete(call.key);
          running--;
          const failed = faults[run % faults.length]!;
          for (const call of calls) {
            expect(outcomeOf.has(call.n)).toBe(false);
            outcomeOf.set(call.n, failed ? `error ${run}` : `answer ${call.n}`);
          }
          if (failed) throw new Error(`error ${run}`);
          return calls.map((call) => `answer ${call.n}`);
        },
      });
      const settled = await Promise.all(
        keys.map(async (key, n) => {
          if (n % 7 === 6) await new Promise(setImmediate);
          return await grouped.call({ key: `k${key}`, n }).catch((error: Error) => error.message);
        }),
      );
      expect(settled).toEqual(keys.map((_, n) => outcomeOf.get(n)!));
      expect(grouped.waiting).toBe(0);
    }),
    { numRuns: 150 },
  );
});

test("an error reaches every call of its group and no other, and the next group runs", async () => {
  const fault = new Error("away");
  let runs = 0;
  const grouped = new GroupedCalls<Call, number>({
    keyOf: (call) => call.key,
    groupMax: 2,
    runsMax: 1,
    run: (calls) => {
      // Thrown at once, not even as a promise.
      if (runs++ === 0) throw fault;
      return Promise.resolve(calls.map((call) => call.n));
    },
  });
  const results = await Promise.allSettled(["a", "b", "c", "a"].map((key, n) => grouped.call({ key, n })));
  expect(results).toEqual([
    { status: "rejected", reason: fault },
    { status: "rejected", reason: fault },
    { status: "fulfilled", value: 2 },
    { status: "fulfilled", value: 3 },
  ]);
});
