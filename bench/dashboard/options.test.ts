import { expect, test } from "bun:test";
import { DASHBOARD_USAGE, parseDashboardOptions } from "./options.ts";

function mistakes(...args: string[]): string[] {
  const parsed = parseDashboardOptions(args);
  return parsed.kind === "mistakes" ? parsed.mistakes : [];
}

test("the defaults are those that the usage names", () => {
  const parsed = parseDashboardOptions([]);
  if (parsed.kind !== "options") throw new Error("no options");
  const { options } = parsed;
  const named = Object.fromEntries(
    [...DASHBOARD_USAGE.matchAll(/^ {2}--([a-z-]+) .*\(([^ ;)]+)/gm)].map(([, name, value]) => [name, value]),
  );
  expect(named).toEqual({
    events: String(options.events),
    executions: String(options.executions),
    people: String(options.people),
    "think-ms": String(options.thinkMs),
    samples: String(options.samples),
    "limit-ms": String(options.limitMs),
    paints: String(options.paints),
    seconds: String(options.seconds),
    rounds: String(options.rounds),
    "click-ms": String(options.clickMs),
    detection: options.detection,
    "http-threads": String(options.httpThreads),
  });
  expect(options).toMatchObject({ browser: true, json: false, rate: undefined, dataDir: undefined });
});

test("every option sets what it names", () => {
  const values = {
    "--events": "50000",
    "--executions": "1000",
    "--people": "2",
    "--think-ms": "0",
    "--click-ms": "7",
    "--samples": "3",
    "--seconds": "4",
    "--rounds": "0",
    "--paints": "5",
    "--rate": "6",
    "--detection": "off",
    "--http-threads": "8",
    "--data-dir": "kept",
    "--limit-ms": "9",
    "--report": "report.md",
  };
  const parsed = parseDashboardOptions([...Object.entries(values).flat(), "--json", "--no-browser"]);
  expect(parsed).toEqual({
    kind: "options",
    options: {
      json: true,
      report: "report.md",
      events: 50_000,
      executions: 1_000,
      people: 2,
      thinkMs: 0,
      clickMs: 7,
      samples: 3,
      seconds: 4,
      rounds: 0,
      paints: 5,
      rate: 6,
      detection: "off",
      httpThreads: 8,
      dataDir: "kept",
      browser: false,
      limitMs: 9,
    },
  });
});

test("every mistake is named at once", () => {
  expect(mistakes("--events", "49999", "--people", "x", "--detection", "no", "--rate", "0")).toEqual([
    "--events must be a whole number from 50000 to 500000000",
    "--people must be a whole number from 1 to 100",
    "--rate must be a whole number from 1 to 10000000",
    "--detection must be one of on, off",
  ]);
});

test("unknown options and words are refused; help goes before mistakes", () => {
  expect(mistakes("--event", "50000")).toHaveLength(1);
  expect(mistakes("50000")).toHaveLength(1);
  expect(parseDashboardOptions(["--people", "x", "-h"])).toEqual({ kind: "help" });
});
