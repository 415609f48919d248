import { expect, test } from "bun:test";
import fc from "fast-check";
import { NameTable } from "./name-table.ts";

const ascii = fc.string({
  unit: fc.integer({ min: 32, max: 126 }).map((c) => String.fromCharCode(c)),
  minLength: 1,
});

test("finds what a map of strings finds, wherever it stands", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(ascii, { minLength: 1, maxLength: 12 }),
      ascii,
      ascii,
      (names, other, around) => {
        const table = new NameTable(names.map((name, index) => [name, index]));
        for (const name of [...names, other]) {
          const bytes = Buffer.from(`${around}${name}${around}`);
          const place = names.indexOf(name);
          const found = table.find(bytes, around.length, around.length + name.length);
          expect(found).toBe(place === -1 ? undefined : place);
        }
      },
    ),
  );
});

test("a name that ends the bytes is not looked for beyond them", () => {
  const table = new NameTable([["sequence", 1]]);
  expect(table.find(Buffer.from("sequenc"), 0, 8)).toBeUndefined();
  expect(table.find(Buffer.from(""), 0, 0)).toBeUndefined();
});
