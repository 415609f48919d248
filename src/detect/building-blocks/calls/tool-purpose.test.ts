import { expect, test } from "bun:test";
import { handsOver, PURPOSE, purposeOf } from "./tool-purpose.ts";

test("the words of a name count as far as it is read, however long a model makes it", () => {
  const words = (count: number) => "a_".repeat(count);
  expect(purposeOf(`${words(50)}click`, {})).toBe(PURPOSE.handles);
  expect(purposeOf(`${words(1_000_000)}click`, {})).toBe(0);
  expect(handsOver(`${words(50)}handoff`)).toBe(true);
  expect(handsOver(`${words(1_000_000)}handoff`)).toBe(false);
});

test("where one tool does many things, its arguments say what it shall do", () => {
  expect(purposeOf("computer", { action: "left_click" })).toBe(PURPOSE.handles);
  expect(purposeOf("computer", '{"action": "wait"}')).toBe(
    PURPOSE.waits | PURPOSE.pauses | PURPOSE.asksHowFar,
  );
  expect(purposeOf("computer", { action: "type the word click" })).toBe(0);
});
