import { expect, test } from "bun:test";
import { markdownReport, textReport } from "./report.ts";
import { clickRound, figures, resultsWith } from "./results-sample.ts";

const painted = {
  page: "overview 24h",
  cold: { firstPaintMs: 412, dataMs: 1_530 },
  warm: { firstPaintMs: 96, dataMs: 9.96 },
};

test("numbers stand in the column of what they are", () => {
  const report = markdownReport(
    resultsWith({
      routes: [{ name: "groups open", count: 1_040, p50Ms: 4.26, p95Ms: 18.4, maxMs: 2_031.4 }],
      paints: [painted],
      rounds: [clickRound(0.987)],
      ratio: 0.987,
    }),
  );
  const tables = Object.fromEntries(
    report
      .split("\n## ")
      .slice(1)
      .map((part) => {
        const [title, , head, , ...rows] = part.split("\n");
        return [title, [head, ...rows.filter((row) => row.startsWith("|"))]];
      }),
  );
  expect(tables).toEqual({
    "Requests, milliseconds": [
      "| route | times | p50 | p95 | max |",
      "| groups open | 1,040 | 4.3 | 18 | 2,031 |",
    ],
    "Pages until their last answer, milliseconds": [
      "| page | times | p50 | p95 | max |",
      "| groups | 40 | 15 | 30 | 60 |",
    ],
    "Chromium, milliseconds since the navigation (medians)": [
      "| page | first paint, cold | data, cold | first paint, warm | data, warm |",
      "| overview 24h | 412 | 1,530 | 96 | 10.0 |",
    ],
    "Ingest as fast as it goes, without and with people": [
      "| round | events/s | events/s with people | ratio | p99 ms | p99 ms with people | pages opened |",
      "| 1 | 1,000 | 987 | 0.987 | 2.0 | 2.0 | 1,234 |",
    ],
  });
  expect(report).toContain("\n- Ingest rate with people over the rate without, median: 0.987\n");
});

test("what was not done is said or left out, and not shown as nothing", () => {
  const report = textReport(resultsWith());
  expect(report).toContain("detections, used again, 10 people");
  expect(report).toContain("No page was painted: there is no Chromium, or none was wanted");
  expect(report).not.toMatch(/Chromium, milliseconds|Ingest as fast|median|at its peak/);
  const filled = textReport(resultsWith({ fillSeconds: 61.4, paints: [painted] }));
  expect(filled).toContain("filled in 61 s");
  expect(filled).not.toContain("No page was painted");
});

test("checks that do not hold are named with what they found, in both forms", () => {
  const results = resultsWith({
    pages: [figures("groups", 400)],
    serviceWarnings: ["slow flush", "another"],
    checks: [
      { name: "one", ok: true, found: "all" },
      { name: "two", ok: false, found: "groups 400 ms" },
    ],
  });
  for (const report of [textReport(results), markdownReport(results)]) {
    expect(report).toContain("Checks: 1 of 2 hold\n");
    expect(report).toContain("FAILED two: groups 400 ms\n");
    expect(report).toContain("Warnings logged by the service: 2, the first slow flush\n");
    expect(report).not.toContain("FAILED one");
  }
});

test("the columns of the terminal's tables line up", () => {
  const report = textReport(resultsWith({ routes: [figures("a", 5_000), figures("a longer name", 5)] }));
  const at = report.indexOf("Requests, milliseconds");
  const lines = report.slice(at).split("\n").slice(1, 4);
  expect(lines.map((line) => line.length)).toEqual([lines[0]!.length, lines[0]!.length, lines[0]!.length]);
  expect(lines[2]).toMatch(/^a longer name +40 +2\.5 +5\.0 +10$/);
});
