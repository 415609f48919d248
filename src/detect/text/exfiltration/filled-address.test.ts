import { expect, test } from "bun:test";
import { threadMs } from "../../../../test/support/thread-time.ts";
import { createHeard } from "../provenance/heard-texts.ts";
import { filledAddress } from "./filled-address.ts";
import { CallHosts } from "./outside-hosts.ts";
import { picturesIn } from "./picture-links.ts";

const addresses = (answer: string) => picturesIn(answer).map(({ address }) => address);

test("pictures of an answer, with their addresses beside them or in a line of their own", () => {
  expect(addresses("![a](https://a.example/1.png) <img alt='b' src=\"https://b.example/2.png\">")).toEqual([
    "https://a.example/1.png",
    "https://b.example/2.png",
  ]);
  const named =
    "![plan][P] and ![Map] but [not][q]\n\n[p]: https://a.example/p\n[map]: <https://a.example/m>\n[q]: https://a.example/q";
  expect(addresses(named)).toEqual(["https://a.example/p", "https://a.example/m"]);
});

test("64 KiB of near-misses are read in bounded time", () => {
  for (const piece of [
    "![a](",
    "![a][b] ",
    "[b]: https://a.b/c ",
    "<img src=",
    "https://a.b/?x=",
    "https://a.b/{",
    "https://",
  ]) {
    const text = piece.repeat(Math.ceil(65_536 / piece.length));
    const told = [text, "https://a.b/?x={q} ".repeat(160)].map((one, sequence) => ({
      text: one.slice(0, 3_000),
      tool: "t",
      asked: "",
      eventId: `e${sequence}`,
      sequence,
    }));
    const before = threadMs();
    for (const isCall of [true, false])
      filledAddress(text, isCall, told, createHeard(false), new CallHosts(text, () => false));
    expect([piece, threadMs() - before < 2_000]).toEqual([piece, true]);
  }
});
