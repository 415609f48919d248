import { expect, test } from "bun:test";
import { Repeats } from "./repeats.ts";

test("the first is told, then one in each interval, with the number left out", () => {
  let nowMs = 0;
  const repeats = new Repeats(1_000, () => nowMs);
  expect(repeats.admit("a")).toBe(0);
  expect(repeats.admit("a")).toBeUndefined();
  expect(repeats.admit("b")).toBe(0);
  nowMs = 999;
  expect(repeats.admit("a")).toBeUndefined();
  nowMs = 1_000;
  expect(repeats.admit("a")).toBe(2);
  nowMs = 5_000;
  expect(repeats.admit("a")).toBe(0);
});
