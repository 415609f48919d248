import { describe, expect, test } from "bun:test";
import { hostAllowed, isHostEntry, namesAllowed } from "./host-allow-list.ts";
import { parseDestination } from "./normalise-host.ts";

const isAllowed = (destination: string, ...allow: string[]) =>
  hostAllowed(parseDestination(destination), allow);

describe("hostAllowed", () => {
  test.each([
    ["api.example.com", "api.example.com"],
    ["api.example.com:443", " API.Example.com "],
    ["db.internal:5432", "db.internal:5432"],
    ["a.b.example.com", "*.example.com"],
    ["10.1.2.3", "10.0.0.0/8"],
    ["[fd12::1]:8080", "fd00::/8"],
    ["fd12::1", "[fd00::]/8"],
    ["fd12::1", "FD00::/8"],
    ["8.8.8.8", "0.0.0.0/0"],
  ])("%s by %s", (destination, entry) => {
    expect(isAllowed(destination, "other.example", entry)).toBe(true);
  });

  test.each([
    ["example.com", "*.example.com"],
    ["notexample.com", "*.example.com"],
    ["api.example.com.evil.example", "api.example.com"],
    ["db.internal:5433", "db.internal:5432"],
    ["db.internal", "db.internal:5432"],
    ["11.0.0.1", "10.0.0.0/8"],
    ["10.0.0.1.evil.example", "10.0.0.0/8"],
    ["anything.example", "*."],
    ["anything.example", ""],
    ["anything.example", "*"],
    ["8.8.8.8", "8.8.0.0/"],
    ["8.8.8.8", "8.8.0.0/33"],
    ["8.8.8.8", "8.8.0.0/-1"],
    ["8.8.8.8", "8.8.0.0/8.5"],
  ])("%s not by %s", (destination, entry) => {
    expect(isAllowed(destination, entry)).toBe(false);
  });

  test("a network of one family holds no address of the other, however wide it is", () => {
    expect([isAllowed("10.0.0.1", "::/8"), isAllowed("[::1]", "0.0.0.0/0")]).toEqual([false, false]);
    expect([isAllowed("[::1]", "::/8"), isAllowed("10.0.0.1", "0.0.0.0/0")]).toEqual([true, true]);
  });

  test("an empty list allows nothing", () => {
    expect(isAllowed("localhost")).toBe(false);
  });
});

test("the names that could be imitated: of hosts, and behind a wildcard, not of networks", () => {
  expect(namesAllowed(["Api.example.com:8443", "*.corp.example", "10.0.0.0/8", ""])).toEqual([
    "api.example.com",
    "corp.example",
  ]);
  expect(namesAllowed(["*."])).toEqual([]);
  expect(namesAllowed([])).toEqual([]);
});

test("an entry that could match nothing is known beforehand", () => {
  for (const entry of ["api.example.com", "db.internal:5432", "*.example.com", "10.0.0.0/8", "FD00::/8"])
    expect([entry, isHostEntry(entry)]).toEqual([entry, true]);
  for (const entry of [
    "",
    " ",
    "https://api.example.com/v1",
    "two hosts",
    "*",
    "a.*.com",
    "10.0.0.0/33",
    "*.",
  ])
    expect([entry, isHostEntry(entry)]).toEqual([entry, false]);
});
