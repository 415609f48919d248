import { expect, test } from "bun:test";
import fc from "fast-check";
import { FIELD, FIELDS_PER_EVENT } from "./batch-scan.ts";
import { KeyOrder } from "./key-order.ts";

/** The ids one behind the other, and where a scan would say that they stand. */
function laidOut(ids: readonly string[]): { bytes: Buffer; fields: Int32Array } {
  const fields = new Int32Array(ids.length * FIELDS_PER_EVENT);
  let at = 0;
  ids.forEach((id, index) => {
    fields[index * FIELDS_PER_EVENT + FIELD.eventId] = at;
    at += id.length;
    fields[index * FIELDS_PER_EVENT + FIELD.eventIdEnd] = at;
  });
  return { bytes: Buffer.from(ids.join(""), "latin1"), fields };
}

function order(ids: readonly string[], from = 0, to = ids.length): number[] {
  const keyOrder = new KeyOrder(ids.length);
  const { bytes, fields } = laidOut(ids);
  keyOrder.sort(bytes, fields, from, to);
  return [...keyOrder.indexes.subarray(from, to)];
}

const printable = fc.string({ unit: fc.integer({ min: 32, max: 126 }).map((c) => String.fromCharCode(c)) });

test("every event is written once", () => {
  fc.assert(
    fc.property(fc.array(printable, { minLength: 1, maxLength: 60 }), (ids) => {
      expect(order(ids).toSorted((a, b) => a - b)).toEqual(ids.map((_, index) => index));
    }),
  );
});

test("ids that differ within four bytes of what they share come in order", () => {
  const distinct = fc.uniqueArray(fc.integer({ min: 0, max: 0xffff }), { minLength: 1, maxLength: 200 });
  fc.assert(
    fc.property(printable, distinct, printable, (head, numbers, tail) => {
      const ids = numbers.map((number) => `${head}${number.toString(16).padStart(4, "0")}${tail}`);
      expect(order(ids).map((index) => ids[index])).toEqual(ids.toSorted());
    }),
  );
});

test("an id that is the start of another comes first, alike ids as they were sent", () => {
  expect(order(["evt-10", "evt-1", "evt-1", "evt"])).toEqual([3, 1, 2, 0]);
});

test("a run is ordered by itself", () => {
  expect(order(["z", "d", "c", "b", "a"], 1, 4)).toEqual([3, 2, 1]);
});
