import { describe, expect, test } from "bun:test";
import { type ChartKey, type ChartPlace, chartKey, placeWithin } from "./chart-selection.ts";

const COUNT = 30;
const press = (key: string, place: ChartPlace | null, shiftKey = false): ChartKey | null =>
  chartKey({ key, shiftKey }, place, COUNT);
const moved = (at: number, anchor: number | null = null): ChartKey => ({
  kind: "move",
  place: { at, anchor },
});

describe("keys in a chart", () => {
  test.each([
    ["ArrowLeft", null, moved(29)],
    ["ArrowRight", null, moved(0)],
    ["ArrowRight", 4, moved(5)],
    ["ArrowRight", 29, moved(29)],
    ["ArrowLeft", 0, moved(0)],
    ["PageUp", 10, moved(7)],
    ["PageDown", 28, moved(29)],
    ["Home", 12, moved(0)],
    ["End", null, moved(29)],
  ] as const)("%s at %p", (key, at, expected) => {
    expect(press(key, at === null ? null : { at, anchor: null })).toEqual(expected);
  });

  test("Shift selects from where one is, and Enter takes it, whichever way it was drawn", () => {
    expect(press("ArrowLeft", { at: 12, anchor: null }, true)).toEqual(moved(11, 12));
    expect(press("Home", { at: 11, anchor: 12 }, true)).toEqual(moved(0, 12));
    expect(press("Enter", { at: 0, anchor: 12 })).toEqual({ kind: "select", from: 0, to: 12 });
    expect(press("ArrowRight", { at: 0, anchor: 12 })).toEqual(moved(1));
  });

  test("Escape lets go, and what means nothing here is left to the page", () => {
    expect(press("Escape", { at: 3, anchor: 1 })).toEqual({ kind: "leave" });
    for (const key of ["Escape", "Enter", "j", "Tab", "ArrowUp", "ArrowDown"])
      expect(press(key, null)).toBeNull();
    expect(press("Enter", { at: 3, anchor: null })).toBeNull();
    expect(press("Enter", { at: 3, anchor: 3 })).toBeNull();
    expect(chartKey({ key: "End", shiftKey: false }, null, 0)).toBeNull();
  });
});

test("a place stays within a chart that has fewer times now", () => {
  expect(placeWithin({ at: 29, anchor: 3 }, 20)).toEqual({ at: 19, anchor: 3 });
  expect(placeWithin({ at: 2, anchor: null }, 20)).toEqual({ at: 2, anchor: null });
  expect(placeWithin({ at: 2, anchor: null }, 0)).toBeNull();
});
