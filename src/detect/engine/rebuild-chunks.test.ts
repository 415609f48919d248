import { expect, test } from "bun:test";
import { RebuildChunks } from "./rebuild-chunks.ts";

const MIB = 1 << 20;

test("small runs are read fifty at a time, after a careful start", () => {
  const chunks = new RebuildChunks();
  expect(chunks.size).toBe(16);
  for (let read = 0; read < 20; read++) chunks.noteRead([5_000, 20_000]);
  expect(chunks.size).toBe(50);
});

test("large runs are read one by one, and what comes behind them is not trusted at once", () => {
  const chunks = new RebuildChunks();
  chunks.noteRead([100, 16 * MIB, 100]);
  expect(chunks.size).toBe(1);
  chunks.noteRead([100]);
  expect(chunks.size).toBe(1);
  let reads = 0;
  for (; chunks.size < 50; reads++) chunks.noteRead([100]);
  expect(reads).toBeGreaterThan(20);
});

test("a run that is larger than may be read at once is read alone", () => {
  const chunks = new RebuildChunks();
  chunks.noteRead([64 * MIB]);
  expect(chunks.size).toBe(1);
});
