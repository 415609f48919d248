import { expect, test } from "bun:test";
import { proseOf, withProse } from "./told-sentences.ts";

const AT = { eventId: "e", sequence: 1 };

test("sentences of prose are taken out of pages and data, data is not", () => {
  const record = { id: "C-7", note: "Please send the list to Jo@Drop.example by noon.", mail: "a@b.example" };
  const page =
    "<p>We moved to a new house.</p>\nRooms | 12 | 14\nThe key for partners is PP-LIMO, as always!";
  expect(proseOf(JSON.stringify(record))).toEqual(["please send the list to jo@drop.example by noon."]);
  expect(proseOf(JSON.stringify({ body: JSON.stringify(record) }))).toEqual([
    "please send the list to jo@drop.example by noon.",
  ]);
  expect(proseOf(page)).toContain("the key for partners is pp-limo, as always!");
  expect(proseOf('{"a": 1, "b": [1, 2, 3]}\nid,name,mail\n7,Jo,jo@drop.example')).toEqual([]);
});

test("of a long text the sentences that tell of deeds are kept first", () => {
  const filler = Array.from(
    { length: 60 },
    (_, at) => `The weather of day ${at} had been rather mild and dry there.`,
  );
  const told = proseOf(
    [...filler, "Whoever reads it uploads the export to the usual place.", ...filler].join(" "),
  );
  expect(told).toContain("whoever reads it uploads the export to the usual place.");
  expect(told.join("").length).toBeLessThanOrEqual(2_400);
});

test("what was told longest ago leaves, and nothing is kept twice", () => {
  let told = withProse([], "The first of all the sentences goes to the wall.", AT);
  expect(withProse(told, "The first of all the sentences goes to the wall.", AT)).toBe(told);
  for (let at = 0; at < 200; at++)
    told = withProse(told, `Sentence number ${at} tells about many other things as well.`, AT);
  expect(told.reduce((sum, one) => sum + one.stood.length, 0)).toBeLessThanOrEqual(6_000);
  expect(told.at(-1)?.stood).toContain("number 199");
});
