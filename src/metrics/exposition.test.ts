import { expect, test } from "bun:test";
import { parseExposition } from "../../test/support/metrics.ts";
import { counterText, gaugeText, histogramText } from "./exposition.ts";

test("counters and gauges are a head and a line a sample", () => {
  expect(
    counterText("made_total", "Made.", [{ labels: { class: "b", a: "1" }, value: 3 }, { value: 4 }]),
  ).toBe(`# HELP made_total Made.
# TYPE made_total counter
made_total{a="1",class="b"} 3
made_total 4
`);
  expect(gaugeText("held", "Held.", [])).toBe("# HELP held Held.\n# TYPE held gauge\n");
});

test("a label's value may hold any character", () => {
  const text = gaugeText("odd", "Odd.", [{ labels: { text: 'a "b" \\ c\nd' }, value: 0.5 }]);
  expect(text).toContain(String.raw`odd{text="a \"b\" \\ c\nd"} 0.5`);
  expect(parseExposition(text).samples).toHaveLength(1);
});

test("a histogram's buckets are made cumulative, the last one is open and equals the count", () => {
  const text = histogramText("took_seconds", "Took.", { bounds: [0.5, 2], counts: [3, 0, 4], sum: 41.5 });
  expect(text).toBe(`# HELP took_seconds Took.
# TYPE took_seconds histogram
took_seconds_bucket{le="0.5"} 3
took_seconds_bucket{le="2"} 3
took_seconds_bucket{le="+Inf"} 7
took_seconds_sum 41.5
took_seconds_count 7
`);
  expect(parseExposition(text).types.get("took_seconds")).toBe("histogram");
});
