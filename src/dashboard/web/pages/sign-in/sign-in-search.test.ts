import { expect, test } from "bun:test";
import { validateSignInSearch } from "./sign-in-search.ts";

test.each([
  ["/app", "/app"],
  ["/app/p/prj_1/groups?state=open&q=a%20b#top", "/app/p/prj_1/groups?state=open&q=a%20b#top"],
  ["/app/p/prj_1/../prj_2/live", "/app/p/prj_2/live"],
])("a sign-in leads to %s", (next, address) => {
  expect(validateSignInSearch({ next }).next).toBe(address);
});

test.each([
  "https://evil.example/app",
  "//evil.example/app",
  "/\\evil.example/app",
  "\\\\evil.example/app",
  "/\t/evil.example/app",
  "javascript:alert(1)",
  "app",
  "/apple",
  "/app/../metrics",
  "/app/%2e%2e/metrics",
  "/app/api/session",
  "/app/x/../api/session",
  "",
  7,
  null,
])("a sign-in does not lead to %p", (next) => {
  expect(validateSignInSearch({ next })).toEqual({ next: undefined, error: undefined });
});

test("what the provider said is a code, or nothing", () => {
  expect(validateSignInSearch({ error: "not_invited" }).error).toBe("not_invited");
  expect(validateSignInSearch({ error: "<b>call this number</b>" }).error).toBeUndefined();
});

test.each([
  [true, true],
  ["true", undefined],
  [{ a: 1 }, undefined],
])("a session that ended is said with true and nothing else: %p", (ended, expected) => {
  expect(validateSignInSearch({ ended })).toMatchObject({ ended: expected });
});
