import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { ExecutionRegistry, KnownExecution } from "./execution-registry.ts";

function known(
  projectNo: number,
  executionNo: number,
  over: { homeDay?: number; environmentKnown?: boolean } = {},
): KnownExecution {
  return new KnownExecution({
    projectNo,
    executionNo,
    homeDay: undefined,
    environmentKnown: false,
    ...over,
  });
}

describe("eviction", () => {
  test("never above the maximum, and what it remembers is right, whatever is asked", () => {
    const step = fc.record({ id: fc.nat({ max: 30 }), remember: fc.boolean() });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 12 }), fc.array(step, { maxLength: 200 }), (max, steps) => {
        const registry = new ExecutionRegistry(max);
        const remembered = new Set<number>();
        for (const { id, remember } of steps) {
          if (remember) {
            expect(registry.remember(`x${id}`, known(1, id)).executionNo).toBe(id);
            remembered.add(id);
            expect(registry.get(1, `x${id}`)?.executionNo).toBe(id);
          } else {
            const entry = registry.get(1, `x${id}`);
            if (entry !== undefined) expect(entry.executionNo).toBe(id);
            if (!remembered.has(id)) expect(entry).toBeUndefined();
          }
          expect(registry.size).toBeLessThanOrEqual(max);
          expect(registry.size).toBe(Math.min(max, remembered.size));
        }
      }),
    );
  });

  test("the least recently used goes first", () => {
    const registry = new ExecutionRegistry(3);
    for (const n of [1, 2, 3]) registry.remember(`x${n}`, known(1, n));
    registry.get(1, "x1");
    registry.remember("x4", known(1, 4));
    expect(registry.get(1, "x2")).toBeUndefined();
    expect([1, 3, 4].map((n) => registry.get(1, `x${n}`)?.executionNo)).toEqual([1, 3, 4]);
  });
});

test("the same id in two projects is two executions, also when the id looks like a key", () => {
  const registry = new ExecutionRegistry(10);
  registry.remember("1/x", known(1, 10));
  registry.remember("x", known(11, 20));
  expect(registry.get(1, "x")).toBeUndefined();
  expect(registry.get(11, "1/x")).toBeUndefined();
  expect(registry.get(1, "1/x")?.executionNo).toBe(10);
  expect(registry.get(11, "x")?.executionNo).toBe(20);
});

test("the earlier entry stands, and only learns", () => {
  const registry = new ExecutionRegistry(10);
  const first = registry.remember("x", known(1, 1));
  // Of its first event, which is on its way.
  expect(first.homeDayBy(0)).toBe(10_957);
  expect(first).toMatchObject({ homeDayClaimed: false, nextPackNo: 0, generation: 0 });
  expect(registry.remember("x", known(1, 1, { homeDay: 200, environmentKnown: true }))).toBe(first);
  expect(first).toMatchObject({ nextPackNo: undefined, generation: 1 });
  expect(first).toMatchObject({ homeDay: 200, homeDayClaimed: true, environmentKnown: true });
  registry.remember("x", known(1, 1, { homeDay: 300 }));
  expect(first).toMatchObject({ homeDay: 200, homeDayClaimed: true, environmentKnown: true });
  registry.remember("x", known(1, 1));
  expect(first).toMatchObject({ homeDay: 200, homeDayClaimed: true, environmentKnown: true });
});

describe("an entry that was not used for hours", () => {
  const hour = 3_600_000;

  test("is looked up again, and one in use is not", () => {
    let nowMs = 0;
    const registry = new ExecutionRegistry(10, () => nowMs);
    registry.remember("idle", known(1, 1));
    registry.remember("busy", known(1, 2));
    for (nowMs = hour; nowMs <= 12 * hour; nowMs += hour)
      expect(registry.get(1, "busy")?.executionNo).toBe(2);
    expect(registry.get(1, "idle")).toBeUndefined();
  });

  test("an execution made again under the same id takes the place of the old one", () => {
    const registry = new ExecutionRegistry(10);
    registry.remember("x", known(1, 1, { homeDay: 5 }));
    expect(registry.remember("x", known(1, 2))).toMatchObject({ executionNo: 2, homeDay: undefined });
    expect(registry.get(1, "x")?.executionNo).toBe(2);
    expect(registry.size).toBe(1);
  });
});
