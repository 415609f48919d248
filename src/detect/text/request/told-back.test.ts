import { expect, test } from "bun:test";
import { isToldBack } from "./told-back.ts";

const RESULTS = [
  '{"rows":[["DE",412],["FR",220],["IT",147]]}',
  "Your balance is 1,204.50 EUR. Account: AT61 1904. Owner: Jana Novak",
];

test.each([
  "rows",
  "page text",
  "DE 412, FR 220, IT 147",
  "balance 1,204.50 EUR, owner Jana Novak",
  RESULTS[0]!,
])("tells a result back: %s", (text) => {
  expect(isToldBack(text, RESULTS)).toBe(true);
});

test.each([
  "Refund it",
  "ok",
  "ja",
  "Transfer 50 to Jana Novak",
  "send it to Jana",
  "überweise es bitte an Jana",
  "Owner Jana Novak, who is she?",
  "Now compare this with the figures of last year and of the year before.",
])("is what somebody says: %s", (text) => {
  expect(isToldBack(text, RESULTS)).toBe(false);
});

test("nothing came back, so nothing is told back; a long text is told back by how it begins", () => {
  expect(isToldBack("rows", [])).toBe(false);
  const page = "alpha beta gamma ".repeat(400);
  expect(isToldBack(page, [page.slice(0, 1_000)])).toBe(true);
  expect(isToldBack(page, ["another page"])).toBe(false);
});
