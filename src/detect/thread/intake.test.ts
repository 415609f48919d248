import { expect, test } from "bun:test";
import fc from "fast-check";
import { eventTypeCode } from "../../ingest/wire/event-types.ts";
import { PackBuffer } from "../../store/telemetry/pack-buffer.ts";
import { createBell, createHandover, HandoverConsumer, HandoverProducer } from "../rows/handover.ts";
import { PackCursor } from "../rows/pack-reader.ts";
import type { Arrival } from "./claimed-work.ts";
import { Intake } from "./intake.ts";
import { ProjectCosts } from "./quiet-projects.ts";

/** Days since 1970. */
const DAY_OF_2000 = 10_957;
const END = new Uint8Array(0);

function rings(count: number, costs = new ProjectCosts()) {
  const bell = createBell();
  const memory = Array.from({ length: count }, () => createHandover({ capacityBytes: 1 << 20, bell }));
  const producers = memory.map((buffers) => new HandoverProducer(buffers));
  const consumers = memory.map((buffers) => new HandoverConsumer(buffers));
  return { producers, costs, intake: new Intake(consumers, costs) };
}

/** A flush with one pack of one event of each of these projects, the packs in that order. */
function rowsOf(projectNos: readonly number[], batchNo: number): Uint8Array {
  const packs = new PackBuffer(1 << 12);
  for (const [n, projectNo] of projectNos.entries()) {
    const place = {
      projectNo,
      executionNo: projectNo * 100 + n,
      homeDay: DAY_OF_2000,
      seconds: 1,
      micros: 0,
    };
    const event = { eventId: "e", typeCode: eventTypeCode("tool_call")!, sequence: 1, payload: "{}" };
    packs.append({ ...place, ...event }, 1_700_000_000_000, batchNo);
  }
  packs.closePack();
  return packs.finish();
}

const partsOf = (projectNos: readonly number[], eventCount = 1) =>
  [...new Set(projectNos)].map((projectNo) => ({ projectNo, eventCount }));

/** What the rows of an arrival hold for the projects that it names: "batch project". */
function heldBy({ batchNo, projectNos, rows }: Arrival): string[] {
  const held: string[] = [];
  const cursor = new PackCursor(rows!, { unreadablePayloads: 0 });
  while (cursor.nextPack()) {
    expect(cursor.batchNo).toBe(batchNo);
    if (projectNos.includes(cursor.projectNo)) held.push(`${batchNo} ${cursor.projectNo}`);
  }
  return held;
}

test("all events are taken once, of each project in each ring in their order, and ends are told of", () => {
  const offers = fc.array(
    fc.record({
      ring: fc.nat(2),
      projectNos: fc.uniqueArray(fc.integer({ min: 1, max: 4 }), { maxLength: 3 }),
      takes: fc.constantFrom("none", "none", "ahead", "all"),
      times: fc.constantFrom(1, 1, 1, 200),
    }),
    { maxLength: 40 },
  );
  fc.assert(
    fc.property(offers, (given) => {
      const { producers, intake, costs } = rings(3);
      // So slow that any hundred of its events are more than one transaction's work.
      for (const projectNo of [1, 2]) costs.note(projectNo, 10_000, 50_000);
      const ringOf: number[] = [];
      const events: string[] = [];
      const taken: string[] = [];
      let ends = 0;
      let endsTold = 0;
      const take = () => {
        const { arrivals, hasEnds } = intake.take();
        taken.push(...arrivals.flatMap(heldBy));
        if (hasEnds) endsTold++;
      };
      for (const { ring, projectNos, takes, times } of given) {
        const isEnd = projectNos.length === 0;
        for (let n = 0; n < times; n++) {
          const batchNo = ringOf.length;
          if (isEnd) ends++;
          events.push(...projectNos.map((projectNo) => `${batchNo} ${projectNo}`));
          const rows = isEnd ? END : rowsOf(projectNos, batchNo);
          expect(producers[ring]!.offer(batchNo, partsOf(isEnd ? [1] : projectNos), rows)).toBe(true);
          ringOf.push(ring);
        }
        if (takes === "ahead") taken.push(...intake.takeAhead().flatMap(heldBy));
        if (takes === "all") take();
      }
      while (!intake.isEmpty) take();
      expect(taken.toSorted()).toEqual(events.toSorted());
      for (const ring of [0, 1, 2]) {
        for (const project of ["1", "2", "3", "4"]) {
          const batches = taken
            .filter((one) => one.endsWith(` ${project}`))
            .map((one) => Number.parseInt(one, 10))
            .filter((batchNo) => ringOf[batchNo] === ring);
          expect(batches).toEqual(batches.toSorted((a, b) => a - b));
        }
      }
      expect(endsTold > 0).toBe(ends > 0);
    }),
  );
});

test("what a quiet project has behind a loud one's events goes ahead, its own packs alone", () => {
  const { producers, intake } = rings(1);
  const [producer] = producers;
  for (let batchNo = 1; batchNo <= 20; batchNo++)
    producer!.offer(batchNo, partsOf([1], 2_000), rowsOf([1], batchNo));
  producer!.offer(
    21,
    [
      { projectNo: 1, eventCount: 2_000 },
      { projectNo: 2, eventCount: 2 },
    ],
    rowsOf([2, 1, 1, 2], 21),
  );
  const ahead = intake.takeAhead();
  expect(ahead.map(({ batchNo, projectNos }) => [batchNo, projectNos])).toEqual([[21, [2]]]);
  const cursor = new PackCursor(ahead[0]!.rows!, { unreadablePayloads: 0 });
  const projects: number[] = [];
  while (cursor.nextPack()) projects.push(cursor.projectNo);
  expect(projects).toEqual([2, 2]);
  expect(intake.takeAhead()).toEqual([]);

  const waiting = intake.waiting();
  expect([waiting.has(21, 1), waiting.has(21, 2), waiting.has(20, 1), waiting.has(22, 1)]).toEqual([
    true,
    false,
    true,
    false,
  ]);
  const rest: Arrival[] = [];
  while (!intake.isEmpty) rest.push(...intake.take().arrivals);
  expect(rest.map(({ projectNos }) => projectNos)).toEqual(Array(21).fill([1]));
});

test("nothing goes ahead where one transaction takes all", () => {
  const { producers, intake } = rings(1);
  producers[0]!.offer(1, partsOf([1], 5_000), rowsOf([1], 1));
  producers[0]!.offer(2, partsOf([2]), rowsOf([2], 2));
  expect(intake.takeAhead()).toEqual([]);
  expect(intake.take().arrivals.map(({ batchNo }) => batchNo)).toEqual([1, 2]);
});

test("of events that are slow to judge a transaction takes few", () => {
  const { producers, intake, costs } = rings(1);
  costs.note(1, 1_000, 7_000);
  for (let batchNo = 1; batchNo <= 10; batchNo++)
    producers[0]!.offer(batchNo, partsOf([1], 20), rowsOf([1], batchNo));
  expect(intake.take().arrivals.length).toBe(2);
  costs.note(1, 100_000, 1_000);
  expect(intake.take().arrivals.length).toBe(8);
});
