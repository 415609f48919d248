import { describe, expect, test } from "bun:test";
import { LatencyRecorder, median, percentile } from "./latency.ts";

describe("percentile by nearest rank", () => {
  const hundred = Float64Array.from({ length: 100 }, (_, index) => index + 1);

  test("of 1 to 100", () => {
    expect(percentile(hundred, 0.5)).toBe(50);
    expect(percentile(hundred, 0.99)).toBe(99);
    expect(percentile(hundred, 0.999)).toBe(100);
    expect(percentile(hundred, 1)).toBe(100);
  });

  test("of one sample and of none", () => {
    expect(percentile(Float64Array.of(7), 0.001)).toBe(7);
    expect(percentile(new Float64Array(0), 0.99)).toBe(0);
  });
});

test("the recorder sorts numbers as numbers and leaves unused room out", () => {
  const recorder = new LatencyRecorder(10);
  for (const sample of [9, 10, 100, 1]) recorder.record(sample);
  expect(recorder.figures()).toEqual({ count: 4, p50Ms: 9, p99Ms: 100, p999Ms: 100, maxMs: 100 });
});

test("the recorder refuses more samples than requests", () => {
  const recorder = new LatencyRecorder(1);
  recorder.record(1);
  expect(() => recorder.record(2)).toThrow(RangeError);
});

test("median of odd, even and no counts", () => {
  expect(median([30, 1, 2])).toBe(2);
  expect(median([4, 1, 3, 2])).toBe(2.5);
  expect(median([])).toBeNaN();
});
