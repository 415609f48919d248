import { expect, test } from "bun:test";
import { projectedMs, shareTold, withShare } from "./told-headway.ts";

test("a percentage, or one whole number of all there are", () => {
  expect(shareTold({ percent: 41, status: "running" })).toBe(0.41);
  expect(shareTold({ progress: 0.25 })).toBe(0.25);
  expect(shareTold({ progress: "63%" })).toBe(0.63);
  expect(shareTold({ epoch: 2, of: 8, loss: 0.62 })).toBe(0.25);
  expect(shareTold({ batch: 4, total_batches: 8 })).toBe(0.5);
  for (const none of [
    { percent: 140 },
    { total: 8 },
    { a: 1, b: 2, of: 8 },
    { rows: 9, of: 8 },
    { of: 1, step: 1 },
    [1, 2],
    "41%",
    null,
    { progress: Number.NaN },
    { percent: -3 },
  ])
    expect(shareTold(none)).toBeNull();
});

test("a run may take half as long again as its pace says, and nothing is said by what stands still", () => {
  const first = withShare(null, 0.25, 30_000);
  expect(projectedMs(null, 0)).toBe(0);
  expect(projectedMs(first, 0)).toBe(0);
  expect(projectedMs(withShare(first, 0.25, 60_000), 0)).toBe(0);
  expect(projectedMs(withShare(first, 0.5, 60_000), 0)).toBe(180_000);
  expect(projectedMs(withShare(first, 0.2, 90_000), 0)).toBe(0);
  expect(projectedMs(withShare(withShare(null, 0, 1), 1e-9, 3_600_000), 0)).toBe(86_400_000);
});
