import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { oidcRefusal } from "./oidc-refusals.ts";

const betterAuth = dirname(fileURLToPath(import.meta.resolve("better-auth")));

/** The codes that one of better-auth's own files writes, by what stands before them there. */
function codesIn(file: string, before: RegExp): string[] {
  const source = readFileSync(join(betterAuth, file), "utf8");
  const pattern = new RegExp(`(?:${before.source})"([a-z]+(?:[_ ][a-z]+)*)"`, "g");
  return [...source.matchAll(pattern)].map(([, code]) => (code ?? "").replaceAll(" ", "_"));
}

const given = new Set([
  ...codesIn("oauth2/errors.mjs", /\b[A-Z_]+: /),
  ...codesIn("oauth2/link-account.mjs", /\b(?:error|code): |errorURL\W+error`, /),
  ...codesIn("oauth2/state.mjs", /let code = /),
  ...codesIn("state.mjs", /code: /),
  "invalid_callback_request",
  "not_invited",
]);

test("better-auth's codes are found where they were", () => {
  expect([...given]).toEqual(
    expect.arrayContaining([
      "account_not_linked",
      "unable_to_get_user_info",
      "invalid_code",
      "state_mismatch",
      "signup_disabled",
      "internal_server_error",
    ]),
  );
  expect(given.size).toBeGreaterThanOrEqual(28);
});

describe("a sentence of its own for", () => {
  test.each([...given])("%s", (code) => {
    const text = oidcRefusal(code);
    expect(text).toEndWith(".");
    expect(text).not.toContain(code);
    expect(text).not.toContain("does not know why");
  });
});

test("a code that nobody knows is named, and not explained", () => {
  expect(oidcRefusal("teapot_empty")).toContain("does not know why. It calls the reason “teapot_empty”");
  expect(oidcRefusal("sign_in_failed")).not.toContain("sign_in_failed");
  expect(oidcRefusal("constructor")).toContain("does not know why");
});
