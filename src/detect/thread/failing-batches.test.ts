import { expect, test } from "bun:test";
import { FailingBatches } from "./failing-batches.ts";

const key = (batchNo: number) => ({ batchNo, projectNos: [1] });

test("a batch is passed over once it has failed for long; the failures are counted", () => {
  let nowMs = 0;
  const failing = new FailingBatches(100, () => nowMs);
  expect(failing.failed(key(1))).toBe(1);
  nowMs = 99;
  expect([failing.failed(key(1)), failing.isPassedOver(key(1))]).toEqual([2, false]);
  nowMs = 100;
  expect([failing.isPassedOver(key(1)), failing.isPassedOver(key(2))]).toEqual([true, false]);
  failing.settled(key(1));
  expect([failing.isPassedOver(key(1)), failing.failed(key(1))]).toEqual([false, 1]);
});

test("when trouble that several had ends for one, the others are waited for", () => {
  let nowMs = 0;
  const failing = new FailingBatches(100, () => nowMs);
  failing.failed(key(1));
  failing.failed(key(2));
  nowMs = 200;
  failing.settled(key(3));
  expect(failing.isPassedOver(key(2))).toBe(true);
  failing.settled(key(1));
  expect(failing.isPassedOver(key(2))).toBe(false);
});
