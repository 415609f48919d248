import { expect, test } from "bun:test";
import { parseIngestOptions } from "./options.ts";

function mistakes(...args: string[]): string[] {
  const parsed = parseIngestOptions(args);
  return parsed.kind === "mistakes" ? parsed.mistakes : [];
}

test("defaults", () => {
  const parsed = parseIngestOptions([]);
  expect(parsed).toMatchObject({
    kind: "options",
    options: {
      batches: 10_000,
      eventsPerBatch: 100,
      concurrency: 64,
      rounds: 3,
      ceiling: true,
      rate: undefined,
    },
  });
});

test("against a running service there is no ceiling; a schedule leaves the tenth out", () => {
  const parsed = parseIngestOptions(["--url", "http://127.0.0.1:8080", "--key", "k", "--rate", "5000"]);
  expect(parsed).toMatchObject({ kind: "options", options: { ceiling: false, rate: 5000, tenthSeconds: 0 } });
});

test("every mistake is named at once", () => {
  expect(
    mistakes("--batches", "0", "--rounds", "x", "--encoding", "zip", "--bad", "5", "--url", "ftp://x"),
  ).toEqual([
    "--batches must be a whole number from 1 to 1000000",
    "--rounds must be a whole number from 1 to 20",
    "--encoding must be one of identity, gzip",
    "--url must be an http(s) URL",
    "--url and --key go together",
    "--bad needs --lenient",
  ]);
});

test("unknown options, too many events, too many packed bodies", () => {
  expect(mistakes("--batchs", "1")).toHaveLength(1);
  expect(mistakes("--batches", "1000000", "--events", "1000")[0]).toContain("at most 1073741823 events");
  expect(mistakes("--batches", "20000", "--encoding", "gzip")).toHaveLength(1);
});
