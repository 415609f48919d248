import { expect, test } from "bun:test";
import { emptyCounters } from "./delivery-metrics.ts";
import { exposeNotifier } from "./exposition.ts";

const nowMs = 1_000_000;
const metrics = (oldestDueMs: number | null) => ({
  ...emptyCounters(),
  inFlight: 1,
  threadRestarts: 0,
  backlog: { owed: 12, due: 3, oldestDueMs },
});
const figureOf = (text: string, name: string) => new RegExp(`^${name} (.*)$`, "m").exec(text)?.[1];

test("how far delivery is behind is told", () => {
  const text = exposeNotifier(metrics(nowMs - 2_500), nowMs);
  expect(figureOf(text, "ats_deliveries_owed")).toBe("12");
  expect(figureOf(text, "ats_deliveries_due")).toBe("3");
  expect(figureOf(text, "ats_delivery_lag_seconds")).toBe("2.5");
});

test("nothing due is no lag, and neither is a time that a clock set back has yet to reach", () => {
  for (const oldestDueMs of [null, nowMs + 5_000]) {
    expect(figureOf(exposeNotifier(metrics(oldestDueMs), nowMs), "ats_delivery_lag_seconds")).toBe("0");
  }
});
