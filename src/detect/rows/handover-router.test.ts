import { expect, test } from "bun:test";
import { eventTypeCode } from "../../ingest/wire/event-types.ts";
import { PackBuffer } from "../../store/telemetry/pack-buffer.ts";
import { createBell, createHandover, type HandedBatch, HandoverConsumer, RowArena } from "./handover.ts";
import { HandoverRouter } from "./handover-router.ts";

const CHECKPOINT = eventTypeCode("checkpoint")!;
const RECEIVED_MS = Date.UTC(2026, 10, 20);

function flushOf(projectNos: readonly number[]): Uint8Array {
  const packs = new PackBuffer(1 << 12);
  for (const [index, projectNo] of projectNos.entries()) {
    packs.append(
      {
        projectNo,
        executionNo: 100 + index,
        homeDay: 20_216,
        typeCode: CHECKPOINT,
        sequence: 1,
        seconds: 8e8,
        micros: 0,
        eventId: `of-${projectNo}`,
        payload: "{}",
      },
      RECEIVED_MS,
      7,
    );
    packs.closePack();
  }
  return Buffer.from(packs.finish());
}

const partsOf = (projectNos: readonly number[]) =>
  projectNos.map((projectNo) => ({ projectNo, eventCount: 1 }));

function routed(threads: number, capacityBytes = 1 << 20) {
  const rings = Array.from({ length: threads }, () => createHandover({ capacityBytes, bell: createBell() }));
  const consumers = rings.map((ring) => new HandoverConsumer(ring));
  const arena = new RowArena(1 << 20);
  return {
    router: new HandoverRouter(rings),
    consumers,
    /** What each thread is handed, in order. */
    handed: () =>
      consumers.map((consumer) => {
        const batches: HandedBatch[] = [];
        for (let next = consumer.take(arena); next !== undefined; next = consumer.take(arena))
          batches.push(next);
        return batches;
      }),
  };
}

const idsIn = (rows: Uint8Array) =>
  Buffer.from(rows)
    .toString("latin1")
    .match(/of-\d+/g) ?? [];

test("a flush of many projects is divided: to each thread its projects, in their order", () => {
  const { router, handed } = routed(3);
  const projectNos = [1, 2, 3, 4, 5, 6, 17];
  expect(router.offer(7, partsOf(projectNos), flushOf(projectNos))).toBe(true);
  expect(
    handed().map((batches) =>
      batches.map(({ batchNo, parts, rows }) => ({ batchNo, parts, ids: idsIn(rows) })),
    ),
  ).toEqual([
    [{ batchNo: 7, parts: partsOf([3, 6]), ids: ["of-3", "of-6"] }],
    // 17 is in the slot of 1.
    [{ batchNo: 7, parts: partsOf([1, 4, 17]), ids: ["of-1", "of-4", "of-17"] }],
    [{ batchNo: 7, parts: partsOf([2, 5]), ids: ["of-2", "of-5"] }],
  ]);
});

test("a flush of one thread's projects goes to it as it is, and ends go without rows", () => {
  const { router, handed } = routed(2);
  const rows = flushOf([2, 4]);
  router.offer(7, partsOf([2, 4]), rows);
  router.offer(
    8,
    [
      { projectNo: 1, eventCount: 0 },
      { projectNo: 2, eventCount: 0 },
    ],
    new Uint8Array(),
  );
  const [first, second] = handed();
  expect(first!.map(({ batchNo, rows }) => [batchNo, rows.length])).toEqual([
    [7, rows.length],
    [8, 0],
  ]);
  expect(second!.map(({ batchNo, parts }) => [batchNo, parts])).toEqual([
    [8, [{ projectNo: 1, eventCount: 0 }]],
  ]);
});

test("one full ring drops its own part only, and says so", () => {
  const { router, consumers, handed } = routed(2, 4_096);
  const large = new Array(30).fill(1);
  while (router.offer(1, partsOf([1]), flushOf(large)));
  expect(router.offer(2, partsOf([1, 2]), flushOf([...large, 2]))).toBe(false);
  expect(handed()[0]!.map(({ batchNo, rows }) => [batchNo, idsIn(rows)])).toEqual([[2, ["of-2"]]]);
  expect(consumers.every(({ isEmpty }) => isEmpty)).toBe(true);
});

test("every thread hears of events that could not be stored, and of the load", () => {
  const { router, consumers } = routed(2);
  router.noteUnstored();
  router.noteLoad(0.5);
  expect(consumers.map(({ load }) => load)).toEqual([0.5, 0.5]);
  expect(consumers.every(({ unstoredMs }) => unstoredMs > 0)).toBe(true);
});
