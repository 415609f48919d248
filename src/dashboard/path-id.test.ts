import { expect, test } from "bun:test";
import fc from "fast-check";
import { idOfPath, pathIdOf } from "./path-id.ts";

test.each([
  [".", "~."],
  ["..", "~.."],
  ["~.", "~~."],
  ["...", "..."],
  ["~", "~"],
  ["~home", "~home"],
  ["run-1", "run-1"],
])("%s is %s in a path", (id, pathId) => {
  expect(pathIdOf(id)).toBe(pathId);
});

test("every id comes back from its address, and is one segment there", () => {
  const id = fc.oneof(
    fc.string({ unit: fc.constantFrom(".", "~", "%", "2", "e", "/", "\\"), minLength: 1, maxLength: 5 }),
    fc.string({ unit: "binary", minLength: 1, maxLength: 128 }),
  );
  fc.assert(
    fc.property(id, (given) => {
      const url = new URL(`https://own.invalid/executions/${encodeURIComponent(pathIdOf(given))}/events`);
      const segments = url.pathname.split("/");
      expect(segments.length).toBe(4);
      expect(idOfPath(decodeURIComponent(segments[2] ?? ""))).toBe(given);
    }),
  );
});
