import { expect, test } from "bun:test";
import { WallClock } from "./wall-clock.ts";

test("tells fractions of the system's time, and follows it when it is set forward or back", () => {
  let wall = 1_000_000;
  let monotonic = 5;
  const clock = new WallClock(
    () => Math.floor(wall),
    () => monotonic,
  );
  const pass = (ms: number) => {
    wall += ms;
    monotonic += ms;
    return clock.now();
  };
  expect([pass(0), pass(0.25), pass(100)]).toEqual([1_000_000, 1_000_000.25, 1_000_100.25]);
  wall += 3_600_000;
  expect([clock.now(), pass(0.5)]).toEqual([4_600_100, 4_600_100.5]);
  wall -= 7_200_000;
  expect(clock.now()).toBe(-2_599_900);
});
