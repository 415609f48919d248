import { expect, test } from "bun:test";
import { insertOrdered } from "./ordered-window.ts";

const windowOf = (...seqs: number[]) => seqs.map((seq) => ({ seq }));
const seqsOf = (items: readonly { readonly seq: number }[]) => items.map(({ seq }) => seq);

test("items stand in the order of their sequence, and the lowest gives way", () => {
  const items = windowOf(1, 3, 5);
  expect([insertOrdered(items, { seq: 4 }, 4), seqsOf(items)]).toEqual([2, [1, 3, 4, 5]]);
  expect([insertOrdered(items, { seq: 2 }, 4), seqsOf(items)]).toEqual([0, [2, 3, 4, 5]]);
  expect([insertOrdered(items, { seq: 1 }, 4), seqsOf(items)]).toEqual([-1, [2, 3, 4, 5]]);
  expect([insertOrdered(items, { seq: 6 }, 4), seqsOf(items)]).toEqual([3, [3, 4, 5, 6]]);
});

test("a window that was made smaller keeps no more than it may from the next item on", () => {
  const items = windowOf(1, 2, 3, 4, 5, 6);
  expect([insertOrdered(items, { seq: 7 }, 3), seqsOf(items)]).toEqual([2, [5, 6, 7]]);
  const older = windowOf(1, 2, 3, 4, 5, 6);
  expect([insertOrdered(older, { seq: 2 }, 3), seqsOf(older)]).toEqual([-1, [4, 5, 6]]);
});
