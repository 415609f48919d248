/**
 * Invented runs that make one call often or hand work to and fro, written before the rules were changed: how
 * many of those that go in circles are found, and how many that get on fire all the same, of the half that
 * was looked at and of the half that was only counted.
 */
import { expect, test } from "bun:test";
import { loopsFired } from "./corpus/loops/measure.ts";

const FIRED: Readonly<Record<string, readonly [number, number]>> = {
  "handoff_loop in circles": [15, 9],
  "handoff_loop that get on": [2, 2],
  "tool_loop in circles": [13, 13],
  "tool_loop that get on": [1, 3],
};

test.each(["read", "counted"] as const)("of the half that was %s", (part) => {
  for (const { failureClass, kind, fired } of loopsFired(part)) {
    const bound = FIRED[`${failureClass} ${kind}`]![part === "read" ? 0 : 1];
    if (kind === "in circles") expect(fired.length).toBeGreaterThanOrEqual(bound);
    else expect(fired.length).toBeLessThanOrEqual(bound);
  }
});
