import { expect, setSystemTime, test } from "bun:test";
import { createBell, createHandover, HandoverConsumer, HandoverProducer, RowArena } from "./handover.ts";

const PARTS = [{ projectNo: 1, eventCount: 1 }];
const filled = (size: number, byte: number) => new Uint8Array(size).fill(byte);

test("rows taken stay as they are until the arena is cleared, whether they fit it or not", () => {
  const ring = createHandover({ capacityBytes: 1 << 20, bell: createBell() });
  const producer = new HandoverProducer(ring);
  const consumer = new HandoverConsumer(ring);
  const arena = new RowArena(1_000);
  for (let round = 0; round < 4; round++) {
    const sent = [300, 0, 500, 400, 1_200].map((size, n) => filled(size, round * 10 + n));
    for (const [n, rows] of sent.entries()) expect(producer.offer(n, PARTS, rows)).toBe(true);
    const taken = sent.map(() => consumer.take(arena)!);
    expect(taken.map(({ rows }) => rows)).toEqual(sent);
    arena.clear();
  }
  expect(consumer.take(arena)).toBeUndefined();
});

test("an arena is used again once it has grown to what a round needs", () => {
  const arena = new RowArena(1_000);
  expect(arena.allocate(100).buffer).not.toBe(arena.allocate(200).buffer);
  arena.clear();
  const first = arena.allocate(100);
  expect(arena.allocate(200).buffer).toBe(first.buffer);
  arena.clear();
  expect(arena.allocate(300).buffer).toBe(first.buffer);
});

test("a ring says how full it is, also where it goes round", () => {
  const ring = createHandover({ capacityBytes: 4_096, bell: createBell() });
  const producer = new HandoverProducer(ring);
  const consumer = new HandoverConsumer(ring);
  const arena = new RowArena(1 << 20);
  expect(consumer.fill).toBe(0);
  const fills: number[] = [];
  for (let n = 0; n < 12; n++) {
    producer.offer(n, PARTS, filled(1_000, n));
    fills.push(consumer.fill);
    if (n > 0) consumer.take(arena);
  }
  // One of 1,024 bytes after the first offer; from then on a second one each time, wherever the ring goes
  // round.
  expect(fills[0]).toBe(0.25);
  for (const fill of fills.slice(1)) {
    expect(fill).toBeGreaterThanOrEqual(0.5);
    expect(fill).toBeLessThan(1);
  }
  while (!consumer.isEmpty) consumer.take(arena);
  expect(consumer.fill).toBe(0);
});

test("the load of the producer's thread is what it said last, and none when that is a while ago", () => {
  const ring = createHandover({ capacityBytes: 4_096, bell: createBell() });
  const producer = new HandoverProducer(ring);
  const consumer = new HandoverConsumer(ring);
  try {
    setSystemTime(new Date("2026-11-23T12:00:00Z"));
    expect(consumer.load).toBe(0);
    producer.noteLoad(0.25);
    producer.noteLoad(0.75);
    expect(consumer.load).toBe(0.75);
    setSystemTime(new Date("2026-11-23T12:00:01Z"));
    expect(consumer.load).toBe(0);
  } finally {
    setSystemTime();
  }
});
