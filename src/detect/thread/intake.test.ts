import { expect, test } from "bun:test";
import fc from "fast-check";
import { createBell, createHandover, HandoverConsumer, HandoverProducer } from "../rows/handover.ts";
import { Intake } from "./intake.ts";

const ROWS = new Uint8Array(8);
const END = new Uint8Array(0);

function rings(count: number) {
  const bell = createBell();
  const memory = Array.from({ length: count }, () => createHandover({ capacityBytes: 1 << 20, bell }));
  const producers = memory.map((buffers) => new HandoverProducer(buffers));
  return { producers, intake: new Intake(memory.map((buffers) => new HandoverConsumer(buffers))) };
}

test("all events are taken once, each ring in its order, and ends are told of", () => {
  const offers = fc.array(
    fc.record({
      ring: fc.nat(2),
      isEnd: fc.boolean(),
      takes: fc.boolean(),
      times: fc.constantFrom(1, 1, 1, 200),
    }),
    { maxLength: 40 },
  );
  fc.assert(
    fc.property(offers, (given) => {
      const { producers, intake } = rings(3);
      const ringOf: number[] = [];
      const events: number[] = [];
      const taken: number[] = [];
      let ends = 0;
      let endsTold = 0;
      const take = () => {
        const { arrivals, hasEnds } = intake.take();
        taken.push(...arrivals.map(({ batchNo }) => batchNo));
        if (hasEnds) endsTold++;
      };
      for (const { ring, isEnd, takes, times } of given) {
        for (let n = 0; n < times; n++) {
          if (isEnd) ends++;
          else events.push(ringOf.length);
          producers[ring]!.offer(ringOf.length, [1], isEnd ? END : ROWS);
          ringOf.push(ring);
        }
        if (takes) take();
      }
      while (!intake.isEmpty) take();
      expect(taken.toSorted((a, b) => a - b)).toEqual(events);
      for (const ring of [0, 1, 2]) {
        const ofRing = taken.filter((no) => ringOf[no] === ring);
        expect(ofRing).toEqual(ofRing.toSorted((a, b) => a - b));
      }
      expect(endsTold > 0).toBe(ends > 0);
    }),
  );
});
