import { expect, test } from "bun:test";
import { byPlace, PLACE_STEP, placeInRun } from "./place-in-run.ts";

const at = (sequence: number, timestampMs: number) => ({ sequence, timestampMs });
const STARTED = Date.UTC(2026, 0, 5);
const DAY = 86_400_000;

test("the sequence comes first, the clock decides among equals, and a step leads to the next place", () => {
  const places = [
    at(0, STARTED - 400 * DAY),
    at(0, STARTED - 30_000),
    at(0, STARTED),
    at(0, STARTED + 1),
    at(0, STARTED + DAY),
    at(0, STARTED + 400 * DAY),
    at(1, STARTED - 400 * DAY),
  ].map((one) => placeInRun(one, STARTED));
  expect(places.toSorted((a, b) => a - b)).toEqual(places);
  expect(new Set(places).size).toBe(places.length);
  expect(places[5]! + PLACE_STEP).toBeLessThan(places[6]!);
  expect(places[2]! + PLACE_STEP).toBe(places[3]!);
});

test("large sequences stay themselves", () => {
  for (const sequence of [2 ** 21 + 1, 2 ** 52])
    expect(placeInRun(at(sequence, STARTED), STARTED)).toBe(sequence);
  expect(placeInRun(at(2 ** 21, STARTED + 1), STARTED)).toBe(2 ** 21 + 0.5 + PLACE_STEP);
});

test("a list is ordered by place, and handed back where it is in order", () => {
  const events = [at(0, STARTED), at(0, STARTED), at(0, STARTED + 5), at(3, STARTED)];
  expect(byPlace(events, STARTED)).toBe(events);
  expect(byPlace(events.toReversed(), STARTED)).toEqual(events);
});
