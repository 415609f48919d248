import { expect, test } from "bun:test";
import { parseDetectionOptions } from "./options.ts";

test("defaults", () => {
  expect(parseDetectionOptions([])).toMatchObject({
    kind: "options",
    options: {
      batches: 8_000,
      eventsPerBatch: 100,
      concurrency: 64,
      rounds: 5,
      rate: undefined,
      json: false,
    },
  });
});

test("every mistake is named at once", () => {
  expect(parseDetectionOptions(["--rounds", "0", "--rate", "fast", "--ids", "serial"])).toEqual({
    kind: "mistakes",
    mistakes: [
      "--rounds must be a whole number from 1 to 20",
      "--ids must be one of ulid, uuid",
      "--rate must be a whole number from 1 to 10000000",
    ],
  });
});

test("no more events than the plan of batches can number, the rounds together", () => {
  const parsed = parseDetectionOptions(["--batches", "500000", "--events", "1000", "--rounds", "2"]);
  expect(parsed).toMatchObject({
    kind: "mistakes",
    mistakes: [expect.stringContaining("could need 1500000000")],
  });
});
