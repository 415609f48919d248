import { expect, test } from "bun:test";
import fc from "fast-check";
import { parseExposition, total } from "../../test/support/metrics.ts";
import { type MetricDeclaration, MetricRegistry } from "./registry.ts";

const CATALOGUE: readonly MetricDeclaration[] = [
  {
    name: "jobs_total",
    kind: "counter",
    help: "Jobs.",
    series: [
      { kind: "a", outcome: "ok" },
      { kind: "a", outcome: "failed" },
    ],
  },
  { name: "open_files", kind: "gauge", help: "Files." },
  {
    name: "wait_seconds",
    kind: "histogram",
    help: "Waits.",
    buckets: [0.1, 1, 10],
    series: [{ road: "short" }, { road: "long" }],
  },
];

/** One registry a thread, on one buffer. */
function registriesOf(threads: number): MetricRegistry[] {
  const first = new MetricRegistry(CATALOGUE, { threads, thread: 0 });
  const { buffer } = first;
  return [
    first,
    ...Array.from(
      { length: threads - 1 },
      (_, n) => new MetricRegistry(CATALOGUE, { threads, thread: n + 1, buffer }),
    ),
  ];
}

test("what the threads count adds up, read on any of them, each series by itself", () => {
  const act = fc.record({
    thread: fc.nat({ max: 3 }),
    outcome: fc.constantFrom("ok", "failed"),
    amount: fc.nat({ max: 1_000 }),
  });
  fc.assert(
    fc.property(fc.array(act), (acts) => {
      const registries = registriesOf(4);
      const sums: Record<string, number> = { ok: 0, failed: 0 };
      for (const { thread, outcome, amount } of acts) {
        const registry = registries[thread]!;
        registry.add(registry.slot("jobs_total", { kind: "a", outcome }), amount);
        sums[outcome]! += amount;
      }
      for (const registry of registries) {
        const exposition = parseExposition(registry.expose());
        for (const [outcome, sum] of Object.entries(sums)) {
          expect(registry.total("jobs_total", { outcome, kind: "a" })).toBe(sum);
          expect(total(exposition, "jobs_total", { outcome })).toBe(sum);
        }
        expect(total(exposition, "open_files")).toBe(0);
      }
    }),
  );
});

test("a gauge is each thread's latest value, added up", () => {
  const [one, two] = registriesOf(2);
  const slot = one!.slot("open_files");
  one!.set(slot, 7);
  two!.set(slot, 5);
  one!.set(slot, 2);
  expect(one!.total("open_files")).toBe(7);
  expect(two!.total("open_files")).toBe(7);
});

test("a histogram's buckets are cumulative over all threads and end in the count", () => {
  const value = fc.double({ min: 0, max: 100, noNaN: true });
  fc.assert(
    fc.property(fc.array(value), fc.array(value), (first, second) => {
      const [one, two] = registriesOf(2);
      const observe = [one!, two!].map((registry) => registry.histogram("wait_seconds", { road: "short" }));
      for (const each of first) observe[0]!(each);
      for (const each of second) observe[1]!(each);
      const all = [...first, ...second];
      const exposition = parseExposition(two!.expose());
      const bucketOf = (le: string) => total(exposition, "wait_seconds_bucket", { road: "short", le });
      for (const bound of [0.1, 1, 10]) {
        expect(bucketOf(String(bound))).toBe(all.filter((each) => each <= bound).length);
      }
      expect(bucketOf("+Inf")).toBe(all.length);
      expect(total(exposition, "wait_seconds_count", { road: "short" })).toBe(all.length);
      expect(total(exposition, "wait_seconds_sum", { road: "short" })).toBeCloseTo(
        all.reduce((sum, each) => sum + each, 0),
        6,
      );
      expect(total(exposition, "wait_seconds_count", { road: "long" })).toBe(0);
    }),
  );
});

test("the catalogue is written down in order, with kinds and zeros, before anything happens", () => {
  const registry = new MetricRegistry(CATALOGUE.slice(0, 2), { threads: 1, thread: 0 });
  expect(registry.expose()).toBe(`# HELP jobs_total Jobs.
# TYPE jobs_total counter
jobs_total{kind="a",outcome="ok"} 0
jobs_total{kind="a",outcome="failed"} 0
# HELP open_files Files.
# TYPE open_files gauge
open_files 0
`);
});

test("a label's value may hold any character, in a histogram, too", () => {
  const odd = 'a "b" \\ c\nd, e="f"} 1';
  const registry = new MetricRegistry(
    [
      { name: "odd_total", kind: "counter", help: "Odd.", series: [{ text: odd }, { text: "plain" }] },
      { name: "odd_seconds", kind: "histogram", help: "Odd.", buckets: [1], series: [{ text: odd }] },
    ],
    { threads: 1, thread: 0 },
  );
  registry.add(registry.slot("odd_total", { text: odd }), 3);
  registry.histogram("odd_seconds", { text: odd })(0.5);
  const text = registry.expose();
  expect(text).toContain(String.raw`odd_total{text="a \"b\" \\ c\nd, e=\"f\"} 1"} 3`);
  const exposition = parseExposition(text);
  expect(exposition.samples).toHaveLength(6);
  expect(exposition.samples.find((sample) => sample.labels.le === "1")?.value).toBe(1);
});

test("what was not declared has no slot, and nothing is declared twice", () => {
  const [registry] = registriesOf(1);
  const unknown: [string, Record<string, string>?][] = [
    ["nobody_total"],
    ["jobs_total"],
    ["jobs_total", { kind: "a" }],
    ["jobs_total", { kind: "a", outcome: "odd" }],
    ["jobs_total", { kind: "a", outcome: "ok", more: "x" }],
    ["open_files", { kind: "a" }],
  ];
  for (const [name, labels] of unknown) {
    expect(() => registry!.slot(name, labels)).toThrow("is not declared");
    expect(() => registry!.total(name, labels)).toThrow("is not declared");
    expect(() => registry!.histogram(name, labels)).toThrow("is not declared");
  }
  const gauge = CATALOGUE[1]!;
  const twice = {
    ...CATALOGUE[0]!,
    series: [
      { a: "1", b: "2" },
      { b: "2", a: "1" },
    ],
  };
  for (const declared of [[gauge, gauge], [twice]]) {
    expect(() => new MetricRegistry(declared, { threads: 1, thread: 0 })).toThrow("is declared twice");
  }
});
