import { expect, test } from "bun:test";
import { Patience, Progress } from "./progress.ts";

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

test("a start without a word gives the next twice the time, up to 16 minutes, until one speaks", () => {
  const patience = new Patience(10_000);
  const endedAfterMs = () => {
    for (let ms = 1_000; ; ms += 1_000) if (patience.isOver(0, ms)) return ms;
  };
  expect(Array.from({ length: 7 }, endedAfterMs)).toEqual([
    30_000, 60_000, 120_000, 240_000, 480_000, 960_000, 960_000,
  ]);
  expect([patience.isOver(1, 9_999), patience.isOver(1, 10_000)]).toEqual([false, true]);
  expect(endedAfterMs()).toBe(30_000);
});

test("a start has never less time than a thread that has spoken", () => {
  const patience = new Patience(60_000);
  expect([patience.isOver(0, 59_999), patience.isOver(0, 60_000)]).toEqual([false, true]);
});
