import { expect, test } from "bun:test";
import { StreamParser } from "./stream-parser.ts";

const text =
  'event: hello\ndata: {"resumed":false}\n\n: still here\n\nevent: events\nid: abc.3\ndata: [{"a":"x\\ny"}]\n\nevent: rate\ndata: {}\n\n';
const messages = [
  { name: "hello", id: null, data: { resumed: false } },
  { name: "events", id: "abc.3", data: [{ a: "x\ny" }] },
  { name: "rate", id: null, data: {} },
];

test("messages are the same however the text is cut", () => {
  for (const size of [1, 2, 7, 50, text.length]) {
    const parser = new StreamParser();
    const read = [];
    for (let at = 0; at < text.length; at += size) read.push(...parser.push(text.slice(at, at + size)));
    expect(read).toEqual(messages);
  }
});

test("a message that is not finished is not told", () => {
  expect([...new StreamParser().push("event: rate\ndata: {}\n")]).toEqual([]);
});
