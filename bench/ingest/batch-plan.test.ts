import { describe, expect, test } from "bun:test";
import {
  batchPlace,
  blockBatches,
  EXECUTION_NUMBER_LENGTH,
  eventId,
  executionId,
  executionRange,
  ID_FORMS,
  type IdKind,
  idTail,
  runPart,
  timestampText,
} from "./batch-plan.ts";
import { SeededRandom } from "./random.ts";

const plan = { eventsPerBatch: 100, batchesPerExecution: 10, executionsActive: 64 };

test("active executions take turns, then the next ones start", () => {
  expect(blockBatches(plan)).toBe(640);
  expect(batchPlace(plan, 0)).toEqual({ executionNo: 0, firstSequence: 1 });
  expect(batchPlace(plan, 63)).toEqual({ executionNo: 63, firstSequence: 1 });
  expect(batchPlace(plan, 64)).toEqual({ executionNo: 0, firstSequence: 101 });
  expect(batchPlace(plan, 639)).toEqual({ executionNo: 63, firstSequence: 901 });
  expect(batchPlace(plan, 640)).toEqual({ executionNo: 64, firstSequence: 1 });
});

test.each([1, 63, 64, 65, 640, 641, 10_000])(
  "the range of %d batches names exactly their executions",
  (batches) => {
    const from = 1280;
    const named = new Set<number>();
    for (let batchNo = from; batchNo < from + batches; batchNo++)
      named.add(batchPlace(plan, batchNo).executionNo);
    const { first, count } = executionRange(plan, from, from + batches);
    expect([...named].sort((a, b) => a - b)).toEqual(
      Array.from({ length: count }, (_, index) => first + index),
    );
  },
);

describe("ids", () => {
  test.each<IdKind>(["ulid", "uuid"])("%s: an event's number never meets another's", (kind) => {
    const ids = new Set<string>();
    for (let serial = 0; serial < 100_000; serial++)
      ids.add(eventId(kind, 1e12, serial * 10_007, "0000000000"));
    expect(ids.size).toBe(100_000);
  });

  test("ulids sort by time", () => {
    const times = [0, 1, 2 ** 29, 2 ** 30 - 1, 2 ** 30, 1_763_000_000_000, 1_763_000_000_001];
    const ids = times.map((timeMs) => eventId("ulid", timeMs, 1, "ZZZZZZZZZZ"));
    expect([...ids].sort()).toEqual(ids);
    expect(new Set(ids.map((id) => id.slice(0, 10))).size).toBe(times.length);
  });

  test("uuids are of version 4", () => {
    const random = new SeededRandom(3);
    const pattern = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/;
    for (let serial = 0; serial < 100; serial++) {
      expect(eventId("uuid", 1e12, serial, idTail("uuid", random))).toMatch(pattern);
      expect(executionId("uuid", runPart("uuid", 1e12, random), serial)).toMatch(pattern);
    }
  });

  test.each<IdKind>(["ulid", "uuid"])(
    "%s: lengths never change, nor does the place of an execution's number",
    (kind) => {
      const random = new SeededRandom(3);
      const form = ID_FORMS[kind];
      const run = runPart(kind, 1_763_000_000_000, random);
      const outside = (id: string) =>
        id.slice(0, form.executionNumberAt) + id.slice(form.executionNumberAt + EXECUTION_NUMBER_LENGTH);
      for (const executionNo of [0, 1, 64_000, 999_999_999]) {
        const id = executionId(kind, run, executionNo);
        expect(id).toHaveLength(form.executionIdLength);
        expect(outside(id)).toBe(run);
        expect(eventId(kind, executionNo, executionNo, idTail(kind, random))).toHaveLength(
          form.eventIdLength,
        );
      }
      expect(timestampText(0, 0)).toHaveLength(timestampText(1_763_000_000_123, 999).length);
    },
  );
});

test("timestamps hold microseconds", () => {
  expect(timestampText(1_763_000_000_123, 45)).toBe("2025-11-13T02:13:20.123045Z");
});
