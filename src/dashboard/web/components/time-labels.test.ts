import { expect, test } from "bun:test";
import { timeLabels } from "./time-labels.ts";

const HOUR = 3_600;
const at = (day: number, hours: number, minutes = 0) =>
  new Date(2026, 10, day, hours, minutes).getTime() / 1000;

test("the day stands where it changes", () => {
  expect(timeLabels([at(24, 20), at(25, 0), at(25, 4)], 4 * HOUR)).toEqual(["20:00", "25 Nov", "04:00"]);
});

test("the day stands at an axis's first place too where that is midnight, and else the hour", () => {
  expect(timeLabels([at(25, 0), at(25, 6)], 6 * HOUR)).toEqual(["25 Nov", "06:00"]);
  expect(timeLabels([at(25, 0, 5), at(25, 0, 10)], 300)).toEqual(["00:05", "00:10"]);
});

test("seconds below a minute, and days alone above one", () => {
  expect(timeLabels([at(25, 9), at(25, 9) + 15], 15)).toEqual(["09:00:00", "09:00:15"]);
  expect(timeLabels([at(24, 0), at(25, 0)], 24 * HOUR)).toEqual(["24 Nov", "25 Nov"]);
});
