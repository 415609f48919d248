import { expect, test } from "bun:test";
import fc from "fast-check";
import { SeenIds } from "./seen-ids.ts";

const eventId = fc.string({ unit: "binary", minLength: 1, maxLength: 128 });

test("an id that was noted is known for ever, however much room is made", () => {
  fc.assert(
    fc.property(fc.array(eventId), fc.array(eventId), fc.nat({ max: 100 }), (some, others, more) => {
      const seen = new SeenIds();
      for (const id of some) seen.note(id);
      seen.expect(more);
      for (const id of others) seen.note(id);
      for (const id of [...some, ...others]) expect(seen.note(id)).toBe(true);
    }),
  );
});

test("room for what is expected is made once", () => {
  const seen = new SeenIds();
  seen.expect(1_000);
  const { byteLength } = seen;
  for (let n = 0; n < 1_000; n++) seen.note(`e${n}`);
  expect(seen.byteLength).toBe(byteLength);
  seen.expect(0);
  expect(seen.byteLength).toBe(byteLength);
});

test("100,000 ids: all of them known, hardly another", () => {
  const seen = new SeenIds();
  const ids = Array.from({ length: 100_000 }, (_, n) => `01J${n.toString(36).padStart(8, "0")}`);
  const known = () => ids.filter((id) => seen.note(id)).length;
  // 100,000² / 2 pairs of 2^32 hashes: one or two collide.
  expect(known()).toBeLessThan(20);
  expect(known()).toBe(100_000);
});

test("an id in bytes is the one in a string, wherever it stands", () => {
  fc.assert(
    fc.property(
      eventId.filter((id) => id.isWellFormed()),
      fc.nat({ max: 7 }),
      (id, offset) => {
        const seen = new SeenIds();
        const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(id), Buffer.alloc(3)]);
        expect(seen.noteBytes(bytes, offset, offset + Buffer.byteLength(id))).toBe(false);
        expect(seen.note(id)).toBe(true);
      },
    ),
  );
});

test("4 to 11 bytes an id, from sixteen on", () => {
  for (const count of [16, 100, 1_000, 10_000]) {
    const seen = new SeenIds();
    for (let n = 0; n < count; n++) seen.note(`event-${n}`);
    expect(seen.byteLength / count).toBeGreaterThanOrEqual(4);
    expect(seen.byteLength / count).toBeLessThan(11);
  }
});
