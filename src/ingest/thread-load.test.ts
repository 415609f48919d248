import { expect, test } from "bun:test";
import { ThreadLoad } from "./thread-load.ts";

test("the load is the share of the time for which a core was wanted since it was last measured, and not measured too often", () => {
  const at = { wallMs: 5_000, wantedUs: 70_000 };
  const load = new ThreadLoad({ wallMs: () => at.wallMs, wantedUs: () => at.wantedUs });
  const pass = (wallMs: number, wantedMs: number) => {
    at.wallMs += wallMs;
    at.wantedUs += wantedMs * 1000;
    return load.measure();
  };
  expect(pass(50, 40)).toBeUndefined();
  expect(pass(50, 20)).toBeCloseTo(0.6);
  expect(pass(99, 99)).toBeUndefined();
  expect(pass(101, 1)).toBeCloseTo(0.5);
  expect(pass(10_000, 0)).toBe(0);
  // The two clocks are not read at the same moment.
  expect(pass(100, 101)).toBe(1);
});

function work(forMs: number): void {
  const until = performance.now() + forMs;
  while (performance.now() < until) Math.hypot(until, 1);
}

test("a thread that works all the time wants a core all the time, whoever else works; one that sleeps does not", async () => {
  const load = new ThreadLoad();
  const others = Array.from({ length: 2 * navigator.hardwareConcurrency }, () =>
    Bun.spawn([process.execPath, "-e", "for (;;);"]),
  );
  try {
    work(500);
    expect(load.measure()).toBeGreaterThan(0.9);
    await Bun.sleep(500);
    expect(load.measure()).toBeLessThan(0.5);
  } finally {
    for (const other of others) other.kill();
  }
});
