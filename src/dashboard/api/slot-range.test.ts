import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { SLOT_STEPS } from "../../store/upkeep/rollups.ts";
import { pointsIn, slotRangeOf } from "./slot-range.ts";

const HOUR = 3_600_000;
const NOW = Date.parse("2026-11-21T06:31:17.250Z");
const iso = (ms: number) => new Date(ms).toISOString();

describe("the step fits the range", () => {
  test.each([
    ["1 hour", HOUR, 60],
    ["6 hours", 6 * HOUR, 120],
    ["a day", 24 * HOUR, 600],
    ["a week", 168 * HOUR, 3_600],
    ["30 days", 720 * HOUR, 21_600],
  ])("%s", (_, lengthMs, stepSeconds) => {
    const found = slotRangeOf({ from: iso(NOW - lengthMs) }, NOW);
    expect(found.ok && found.range.stepSeconds).toBe(stepSeconds);
  });

  test("covers what was asked in whole steps, at most 240 of them, of slots that are still kept", () => {
    const moments = fc.tuple(
      fc.integer({ min: 1, max: 3_600 * 24 }),
      fc.integer({ min: 0, max: 24 * 3_000 }),
    );
    fc.assert(
      fc.property(moments, ([lengthMinutes, agoHours]) => {
        const toMs = NOW - agoHours * HOUR;
        const fromMs = toMs - lengthMinutes * 60_000;
        const found = slotRangeOf({ from: iso(fromMs), to: iso(toMs) }, NOW);
        if (!found.ok) throw new Error(found.detail);
        const { from, to, stepSeconds, slotStep } = found.range;
        expect(from.getTime()).toBeLessThanOrEqual(fromMs);
        expect(to.getTime()).toBeGreaterThanOrEqual(toMs);
        expect(pointsIn(found.range)).toBeLessThanOrEqual(240);
        expect((to.getTime() - from.getTime()) / (stepSeconds * 1000)).toBe(pointsIn(found.range));
        expect(stepSeconds % slotStep).toBe(0);
        expect(from.getTime() % (slotStep * 1000)).toBe(0);
        const { keptMs } = SLOT_STEPS.find(({ step }) => step === slotStep)!;
        expect(from.getTime()).toBeGreaterThan(NOW - keptMs);
      }),
    );
  });

  test("ends now at the latest", () => {
    const found = slotRangeOf({ from: iso(NOW - HOUR), to: iso(NOW + 1_000 * HOUR) }, NOW);
    expect(found.ok && found.range.to.getTime() - NOW).toBeLessThanOrEqual(60_000);
  });
});
