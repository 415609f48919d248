import { expect, test } from "bun:test";
import { Progress } from "./progress.ts";

test("tells for how long a count has stood, and begins anew when it moves", () => {
  const progress = new Progress(1_000, 0);
  expect(progress.look(0, 1_000)).toBe(1_000);
  expect(progress.look(0, 2_000)).toBe(2_000);
  expect(progress.look(7, 3_000)).toBe(0);
  expect(progress.look(7, 4_100)).toBe(1_100);
  expect(progress.look(8, 5_000)).toBe(0);
});

test("of a look that comes late two intervals count at most", () => {
  const progress = new Progress(1_000, 0);
  expect(progress.look(0, 60_000)).toBe(2_000);
  expect(progress.look(0, 61_000)).toBe(3_000);
});
