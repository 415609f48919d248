import { describe, expect, test } from "bun:test";
import { hasFailedForGood, parseRetryAfterMs, RETRY_AFTER_MS_MAX, retryWaitMs } from "./retry-schedule.ts";

const NOW_MS = Date.parse("2026-03-01T12:00:00Z");
const DAY_MS = 86_400_000;

describe("retryWaitMs", () => {
  test("follows the published schedule and ends after it", () => {
    const waits = Array.from({ length: 8 }, (_, index) =>
      retryWaitMs({ failureCount: index + 1, retryAfterMs: null, random: 0 }),
    );
    const hourMs = 3_600_000;
    expect(waits).toEqual([
      5_000,
      300_000,
      1_800_000,
      2 * hourMs,
      5 * hourMs,
      10 * hourMs,
      10 * hourMs,
      null,
    ]);
  });

  test("jitter only ever adds, and at most a fifth", () => {
    expect(retryWaitMs({ failureCount: 1, retryAfterMs: null, random: 0.999 })).toBe(5_999);
    expect(retryWaitMs({ failureCount: 2, retryAfterMs: null, random: 0.5 })).toBe(330_000);
  });

  test("waits at least as long as the receiver asks, up to the cap", () => {
    expect(retryWaitMs({ failureCount: 1, retryAfterMs: 60_000, random: 0 })).toBe(60_000);
    expect(retryWaitMs({ failureCount: 2, retryAfterMs: 1_000, random: 0 })).toBe(300_000);
    expect(retryWaitMs({ failureCount: 1, retryAfterMs: 99 * DAY_MS, random: 0 })).toBe(RETRY_AFTER_MS_MAX);
  });

  test("the cap holds with the jitter too; the schedule's own longest wait has its jitter as ever", () => {
    const longest = { retryAfterMs: DAY_MS, random: 0.999 };
    expect(retryWaitMs({ ...longest, failureCount: 1 })).toBe(RETRY_AFTER_MS_MAX);
    expect(retryWaitMs({ ...longest, failureCount: 1, retryAfterMs: 0.9 * RETRY_AFTER_MS_MAX })).toBe(
      RETRY_AFTER_MS_MAX,
    );
    expect(retryWaitMs({ ...longest, failureCount: 1, retryAfterMs: 100_000, random: 0.5 })).toBe(110_000);
    const own = retryWaitMs({ ...longest, failureCount: 6, retryAfterMs: null });
    expect(own).toBeGreaterThan(RETRY_AFTER_MS_MAX);
    expect(retryWaitMs({ ...longest, failureCount: 6 })).toBe(own);
  });

  test("a receiver's wish does not lengthen the schedule", () => {
    expect(retryWaitMs({ failureCount: 8, retryAfterMs: 60_000, random: 0 })).toBeNull();
  });
});

describe("parseRetryAfterMs", () => {
  test("reads seconds and dates", () => {
    expect(parseRetryAfterMs("120", NOW_MS)).toBe(120_000);
    expect(parseRetryAfterMs(" 0 ", NOW_MS)).toBe(0);
    expect(parseRetryAfterMs("Sun, 01 Mar 2026 12:01:30 GMT", NOW_MS)).toBe(90_000);
    expect(parseRetryAfterMs("Sun, 01 Mar 2026 11:00:00 GMT", NOW_MS)).toBe(0);
  });

  test("a number of any length is one: however long, it is capped like a shorter one", () => {
    for (const digits of ["9999999999", "99999999999", "99999999999999999999", "9".repeat(400)]) {
      const retryAfterMs = parseRetryAfterMs(digits, NOW_MS);
      expect(retryWaitMs({ failureCount: 1, retryAfterMs, random: 0 })).toBe(RETRY_AFTER_MS_MAX);
    }
  });

  test("takes no nonsense", () => {
    for (const value of [null, "", "-5", "1.5", "1e9", "soon", "Sunday maybe", "0x10", "99999999999x"]) {
      expect([value, parseRetryAfterMs(value, NOW_MS)]).toEqual([value, null]);
    }
  });
});

describe("hasFailedForGood", () => {
  const failing = (days: number, failureCount: number) =>
    hasFailedForGood({ failingSinceMs: NOW_MS - days * DAY_MS, failureCount, nowMs: NOW_MS });

  test("needs five days", () => {
    expect(failing(4.99, 8)).toBe(false);
    expect(failing(5, 8)).toBe(true);
  });

  test("needs the delivery at hand to have failed through its short waits", () => {
    expect(failing(30, 3)).toBe(false);
    expect(failing(30, 4)).toBe(true);
  });
});
