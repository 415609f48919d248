import { expect, test } from "bun:test";
import fc from "fast-check";
import { ElementCounter } from "./element-counter.ts";

function count(bytes: Uint8Array, cuts: readonly number[]): number {
  const counter = new ElementCounter();
  const borders = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  for (let i = 1; i < borders.length; i++) counter.push(bytes.subarray(borders[i - 1]!, borders[i]!));
  return counter.count;
}

const item = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom<unknown>([], {}, [[]], "", '",[', "\\", '\\"', "]", { a: [] }),
);
const cuts = fc.array(fc.nat(), { maxLength: 12 });

test("counts what JSON.parse counts, however the text is spaced and wherever it is cut", () => {
  fc.assert(
    fc.property(fc.array(item), fc.constantFrom("", " ", "\t", "\r\n"), cuts, (items, indent, where) => {
      const text = `${indent}${JSON.stringify(items, undefined, indent)}${indent}`;
      expect(count(new TextEncoder().encode(text), where)).toBe(JSON.parse(text).length);
    }),
    { numRuns: 2_000 },
  );
});

test("cut after every byte, inside characters and escapes too", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "binary" })), (items) => {
      const bytes = new TextEncoder().encode(JSON.stringify(items));
      const counter = new ElementCounter();
      for (const byte of bytes) counter.push(Uint8Array.of(byte));
      expect(counter.count).toBe(items.length);
    }),
  );
});

test("what is no array holds no element", () => {
  for (const json of ['{"a":1,"b":[1,2]}', " {}", '"a,b"', "5", "null"]) {
    expect(count(new TextEncoder().encode(json), [])).toBe(0);
  }
});

test("anything else: a number, and no harm", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), cuts, (bytes, where) => {
      expect(count(bytes, where)).toBeWithin(0, bytes.length + 2);
    }),
  );
});
