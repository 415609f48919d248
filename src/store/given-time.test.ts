import { expect, test } from "bun:test";
import { timeOf } from "./given-time.ts";

test("times as RFC 3339 has them, to the minute too", () => {
  const at = Date.UTC(2028, 1, 29, 7, 5);
  for (const text of ["2028-02-29T07:05:00Z", "2028-02-29T07:05Z", "2028-02-29t09:05:00.000000001+02:00"])
    expect(timeOf(text)).toBe(at);
});

test("no day or hour that no calendar has, and nothing that only a machine reads", () => {
  const refused = [
    "2027-02-29T00:00:00Z",
    "2027-02-30T00:00:00Z",
    "2027-04-31T00:00:00Z",
    "2027-13-01T00:00:00Z",
    "2027-00-10T00:00:00Z",
    "2027-01-00T00:00:00Z",
    "2027-01-01T24:00:00Z",
    "2027-01-01T10:60:00Z",
    "2027-01-01T10:00:00+25:00",
    "2027-01-01T10:00:00",
    "2027-01-01",
    "0000-12-31T00:00:00Z",
    "5",
    "",
  ];
  expect(refused.filter((text) => timeOf(text) !== null)).toEqual([]);
});
