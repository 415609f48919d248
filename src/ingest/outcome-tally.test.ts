import { describe, expect, test } from "bun:test";
import type { OutcomeCount } from "../store/upkeep/rollups.ts";
import { OutcomeTally } from "./outcome-tally.ts";

const series = [
  { outcome: "accepted", reason: "" },
  { outcome: "shed", reason: "overloaded" },
];
const sender = { projectNo: 1, keyId: "key_a" };
const other = { projectNo: 2, keyId: "key_b" };

function tallyOf(options: { isDown?: () => boolean; talliesMax?: number } = {}) {
  const clock = { nowMs: 120_000 };
  const stored: OutcomeCount[] = [];
  const failures: unknown[] = [];
  const tally = new OutcomeTally({
    series,
    clock: () => clock.nowMs,
    async store(counts) {
      if (options.isDown?.()) throw new Error("away");
      stored.push(...counts);
    },
    onError: (error) => failures.push(error),
    ...(options.talliesMax === undefined ? {} : { talliesMax: options.talliesMax }),
  });
  const sum = (keyId: string, outcome: string) =>
    stored
      .filter((count) => count.keyId === keyId && count.outcome === outcome)
      .reduce((all, { count }) => all + count, 0);
  return { tally, clock, stored, failures, sum };
}

describe("outcomes by key and minute", () => {
  test("are added up until the flush, each minute apart, nothing for no events", async () => {
    const { tally, clock, stored } = tallyOf();
    tally.add(sender, 0, 3);
    tally.add(sender, 0, 4);
    tally.add(sender, 1, 0);
    clock.nowMs = 180_000;
    tally.add(sender, 0, 1);
    tally.add(other, 1, 9);
    await tally.flush();
    expect(stored).toEqual([
      { ...sender, slotMs: 120_000, outcome: "accepted", reason: "", count: 7, lastMs: 120_000 },
      { ...sender, slotMs: 180_000, outcome: "accepted", reason: "", count: 1, lastMs: 180_000 },
      { ...other, slotMs: 180_000, outcome: "shed", reason: "overloaded", count: 9, lastMs: 180_000 },
    ]);
    await tally.flush();
    expect(stored).toHaveLength(3);
  });

  test("of a flush that failed come with the next, once", async () => {
    let isDown = true;
    const { tally, clock, failures, sum, stored } = tallyOf({ isDown: () => isDown });
    for (let round = 0; round < 5; round++) {
      tally.add(sender, 0, 2);
      clock.nowMs += 20_000;
      await tally.flush();
    }
    expect(failures).toHaveLength(5);
    isDown = false;
    tally.add(sender, 0, 1);
    await tally.stop();
    expect(sum("key_a", "accepted")).toBe(11);
    // What failed together is one count a minute, as late as the latest of it.
    expect(stored.map(({ slotMs, lastMs }) => [slotMs, lastMs])).toEqual([
      [120_000, 160_000],
      [180_000, 200_000],
      [180_000, 220_000],
    ]);
  });

  test("are bounded while the store is away, and counted on when it is back", async () => {
    let isDown = true;
    const { tally, sum, stored } = tallyOf({ isDown: () => isDown, talliesMax: 10 });
    for (let key = 0; key < 100; key++) tally.add({ projectNo: 1, keyId: `key_${key}` }, 0, 1);
    await tally.flush();
    isDown = false;
    await tally.flush();
    expect(stored).toHaveLength(10);
    tally.add({ projectNo: 1, keyId: "key_99" }, 0, 5);
    await tally.flush();
    expect(sum("key_99", "accepted")).toBe(5);
  });
});
