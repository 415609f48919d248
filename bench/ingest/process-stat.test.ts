import { describe, expect, test } from "bun:test";
import {
  type ProcessStat,
  parseBusyTicks,
  parseMemory,
  parseProcessStat,
  processCpuSeconds,
  readMemory,
  readProcessStat,
  treeCpuSeconds,
  treeTicks,
} from "./process-stat.ts";

describe("parseProcessStat", () => {
  test("counts the fields from the last parenthesis of the name", () => {
    const line = "4242 (odd) name (x)) S 17 4242 4242 0 -1 4194304 100 200 0 0 31 12 5 3 20 0 4 0 999 1 2\n";
    expect(parseProcessStat(line)).toEqual({
      pid: 4242,
      name: "odd) name (x)",
      parentPid: 17,
      ownTicks: 43,
      endedChildrenTicks: 8,
    });
  });

  test("a cut or foreign line gives nothing", () => {
    expect(parseProcessStat("")).toBeUndefined();
    expect(parseProcessStat("12 (x) S 1")).toBeUndefined();
    expect(parseProcessStat(") (")).toBeUndefined();
  });
});

test("parseMemory reads KiB as bytes", () => {
  const status = "Name:\tbun\nVmPeak:\t  900 kB\nVmHWM:\t     300 kB\nVmRSS:\t     200 kB\n";
  expect(parseMemory(status)).toEqual({ residentBytes: 204_800, residentPeakBytes: 307_200 });
  expect(parseMemory("Name:\tkthreadd\n")).toBeUndefined();
});

describe("treeTicks", () => {
  const process = (
    pid: number,
    parentPid: number,
    ownTicks: number,
    endedChildrenTicks = 0,
  ): ProcessStat => ({
    pid,
    name: "postgres",
    parentPid,
    ownTicks,
    endedChildrenTicks,
  });

  test("sums the root, all below it and the ended children, and nothing beside it", () => {
    const stats = [process(10, 1, 1, 5), process(11, 10, 20), process(12, 11, 300, 7), process(99, 1, 9999)];
    expect(treeTicks(stats, 10)).toBe(1 + 5 + 20 + 300 + 7);
  });

  test("does not fall when a child ends and is waited for", () => {
    const before = treeTicks([process(10, 1, 1), process(11, 10, 20)], 10);
    const after = treeTicks([process(10, 1, 1, 20)], 10);
    expect(after).toBe(before);
  });

  test("a root that is gone has no figure", () => {
    expect(treeTicks([process(11, 10, 20)], 10)).toBeUndefined();
  });
});

test("this process and its parent's tree can be read where /proc exists", () => {
  const own = readProcessStat(process.pid);
  if (own === undefined) return expect(process.platform).not.toBe("linux");
  expect(own.parentPid).toBe(process.ppid);
  // A process this young may not have used a whole tick yet.
  const until = Date.now() + 10_000;
  while (processCpuSeconds(process.pid) === 0 && Date.now() < until);
  // Read before the tree's: both grow meanwhile.
  const ownSeconds = processCpuSeconds(process.pid) ?? 0;
  expect(ownSeconds).toBeGreaterThan(0);
  expect(treeCpuSeconds(process.pid)).toBeGreaterThanOrEqual(ownSeconds);
  expect(readMemory(process.pid)?.residentPeakBytes).toBeGreaterThan(1_000_000);
  expect(processCpuSeconds(2 ** 30)).toBeUndefined();
});

test("parseBusyTicks leaves idle and waiting for disks out, and does not count guests twice", () => {
  expect(parseBusyTicks("cpu  100 20 3 9000 800 4 5 6 50 0\ncpu0 1 1 1 1 1 1 1 1 0 0\n")).toBe(138);
  expect(parseBusyTicks("intr 1 2 3\n")).toBeUndefined();
});
