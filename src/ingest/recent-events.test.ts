import { expect, test } from "bun:test";
import fc from "fast-check";
import { RecentEvents } from "./recent-events.ts";

const key = fc.record({
  executionNo: fc.maxSafeInteger(),
  sequence: fc.nat({ max: 2 ** 31 - 1 }),
  eventId: fc.string({ unit: "binary", minLength: 1, maxLength: 128 }),
});

test("an event seen before is known when it comes straight back, whatever came before", () => {
  fc.assert(
    fc.property(fc.array(key), key, (earlier, event) => {
      const recent = new RecentEvents(64);
      for (const each of earlier) recent.seen(each.executionNo, each.sequence, each.eventId);
      recent.seen(event.executionNo, event.sequence, event.eventId);
      expect(recent.seen(event.executionNo, event.sequence, event.eventId)).toBe(true);
    }),
  );
});

test("a batch resent is known whole, a new one not at all", () => {
  const recent = new RecentEvents(1 << 16);
  const batch = (run: number) => Array.from({ length: 1_000 }, (_, n) => [run, n, `e-${run}-${n}`] as const);
  const known = (run: number) => batch(run).filter((event) => recent.seen(...event)).length;
  expect(known(1)).toBe(0);
  expect(known(1)).toBe(1_000);
  expect(known(2)).toBe(0);
  expect(known(1)).toBe(1_000);
});

test("bounded: the oldest of a bucket goes first, eight ways are kept", () => {
  const recent = new RecentEvents(1);
  for (let n = 0; n < 8; n++) expect(recent.seen(1, 1, `id-${n}`)).toBe(false);
  expect(recent.seen(1, 1, "id-0")).toBe(true);
  expect(recent.seen(1, 1, "id-8")).toBe(false);
  expect(recent.seen(1, 1, "id-7")).toBe(true);
  expect(recent.seen(1, 1, "id-1")).toBe(true);
  expect(recent.seen(1, 1, "id-0")).toBe(false);
});
