import { expect, test } from "bun:test";
import { viewAtStart } from "./execution-view.ts";
import { PackedStates } from "./packed-states.ts";
import { StateCache } from "./state-cache.ts";
import { EngineStats } from "./stats.ts";

const stored = (states: unknown[]) => ({ projectNo: 1, states, callCount: 7, sizeBytes: 1_234 });
const packable = (states: unknown[]) => ({ ...stored(states), nextTickMs: 5 });
const lostNo = (executionNo: number) => ({ executionNo, projectNo: 1, nextTickMs: 5 });
const VIEW = viewAtStart({ executionId: "x", startedMs: 0 });

test("what comes out is what went in, once", () => {
  const packed = new PackedStates(1 << 20);
  const states = [
    undefined,
    { map: new Map([["k", { n: 1 }]]), set: new Set([1, 2]), words: Int32Array.of(-1, 5), none: null },
    "ein Text mit ü und 🙂",
    { deep: [[[Number.NaN, -0, 1.5]]], absent: undefined },
  ];
  expect(packed.put(1, packable(states))).toEqual([]);
  expect(packed.get(1)).toMatchObject(lostNo(1));
  expect(packed.take(1)).toStrictEqual(stored(states) as never);
  expect(packed.get(1)).toBeUndefined();
  expect(packed.take(1)).toBeUndefined();
  expect([packed.size, packed.bytes]).toEqual([0, 0]);
});

test("over the bound the longest packed are lost, and named", () => {
  const packed = new PackedStates(3_000);
  const lost: number[] = [];
  for (let n = 1; n <= 50; n++)
    lost.push(...packed.put(n, packable([`state ${n}`])).map(({ executionNo }) => executionNo));
  expect(packed.size).toBeGreaterThan(2);
  expect(packed.bytes).toBeLessThanOrEqual(3_000);
  expect(lost).toEqual(Array.from({ length: 50 - packed.size }, (_, n) => n + 1));
  expect(packed.take(50)?.states).toEqual(["state 50"]);
  packed.clear();
  expect([packed.size, packed.bytes]).toEqual([0, 0]);
});

test("with no room at all, and for what is no plain data, a state is lost at once", () => {
  expect(new PackedStates(0).put(9, packable(["s"]))).toEqual([lostNo(9)]);
  const packed = new PackedStates(1 << 20);
  expect(packed.put(9, packable([() => 1]))).toEqual([lostNo(9)]);
  expect([packed.size, packed.bytes]).toEqual([0, 0]);
});

test("the cache packs what gives way, and asks for a rebuild only when that is lost, too", () => {
  const cache = new StateCache({
    stats: new EngineStats([], () => {}),
    executionsMax: 2,
    bytesMax: 1 << 20,
    packedBytesMax: 1_500,
    nextTickMs: () => null,
  });
  cache.reset(0);
  for (let no = 1; no <= 3; no++) cache.add(no, 1, VIEW).states[0] = { no };
  cache.trim();
  expect([cache.has(1), cache.needsRebuild(1), cache.packedCount]).toEqual([false, false, 1]);
  const again = cache.add(1, 1, VIEW);
  expect(again.states).toEqual([{ no: 1 }]);
  expect([cache.packedCount, cache.packedBytes, cache.unpackingCount]).toEqual([0, 0, 1]);
  for (let no = 4; no <= 60; no++) cache.add(no, 1, VIEW).states[0] = { no };
  cache.trim();
  expect(cache.size).toBe(2);
  expect(cache.needsRebuild(58)).toBe(false);
  expect(cache.needsRebuild(2)).toBe(true);
  expect(cache.evictionCount).toBe(60 - 2 - cache.packedCount);
  expect(cache.add(2, 1, VIEW).states).toEqual([]);
  cache.reset(60);
  expect([cache.size, cache.packedCount, cache.needsRebuild(58)]).toEqual([0, 0, true]);
});

test("what gave way is named from its moment on, packed or lost, until it is held again or its project's moments change", () => {
  for (const packedBytesMax of [1 << 20, 0]) {
    const cache = new StateCache({
      stats: new EngineStats([], () => {}),
      executionsMax: 1,
      bytesMax: 1 << 20,
      packedBytesMax,
      nextTickMs: ({ executionNo }) => [null, 100, 200, Number.POSITIVE_INFINITY][executionNo % 4]!,
    });
    const due = (asOfMs: number) => [...cache.asideDue(asOfMs)].map(({ executionNo }) => executionNo);
    const later = (asOfMs: number) => [4, 5, 6, 7, 8].map((no) => cache.isAsideUntilLater(no, asOfMs));
    cache.reset(0);
    for (const no of [4, 5, 6, 7, 8]) cache.add(no, no === 6 ? 2 : 1, VIEW);
    cache.trim();
    expect([due(99), due(100), due(1e15)]).toEqual([[], [5], [5, 6]]);
    expect(later(100)).toEqual([false, false, true, true, false]);
    cache.forgetTicks(1);
    expect(due(0)).toEqual([4, 5, 7]);
    cache.forget(7);
    cache.add(4, 1, VIEW);
    expect(due(0)).toEqual([5]);
    cache.dropProject(1, 8);
    expect(due(1e15)).toEqual([6]);
  }
});

test("of more lost states than are remembered one by one, all up to the youngest are rebuilt", () => {
  const remembered = 100_000;
  const cache = new StateCache({
    stats: new EngineStats([], () => {}),
    executionsMax: 1,
    bytesMax: 1 << 20,
    packedBytesMax: 0,
    nextTickMs: () => null,
  });
  cache.reset(0);
  for (let no = 1; no <= remembered + 1; no++) {
    cache.add(no, 1, VIEW);
    cache.letGo([no]);
  }
  expect([1, remembered, remembered + 1].map((no) => cache.needsRebuild(no))).toEqual([true, true, true]);
  expect(cache.needsRebuild(remembered + 2)).toBe(false);
});
