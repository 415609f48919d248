import { expect, test } from "bun:test";
import { findInJson, pathTo, unfoldedTo, visibleRows } from "./json-rows.ts";
import { readJson } from "./json-source.ts";

const root = readJson(`{"a":{"b":{"c":{"d":1}}},"long":[${"0,".repeat(200)}0],"a":"Found here"}`)!;

test("opens the first levels, leaves long lists folded, and follows what was folded", () => {
  const keys = (folding: Map<string, boolean>) => visibleRows(root, folding).map((row) => row.key);
  expect(keys(new Map())).toEqual([null, "a", "b", "c", "long", "a"]);
  expect(keys(new Map([["0.0", false]]))).toEqual([null, "a", "long", "a"]);
  expect(keys(new Map([["0.1", true]]))).toHaveLength(6 + 201);
});

test("finds keys and texts whatever their case, and leads to them", () => {
  const [match] = findInJson(root, "found");
  expect(match).toBe("0.2");
  expect(findInJson(root, "D")).toEqual(["0.0.0.0.0", "0.2"]);
  expect(pathTo(root, "0.0.0.0.0")).toEqual(["a", "b", "c", "d"]);
  expect(pathTo(root, "0.1.7")).toEqual(["long", 7]);
  const rows = visibleRows(root, unfoldedTo(new Map(), "0.0.0.0.0"));
  expect(rows.map((row) => row.key)).toContain("d");
  expect(findInJson(root, "")).toEqual([]);
});
