import { expect, test } from "bun:test";
import { FailingBatches } from "./failing-batches.ts";

const key = (batchNo: number) => ({ batchNo, projectNos: [1] });

test("a batch is passed over once it has failed for long; the failures are counted", () => {
  let nowMs = 0;
  const failing = new FailingBatches(100, () => nowMs);
  expect(failing.failed(key(1), false).count).toBe(1);
  nowMs = 99;
  expect([failing.failed(key(1), false).count, failing.isPassedOver(key(1))]).toEqual([2, false]);
  nowMs = 100;
  expect([failing.isPassedOver(key(1)), failing.isPassedOver(key(2))]).toEqual([true, false]);
  failing.detected(key(1));
  expect([failing.isPassedOver(key(1)), failing.failed(key(1), false).count]).toEqual([false, 1]);
});

test("when trouble that several had ends for one, the others are waited for", () => {
  let nowMs = 0;
  const failing = new FailingBatches(100, () => nowMs);
  failing.failed(key(1), false);
  failing.failed(key(2), false);
  nowMs = 200;
  failing.detected(key(3));
  expect(failing.isPassedOver(key(2))).toBe(true);
  failing.detected(key(1));
  expect(failing.isPassedOver(key(2))).toBe(false);
});

test("a batch that fails is tried ever more rarely, and at once when the trouble of others has ended", () => {
  let nowMs = 0;
  const failing = new FailingBatches(100, () => nowMs);
  expect(failing.isDue(key(1))).toBe(true);
  failing.failed(key(1), false);
  failing.failed(key(2), false);
  const waitedMs: number[] = [];
  for (let times = 0; times < 9; times++) {
    const sinceMs = nowMs;
    while (!failing.isDue(key(1))) nowMs += 100;
    waitedMs.push(nowMs - sinceMs);
    failing.failed(key(1), false);
  }
  expect(waitedMs).toEqual([100, 200, 400, 800, 1_600, 3_200, 6_400, 10_000, 10_000]);
  nowMs += 1;
  expect(failing.isDue(key(1))).toBe(false);
  failing.detected(key(2));
  expect(failing.isDue(key(1))).toBe(true);
});

test("what failed as a whole flush is known by the parts that its projects are owed", () => {
  let nowMs = 0;
  const failing = new FailingBatches(100, () => nowMs);
  failing.failed({ batchNo: 1, projectNos: [1, 2] }, false);
  expect([failing.isDue(key(1)), failing.isDue({ batchNo: 1, projectNos: [3] })]).toEqual([false, true]);
  nowMs = 100;
  expect(failing.isPassedOver({ batchNo: 1, projectNos: [2] })).toBe(true);
  failing.detected({ batchNo: 1, projectNos: [1, 2] });
  expect([failing.isPassedOver(key(1)), failing.failed(key(1), false).count]).toEqual([false, 1]);
});

test("it counts as failing until the trouble is over, and of more than are remembered the first are forgotten", () => {
  let nowMs = 1;
  const failing = new FailingBatches(100, () => nowMs);
  for (let batchNo = 1; batchNo <= 10_002; batchNo++) failing.failed(key(batchNo), false);
  expect([1, 2, 3, 10_002, 10_003].map((no) => failing.has(key(no)))).toEqual([
    false,
    false,
    true,
    true,
    false,
  ]);
  nowMs = 2;
  failing.failed(key(4), false);
  expect([failing.latestMs(key(3)), failing.latestMs(key(4))]).toEqual([1, 2]);
  nowMs = 3;
  failing.detected(key(3));
  expect(failing.has(key(4))).toBe(false);
});

test("refusals of a batch's own data are counted apart from what it failed of besides", () => {
  const failing = new FailingBatches(100, () => 0);
  failing.failed(key(1), false);
  failing.failed(key(1), true);
  expect(failing.failed(key(1), false)).toEqual({ count: 3, refusals: 1 });
  expect(failing.failed(key(1), true)).toEqual({ count: 4, refusals: 2 });
});

test("one that is given up says nothing of the trouble of others", () => {
  let nowMs = 0;
  const failing = new FailingBatches(100, () => nowMs);
  failing.failed(key(1), false);
  failing.failed(key(2), true);
  nowMs = 100;
  failing.gaveUp(key(2));
  expect([failing.isPassedOver(key(1)), failing.has(key(2))]).toEqual([true, false]);
});
