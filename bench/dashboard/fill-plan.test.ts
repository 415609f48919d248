import { expect, test } from "bun:test";
import { BLOCK_EXECUTIONS, DAYS, fillPlan, plannedEvents } from "./fill-plan.ts";

test.each([
  [20_000_000, 1_000_000],
  [50_000, 1_000],
  [500_000_000, 2_600_000],
])("%d events of %d executions are planned to a tenth", (events, executions) => {
  const plan = fillPlan(events, executions, 1_800_000_000_000);
  expect(Math.abs(plan.executions / executions - 1)).toBeLessThan(0.1);
  expect(Math.abs(plannedEvents(plan) / events - 1)).toBeLessThan(0.1);
  // The statements take four blocks at a time, and the big execution comes behind all others.
  expect(plan.blocks % 4).toBe(0);
  expect(plan.executions).toBe(plan.blocks * BLOCK_EXECUTIONS);
  expect(plan.bigExecutionNo).toBe(plan.executions + 1);
});

test("what is filled in lies within the last days, and ends before now", () => {
  const nowMs = 1_800_000_000_000;
  const { fromMs, toMs } = fillPlan(50_000, 1_000, nowMs);
  expect(toMs).toBeLessThan(nowMs);
  expect(nowMs - fromMs).toBe(DAYS * 86_400_000);
});

test("many executions have events, however few were asked for", () => {
  const { lengths } = fillPlan(50_000, 2_600_000, 0);
  expect(Math.min(...lengths)).toBeGreaterThanOrEqual(1);
});
