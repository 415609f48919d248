import { expect, test } from "bun:test";
import { AttemptLimiter } from "./attempt-limiter.ts";

test("an address has its attempts, then waits for the window to end", () => {
  let nowMs = 0;
  const limiter = new AttemptLimiter({ max: 2, windowMs: 60_000, clock: () => nowMs });
  expect([limiter.take("192.0.2.1"), limiter.take("192.0.2.1"), limiter.take("192.0.2.1")]).toEqual([
    0, 0, 60,
  ]);
  expect(limiter.take("192.0.2.2")).toBe(0);
  nowMs = 59_001;
  expect(limiter.take("192.0.2.1")).toBe(1);
  nowMs = 60_000;
  expect(limiter.take("192.0.2.1")).toBe(0);
});

test("the addresses of one /64 count together, however they are written", () => {
  const limiter = new AttemptLimiter({ max: 1, windowMs: 1000, clock: () => 0 });
  expect(limiter.take("2001:db8::1")).toBe(0);
  expect(limiter.take("2001:db8:0:0:ffff::2")).toBe(1);
  expect(limiter.take("2001:db8:0:1::1")).toBe(0);
});
